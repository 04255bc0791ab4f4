"""Stored print jobs: which prints become one, from asking to the file, and that only the asker sees it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from cardsdb.watch.requests import WithRequest
from printing.exports import kinds
from printing.exports.export import BIG_SIDES, Cost
from printing.job.job import Job
from printing.models import PrintJob
from printing.options.values import read_options
from printing.tasks import jobs
from printing.tasks.jobs import MAX_OPEN
from tests.support.pages import page_of
from tests.support.print_jobs import (  # noqa: F401
    BIG,
    PAGES,
    folder,
    fresh,
    no_files_of_others,
    path_of,
    silence,
    stored_job,
)

# -- which prints become jobs -----------------------------------------------------------


@pytest.mark.django_db
def test_a_small_print_is_made_at_once_and_a_big_one_offered_as_a_job(client: Client) -> None:
    small, big = (page_of(client.post("/print/", BIG | {"copies": copies})) for copies in ("1", "20"))
    assert "Download the sheets" in small.text and not small.has("form", action="/print/jobs/")
    assert big.one("button", text=f"Make {PAGES} pages") and "Download the sheets" not in big.text
    assert client.post("/print/sheets.pdf", BIG | {"copies": "1"}).content.startswith(b"%PDF")
    assert f"Make {PAGES} pages".encode() in client.post("/print/sheets.pdf", BIG).content
    assert not PrintJob.objects.exists()


def test_sheets_of_drawn_cards_are_made_at_once_up_to_four_hundred_sides(sixth_game: Game) -> None:
    card = Card("deaddrop", "a", "A", "parcel", {"weight": 3})
    options = read_options({"backs": "long"})
    assert [
        Cost(job.pages).is_big(job)
        for sheets in (200, 201)
        for job in [Job(sixth_game, ((card, 9 * sheets),), options=options)]
    ] == [False, True]


@pytest.mark.django_db
def test_a_small_print_that_is_asked_for_as_a_job_is_one(client: Client) -> None:
    row = stored_job(client, copies="1", backs="none")
    assert work_off() == 1 and 0 < fresh(row).pages < BIG_SIDES


# -- from asking to the file ------------------------------------------------------------


def test_a_job_is_made_and_fetched(client: Client) -> None:
    row = stored_job(client)
    page = client.get(f"/print/jobs/{row.link}/")
    assert (row.state, row.pages) == (RowState.WAITING, PAGES)
    assert (
        b"Waiting for its turn" in page.content
        and b'hx-trigger="every 1s"' in page.content
        and b'http-equiv="refresh"' in page.content
    )
    assert client.get(f"/print/jobs/{row.link}/file/").status_code == 404
    assert work_off() == 1
    page = client.get(f"/print/jobs/{row.link}/")
    assert b"every 1s" not in page.content and b'http-equiv="refresh"' not in page.content
    file: Any = client.get(f"/print/jobs/{row.link}/file/")
    data = b"".join(file.streaming_content)
    assert data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
    assert (file["Cache-Control"], file["Content-Type"]) == ("private, no-store", "application/pdf")
    assert file["Content-Disposition"] == 'attachment; filename="spycraft-cards.pdf"'


def test_the_file_of_a_job_has_the_bytes_of_the_same_print_made_at_once(client: Client) -> None:
    fields = {"copies": "1", "text": "12 Kai"}
    row = stored_job(client, **fields)
    work_off()
    path = path_of(fresh(row))
    assert path and path.read_bytes() == client.post("/print/sheets.pdf", BIG | fields).content


def test_progress_is_told_while_pages_are_made(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    row, seen = stored_job(client), []
    monkeypatch.setattr(jobs, "BETWEEN", 0.0)

    def write(job: Any, out: Any, on_page: Any) -> None:
        for page in range(1, 4):
            on_page(page)
            seen.append(
                client.get(f"/print/jobs/{row.link}/", headers={"HX-Request": "true"}).content.decode()
            )

    monkeypatch.setattr(kinds, "write_sheets", write)
    work_off()
    assert [
        f"{page} of {PAGES} pages are made" in text for page, text in zip((1, 2, 3), seen, strict=True)
    ] == [True] * 3
    assert all("<html" not in text for text in seen)


def test_half_a_file_has_no_address_and_leaves_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, there = stored_job(client), []

    def write(job: Any, out: Any, on_page: Any) -> None:
        out.write(b"%PDF half")
        there.append(
            (
                [path.suffix for path in folder().iterdir()],
                client.get(f"/print/jobs/{row.link}/file/").status_code,
            )
        )
        raise RuntimeError("the pen is broken")

    monkeypatch.setattr(kinds, "write_sheets", write)
    work_off()
    assert there == [([".part"], 404)]
    assert list(folder().iterdir()) == []
    ended = fresh(row)
    assert (
        ended.state == RowState.FAILED
        and "Something went wrong here" in ended.error
        and "pen" not in ended.error
    )


def test_a_job_that_fails_is_logged_with_the_request_that_asked_for_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.post("/print/jobs/", BIG)
    monkeypatch.setattr(jobs, "_make", lambda *args: 1 / 0)
    work_off()
    (line,) = [one for one in caplog.records if one.name == jobs.__name__]
    assert WithRequest().filter(line) and line.request == answer["X-Request-ID"]  # type: ignore[attr-defined]


def test_a_job_that_cannot_be_printed_says_why(client: Client) -> None:
    row = stored_job(client)
    row.request["fields"] = row.request["fields"].replace("Kai", "Nobody+Knows")
    row.save()
    work_off()
    assert (
        fresh(row).state == RowState.FAILED
        and "Nobody Knows" in client.get(f"/print/jobs/{row.link}/").content.decode()
    )


def test_a_job_whose_unread_lines_were_shown_is_made_without_them(client: Client) -> None:
    row = stored_job(client, text=f"{BIG['text']}\n1 Nobody at all")
    work_off()
    assert (fresh(row).state, "without 1 unread line" in fresh(row).request["summary"]) == (
        RowState.DONE,
        True,
    )


def test_a_job_is_made_of_the_list_as_its_page_read_it(client: Client) -> None:
    xfiles = "\n".join(f"4 {card.name}" for card in games()["xfiles"].cards[:100])
    row = stored_job(client, text=xfiles, game="spycraft", format="agency")
    work_off()
    assert fresh(row).state == RowState.DONE


# -- whose it is ------------------------------------------------------------------------


def test_to_all_but_its_asker_there_is_nothing(client: Client, django_user_model: Any) -> None:
    row, stranger, member = stored_job(client), Client(), Client()
    member.force_login(django_user_model.objects.create_user("somebody"))
    work_off()
    for other in (stranger, member):
        assert (
            other.get("/print/jobs/").status_code == 200
            and row.link not in other.get("/print/jobs/").content.decode()
        )
        assert [other.get(f"/print/jobs/{row.link}/{part}").status_code for part in ("", "file/")] == [
            404,
            404,
        ]
        assert [
            other.post(f"/print/jobs/{row.link}/{part}/").status_code for part in ("cancel", "again")
        ] == [404, 404]
    assert row.link in client.get("/print/jobs/").content.decode()


def test_a_job_prints_what_its_asker_may_see_and_no_more(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Mine", "text": "4 Kai"})
    link = made["Location"].split("/")[2]
    row = _asked_for_deck(client, link)
    stranger = Client()
    assert stranger.post("/print/jobs/", {"deck": link, "paper": "a4"}).status_code == 404
    work_off()
    assert fresh(row).state == RowState.DONE
    again = _asked_for_deck(client, link)
    PrintJob.objects.filter(pk=again.pk).update(request={**again.request, "browser": ""})
    work_off()
    assert fresh(again).state == RowState.FAILED and "no longer there" in fresh(again).error


def _asked_for_deck(client: Client, link: str) -> PrintJob:
    return PrintJob.objects.get(
        link=client.post("/print/jobs/", {"deck": link, "paper": "a4"})["Location"].split("/")[-2]
    )


def test_one_visitor_has_two_jobs_at_once_and_others_are_not_kept_waiting(client: Client) -> None:
    rows = [stored_job(client) for _ in range(MAX_OPEN)]
    refused = client.post("/print/jobs/", BIG)
    assert refused.status_code == 429 and "are waiting or being made" in refused.content.decode()
    assert "50 Kai" in refused.content.decode()
    stored_job(Client())
    client.post(f"/print/jobs/{rows[0].link}/cancel/")
    stored_job(client)
    assert PrintJob.objects.count() == MAX_OPEN + 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/print/jobs/", "/print/jobs/abc/cancel/", "/print/jobs/abc/again/", "/print/presets/"]
)
def test_what_changes_something_needs_the_forms_token(address: str) -> None:
    assert Client(enforce_csrf_checks=True).post(address, BIG).status_code == 403
