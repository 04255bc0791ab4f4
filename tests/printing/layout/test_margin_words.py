"""A game's credit in the margins: in one piece if there is room, otherwise without breaking a sentence."""

import pytest

from cardsdb.games import games
from printing.faces import wording
from printing.faces.strokes import TextRun
from printing.layout.geometry import Area
from printing.layout.margin_words import set_credit

SPYCRAFT, AGENT_DECKER = (wording.sheet_credit(games()[slug]) for slug in ("spycraft", "agentdecker"))
# A strip across the sheet, and two columns.
STRIP = Area(0, 0, 190_000, 5_000)
COLUMNS = tuple(Area(x, 0, 61_000, 4_000) for x in (0, 63_000))


def lines(credit: str, across: list[Area], columns: tuple[Area, ...] = COLUMNS) -> dict[tuple[int, int], str]:
    """Return the words as (x, y) -> text: x tells the column, y the line."""
    strokes = set_credit(credit, across, columns)
    return {(run.x, run.y): run.text for run in strokes if isinstance(run, TextRun)}


def test_a_credit_stands_on_one_line_across_the_sheet_if_it_fits():
    (run,) = set_credit(SPYCRAFT, [STRIP], COLUMNS)
    assert run.text == SPYCRAFT and run.width <= STRIP.width


def test_a_longer_credit_takes_two_lines_across_the_sheet():
    two_lines = lines(AGENT_DECKER, [STRIP])
    assert len(two_lines) == 2 and {x for x, _ in two_lines} == {0}
    assert "https://creativecommons.org/licenses/by-nc/4.0/" in " ".join(two_lines.values())


def test_without_a_strip_no_sentence_is_broken_between_two_columns():
    left = [text for (x, _), text in lines(SPYCRAFT, []).items() if x == 0]
    assert left[-1].endswith("Group, Inc.")


def test_a_column_without_room_is_not_used():
    columns = (Area(0, 0, 61_000, 5_200), Area(63_000, 0, 1, 5_200), Area(126_000, 0, 61_000, 5_200))
    assert {x for x, _ in lines(SPYCRAFT, [], columns)} == {0, 126_000}


@pytest.mark.parametrize("across", [[], [Area(0, 0, 190_000, 2_500)]])
def test_a_credit_that_is_far_too_long_runs_on_and_loses_no_word(across):
    long = "Far more words than one line can hold. " * 60
    assert "".join(lines(long, across).values()).replace(" ", "") == long.replace(" ", "")


def test_without_words_or_places_nothing_is_drawn():
    assert lines("", []) == lines("", [STRIP]) == lines(SPYCRAFT, [], ()) == {}
