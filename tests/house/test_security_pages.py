"""What the documents on security say is proven: the tests that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import ROOT

THREATS, ASVS = ROOT / "docs" / "threat-model.md", ROOT / "docs" / "asvs.md"


@pytest.fixture(scope="module")
def tests() -> set[str]:
    """The names of all tests."""
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return {name for text in files for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)}


def rows(page: Path, columns: int) -> list[list[str]]:
    """The cells of the page's tables that have so many columns, without their headings."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.read_text(encoding="utf-8").splitlines()
        if line[:1] == "|"
    ]
    wide = [row for row in cells if len(row) == columns]
    return [
        row
        for row, next_row in zip(wide, [*wide[1:], []], strict=True)
        if not ({*"".join(row)} <= {"-"} or {*"".join(next_row)} == {"-"})
    ]


@pytest.mark.parametrize("page", [THREATS, ASVS], ids=lambda page: page.stem)
def test_every_test_that_a_page_names_is_there(page: Path, tests: set[str]) -> None:
    named = set(re.findall(r"`(test_\w+)`", page.read_text(encoding="utf-8")))
    assert len(named) > 50
    assert sorted(named - tests) == []


def test_every_threat_names_a_test() -> None:
    threats = [row for row in rows(THREATS, 3) if row[0] != "what"]
    assert len(threats) > 30
    assert [threat for threat, _, proof in threats[7:] if not re.search(r"`test_\w+`", proof)] == []


def test_every_requirement_of_the_standard_is_answered_once() -> None:
    """253 at levels 1 and 2, each with a test where it holds and a reason where it does not."""
    answered = [row for row in rows(ASVS, 4) if row[0] != "number"]
    left_out = [number for row in rows(ASVS, 2) if row[0] != "numbers" for number in row[0].split(", ")]
    numbers = [row[0] for row in answered] + left_out
    assert len(numbers) == len(set(numbers)) == 253
    assert {row[2] for row in answered} <= {"holds", "operator", "open"}
    assert [
        row[0]
        for row in answered
        if not row[3] or (row[2] == "holds" and not re.search(r"`test_\w+`", row[3]))
    ] == []


def test_the_sums_of_the_list_are_those_of_its_lines() -> None:
    page = ASVS.read_text(encoding="utf-8")
    states = [row[2] for row in rows(ASVS, 4)]
    assert (
        f"{states.count('holds')} hold, {states.count('operator')} are the operator's, {states.count('open')}"
        " are open" in page
    )


def test_the_page_for_reports_says_how_soon_a_weakness_is_mended() -> None:
    page = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())
    for said in (
        "an answer within three days, and a plan within ten",
        "a fix is taken within two days",
        "up to date each month",
    ):
        assert said in page
