"""Sheets as files of a bounded size: split between sheets, numbered, none larger unless a single sheet is.
And estimates of size and ink, which must be true for the games on which they were measured.
"""

import re
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pypdfium2
import pytest
from PIL import Image

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import games
from printing.exports.parts import INK, MEGABYTE, Estimate, amount, estimate, part_remarks, write_parts
from printing.job.job import Job
from printing.options.values import read_options
from printing.request.lists import evening_lists, pasted_list
from tests.support.exports import handed_out
from tests.support.game_folders import own_games
from tests.support.pictures import coded, painted, store_picture
from tests.support.print_lists import job_for
from tests.support.print_pages import LIST, shown_list
from tests.support.rendering import ink, job_of, picture_job
from tests.support.sheets import make_sheets


class LooksSmall(PictureRef):
    """A picture whose file counts as no bytes in the estimate."""

    stored = 0


@pytest.fixture
def heavy(picture_folder):
    """Ten photographs of about 200 kB.

    Four of them, a sheet of tarot cards, fit into a megabyte; nine do not.
    """
    return [
        store_picture(coded(Image.effect_noise((480, 670), 60 + number).convert("RGB"), quality=88))
        for number in range(10)
    ]


def made(job: Job) -> dict[str, bytes]:
    """Return the files of the archive, name -> bytes, after checking that progress was reported."""
    out, progress = BytesIO(), list[int]()
    write_parts(job, out, progress.append)
    assert progress == sorted(set(progress)) and progress[-1] == job.pages
    with ZipFile(out) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def sheets_in(data: bytes) -> list[tuple[int, bool]]:
    """Return (number of the sheet, True for a back) for each page, as printed in its margin."""
    with closing(pypdfium2.PdfDocument(data)) as document:
        words = [page.get_textpage().get_text_bounded() for page in document]
    found = (re.search(r"Sheet (\d+) of \d+(, back)?", text) for text in words)
    return [(int(match[1]), bool(match[2])) for match in found if match]


def test_each_file_is_small_enough_and_named_after_its_sheets(heavy):
    job = picture_job(*heavy, part="2", trim="tarot")
    files = made(job)
    *parts, about = files
    assert job.filename.endswith(".zip") and about == "README.txt"
    assert [sheet for name in parts for sheet, _ in sheets_in(files[name])] == list(range(1, job.sheets + 1))
    assert all(len(files[name]) <= 2 * MEGABYTE for name in parts)
    assert parts == ["spycraft-pictures-part-1-sheets-1-to-2.pdf", "spycraft-pictures-part-2-sheet-3.pdf"]
    assert "1: sheets 1 to 2, " in files[about].decode() and "100 %" in files[about].decode()


def test_front_and_back_of_a_sheet_stay_in_one_file(heavy):
    job = picture_job(*heavy, part="1", trim="tarot", backs="long", back=heavy[0])
    pages = [sheets_in(data) for name, data in made(job).items() if name.endswith(".pdf")]
    assert len(pages) > 2
    for sides in pages:
        fronts, backs = sides[::2], sides[1::2]
        assert fronts == [(number, False) for number, _ in backs] and all(back for _, back in backs)


def test_separate_fronts_and_backs_are_split_at_the_same_sheets(heavy):
    files = made(picture_job(*heavy, part="1", trim="tarot", backs="separate"))
    fronts, backs = ([name for name in files if name.endswith(f"-{side}s.pdf")] for side in ("front", "back"))
    assert len(fronts) > 2 and [name.replace("-fronts", "-backs") for name in fronts] == backs
    assert sheets_in(files[backs[1]]) == [(number, True) for number, _ in sheets_in(files[fronts[1]])]


def test_a_sheet_that_is_too_large_is_a_file_by_itself(heavy):
    job = picture_job(*heavy, part="1")
    files = made(job)
    assert [len(data) > MEGABYTE for name, data in files.items() if name.endswith(".pdf")] == [True, False]
    assert "1: sheet 1, " in files["README.txt"].decode() and "more than 1 MB" in files["README.txt"].decode()
    (sentence,) = part_remarks(job)
    assert sentence.startswith("The pictures on sheet 1 alone take 2.0") and "larger than 1 MB" in sentence
    assert part_remarks(picture_job(*heavy, part="9")) == part_remarks(picture_job(*heavy)) == ()


