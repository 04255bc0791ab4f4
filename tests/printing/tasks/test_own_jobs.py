"""Large files of own texts, compared and taken in by a worker: progress, cancelling, all or nothing. These
tests go through printing.web.own_views, printing.tasks.jobs and cardsdb.box.jobs.
"""

import io
import json
import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from cardsdb.box import jobs as box_jobs
from cardsdb.box import waiting
from cardsdb.box.comparing import EVERY
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnText, RowState
from cardsdb.tasks.queue import Lost
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from printing.web.own_views import BOUNDS_AT_ONCE, MAX_AT_ONCE
from tests.support.bringing import job_of, large, look, pressed, waits, words_of
from tests.support.packages import zipped
from tests.support.pages import page, page_of
from tests.support.print_jobs import claim, fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_folders")]
CARDS = games()["spycraft"].cards[:4]
LINES = [f"{card.code},{card.name},{card.type},Zeppelin." for card in CARDS]
TABLE = "\n".join(["id,name,type,text", *LINES, ",Iron Heron,agent,Fly."]).encode()


def sent(client: Client, data: bytes = TABLE) -> PrintJob:
    """Send a large file, and return the job that looks at it."""
    return job_of(look(client, large("mine.csv", data), "mine.zip", game="spycraft"))


def kept(client: Client, row: PrintJob, do: str = "add", **fields: str) -> PrintJob:
    """Press a button on the report of a job (``add`` or ``make``), and return the job that takes the
    file in.
    """
    return job_of(pressed(client, client.get(f"/own/jobs/{row.link}/"), do, **fields))


# -- which files become jobs ---------------------------------------------------------------


# It repeats itself, so that it is small when packed.
PAD = os.urandom(200_000) * 170


def rows(number: int) -> bytes:
    return b"id,text\n" + b"kai,Mine.\n" * number


@pytest.mark.parametrize(
    ("name", "data", "is_job"),
    [
        ("mine.csv", rows(BOUNDS_AT_ONCE.rows), False),
        ("mine.csv", rows(BOUNDS_AT_ONCE.rows + 1), True),
        ("mine.csv", rows(1) + os.urandom(MAX_AT_ONCE // 2).hex().encode(), True),
        ("mine.zip", zipped({"mine.csv": rows(1), "pad.txt": PAD}), True),
    ],
    ids=["as many rows as may be", "a row more", "many bytes", "many bytes unpacked"],
)
def test_a_file_over_a_bound_of_rows_or_bytes_becomes_a_job(client, name, data, is_job):
    assert BOUNDS_AT_ONCE.unpacked < len(PAD), "the zip above is larger than the bound"
    answer = look(client, data, name, game="spycraft")
    assert answer.status_code == (302 if is_job else 200) and PrintJob.objects.exists() == is_job


def test_a_long_file_without_any_card_is_refused_at_once(client):
    answer = look(client, b"name,text\n" + b"Qqq,Zzz\n" * (BOUNDS_AT_ONCE.rows + 1), "mine.csv")
    assert "No row matches a card of the games here" in page_of(answer, status=400).text
    assert not PrintJob.objects.exists()


# -- looked at, taken in -------------------------------------------------------------------


def test_a_large_file_is_looked_at_and_taken_in_by_a_worker(client):
    row = sent(client)
    first = page(client, f"/own/jobs/{row.link}/")
    assert "Waiting for its turn" in first.text and first.has("meta", http_equiv="refresh")
    assert work_off() == 1
    shown = words_of(client, row)
    assert "4 would be added" in shown and "Zeppelin" in shown and "Make 1 card" in shown
    assert not OwnText.objects.exists() and not OwnCard.objects.exists()
    keep = kept(client, row, "make", into="Harbour")
    assert work_off() == 1
    done = page(client, f"/own/jobs/{keep.link}/")
    assert "4 cards of Spycraft added, 0 changed, 0 left alone" in done.text
    own = OwnCard.objects.get()
    assert own.in_set.name == "Harbour" and f"/own/sets/{own.in_set.link}/" in done.links
    assert OwnText.objects.count() == 4 and not waits()
    assert not PrintJob.objects.filter(pk=row.pk).exists(), "the report is deleted with the file"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"Name,Type\n" + b"".join(b"Gull %d,Agent\n" % n for n in range(4)), "Say which game it is"),
        (TABLE + b'\n"never closed,' + b"x" * 200_000, "is no row of a table"),
    ],
    ids=["its game is not known", "damaged"],
)
def test_a_file_that_cannot_be_read_says_why_and_can_be_looked_at_again(client, data, why):
    row = job_of(look(client, large("gulls.csv", data), "gulls.zip"))
    work_off()
    answer = client.get(f"/own/jobs/{row.link}/")
    assert why in page_of(answer).text and fresh(row).state == RowState.FAILED and waits()
    again = job_of(pressed(client, answer, "look", game="spycraft"))
    work_off()
    is_readable = why == "Say which game it is"
    assert ("Make 4 cards" in words_of(client, again)) == is_readable


