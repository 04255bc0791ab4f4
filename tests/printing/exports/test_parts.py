"""Sheets as files of at most so many megabytes: split between sheets, numbered, none larger unless one sheet
alone is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from zipfile import ZipFile

import pypdfium2
import pytest
from django.test import Client
from PIL import Image

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import games
from printing.exports.parts import MEGABYTE, estimate, part_remarks, write_parts
from printing.job.job import Job
from printing.options.values import USUAL, BadOption, read_options
from tests.support.pictures import coded, picture_folder, store_picture
from tests.support.print_pages import LIST, shown_list
from tests.support.rendering import job_of, picture_job

__all__ = ["picture_folder"]


@pytest.fixture
def heavy(picture_folder: object) -> list[PictureRef]:
    """Ten photographs of about 200 kB: the four of a sheet of tarot cards fit into a megabyte, nine do
    not.
    """
    return [
        store_picture(coded(Image.effect_noise((480, 670), 60 + number).convert("RGB"), quality=88))
        for number in range(10)
    ]


def made(job: Job) -> dict[str, bytes]:
    out, told = BytesIO(), list[int]()
    write_parts(job, out, told.append)
    assert told == sorted(set(told)) and told[-1] == job.pages
    with ZipFile(out) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def words_on(data: bytes) -> Iterator[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        for page in document:
            yield page.get_textpage().get_text_bounded()
    finally:
        document.close()


def sheets_in(data: bytes) -> list[tuple[int, bool]]:
    """The number of each page's sheet, and whether it is a back, as the margin says."""
    found = [re.search(r"Sheet (\d+) of \d+(, back)?", words) for words in words_on(data)]
    return [(int(one[1]), bool(one[2])) for one in found if one]


def test_each_file_has_its_sheets_and_is_small_enough(heavy: list[PictureRef]) -> None:
    job = picture_job(*heavy, part="2", trim="tarot")
    files = made(job)
    *parts, about = files
    assert job.filename.endswith(".zip") and about == "README.txt"
    assert [sheet for name in parts for sheet, _ in sheets_in(files[name])] == list(range(1, job.sheets + 1))
    assert all(len(files[name]) <= 2 * MEGABYTE for name in parts)
    assert parts == ["spycraft-pictures-part-1-sheets-1-to-2.pdf", "spycraft-pictures-part-2-sheet-3.pdf"]
    assert "1: sheets 1 to 2, " in files[about].decode() and "100 %" in files[about].decode()


def test_front_and_back_of_a_sheet_stay_in_one_file(heavy: list[PictureRef]) -> None:
    job = picture_job(*heavy, part="1", trim="tarot", backs="long", back=heavy[0])
    pages = [sheets_in(data) for name, data in made(job).items() if name.endswith(".pdf")]
    assert len(pages) > 2
    for one in pages:
        assert one[::2] == [(number, False) for number, _ in one[1::2]] and all(back for _, back in one[1::2])


def test_fronts_and_backs_as_files_of_their_own_are_split_at_the_same_sheets(heavy: list[PictureRef]) -> None:
    files = made(picture_job(*heavy, part="1", trim="tarot", backs="separate"))
    fronts, backs = ([name for name in files if name.endswith(f"-{side}s.pdf")] for side in ("front", "back"))
    assert len(fronts) > 2 and [name.replace("-fronts", "-backs") for name in fronts] == backs
    assert sheets_in(files[backs[1]]) == [(number, True) for number, _ in sheets_in(files[fronts[1]])]


def test_a_sheet_that_is_larger_alone_is_a_file_by_itself_and_said_before_and_after(
    heavy: list[PictureRef],
) -> None:
    job = picture_job(*heavy, part="1")
    files = made(job)
    assert [len(data) > MEGABYTE for name, data in files.items() if name.endswith(".pdf")] == [True, False]
    assert "1: sheet 1, " in files["README.txt"].decode() and "more than 1 MB" in files["README.txt"].decode()
    (sentence,) = part_remarks(job)
    assert sentence.startswith("The pictures on sheet 1 alone take 2.0") and "larger than 1 MB" in sentence
    assert part_remarks(picture_job(*heavy, part="9")) == part_remarks(picture_job(*heavy)) == ()


def test_what_is_reckoned_too_low_is_split_once_more(
    heavy: list[PictureRef], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PictureRef, "stored", property(lambda ref: 0))
    files = made(picture_job(*heavy, part="1", trim="tarot"))
    assert all(len(data) <= MEGABYTE for data in files.values()) and len(files) > 3


def test_a_part_is_drawn_once_also_where_faces_are_larger_than_most() -> None:
    """All of these are 1.5 to 1.7 MB."""
    game = games()["spycraft"]
    for backs in ("none", "long"):
        options = read_options({"part": "1", "backs": backs})
        files = made(Job(game, tuple((card, 1) for card in game.cards[:499]), options=options))
        assert len(files) == 3 and max(map(len, files.values())) <= MEGABYTE


def test_what_fits_is_one_file_and_the_same_bytes_each_time() -> None:
    job = job_of("spycraft", part="25")
    assert [name.rpartition("-part")[2] for name in made(job)] == ["-1-sheets-1-to-2.pdf", "README.txt"]
    assert made(job) == made(job)


def test_the_option_is_whole_megabytes() -> None:
    assert read_options({"part": "25"}).part == 25 and USUAL.part == 0
    for wrong in ("-1", "501", "ten", "1.5"):
        with pytest.raises(BadOption):
            read_options({"part": wrong})
    assert estimate(job_of("spycraft", part="1")).size_words.endswith("kB")
    assert (
        estimate(job_of("spycraft", part="1"))._replace(size=2_500_000).size_words
        == "2\N{NO-BREAK SPACE}MB in about 3 files"
    )


@pytest.mark.django_db
def test_the_download_is_a_zip_and_the_page_says_so() -> None:
    client = Client()
    assert "Download the sheets, ZIP" in shown_list(client, part="10").text
    answer = client.post("/print/sheets.pdf", LIST | {"part": "10"})
    assert (
        answer["Content-Type"] == "application/zip"
        and 'filename="spycraft-cards.zip"' in answer["Content-Disposition"]
    )
    with ZipFile(BytesIO(b"".join(answer))) as archive:
        assert archive.namelist() == ["spycraft-cards-part-1-sheet-1.pdf", "README.txt"]
    sent = {"game": "spycraft", "text": "1 Kai", "part": "10"}
    assert (
        client.post("/api/v1/sheets/", sent, content_type="application/json")["Content-Type"]
        == "application/zip"
    )
