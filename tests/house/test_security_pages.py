"""The security documents name existing tests, and answer each requirement once."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests import ROOT

THREATS, ASVS = ROOT / "docs" / "threat-model.md", ROOT / "docs" / "asvs.csv"


@pytest.fixture(scope="module")
def tests():
    """The names of all test functions."""
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return {name for text in files for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)}


def rows(page: Path, columns: int) -> list[list[str]]:
    """The cells of all table rows of the page that have this many columns, without header rows."""
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


@pytest.fixture(scope="module")
def answers():
    """The rows of ``docs/asvs.csv``."""
    with ASVS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("page", [THREATS, ASVS], ids=lambda page: page.stem)
def test_each_test_named_by_a_page_exists(page, tests):
    named = set(re.findall(r"\b(test_\w+)\b", page.read_text(encoding="utf-8")))
    assert len(named) > 50
    assert sorted(named - tests) == []


def test_every_threat_names_a_test():
    threats = rows(THREATS, 3)
    assert len(threats) > 30
    assert [threat for threat, _, proof in threats if not re.search(r"`test_\w+`", proof)] == []


def test_every_requirement_of_the_standard_is_answered_once(answers):
    """The standard has 253 requirements at levels 1 and 2."""
    assert len({row["number"] for row in answers}) == len(answers) == 253
    assert {row["state"] for row in answers} <= {"holds", "operator", "open", "does not apply"}


def test_a_met_requirement_names_a_test_and_others_a_reason(answers):
    assert [row["number"] for row in answers if not row["tests" if row["state"] == "holds" else "note"]] == []


def test_the_reporting_page_states_when_weaknesses_are_fixed():
    page = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())
    for sentence in (
        "an answer within three days, and a plan within ten",
        "a fix is taken within two days",
        "up to date each month",
    ):
        assert sentence in page
