"""Limits of stored print jobs: rows, open jobs and bytes, for one visitor, one network address and all
together. These tests go through printing.tasks.jobs and printing.tasks.files.
"""

import json
from datetime import timedelta

import pytest
from django.db.models.signals import post_save
from django.test import Client
from django.utils import timezone

from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import files, jobs
from printing.tasks.jobs import AT_ONE_ADDRESS, MAX_OPEN
from tests.support.pages import page_of
from tests.support.print_jobs import BIG, claim, folder, fresh, more_like, path_of, stored_job

FEW = {"text": "1 Kai", "copies": "1"}
ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}
# The owner and network of rows that another visitor asked for.
OF_ANOTHER = {"browser": "e" * 64, "sender": "elsewhere"}


def refused(client: Client, **extra: str) -> tuple[int, str]:
    """(status, words) of the answer to a visitor who asks for a job."""
    answer = client.post("/print/jobs/", BIG | FEW, **extra)
    return answer.status_code, page_of(answer, status=answer.status_code).text


def over_api(**extra: str):
    """The answer to a job asked for over the API without an account, as if by a new visitor each time."""
    return Client(**extra).post("/api/v1/sheets/", json.dumps(BIG), content_type="application/json")


def ended(client: Client, state: RowState = RowState.CANCELLED) -> PrintJob:
    """A job of this visitor that has ended: cancelled, or DONE with a file."""
    row = stored_job(client, **FEW)
    if state == RowState.DONE:
        work_off()
    else:
        jobs.cancel(row)
    return fresh(row)


def large_file(bytes_: int) -> None:
    """A sparse file of other visitors: it has this size, but takes no room on the disk."""
    with (folder() / "of_others.pdf").open("wb") as file:
        file.truncate(bytes_)


# -- rows -------------------------------------------------------------------------------------


def test_a_visitor_may_ask_for_a_bounded_number_of_jobs_a_day(client):
    row = ended(client)
    more_like(row, jobs.MAX_A_DAY - 1)
    status, words = refused(client)
    assert status == 429 and f"{jobs.MAX_A_DAY} of your jobs were asked for within a day" in words
    assert "1 Kai" in words, "the list is not lost"
    assert client.post(f"/print/jobs/{row.link}/again/").status_code == 429
    assert PrintJob.objects.count() == jobs.MAX_A_DAY
    stored_job(Client(), **FEW)
    PrintJob.objects.update(made=timezone.now() - timedelta(days=1, seconds=1))
    stored_job(client, **FEW)


def test_a_visitor_may_have_two_open_jobs_and_others_still_get_theirs(client):
    rows = [stored_job(client) for _ in range(MAX_OPEN)]
    status, words = refused(client)
    assert status == 429 and "are waiting or being made" in words
    stored_job(Client())
    client.post(f"/print/jobs/{rows[0].link}/cancel/")
    stored_job(client)
    assert PrintJob.objects.count() == MAX_OPEN + 2


def test_visitors_without_a_cookie_share_the_limit_of_their_network(db):
    most = AT_ONE_ADDRESS * MAX_OPEN
    assert [over_api().status_code for _ in range(most)] == [202] * most
    answer = over_api()
    assert (answer.status_code, answer.json()[0]["code"]) == (429, "too_many_jobs")
    assert f"{most} jobs from your network are waiting or being made" in answer.json()[0]["message"]
    status, words = refused(Client())
    assert status == 429 and "from your network" in words, "pages and API share one limit"
    assert over_api(**ELSEWHERE).status_code == 202
    assert PrintJob.objects.count() == most + 1


def test_a_network_address_is_stored_as_a_hash_only(db):
    over_api(**ELSEWHERE)
    over_api()
    here, there = (row.sender for row in PrintJob.objects.order_by("pk"))
    assert here != there and len(here) == len(there) > 20
    stored = json.dumps([row.request | {"sender": row.sender} for row in PrintJob.objects.all()])
    assert ELSEWHERE["REMOTE_ADDR"] not in stored


def test_of_several_requests_at_once_for_the_last_place_one_gets_it(client):
    """After the first request's row is stored and before it is counted, a second request is stored and
    counted, and a third is stored.
    """
    before, answers = stored_job(client, **FEW), list[int]()

    def others_come(**_):
        post_save.disconnect(others_come, sender=PrintJob)
        answers.append(refused(client)[0])
        more_like(before, 1)

    post_save.connect(others_come, sender=PrintJob)
    answers.append(client.post("/print/jobs/", BIG | FEW).status_code)
    assert answers == [429, 302]


