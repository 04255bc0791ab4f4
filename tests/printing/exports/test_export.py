"""Reasons to refuse or stop a file: options that are not allowed, pictures that are gone, too many pixels or
bytes, a full disk. All but the last two must be found before the first byte is sent.
"""

import errno
import io
import json
import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardsdb.box.intake import take
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.placing import add
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import RowState
from cardsdb.models.box import Place
from cardsdb.tasks.worker import work_off
from printing.exports import export
from printing.exports.card_pictures import file_options, write_zip
from printing.exports.export import (
    BIG_PICTURES,
    MAX_FACE_PIXELS,
    MAX_PIXELS,
    Cost,
    read_export_options,
)
from printing.exports.kinds import EXPORT_KINDS
from printing.exports.print_services import SERVICES, service_archive
from printing.faces.own_pictures import PictureLost
from printing.job.job import Job
from printing.job.pieces import MissingCharacters
from printing.models import PrintJob
from printing.options.values import BadOption, read_options
from printing.web import print_views
from tests.support.exports import export_of, opened
from tests.support.pages import page_of
from tests.support.pictures import coded, painted, path_of, store_picture
from tests.support.print_jobs import folder, fresh, no_files_of_others, stored_job  # noqa: F401
from tests.support.print_lists import job_for, parse_lists
from tests.support.rendering import GAME
from tests.support.rendering import picture_job as job_with

WITH_CARDS = [f"/print/{kind.file}" for kind in EXPORT_KINDS.values() if kind.shows_cards]
WITH_CARDS += ["/print/sheets.pdf"]
KAI = {"game": "spycraft", "text": "1 Kai\n1 Li", "dpi": "150", "service": "mpc"}
LOST = "The picture “kai.jpg” cannot be read any more; delete it and send it again."


@pytest.fixture
def own_kai(client, django_user_model):
    """A member's own picture for Kai, which has too few pixels to be sharp."""
    user = django_user_model.objects.create_user("somebody")
    client.force_login(user)
    data = coded(painted(size=(250, 350)))
    return add(Viewer(user.pk), take(data), "kai.jpg", Place("spycraft", "kai", "front"))[0]


@pytest.fixture
def small_files(monkeypatch):
    """Let a file have at most two thousand bytes."""
    monkeypatch.setattr(export, "MAX_BYTES", 2_000)


@pytest.fixture
def full(monkeypatch):
    """Simulate a full disk: nothing can be written."""

    def write(self: Any, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export.Bounded, "write", write)


def delete_file(sha256: str) -> None:
    for part in ("", "colour", "mask"):
        path_of(sha256, part).unlink(missing_ok=True)


def assert_fails(row: PrintJob, message: str) -> None:
    """Let the worker make the stored job; it fails with this message and leaves no file."""
    work_off()
    assert fresh(row).state == RowState.FAILED and message in fresh(row).error
    assert list(folder().iterdir()) == []


# -- options -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "https://",
        "https://a.org/?x=/",
        "//a.org/",
        "https://a.org/ b/",
        'https://a.org/"/',
        "http://[/",
    ],
)
def test_an_address_to_which_no_file_name_can_be_added_is_refused(address):
    with pytest.raises(BadOption, match="Address of the pictures must be"):
        read_export_options({"base_url": address})


def test_a_character_that_no_font_has_is_refused_before_the_first_byte():
    job = Job(GAME, ((replace(GAME.cards[0], name="秘密"), 1),), options=file_options(read_options({})))
    with pytest.raises(MissingCharacters):
        EXPORT_KINDS["cards"](job, read_export_options({}))


# -- pictures that are gone -----------------------------------------------------------------


@pytest.mark.parametrize("address", WITH_CARDS)
def test_a_lost_picture_is_named_before_anything_is_sent(client, own_kai, address):
    delete_file(own_kai.sha256)
    assert LOST in page_of(client.post(address, KAI), status=400).text


def test_the_api_and_a_stored_job_also_name_a_picture_that_is_gone(client, own_kai):
    row = stored_job(client, text="1 Kai", copies="1", output="cards")
    delete_file(own_kai.sha256)
    answer = client.post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json")
    assert answer.status_code == 400
    assert [(fault["code"], fault["where"]) for fault in answer.json()] == [("picture_lost", "pictures")]
    assert_fails(row, LOST)


@pytest.mark.parametrize("output", ["cards", "tabletop", "service-pdf", "sheets"])
def test_a_picture_that_is_deleted_while_the_file_is_made_is_named(own_kai, output):
    begun = export_of(output, Viewer(own_kai.owner_id), **KAI)
    delete_file(own_kai.sha256)
    with pytest.raises(PictureLost, match=r"kai\.jpg"):
        begun.write(io.BytesIO())


def test_a_lost_picture_of_the_second_game_stops_the_file_too():
    ref = store_picture(coded(painted(size=(250, 350))), label="kai.jpg")
    mixed = replace(job_with(store_picture(coded(painted()))), following=(job_with(ref),))
    delete_file(ref.sha256)
    options = EXPORT_KINDS["cards"].options(mixed.options, read_export_options({}), GAME)
    with pytest.raises(PictureLost, match=r"kai\.jpg"):
        EXPORT_KINDS["cards"](replace(mixed, options=options), read_export_options({}))


