"""Pictures that take long to take in are taken in by a worker: with progress, and whoever sent them waits for
nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.box import jobs as picture_jobs
from cardsdb.box.jobs import Uploaded
from cardsdb.models import RowState, UploadedPicture
from cardsdb.storage.contract import StoreAway
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from tests.support.picture_pages import bring, words
from tests.support.pictures import coded, painted, picture_folder
from tests.support.print_jobs import fresh, stored_job, waiting_folder

__all__ = ["picture_folder"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("picture_folder")]
WEBP = [coded(painted(size=(side, 420)), "WEBP", lossless=True) for side in (300, 310)]
JPEG = coded(painted(size=(300, 420)))


@pytest.fixture(autouse=True)
def one_at_once(settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than one of these pictures is taken in while one waits."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(picture_jobs, "MAX_AT_ONCE", 140_000)
    monkeypatch.setattr(jobs, "BETWEEN", 0.0)


def sent(client: Client, *files: tuple[str, bytes], **more: str) -> PrintJob:
    answer = bring(client, *files, **more)
    assert answer.status_code == 302 and "/own/jobs/" in answer["Location"], answer.content.decode()
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def page(client: Client, row: PrintJob) -> str:
    return words(client.get(f"/own/jobs/{row.link}/"))


def test_pictures_that_take_long_are_taken_in_by_a_worker_as_was_wished(client: Client) -> None:
    row = sent(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1]), edge="none")
    assert "Taking in 2 pictures" in page(client, row) and not UploadedPicture.objects.exists()
    work_off()
    assert "2 pictures are kept." in page(client, row)
    assert set(UploadedPicture.objects.values_list("card_code", "side", "edge")) == {
        ("kai", "front", "none"),
        ("li", "front", "none"),
    }
    assert not list(waiting_folder().iterdir())


def test_uploads_of_a_day_are_counted_apart_from_prints(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_A_DAY", 1)
    monkeypatch.setattr(jobs, "MAX_PICTURES_A_DAY", 2)
    stored_job(client, text="1 Kai", copies="1")
    for name in ("kai", "li"):
        sent(client, (f"{name}.webp", WEBP[0]), ("moles.webp", WEBP[1]))
        work_off()
    told = words(bring(client, ("again.webp", WEBP[0]), ("moles.webp", WEBP[1])))
    assert "2 of your jobs were asked for within a day" in told and PrintJob.objects.count() == 3


def test_what_is_quick_is_taken_in_at_once(client: Client) -> None:
    for files in ([("kai.webp", WEBP[0])], [("kai.jpg", JPEG), ("li.jpg", JPEG), ("notes.txt", b"words")]):
        assert "/pictures/" in bring(client, *files)["Location"]
    assert not PrintJob.objects.exists()


def test_what_is_wrong_with_some_is_told_and_the_others_are_kept(client: Client) -> None:
    row = sent(client, ("kai.webp", WEBP[0]), ("zeppelin.webp", WEBP[1]), ("notes.txt", b"words"))
    work_off()
    told = page(client, row)
    assert (
        "2 pictures are kept. 1 could not be matched to a card" in told
        and "notes.txt is no picture we know" in told
    )


def test_a_job_of_pictures_that_are_none_has_failed_and_says_why(client: Client) -> None:
    row = sent(
        client, *((f"{number}.webp", data[:40] + bytes(len(data) - 40)) for number, data in enumerate(WEBP))
    )
    work_off()
    assert (
        fresh(row).state == RowState.FAILED
        and "0.webp" in page(client, row)
        and not UploadedPicture.objects.exists()
    )


def test_a_job_that_was_broken_off_finds_what_it_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, plain = sent(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1])), picture_jobs._files

    def ends(*arguments: Any) -> Any:
        files = plain(*arguments)
        yield next(files)
        raise SystemExit

    with monkeypatch.context() as ending:
        ending.setattr(picture_jobs, "_files", ends)
        work_off(1)
    assert UploadedPicture.objects.count() == 1
    work_off()
    assert UploadedPicture.objects.count() == 2 and "1 picture is kept. 1 picture was already yours" in page(
        client, row
    )


def test_a_job_that_is_cancelled_stops_at_its_next_picture(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, plain = sent(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1])), picture_jobs._files

    def cancelled(*arguments: Any) -> Any:
        for file in plain(*arguments):
            yield file
            client.post(f"/print/jobs/{row.link}/cancel/")

    monkeypatch.setattr(picture_jobs, "_files", cancelled)
    work_off()
    assert UploadedPicture.objects.count() == 1 and "Pictures that were taken in before are kept" in page(
        client, row
    )


def test_whoever_has_too_many_jobs_is_told_so_and_nothing_waits(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_OPEN", 0)
    answer = bring(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1]))
    assert answer.status_code == 429 and not list(waiting_folder().iterdir())


def test_a_newer_upload_takes_no_place_from_pictures_that_wait_for_their_job(client: Client) -> None:
    one, two = (
        sent(client, (f"{name}.webp", WEBP[0]), (f"{other}.webp", WEBP[1]))
        for name, other in (("kai", "li"), ("bishop", "blitz"))
    )
    assert bring(client, ("termite.webp", WEBP[0]), ("ambush.webp", WEBP[1])).status_code == 429
    work_off()
    assert {fresh(row).state for row in (one, two)} == {
        RowState.DONE
    } and UploadedPicture.objects.count() == 4


def test_pictures_of_a_cancelled_job_are_deleted(client: Client) -> None:
    jobs.cancel(sent(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1])))
    assert not list(waiting_folder().iterdir())


def test_pictures_that_a_store_could_not_take_just_now_are_tried_once_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = sent(client, ("kai.webp", WEBP[0]), ("li.webp", WEBP[1]))
    with monkeypatch.context() as away:
        away.setattr(picture_jobs, "upload", lambda *arguments: Uploaded(refused=StoreAway()))
        assert make_once(row) == RowState.WAITING
    assert make_once(row) == RowState.DONE and UploadedPicture.objects.count() == 2


def make_once(row: PrintJob) -> RowState:
    jobs.make_job.call(row.pk)
    return RowState(fresh(row).state)
