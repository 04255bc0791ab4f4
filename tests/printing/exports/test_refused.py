"""What stops a file before its first byte: a picture that was deleted, a disk without room, more than one
file may have.
"""

from __future__ import annotations

import errno
import io
import json
import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState, UploadedPicture
from cardsdb.tasks.worker import work_off
from printing.exports import card_pictures, export, tabletop_sheets
from printing.exports.export import read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.exports.print_services import SERVICES, service_archive
from printing.faces.own_pictures import PictureLost
from printing.options.values import read_options
from printing.tasks import files
from printing.web import print_views
from tests.support.exports import blank_cards, opened, starter
from tests.support.pictures import coded, painted, path_of, picture_folder, store_picture
from tests.support.print_jobs import folder, fresh, no_files_of_others, stored_job  # noqa: F401
from tests.support.print_lists import job_for, parse_lists
from tests.support.rendering import GAME
from tests.support.rendering import picture_job as job_with

__all__ = ["blank_cards", "picture_folder"]

DRAWN = [f"/print/{output.file}" for output in EXPORT_KINDS.values() if output.drawn] + ["/print/sheets.pdf"]
KAI = {"game": "spycraft", "text": "1 Kai\n1 Li", "dpi": "150"}


@pytest.fixture
def own_kai(client: Client, django_user_model: Any) -> UploadedPicture:
    """A member with a picture of their own for Kai, which has too few pixels to be sharp."""
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    return add(
        Viewer(user.pk), take(coded(painted(size=(250, 350)))), "kai.jpg", ("spycraft", "kai", "front")
    )[0]


def without_file(picture: UploadedPicture, picture_folder: Path) -> None:
    for path in picture_folder.glob(f"*/{picture.sha256}*"):
        path.unlink()


# -- pictures that are gone -----------------------------------------------------------------


@pytest.mark.parametrize("address", DRAWN)
def test_a_picture_whose_file_is_gone_is_named_before_anything_is_sent(
    client: Client, own_kai: UploadedPicture, picture_folder: Path, address: str
) -> None:
    assert client.post(address, KAI | {"service": "mpc"}).status_code == 200
    without_file(own_kai, picture_folder)
    answer = client.post(address, KAI | {"service": "mpc"})
    assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (400, "text/html")
    assert (
        "The picture “kai.jpg” cannot be read any more; delete it and send it again."
        in answer.content.decode()
    )


def test_the_api_says_so_in_the_one_shape(
    client: Client, own_kai: UploadedPicture, picture_folder: Path
) -> None:
    without_file(own_kai, picture_folder)
    answer = client.post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json")
    assert answer.status_code == 400
    assert [(fault["code"], fault["where"]) for fault in answer.json()] == [("picture_lost", "pictures")]


