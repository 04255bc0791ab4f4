"""Registration marks on a sheet to fold: half of them end on its back, where no cutter sees them, and that is said."""

from __future__ import annotations

import pytest

from printing.layout.registration import KINDS
from printing.request.lists import job_for, pasted_list


def said(**options: str) -> list[str]:
    return [one for one in job_for(pasted_list("spycraft", "2 Kai"), options).remarks() if "registration marks" in one]


@pytest.mark.parametrize("marks", sorted(KINDS))
def test_marks_that_end_behind_the_fold_are_said(marks: str) -> None:
    (remark,) = said(marks=marks, backs="gutterfold")
    assert remark.startswith("Once the sheet is folded") and "long or the short edge" in remark


@pytest.mark.parametrize("marks", sorted(KINDS))
@pytest.mark.parametrize("backs", ["none", "long", "short", "separate"])
def test_marks_of_a_sheet_that_stays_flat_are_nothing_to_speak_of(marks: str, backs: str) -> None:
    assert not said(marks=marks, backs=backs)


def test_marks_for_people_can_be_folded() -> None:
    assert not said(marks="corners", backs="gutterfold")
