"""Files besides the sheets that take longer than one waits: asked for on a page or over the API, cancelled
soon.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any
from zipfile import ZipFile

import pikepdf
import pytest
from django.http import QueryDict
from django.test import Client
from PIL import Image

from cardsdb.games import games
from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.exports import card_pictures, export, tabletop_sheets
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.models import PrintJob
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from tests.support.exports import blank_cards
from tests.support.print_decks import client_of, owner
from tests.support.print_jobs import claim, folder, fresh, no_files_of_others, path_of  # noqa: F401
from tests.support.programs import run
from tests.support.public_decks import make_deck

__all__ = ["blank_cards", "client_of", "owner"]

NAMES = [card.name for card in games()["agentdecker"].cards]
LIST = {
    "game": "agentdecker",
    "text": "\n".join(f"1 {name}" for name in NAMES[:6]),
    "dpi": "150",
    "paper": "a4",
}
# What this list comes to: six fronts and two backs as pictures, two sides of each card as pages.
STEPS = {
    "cards": (8, "picture"),
    "tabletop": (8, "picture"),
    "service": (12, "page"),
    "service-pdf": (12, "page"),
}


@pytest.fixture
def nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every file took long."""
    monkeypatch.setattr(export, "BIG_PIXELS", 0)
    monkeypatch.setattr(export, "BIG_SIDES", 0)
    monkeypatch.setattr(jobs, "BETWEEN", 0.0)


def start(client: Client, slug: str, **fields: str) -> PrintJob:
    """Ask for a file and press the button that is offered in its place."""
    page = client.post(f"/print/{EXPORT_KINDS[slug].file}", LIST | fields).content.decode()
    assert "takes longer than a moment" in page
    hidden = dict(re.findall('<input type="hidden" name="([a-z_]+)" value="([^"]*)">', page))
    hidden.pop("csrfmiddlewaretoken", None)
    answer = client.post("/print/jobs/", hidden)
    assert answer.status_code == 302, answer.content
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def work_in(sent: dict[str, str], output: str) -> export.Cost:
    from cardsdb.identity.viewer import Viewer

    fields = QueryDict(mutable=True)
    fields.update(sent)
    return export_for(PrintRequest.parse(PrintFields(fields, True, Viewer())), output).work


# -- which of them ------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("output", "steps"), STEPS.items())
def test_the_work_is_counted_by_what_is_drawn(output: str, steps: tuple[int, str]) -> None:
    work = work_in(LIST, output)
    assert (work.steps, work.unit) == steps
    assert (work.pixels > 0) == (work.unit == "picture")


@pytest.mark.django_db
def test_four_times_the_pixels_are_four_times_the_work() -> None:
    one, four = (work_in(LIST | {"dpi": dpi}, "cards").pixels for dpi in ("300", "600"))
    assert four == pytest.approx(4 * one, rel=0.001)


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.django_db
def test_five_decks_at_600_pixels_an_inch_are_no_request_to_wait_for(client: Client) -> None:
    text = "\n".join(f"1 {card.name}" for card in games()["spycraft"].cards[:30])
    fields = {"game": "spycraft", "text": text}
    assert client.post("/print/cards.zip", fields | {"dpi": "150"})["Content-Type"] == "application/zip"
    page = client.post("/print/cards.zip", fields | {"dpi": "600"})
    assert re.search("Make 3[0-9] pictures", page.content.decode()) and not PrintJob.objects.exists()


