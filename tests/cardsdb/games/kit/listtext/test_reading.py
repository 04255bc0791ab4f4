"""What a line that was not read, or was read with something left aside, says of itself."""

from __future__ import annotations

import pytest

from cardsdb.games.kit.listtext.reading import Notice, Unread


@pytest.mark.parametrize("of", [Unread(3, "1 Kia", "unknown_card", "None."), Notice(3, "None.")])
def test_a_line_is_known_by_its_number(of: Unread | Notice) -> None:
    assert of.place == "line 3"


@pytest.mark.parametrize(
    "of", [Unread(3, "1 Kia", "unknown_card", "None.", where="row 9"), Notice(3, "None.", "row 9")]
)
def test_a_line_of_another_programs_file_is_known_by_its_place_there(of: Unread | Notice) -> None:
    assert of.place == "row 9"


def test_each_suggestion_is_offered_with_the_verdict_by_it_where_that_is_known() -> None:
    unread = Unread(1, "Tracer", "ambiguous", "Two.", ("Tracer (ON)", "Tracer (ML)"), outcomes=("legal",))
    assert unread.offered == (("Tracer (ON)", "legal"), ("Tracer (ML)", ""))


@pytest.mark.parametrize(
    ("code", "stays", "correctable"),
    [
        ("unknown_card", True, True),
        ("ambiguous", False, True),
        ("unknown_section", False, True),
        ("bad_count", False, False),
    ],
)
def test_what_can_be_put_right_or_stay_hangs_on_what_is_wrong(
    code: str, stays: bool, correctable: bool
) -> None:
    unread = Unread(1, "x", code, "Wrong.")
    assert (unread.may_stay_unknown, unread.correctable) == (stays, correctable)