# -- progress ------------------------------------------------------------------------------


def test_progress_is_shown_until_the_job_is_done(client):
    row = sent(client)
    taken = claim()
    PrintJob.objects.filter(pk=row.pk).update(pages=5, pages_done=4)
    assert "4 of 5 rows are compared." in words_of(client, row, **{"HX-Request": "true"})
    jobs.work(taken)
    done = client.get(f"/own/jobs/{row.link}/", headers={"HX-Request": "true"})
    assert done["HX-Refresh"] == "true" and (fresh(row).pages, fresh(row).state) == (5, RowState.DONE)


# -- all or nothing ------------------------------------------------------------------------

ADA = Viewer(browser="a" * 64)


def lost(*_) -> None:
    raise Lost


def ended(number: int) -> None:
    """The progress of a worker that is told to stop once some rows are done."""
    if number >= EVERY:
        raise SystemExit


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize(
    ("moment", "error"),
    [({"begin": lost}, Lost), ({"progress": ended}, SystemExit), ({"done": lost}, Lost)],
    ids=["before it is begun", "half way", "when all is written"],
)
def test_a_job_that_is_cancelled_or_broken_off_stops_and_stores_nothing(keep, moment, error):
    token = waiting.keep(ADA, io.BytesIO(rows(EVERY + 1)), "mine.csv")
    request = box_jobs.request_of(token, "mine.csv", {"game": "spycraft"}, keep)
    nothing = dict.fromkeys(("begin", "progress", "done"), lambda *_: None)
    with pytest.raises(error):
        box_jobs.make(request, ADA, **nothing | moment)
    assert not OwnText.objects.exists() and waits() == 1


def test_a_job_that_is_cancelled_while_its_rows_are_written_stores_nothing(client):
    row = sent(client)
    work_off()
    keep = kept(client, row)
    taken, written = claim(), list[str]()

    def cancel_at_first_insert(execute, sql: str, *rest):
        answer = execute(sql, *rest)
        if sql.startswith("INSERT") and "cardsdb_owntext" in sql:
            written.append(sql)
            PrintJob.objects.filter(pk=keep.pk).update(state=RowState.CANCELLED)
        return answer

    with connection.execute_wrapper(cancel_at_first_insert):
        jobs.work(taken)
    assert written and not OwnText.objects.exists() and fresh(keep).state != RowState.DONE


def test_progress_is_reported_as_rows_are_compared():
    token = waiting.keep(ADA, io.BytesIO(rows(2 * EVERY + 1)), "mine.csv")
    request = box_jobs.request_of(token, "mine.csv", {"game": "spycraft"}, keep=False)
    totals, progress, result = list[int](), list[int](), dict[str, Any]()
    box_jobs.make(request, ADA, totals.append, progress.append, result.update)
    assert totals == [2 * EVERY + 1]
    # The first reports come while rows are only counted.
    assert progress == [0, 0, EVERY, 2 * EVERY, 2 * EVERY + 1]
    assert json.dumps(result["report"])


def test_the_form_fields_that_a_job_stores_are_known_ones_of_bounded_length():
    posted = {"game": "spycraft", "column:1": "x" * (box_jobs.MAX_FIELD + 1), "csrfmiddlewaretoken": "x"}
    stored = box_jobs.request_of("token", "mine.csv", posted, keep=False)["fields"]
    assert {name: len(value) for name, value in stored.items()} == {"game": 8, "column:1": box_jobs.MAX_FIELD}


# -- privacy -------------------------------------------------------------------------------


def test_only_the_sender_of_a_file_sees_its_job_and_can_cancel_it(client):
    client.force_login(User.objects.create_user("ada"))
    row, stranger = sent(client), Client()
    assert stranger.get(f"/own/jobs/{row.link}/").status_code == 404
    assert stranger.post(f"/print/jobs/{row.link}/cancel/").status_code == 404
    assert "Looking at" in words_of(client, row) and "Looking at" not in page(client, "/print/jobs/").text
    assert client.get(f"/print/jobs/{row.link}/")["Location"] == f"/own/jobs/{row.link}/"
    client.post(f"/print/jobs/{row.link}/cancel/")
    assert "Cancelled. Nothing was kept." in words_of(client, row) and waits()


def test_dropping_a_file_deletes_its_job_and_its_report(client):
    row = sent(client)
    work_off()
    pressed(client, client.get(f"/own/jobs/{row.link}/"), "forget")
    assert not PrintJob.objects.exists() and not waits() and not OwnBox.objects.exists()
