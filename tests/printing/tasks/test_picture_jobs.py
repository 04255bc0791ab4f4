"""Uploads of pictures that take long, taken in by a worker. These tests go through
printing.web.picture_views, printing.tasks.jobs and cardsdb.box.jobs.
"""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cardsdb.box import jobs as box_jobs
from cardsdb.box.wish import AS_FOUND
from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState, UploadedPicture
from cardsdb.storage.contract import FolderStore, StoreAway
from cardsdb.tasks.queue import Lost
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.tasks import jobs
from tests.support.bringing import job_of, waits, words_of
from tests.support.picture_pages import bring, words
from tests.support.pictures import coded, painted, png_that_claims
from tests.support.print_jobs import fresh, more_like, stored_job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_folders")]
KAI, LI = (coded(painted(size=(side, 420)), "WEBP", lossless=True) for side in (300, 310))
JPEG = coded(painted(size=(300, 420)))
# A PNG whose header claims so many pixels that its upload becomes a job; it cannot be decoded.
HUGE = png_that_claims(5_000, 4_001)
BOTH = (("kai.webp", KAI), ("li.webp", LI))
ADA = Viewer(browser="a" * 64)


def sent(client: Client, *files: tuple[str, bytes], **more: str) -> PrintJob:
    """Upload files together with a huge one, and return the job that takes them in."""
    return job_of(bring(client, *files, ("huge.png", HUGE), **more))


def placed() -> set[tuple[str, str, str]]:
    """(card code, side, edge) of all stored pictures."""
    return set(UploadedPicture.objects.values_list("card_code", "side", "edge"))


def test_pictures_that_take_long_are_taken_in_by_a_worker(client):
    row = sent(client, *BOTH, ("zeppelin.jpg", JPEG), ("notes.txt", b"words"), edge="none")
    assert "Taking in 5 pictures" in words_of(client, row) and not placed()
    work_off()
    report = words_of(client, row)
    assert "3 pictures are kept. 1 could not be matched to a card" in report and "2 were refused." in report
    assert "notes.txt is no picture that is read here. Save it as" in report and "huge.png" in report
    assert placed() == {("kai", "front", "none"), ("li", "front", "none"), ("", "", "none")}
    assert not waits()


@pytest.mark.parametrize("files", [BOTH[:1], (("kai.jpg", JPEG), ("li.jpg", JPEG), ("notes.txt", b"words"))])
def test_small_uploads_are_taken_in_at_once(client, files):
    assert "/pictures/" in bring(client, *files)["Location"]
    assert not PrintJob.objects.exists()


def test_a_job_without_any_readable_picture_fails_and_says_why(client):
    row = sent(client, ("notes.txt", b"words"))
    work_off()
    assert fresh(row).state == RowState.FAILED and "huge.png" in words_of(client, row) and not placed()


def test_uploads_have_a_bound_for_a_day_of_their_own_apart_from_prints(client):
    upload = sent(client, *BOTH)
    work_off()
    print_ = stored_job(client, text="1 Kai", copies="1")
    more_like(print_, jobs.MAX_A_DAY - 1, state=RowState.CANCELLED)
    more_like(fresh(upload), jobs.MAX_PICTURES_A_DAY - 2)
    sent(client, *BOTH)
    work_off()
    refusal = words(bring(client, *BOTH, ("huge.png", HUGE)))
    assert f"{jobs.MAX_PICTURES_A_DAY} of your jobs were asked for within a day" in refusal


def test_a_refused_upload_leaves_the_pictures_of_waiting_jobs_alone(client):
    rows = [sent(client, (f"{name}.webp", KAI)) for name in ("kai", "bishop")]
    refused = bring(client, ("termite.webp", KAI), ("huge.png", HUGE))
    assert refused.status_code == 429 and waits() == 2, "the refused pictures do not wait"
    work_off()
    assert {fresh(row).state for row in rows} == {RowState.DONE} and len(placed()) == 2


def test_pictures_of_a_cancelled_job_are_deleted(client):
    row = sent(client, *BOTH)
    jobs.cancel(row)
    assert not waits() and "Pictures that were taken in before are kept" in words_of(client, row)


# -- broken off ----------------------------------------------------------------------------


def request_of() -> dict[str, Any]:
    files = [SimpleUploadedFile(name, data) for name, data in BOTH]
    return box_jobs.request_of_pictures(ADA, files, "spycraft", "front", AS_FOUND, ())


def nothing(*_) -> None:
    pass


@pytest.mark.parametrize("error", [Lost, SystemExit])
def test_a_job_that_is_broken_off_goes_on_from_its_last_picture(error):
    request, result = request_of(), dict[str, Any]()

    def progress(number: int) -> None:
        if number:
            raise error

    with pytest.raises(error):
        box_jobs.make(request, ADA, nothing, progress, nothing)
    assert len(placed()) == 1 and waits() == 1
    box_jobs.make(request, ADA, nothing, nothing, result.update)
    assert len(placed()) == 2 and "1 picture is kept. 1 picture was already yours" in result["words"]
    assert not waits()


class Away(FolderStore):
    """A store that cannot be reached."""

    def save(self, *_, **__) -> str:
        raise StoreAway


def test_a_job_whose_store_is_away_is_tried_again(client, settings):
    row, stores = sent(client, *BOTH), settings.STORAGES
    settings.STORAGES = stores | {"pictures": stores["pictures"] | {"BACKEND": f"{__name__}.Away"}}
    jobs.make_job.call(row.pk)
    assert fresh(row).state == RowState.WAITING and not placed()
    settings.STORAGES = stores
    jobs.make_job.call(row.pk)
    assert fresh(row).state == RowState.DONE and len(placed()) == 2
