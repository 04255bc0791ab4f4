"""Stored print jobs: which files become one, the way from asking to the file, and that only its owner sees
it.
"""

import io
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.identity.viewer import NOBODY
from cardsdb.models import RowState
from cardsdb.tasks.queue import Lost
from cardsdb.tasks.worker import work_off
from cardsdb.watch.requests import WithRequest
from printing.exports.export import Cost, Export
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.job.job import Job
from printing.models import PrintJob
from printing.options.values import read_options
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from tests.support.bringing import job_of
from tests.support.made_decks import named_deck
from tests.support.pages import Page, page, page_of
from tests.support.print_jobs import BIG, PAGES, claim, folder, fresh, path_of, stored_job

AGENTDECKER = games()["agentdecker"]
LIST = {
    "game": "agentdecker",
    "text": "\n".join(f"1 {card.name}" for card in AGENTDECKER.cards[:6]),
    "dpi": "150",
    "paper": "a4",
}
# The steps of this list by kind of file: six fronts and two backs as pictures, or two sides of each card as
# pages.
STEPS = {"cards": (8, "picture"), "tabletop": (8, "picture"), "service-pdf": (12, "page")}
# A list whose pictures have so many pixels that they become a job.
LARGE = {"game": "spycraft", "text": "1 Kai\n1 Li\n1 Termite", "dpi": "600", "trim": "100x140"}


def export_of(output: str, **fields: str) -> Export:
    """The export of LIST with these further fields."""
    sent = QueryDict(mutable=True)
    sent.update(LIST | fields)
    return export_for(PrintRequest.parse(PrintFields(sent, pasted=True, viewer=NOBODY)), output)


def shown(client: Client, row: PrintJob, **headers: str) -> Page:
    return page(client, f"/print/jobs/{row.link}/", headers=headers)


def asks_again(page: Page) -> bool:
    """True if a page reloads the state of its job, both with and without script."""
    return page.has(hx_trigger="every 1s") and page.has("meta", http_equiv="refresh")


# -- which files become jobs ------------------------------------------------------------


@pytest.mark.django_db
def test_a_small_print_is_made_at_once_and_a_big_one_is_offered_as_a_job(client):
    small, big = (page_of(client.post("/print/", BIG | {"copies": copies})) for copies in ("1", "20"))
    assert "Download the sheets" in small.text and not small.has("form", action="/print/jobs/")
    assert big.has("button", text=f"Make {PAGES} pages") and "Download the sheets" not in big.text
    assert client.post("/print/sheets.pdf", BIG | {"copies": "1"}).content.startswith(b"%PDF")
    assert page_of(client.post("/print/sheets.pdf", BIG)).has("button", text=f"Make {PAGES} pages")
    assert not PrintJob.objects.exists()


@pytest.mark.parametrize(("sheets", "is_big"), [(200, False), (201, True)])
def test_drawn_cards_are_made_at_once_up_to_four_hundred_sides(sixth_game, sheets, is_big):
    card, options = Card("deaddrop", "a", "A", "parcel", {"weight": 3}), read_options({"backs": "long"})
    job = Job(sixth_game, ((card, 9 * sheets),), options=options)
    assert Cost(job.pages).is_big(job) is is_big


@pytest.mark.django_db
@pytest.mark.parametrize("output", STEPS)
def test_the_work_of_a_file_is_counted_in_steps_and_each_step_is_reported(output, blank_cards):
    export, reported = export_of(output), list[int]()
    assert (export.work.steps, export.work.unit) == STEPS[output]
    assert (export.work.pixels > 0) == (export.work.unit == "picture")
    export.write(io.BytesIO(), reported.append)
    assert sorted({0, *reported}) == list(range(export.work.steps + 1))


@pytest.mark.django_db
@pytest.mark.parametrize("output", STEPS)
def test_an_error_of_the_progress_report_stops_the_writing_of_a_file(output, blank_cards):
    def lost(step: int) -> None:
        if step == 3:
            raise Lost

    with pytest.raises(Lost):
        export_of(output).write(io.BytesIO(), lost)


@pytest.mark.django_db
def test_a_cut_path_is_never_big():
    assert not export_of("cut-svg", text=f"99 {AGENTDECKER.cards[0].name}", copies="20").big


@pytest.mark.django_db
def test_a_big_file_is_offered_with_a_button_that_stores_its_job(client, blank_cards):
    offer = page_of(client.post("/print/cards.zip", LARGE))
    assert "takes a while" in offer.text and not PrintJob.objects.exists()
    form = offer.one("form", action="/print/jobs/")
    assert form.has("button", text="Make 4 pictures")
    row = job_of(client.post("/print/jobs/", form.sent))
    assert (row.pages, row.request["unit"], row.request["output"]) == (4, "picture", "cards")


@pytest.mark.django_db
def test_an_unknown_kind_of_file_is_refused(client):
    answer = page_of(client.post("/print/jobs/", LIST | {"output": "../../etc"}), status=400)
    assert "There is no such file" in answer.text and not PrintJob.objects.exists()


# -- from asking to the file ------------------------------------------------------------


