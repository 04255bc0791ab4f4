"""A screen reader is told by a PDF what its cards say."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from pdfua import validate

from cardsdb.games import games
from printing.job.job import Job
from printing.options.values import read_options
from printing.request.lists import pasted_list
from tests.support.print_lists import job_for
from tests.support.sheets import make_sheets


@pytest.fixture(scope="module", params=["spycraft", "xfiles", "spynet", "steamspy", "agentdecker"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = games()[request.param]
    made = Job(game, tuple((card, 2) for card in game.cards[:5]), "", read_options({"backs": "long"}))
    path = tmp_path_factory.mktemp("read") / "sheets.pdf"
    path.write_bytes(make_sheets(made).data)
    return path


def told(job: Job) -> list[str]:
    """The alternative texts of the figures of the sheets, in their order."""
    with pikepdf.open(BytesIO(make_sheets(job).data)) as file:
        return [str(one.Alt) for one in file.Root.StructTreeRoot.K.K]  # type: ignore[attr-defined]


def test_a_file_declares_pdf_ua_and_a_checker_finds_nothing(file: Path) -> None:
    report = validate(str(file))
    assert list(report.findings) == []
    assert b"<pdfuaid:part>1</pdfuaid:part>" in file.read_bytes()


def test_a_card_is_told_with_its_numbers_and_what_it_does() -> None:
    job = job_for(pasted_list("spycraft", "2 Kai\n"), {})
    one, other = told(job)
    assert one == other and one.startswith("Kai") and "Soldier" in one
    assert games()["spycraft"].card("kai").told.split("\n")[0].strip("*") in one


def test_a_text_stands_in_a_file_once_however_often_its_card_is_printed() -> None:
    data = make_sheets(job_for(pasted_list("spycraft", "90 Kai\n"), {})).data
    assert sum(data.count("Soldier".encode(coding)) for coding in ("ascii", "utf-16-be")) == 1


def test_an_outline_says_no_more_than_it_shows() -> None:
    job = job_for(pasted_list("spycraft", "1 Kai\n"), {"style": "outline"})
    assert "Soldier" not in told(job)[0]


def test_a_reference_card_is_told_with_its_words() -> None:
    job = job_for(pasted_list("spycraft", "1 Kai\n"), {"extras": "reference", "only": "none"})
    assert max(map(len, told(job))) > 200