@pytest.mark.parametrize("slug", ["cut-svg", "cut-dxf"])
def test_a_cut_path_is_never_big(
    client: Client, nothing_is_small: None, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BIG_SIDES", 1)
    assert (
        client.post(f"/print/{EXPORT_KINDS[slug].file}", LIST | {"copies": "20"})["Content-Type"]
        == EXPORT_KINDS[slug].content_type
    )


# -- from asking to the file ----------------------------------------------------------------


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", STEPS)
def test_the_file_of_a_job_is_the_one_that_is_made_at_once(
    client: Client, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = client.post(f"/print/{EXPORT_KINDS[slug].file}", LIST)
    assert at_once["Content-Type"] == EXPORT_KINDS[slug].content_type
    monkeypatch.setattr(export, "BIG_PIXELS", 0)
    monkeypatch.setattr(export, "BIG_SIDES", 0)
    row = start(client, slug)
    steps, unit = STEPS[slug]
    assert (row.pages, row.request["unit"]) == (steps, unit)
    assert work_off() == 1
    done = fresh(row)
    path = path_of(done)
    assert path and path.read_bytes() == at_once.content
    assert f"Done: {steps} {unit}s." in client.get(f"/print/jobs/{row.link}/").content.decode()
    file: Any = client.get(f"/print/jobs/{row.link}/file/")
    assert (
        file["Content-Disposition"] == f'attachment; filename="agentdecker-cards-{EXPORT_KINDS[slug].file}"'
    )
    assert file.getvalue() == at_once.content
    assert (file["Content-Type"], path.suffix) == (
        EXPORT_KINDS[slug].content_type,
        f".{EXPORT_KINDS[slug].file[-3:]}",
    )


def test_the_fields_of_the_file_come_along(client: Client, nothing_is_small: None) -> None:
    row = start(client, "cards", image="jpeg", copies="2", bleed="2")
    work_off()
    path = path_of(fresh(row))
    assert path
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        assert (
            len([name for name in archive.namelist() if name.startswith("02x-") and name.endswith(".jpg")])
            == 6
        )
        with Image.open(io.BytesIO(archive.read(archive.namelist()[1]))) as shown:
            assert shown.size == (round(67_500 / 25_400 * 150), round(92_900 / 25_400 * 150))


def test_a_pdf_in_an_archive_is_whole(client: Client, nothing_is_small: None, tmp_path: Any) -> None:
    row = start(client, "service", service="drivethru")
    work_off()
    path = path_of(fresh(row))
    assert path
    run("unzip", "-q", str(path), "-d", str(tmp_path))
    run("qpdf", "--check", str(tmp_path / "cards.pdf"))
    with pikepdf.open(tmp_path / "cards.pdf") as document:
        assert len(document.pages) == 12


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", STEPS)
def test_every_picture_and_page_is_told(
    client: Client, nothing_is_small: None, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(client, slug)
    counts: list[int] = []
    tell = jobs._Progress._tell

    def telling(progress: Any, **values: int) -> None:
        counts.append(values.get("pages_done", 0))
        tell(progress, **values)

    monkeypatch.setattr(jobs._Progress, "_tell", telling)
    work_off()
    assert sorted(set(counts)) == list(range(STEPS[slug][0] + 1))


@pytest.mark.parametrize(("slug", "module"), [("cards", card_pictures), ("tabletop", tabletop_sheets)])
def test_a_cancelled_job_draws_no_further_picture(
    client: Client, nothing_is_small: None, slug: str, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, drawn = start(client, slug), []
    called = "card_file" if slug == "cards" else "card_image"
    plain = getattr(module, called)

    def draw(drawing: Any, *args: Any) -> Any:
        drawn.append(drawing.name)
        if len(drawn) == 3:
            client.post(f"/print/jobs/{row.link}/cancel/")
        return plain(drawing, *args)

    monkeypatch.setattr(module, called, draw)
    work_off()
    assert len(drawn) == 3 and fresh(row).state == RowState.CANCELLED
    assert list(folder().iterdir()) == []


def test_progress_is_counted_in_pictures(client: Client, nothing_is_small: None) -> None:
    row = start(client, "cards")
    claim()
    PrintJob.objects.filter(pk=row.pk).update(pages_done=3)
    assert "3 of 8 pictures are made." in client.get(f"/print/jobs/{row.link}/").content.decode()


def test_a_kind_of_file_that_there_is_not_is_refused(client: Client) -> None:
    answer = client.post("/print/jobs/", LIST | {"output": "../../etc"})
    assert answer.status_code == 400 and "There is no such file" in answer.content.decode()
    assert not PrintJob.objects.exists()


# -- over the API ---------------------------------------------------------------------------


def asked_over_api(client: Client, **fields: str) -> Any:
    return client.post("/api/v1/sheets/", json.dumps(LIST | fields), content_type="application/json")


@pytest.mark.parametrize("output", ["sheets", "cards"])
def test_the_api_answers_with_a_job_what_takes_long(
    client: Client, nothing_is_small: None, output: str
) -> None:
    answer = asked_over_api(client, output=output)
    assert answer.status_code == 202
    job = answer.json()
    assert (job["address"], job["state"], job["file"], job["done"]) == (answer["Location"], "waiting", "", 0)
    own = {"X-Job-Key": job["key"]}
    assert (
        client.get(job["address"]).status_code
        == Client().get(job["address"], headers={"X-Job-Key": "x"}).status_code
        == 404
    )
    work_off()
    done = Client().get(job["address"], headers=own).json()
    assert (done["state"], done["done"], done["total"], "key" in done) == (
        "done",
        job["total"],
        job["total"],
        False,
    )
    file = Client().get(done["file"], headers=own)
    assert file.status_code == 200 and file.getvalue()[:4] == (
        b"%PDF" if output == "sheets" else b"PK\x03\x04"
    )
    assert Client().get(done["file"]).status_code == 404


def test_the_api_hands_out_at_once_what_is_small(client: Client) -> None:
    answer = asked_over_api(client, output="cards")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert ZipFile(io.BytesIO(answer.content)).testzip() is None
    assert asked_over_api(client, output="nothing").json()[0]["where"] == "output"
    assert asked_over_api(client, output="cards", dpi="7").status_code == 400


def test_a_job_of_the_api_is_cancelled_by_who_asked(client: Client, nothing_is_small: None) -> None:
    job = asked_over_api(client, output="cards").json()
    assert Client().delete(job["address"]).status_code == 404
    assert client.delete(job["address"], headers={"X-Job-Key": job["key"]}).json()["state"] == "cancelled"
    work_off()
    assert PrintJob.objects.get().attempts == 0 and list(folder().iterdir()) == []


def test_a_members_job_of_the_api_is_among_their_own(
    client: Client, nothing_is_small: None, django_user_model: Any
) -> None:
    client.force_login(django_user_model.objects.create_user("somebody"))
    job = asked_over_api(client).json()
    assert "key" not in job and client.get(job["address"]).status_code == 200
    assert job["address"].split("/")[-2] in client.get("/print/jobs/").content.decode()


def test_a_private_deck_is_printed_for_whoever_has_its_key(client: Client, nothing_is_small: None) -> None:
    mine = {"game": "agentdecker", "name": "Mine", "text": LIST["text"], "visibility": "private"}
    deck = client.post("/api/v1/decks/", json.dumps(mine), content_type="application/json").json()
    fields = {"data": json.dumps({"deck": deck["id"]}), "content_type": "application/json"}
    assert Client().post("/api/v1/sheets/", **fields).status_code == 404
    answer = Client().post("/api/v1/sheets/", **fields, headers={"X-Deck-Key": deck["edit_key"]})
    assert answer.status_code == 202
    work_off()
    assert PrintJob.objects.get().state == RowState.DONE
    assert deck["edit_key"] not in json.dumps(PrintJob.objects.get().request)


# -- what is stored is what was asked for ------------------------------------------------------


def test_a_deck_that_was_taken_out_of_the_print_is_not_in_the_stored_job_either(client_of: Client) -> None:
    left, out = make_deck(client_of, "Kept", "3 Kai"), make_deck(client_of, "Out", "2 Li")
    sent = {"deck": [f"{left.link},{out.link}"], "without": out.link, "paper": "a4"}
    answer = client_of.post("/print/jobs/", sent)
    row = PrintJob.objects.get(link=answer["Location"].split("/")[-2])
    assert row.request["summary"].startswith("3 cards")
    assert QueryDict(row.request["fields"]).getlist("deck") == [left.link]