def test_new_rows_replace_the_oldest_without_a_file(client):
    done, cancelled, waiting = ended(client, RowState.DONE), ended(client), stored_job(client, **FEW)
    more_like(done, files.MAX_ROWS - 3, **OF_ANOTHER)
    new = stored_job(Client(), **FEW)
    left = set(PrintJob.objects.values_list("pk", flat=True))
    assert left >= {done.pk, waiting.pk, new.pk} and cancelled.pk not in left
    assert len(left) == files.MAX_ROWS
    status, words = refused(Client())
    assert status == 503 and "Too many files" in words, "rows with files and open jobs are not deleted"
    PrintJob.objects.filter(pk=done.pk).update(expires=timezone.now() - timedelta(seconds=1))
    stored_job(Client(), **FEW)
    assert not PrintJob.objects.filter(pk=done.pk).exists()


# -- when to try again ----------------------------------------------------------------------


def test_a_refusal_says_when_to_try_again(client):
    row = stored_job(client, **FEW)
    more_like(row, jobs.MAX_OPEN_OF_ALL - 1, **OF_ANOTHER)
    for busy in (over_api(), Client().post("/print/jobs/", BIG | FEW)):
        assert busy.status_code == 503 and int(busy["Retry-After"]) > 0
    PrintJob.objects.exclude(pk=row.pk).delete()
    cancelled = {"state": RowState.CANCELLED, "made": timezone.now() - timedelta(hours=23)}
    more_like(row, AT_ONE_ADDRESS * jobs.MAX_A_DAY, browser=OF_ANOTHER["browser"], **cancelled)
    # They are 23 hours old, so the oldest leaves the day's count in an hour.
    tomorrow = over_api()
    assert tomorrow.status_code == 429 and 3000 < int(tomorrow["Retry-After"]) <= 3600


# -- room -------------------------------------------------------------------------------------


def test_a_visitor_may_have_a_bounded_number_of_files(client):
    done = ended(client, RowState.DONE)
    more_like(done, jobs.MAX_FILES - 1)
    status, words = refused(client)
    assert status == 429 and f"The files of {jobs.MAX_FILES} of your jobs are kept" in words
    (folder() / done.file).unlink()
    stored_job(client, **FEW)


def test_files_of_one_network_or_account_leave_room_for_others(client, django_user_model):
    row = ended(client, RowState.DONE)
    path = path_of(row)
    assert path and row.size == path.stat().st_size
    PrintJob.objects.filter(pk=row.pk).update(size=files.MAX_BYTES_OF_ONE)
    for visitor in (client, Client()):
        status, words = refused(visitor)
        assert status == 429 and "take up all the room" in words
    stored_job(Client(**ELSEWHERE), **FEW)
    member = django_user_model.objects.create_user("somebody")
    client.force_login(member)
    PrintJob.objects.filter(pk=row.pk).update(owner=member, browser=None, sender="")
    assert refused(client, **ELSEWHERE)[0] == 429, "an account has no more room at another address"
    PrintJob.objects.filter(pk=row.pk).update(expires=timezone.now() - timedelta(seconds=1))
    stored_job(client, **FEW)


def test_a_waiting_job_fails_unstarted_if_no_room_is_left(client, pen):
    row, begun = stored_job(client, **FEW), list[int]()
    pen(lambda *_: begun.append(1))
    large_file(files.MAX_BYTES)
    work_off()
    assert fresh(row).state == RowState.FAILED and "the server has no room" in fresh(row).error
    assert not begun and [path.name for path in folder().iterdir()] == ["of_others.pdf"]
    assert refused(Client())[0] == 507


@pytest.mark.parametrize("of_one", [False, True])
def test_a_file_that_exceeds_the_room_left_is_stopped_and_deleted(client, pen, of_one):
    row, sizes, left = stored_job(client, **FEW), list[int](), 1_000

    def write(job, out, on_page):
        for _ in range(10):
            out.write(bytes(left // 4))
            sizes.extend(path.stat().st_size for path in folder().iterdir() if path.suffix == ".part")

    if of_one:
        done = ended(client, RowState.DONE)
        PrintJob.objects.filter(pk=row.pk).update(state=RowState.WAITING, file="", size=0)
        PrintJob.objects.filter(pk=done.pk).update(size=files.MAX_BYTES_OF_ONE - left)
    else:
        large_file(files.MAX_BYTES - left)
    before = {path.name for path in folder().iterdir()}
    pen(write)
    jobs.work(claim())
    assert fresh(row).state == RowState.FAILED and "the server has no room" in fresh(row).error
    assert sizes and max(sizes) <= left and {path.name for path in folder().iterdir()} == before