def test_a_file_that_turns_out_too_large_is_split_again(heavy):
    files = made(picture_job(*(LooksSmall(*ref) for ref in heavy), part="1", trim="tarot"))
    assert all(len(data) <= MEGABYTE for data in files.values()) and len(files) > 3


def test_no_file_has_to_be_split_again():
    """The print has 1.7 MB."""
    game, options = games()["spycraft"], read_options({"part": "1", "backs": "long"})
    files = made(Job(game, tuple((card, 1) for card in game.cards[:499]), options=options))
    assert len(files) == 3 and max(map(len, files.values())) <= MEGABYTE


def test_a_print_that_fits_is_one_file_with_the_same_bytes_each_time():
    job = job_of("spycraft", part="25")
    files = made(job)
    assert [name.rpartition("-part")[2] for name in files] == ["-1-sheets-1-to-2.pdf", "README.txt"]
    assert made(job) == files


@pytest.mark.django_db
def test_the_download_is_a_zip_and_the_page_says_so(client):
    assert "Download the sheets, ZIP" in shown_list(client, part="10").text
    fields = LIST | {"part": "10"}
    page = client.post("/print/sheets.pdf", fields)
    api = client.post("/api/v1/sheets/", fields, content_type="application/json")
    for answer in (page, api):
        with ZipFile(BytesIO(handed_out(answer))) as archive:
            assert archive.namelist() == ["spycraft-cards-part-1-sheet-1.pdf", "README.txt"]
        assert answer["Content-Type"] == "application/zip"


# -- estimates ------------------------------------------------------------------------------

STYLES = ("light", "full", "saver", "outline")
# Other options that are tried with each style.
OTHER_OPTIONS = {
    "light": {"backs": "long"},
    "full": {"backs": "gutterfold", "trim": "mini"},
    "saver": {"ruled": "yes", "backs": "separate"},
    "outline": {"extras": "tokens,reference,register"},
}


def starter_job(slug: str, **options: str) -> Job:
    starter = max(games()[slug].starters, key=lambda starter: len(starter.text))
    listed = pasted_list(slug, starter.text)
    return job_for(listed, {"paper": "a4", **options}, None, "https://cutout.example")


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", own_games())
def test_the_estimated_size_is_close_to_that_of_the_file(slug, style):
    for options in ({}, OTHER_OPTIONS[style]):
        job = starter_job(slug, style=style, **options)
        assert 0.7 <= estimate(job).size / len(make_sheets(job).data) <= 1.4, options


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("backs", ["none", "long"])
@pytest.mark.parametrize("slug", own_games())
def test_the_estimated_ink_is_close_to_that_of_the_sheets(slug, backs):
    """Ink is measured as in the ink saver's own test, on eighteen cards of a deck."""
    jobs = {style: starter_job(slug, style=style, backs=backs) for style in STYLES}
    taken = {
        style: sum(ink(make_sheets(replace(job, entries=job.entries[:18])).data))
        for style, job in jobs.items()
    }
    for style, job in jobs.items():
        assert 0.6 <= estimate(job).ink / (taken[style] / taken["full"]) <= 1.6, style


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_own_pictures_count_once_with_the_bytes_that_are_stored(kind):
    refs = [store_picture(coded(painted(size=(800 + number, 1_100)), kind)) for number in range(3)]
    job = picture_job(*refs, count=4)
    assert 0.8 <= estimate(job).size / len(make_sheets(job).data) <= 1.25
    assert estimate(job).ink_words.endswith("besides your own pictures")


@pytest.mark.parametrize(
    ("size", "estimated", "measured"),
    [(184_321, "200 kB", "180 kB"), (999_000, "1 MB", "1000 kB"), (31_900_000, "30 MB", "32 MB")],
)
def test_estimates_have_one_significant_figure_and_measures_two(size, estimated, measured):
    words = (Estimate(size, 1, "full").size_words, amount(size))
    assert words == tuple(number.replace(" ", "\N{NO-BREAK SPACE}") for number in (estimated, measured))


@pytest.mark.django_db
def test_the_ink_of_pieces_without_backs_is_compared_with_that_of_full_fronts():
    evening = evening_lists(["spynet/3"])
    one_sided, with_backs = (
        estimate(job_for(evening, {"extras": extras, "backs": "long"}))
        for extras in ("tokens,scores", "tokens,reference")
    )
    assert one_sided.ink == INK["front"]["light"] > with_backs.ink


def test_ink_is_rounded_to_five_per_cent():
    assert "45\N{NO-BREAK SPACE}%" in Estimate(1, 0.44, "light").ink_words