@pytest.mark.parametrize("address", DRAWN)
def test_one_that_is_deleted_while_the_file_is_made_is_named_too(
    client: Client,
    own_kai: UploadedPicture,
    picture_folder: Path,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = export.Export.write

    def write(order: Any, *args: Any) -> None:
        without_file(own_kai, picture_folder)
        plain(order, *args)

    monkeypatch.setattr(export.Export, "write", write)
    answer = client.post(address, KAI | {"service": "mpc"})
    assert answer.status_code == 400 and "“kai.jpg” cannot be read any more" in answer.content.decode()


def test_a_stored_job_says_so(client: Client, own_kai: UploadedPicture, picture_folder: Path) -> None:
    row = stored_job(client, text="1 Kai", copies="1", output="cards")
    without_file(own_kai, picture_folder)
    work_off()
    assert fresh(row).state == RowState.FAILED and "“kai.jpg” cannot be read any more" in fresh(row).error
    assert list(folder().iterdir()) == []


def test_a_picture_of_the_second_game_counts_too() -> None:
    ref = store_picture(coded(painted(size=(250, 350))), label="kai.jpg")
    first, other = job_with(store_picture(coded(painted()))), job_with(ref)
    mixed = replace(first, following=(other,))
    path_of(ref.sha256).unlink()
    mixed = replace(
        mixed, options=EXPORT_KINDS["cards"].options(mixed.options, read_export_options({}), GAME)
    )
    with pytest.raises(PictureLost, match=r"kai\.jpg"):
        EXPORT_KINDS["cards"](mixed, read_export_options({}))


# -- pictures of all games of a print ---------------------------------------------------------


def test_pictures_are_counted_in_all_games_and_sizes_of_a_print(
    client: Client, own_kai: UploadedPicture
) -> None:
    """Spycraft and Agent Decker have cards of different sizes; at one size they share their sheets."""
    visitor = Viewer(own_kai.owner_id)
    lists = parse_lists(
        {"card": ["agentdecker/" + games()["agentdecker"].cards[0].code, "spycraft/kai"]}, visitor
    )
    for options in ({}, {"trim": "poker"}):
        job = job_for(lists, options, visitor)
        assert (job.game.slug, bool(job.following)) == ("agentdecker", not options)
        assert [used.name for used in job.every_picture] == ["Kai"]
        assert [one.name for one in job.soft] == ["Kai"] and "1 picture under 300 ppi: Kai" in job.summary()
    plain = job_for(lists, {"pictures": "no"}, visitor)
    assert plain.every_picture == () == plain.soft


def test_sheets_with_many_pictures_are_big_wherever_those_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BIG_PICTURES", 3)
    first, other = (
        job_with(*(store_picture(coded(painted(size=(300 + number, 420)))) for number in numbers))
        for numbers in ((1, 2), (3, 4))
    )
    assert not export.Cost(first.pages).is_big(first)
    both = replace(first, following=(other,))
    assert export.Cost(both.pages).is_big(both)


# -- a full disk ----------------------------------------------------------------------------


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes no byte more."""

    def write(self: Any, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export.Bounded, "write", write)


@pytest.mark.parametrize("address", [*DRAWN, "/print/cut.svg"])
def test_a_disk_without_room_is_said_on_the_page(client: Client, full: None, address: str) -> None:
    answer = client.post(address, KAI)
    assert answer.status_code == 507
    assert (
        "the server has no room for it just now" in answer.content.decode()
        and "1 Kai" in answer.content.decode()
    )


def test_a_disk_without_room_is_said_by_the_api(client: Client, full: None) -> None:
    answer = client.post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json")
    assert (answer.status_code, [fault["code"] for fault in answer.json()]) == (507, ["no_room"])


def test_a_file_too_large_for_memory_goes_by_way_of_a_disk_that_may_be_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(print_views, "SPOOLED", 1)
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda *_, **__: Full())
    assert client.post("/print/sheets.pdf", KAI).status_code == 507


def test_a_job_on_a_full_disk_fails_and_leaves_nothing(client: Client, full: None) -> None:
    row = stored_job(client, copies="1")
    work_off()
    assert fresh(row).state == RowState.FAILED and "the server has no room" in fresh(row).error
    assert list(folder().iterdir()) == []


def test_no_more_files_are_asked_for_than_there_is_room(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder() / "of_others.pdf").write_bytes(b"x" * 1000)
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    answer = client.post("/print/jobs/", KAI)
    assert answer.status_code == 507 and "no room for more files" in answer.content.decode()


# -- more than one file may have ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "advice"),
    [
        ("/print/cards.zip", "choose a lower resolution, or fewer cards."),
        ("/print/tabletop.zip", "choose fewer cards."),
        ("/print/service.zip", "choose fewer cards."),
    ],
)
@pytest.mark.django_db
def test_files_have_so_many_pixels_at_most(
    client: Client, address: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_PIXELS", 100_000)
    answer = client.post(address, KAI | {"service": "mpc"})
    assert answer.status_code == 400 and advice in answer.content.decode()


@pytest.mark.parametrize("address", ["/print/cards.zip", "/print/service.zip"])
@pytest.mark.django_db
def test_a_picture_has_so_many_pixels_at_most(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_FACE_PIXELS", 100_000)
    answer = client.post(address, KAI | {"service": "mpc"})
    assert answer.status_code == 400 and "smaller cards" in answer.content.decode()


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("unique", [False, True])
def test_the_work_of_a_saved_object_is_that_of_its_sheets(unique: bool) -> None:
    job, deck = starter("spycraft")
    saved = tabletop_sheets.sheeted_decks([(job, deck)])
    (one,) = saved
    saved = (one._replace(sheets=tuple(replace(sheet, unique_backs=unique) for sheet in one.sheets)),)
    work, drawn = tabletop_sheets.work_of(saved), []
    shown = 0
    for number, member in enumerate(
        tabletop_sheets.tabletop_archive(job, saved, drawn=lambda: drawn.append(1))
    ):
        # Before the sheets and backs come README, the object and its thumbnail.
        if number > 2 and isinstance(member.data, bytes):
            with Image.open(io.BytesIO(member.data)) as image:
                shown += image.width * image.height
    assert work.steps == len(drawn)
    # But for cells that are empty, and one back.
    assert shown * 0.8 < work.pixels < shown * 1.3


@pytest.mark.parametrize("output", ["cards", "tabletop", "service", "service-pdf", "sheets"])
def test_a_file_has_so_many_bytes_at_most(
    client: Client, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_BYTES", 2_000)
    row = stored_job(client, text="3 Kai", copies="1", output=output)
    work_off()
    assert fresh(row).state == RowState.FAILED and "choose fewer cards" in fresh(row).error
    assert list(folder().iterdir()) == []


@pytest.mark.parametrize("slug", ["generic", "drivethru"])
def test_a_pdf_in_an_archive_takes_no_memory_of_its_size(slug: str, tmp_path: Path) -> None:
    """Neither where pictures are as they are, nor where they are coded anew in inks."""
    noise = Image.effect_noise((300, 420), 90)
    refs = [
        store_picture(coded(Image.merge("RGB", (noise, noise.rotate(n), noise)), "PNG", compress_level=1))
        for n in range(30)
    ]
    job = job_with(*refs)
    job = replace(
        job,
        options=EXPORT_KINDS["service"].options(
            read_options({}), read_export_options({"service": slug}), GAME
        ),
    )
    service, size = SERVICES[slug], sum(path_of(ref.sha256).stat().st_size for ref in refs)
    assert opened(service_archive(replace(job, entries=job.entries[:1]), service)).namelist() == [
        "README.txt",
        "cards.pdf",
    ]
    # What a process keeps of its first archive is no part of a later one's; nor is a table of Python's that
    # grows during one of them.
    peaks = []
    tracemalloc.start()
    for _ in range(3):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        with (tmp_path / "service.zip").open("wb") as out:
            card_pictures.write_zip(service_archive(job, service), out)
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    tracemalloc.stop()
    written = (tmp_path / "service.zip").stat().st_size
    assert written > size / 2 and min(peaks) < min(size, written) / 3