def test_a_job_is_made_and_fetched(client):
    row = stored_job(client)
    waiting = shown(client, row)
    assert (row.state, row.pages) == (RowState.WAITING, PAGES)
    assert "Waiting for its turn" in waiting.text and asks_again(waiting)
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert work_off() == 1
    done = shown(client, row)
    assert f"Done: {PAGES} pages." in done.text and not asks_again(done)
    file: Any = client.get(f"/print/jobs/{row.link}/file/")
    data = b"".join(file.streaming_content)
    assert data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
    assert (file["Cache-Control"], file["Content-Type"]) == ("private, no-store", "application/pdf")
    assert file["Content-Disposition"] == 'attachment; filename="spycraft-cards.pdf"'


@pytest.mark.parametrize(
    ("slug", "chosen"),
    [("sheets", {}), ("service-pdf", {}), ("cards", {"image": "jpeg", "copies": "2", "bleed": "2"})],
)
def test_a_job_makes_the_same_file_as_a_print_made_at_once(client, slug, chosen, blank_cards):
    sent = {**LIST, "copies": "1", "backs": "none", **chosen}
    name = EXPORT_KINDS[slug].file if slug in EXPORT_KINDS else "sheets.pdf"
    at_once = client.post(f"/print/{name}", sent)
    row = stored_job(client, **sent, output=slug)
    assert work_off() == 1
    path = path_of(fresh(row))
    assert path and path.read_bytes() == at_once.content and path.suffix == name[-4:]
    file: Any = client.get(f"/print/jobs/{row.link}/file/")
    for header in ("Content-Type", "Content-Disposition"):
        assert file[header] == at_once[header]
    assert file.getvalue() == at_once.content


def test_the_page_shows_the_progress_while_pages_are_made(client, pen):
    row, seen = stored_job(client), list[Page]()

    def write(job, out, on_page):
        for number in range(1, 4):
            on_page(number)
            seen.append(shown(client, row, **{"HX-Request": "true"}))

    pen(write)
    jobs.work(claim())
    assert all(f"{number} of {PAGES} pages are made" in part.text for number, part in enumerate(seen, 1))
    assert len(seen) == 3 and not any(part.has("h1") for part in seen), "only the state is loaded again"


def test_a_job_that_breaks_leaves_no_file_and_logs_the_reason(client, pen, caplog):
    answer, seen = client.post("/print/jobs/", BIG), list[str]()

    def write(job, out, on_page):
        out.write(b"%PDF half")
        seen.extend(path.suffix for path in folder().iterdir())
        raise RuntimeError("the pen is broken")

    pen(write)
    work_off()
    assert seen == [".part"] and not list(folder().iterdir())
    ended = fresh(job_of(answer))
    assert ended.state == RowState.FAILED and "Something went wrong here" in ended.error
    assert "pen" not in ended.error
    # The log has the reason, with the id of the request that stored the job.
    (line,) = [record for record in caplog.records if record.name == jobs.__name__]
    assert "the pen is broken" in caplog.text
    assert WithRequest().filter(line) and line.request == answer["X-Request-ID"]


def test_a_job_that_cannot_be_printed_says_why(client):
    row = stored_job(client)
    row.request["fields"] = row.request["fields"].replace("Kai", "Nobody+Knows")
    row.save()
    work_off()
    assert fresh(row).state == RowState.FAILED and "Nobody Knows" in shown(client, row).text


def test_a_job_reads_its_list_as_the_page_did(client):
    partly = stored_job(client, text=f"{BIG['text']}\n1 Nobody at all")
    xfiles = "\n".join(f"4 {card.name}" for card in games()["xfiles"].cards[:100])
    other = stored_job(client, text=xfiles, game="spycraft", format="agency")
    work_off()
    assert fresh(partly).state == fresh(other).state == RowState.DONE
    assert "without 1 unread line" in fresh(partly).request["summary"]


# -- privacy ----------------------------------------------------------------------------


def test_to_all_but_its_asker_there_is_nothing(client, django_user_model):
    row, member = stored_job(client), Client()
    member.force_login(django_user_model.objects.create_user("somebody"))
    work_off()
    address = f"/print/jobs/{row.link}/"
    for other in (Client(), member):
        assert address not in page(other, "/print/jobs/").links
        assert {other.get(f"{address}{part}").status_code for part in ("", "file/")} == {404}
        assert {other.post(f"{address}{part}/").status_code for part in ("cancel", "again")} == {404}
    assert address in page(client, "/print/jobs/").links


def test_a_job_prints_only_decks_that_its_owner_may_see(client):
    deck = named_deck(client, "Mine", "4 Kai", visibility="private")
    sent = {"deck": deck.link, "paper": "a4"}
    assert Client().post("/print/jobs/", sent).status_code == 404
    mine, again = (job_of(client.post("/print/jobs/", sent)) for _ in range(2))
    PrintJob.objects.filter(pk=again.pk).update(request={**again.request, "browser": ""})
    work_off()
    assert fresh(mine).state == RowState.DONE
    assert fresh(again).state == RowState.FAILED and "no longer there" in fresh(again).error


@pytest.mark.django_db
def test_every_post_needs_the_csrf_token():
    for address in ("/print/jobs/", "/print/jobs/abc/cancel/", "/print/jobs/abc/again/", "/print/presets/"):
        assert Client(enforce_csrf_checks=True).post(address, BIG).status_code == 403, address
