"""Files of sheets: their progress is reported page by page, and characters that no font has are refused
before anything is drawn.
"""

import io
import zipfile

import pikepdf
import pytest

from printing.job.job import Job
from printing.job.pieces import MissingCharacters
from printing.options.values import read_options
from printing.render.files import write_sheets
from tests.support.rendering import SPYCRAFT, job_of
from tests.support.sheets import make_sheets, parcel


@pytest.mark.parametrize("backs", ["none", "long", "separate"])
def test_pages_are_reported_while_drawn_and_while_written(backs):
    job, out, reported = job_of(SPYCRAFT, backs=backs, copies="6"), io.BytesIO(), list[tuple[int, int]]()
    write_sheets(job, out, lambda pages: reported.append((pages, out.tell())))
    assert [pages for pages, _ in reported] == list(range(1, job.pages + 1))
    sizes = [size for _, size in reported if size]
    # At least a quarter of the pages is reported while bytes are written.
    assert len(sizes) * 4 >= job.pages and max(sizes) > min(sizes)


def test_a_print_that_is_stopped_while_cards_are_drawn_writes_nothing():
    def stop(page: int) -> None:
        raise KeyboardInterrupt

    out = io.BytesIO()
    with pytest.raises(KeyboardInterrupt):
        write_sheets(job_of(SPYCRAFT, copies="9"), out, stop)
    assert out.getvalue() == b""


def test_separate_backs_make_a_zip_of_two_files():
    job = job_of(SPYCRAFT, backs="separate")
    sheets = make_sheets(job)
    about = (sheets.filename, sheets.content_type, sheets.pages)
    assert about == ("spycraft-proof.zip", "application/zip", 4) and make_sheets(job).data == sheets.data
    with zipfile.ZipFile(io.BytesIO(sheets.data)) as archive:
        assert archive.namelist() == ["spycraft-proof-fronts.pdf", "spycraft-proof-backs.pdf"]
        for name, side in zip(archive.namelist(), ("front", "back"), strict=True):
            with pikepdf.open(io.BytesIO(archive.read(name))) as document:
                assert [page.label for page in document.pages] == [f"1 {side}", f"2 {side}"]
    assert make_sheets(job_of(SPYCRAFT, backs="separate", side="fronts")).content_type == "application/pdf"


SPY = "\N{SLEUTH OR SPY}"


def test_a_character_of_the_title_that_no_font_has_is_refused(sixth_game):
    with pytest.raises(MissingCharacters, match=r"the title: U\+1F575") as caught:
        make_sheets(Job(sixth_game, ((parcel("Plain"), 1),), title=SPY, options=read_options({})))
    assert caught.value.field == "title"