def test_pictures_are_counted_in_all_games_and_sizes_of_a_print(own_kai):
    """Spycraft and Agent Decker have cards of different sizes; at one size they share their sheets."""
    visitor = Viewer(own_kai.owner_id)
    decker = f"agentdecker/{games()['agentdecker'].cards[0].code}"
    lists = parse_lists({"card": [decker, "spycraft/kai"]}, visitor)
    for options in ({}, {"trim": "poker"}):
        job = job_for(lists, options, visitor)
        assert (job.game.slug, bool(job.following)) == ("agentdecker", not options)
        assert [name for name, *_ in job.every_picture] == [name for name, *_ in job.soft] == ["Kai"]
        assert "1 picture under 300 ppi: Kai" in job.summary()
    plain = job_for(lists, {"pictures": "no"}, visitor)
    assert plain.every_picture == () == plain.soft


# -- large and too large files ----------------------------------------------------------------


def test_pictures_of_all_parts_of_a_print_decide_if_it_is_big():
    half = BIG_PICTURES // 2 + 1
    first, second = (
        job_with(*(PictureRef(f"{number}", "jpeg", 750, 1_050, "", "") for number in numbers))
        for numbers in (range(half), range(half, 2 * half))
    )
    assert not Cost(first.pages).is_big(first)
    both = replace(first, following=(second,))
    assert Cost(both.pages).is_big(both)


@pytest.mark.parametrize(
    ("pixels", "largest", "cards_to_choose"),
    [(MAX_PIXELS, MAX_FACE_PIXELS, None), (MAX_PIXELS + 1, 1, "fewer"), (1, MAX_FACE_PIXELS + 1, "smaller")],
)
def test_the_pixels_of_a_file_and_of_each_picture_are_limited(pixels, largest, cards_to_choose):
    too_large = Cost(9, "picture", pixels, largest).too_large
    assert (too_large and too_large[1]) == cards_to_choose


@pytest.mark.django_db
def test_a_file_with_too_many_pixels_is_refused_with_advice(client):
    answer = client.post("/print/cards.zip", {**KAI, "dpi": "600", "trim": "200x200"})
    assert "choose a lower resolution, or smaller cards." in page_of(answer, status=400).text


@pytest.mark.parametrize("output", ["cards", "service", "sheets"])
def test_a_stored_job_fails_if_its_file_has_too_many_bytes(client, small_files, output):
    assert_fails(stored_job(client, text="3 Kai", copies="1", output=output), "choose fewer cards")


def test_the_page_says_if_a_file_has_too_many_bytes(client, small_files):
    assert "choose fewer cards" in page_of(client.post("/print/sheets.pdf", KAI), status=400).text


# -- a full disk ----------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/print/sheets.pdf", "/print/service.zip", "/print/cut.svg"])
def test_the_page_says_if_the_disk_is_full_and_keeps_the_list(client, full, address):
    shown = page_of(client.post(address, KAI), status=507)
    assert "the server has no room for it just now" in shown.text and "1 Kai" in (
        shown.field("text").value or ""
    )


def test_the_api_and_a_stored_job_say_if_the_disk_is_full(client, full):
    answer = client.post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json")
    assert (answer.status_code, [fault["code"] for fault in answer.json()]) == (507, ["no_room"])
    assert_fails(stored_job(client, copies="1"), "the server has no room")


def test_a_file_too_large_for_memory_is_refused_if_the_disk_is_full(client, monkeypatch):
    monkeypatch.setattr(print_views, "SPOOLED", 1)
    with Path("/dev/full").open("r+b", buffering=0) as disk:
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda *_, **__: disk)
        assert client.post("/print/sheets.pdf", KAI).status_code == 507


@pytest.mark.parametrize("slug", ["generic", "drivethru"])
def test_a_pdf_in_an_archive_takes_no_memory_of_its_size(slug, tmp_path):
    """ "generic" keeps pictures as they are, "drivethru" encodes them again in printing inks."""
    noise = Image.effect_noise((300, 420), 90)
    refs = [
        store_picture(coded(Image.merge("RGB", (noise, noise.rotate(n), noise)), "PNG", compress_level=1))
        for n in range(16)
    ]
    wanted = read_export_options({"service": slug})
    options = EXPORT_KINDS["service"].options(read_options({}), wanted, GAME)
    job = replace(job_with(*refs), options=options)
    service, size = SERVICES[slug], sum(path_of(ref.sha256).stat().st_size for ref in refs)
    few = opened(service_archive(replace(job, entries=job.entries[:1]), service))
    assert few.namelist() == ["README.txt", "cards.pdf"]
    # The lesser of two peaks: a process keeps some memory after its first archive.
    peaks = []
    tracemalloc.start()
    for _ in range(2):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        with (tmp_path / "service.zip").open("wb") as out:
            write_zip(service_archive(job, service), out)
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    tracemalloc.stop()
    written = (tmp_path / "service.zip").stat().st_size
    assert written > size / 2 and min(peaks) < min(size, written) / 3
