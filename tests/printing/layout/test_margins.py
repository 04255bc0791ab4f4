"""What stands around the cards: marks in the ways that options have, words where there is room for them."""

from __future__ import annotations

from typing import Literal

import pytest

from cardsdb.games import games
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.layout.geometry import lay_out
from printing.layout.marks import registration_margins, registration_marks
from printing.options.sizes import PAPERS
from printing.options.values import read_options

GAME = games()["spycraft"]


def strokes(side: Literal["front", "back"] = "front", **options: str) -> tuple[Stroke, ...]:
    made = Job(GAME, ((GAME.cards[0], 3),), "Night Watch", read_options(options))
    under, over = made.margins.furniture(side)
    return (*under, *over)


def number_of(**options: str) -> list[TextRun]:
    made = Job(GAME, ((GAME.cards[0], 3),), "Night Watch", read_options(options))
    found = made.margins.sheet_number(2, 6)
    return [one for one in found if isinstance(one, TextRun)]


def words(found: tuple[Stroke, ...]) -> str:
    return " ".join(one.text for one in found if isinstance(one, TextRun))


def lines(found: tuple[Stroke, ...]) -> int:
    return sum(isinstance(one, Line) for one in found)


@pytest.mark.parametrize(("marks", "areas"), [("registration3", 5), ("registration4", 8)])
def test_marks_that_a_machine_finds_are_black_areas_on_fronts_alone(marks: str, areas: int) -> None:
    """A square and two Ls of two arms each, or four Ls."""
    assert sum(isinstance(one, Rect) for one in strokes(marks=marks)) == areas
    assert not any(isinstance(one, Rect) for one in strokes("back", marks=marks))


def test_without_marks_there_are_fewer_lines_and_lines_at_each_cut_are_dashed_where_ink_is_saved() -> None:
    none, corners, edges, dashed = (
        lines(strokes(**one))
        for one in ({"marks": "none"}, {}, {"marks": "edges"}, {"marks": "edges", "style": "saver"})
    )
    assert none < min(corners, edges) and dashed > edges


def test_cards_with_round_corners_are_marked_along_their_whole_edge_where_marks_lie_above() -> None:
    assert any(isinstance(one, Path) for one in strokes(corner="3", marks_where="above"))
    assert not any(isinstance(one, Path) for one in strokes(corner="3", marks_where="below"))


def test_slots_of_an_outline_are_numbered_as_options_count_them() -> None:
    said = words(strokes(style="outline")).split()
    assert [str(number) for number in range(1, 10)] == [
        one for one in said if one.isdigit() and int(one) < 10
    ][-9:]


@pytest.mark.parametrize(("options", "whole"), [({}, True), ({"header": "no"}, False)])
def test_sheets_say_what_they_are_unless_nobody_wants_it(options: dict[str, str], whole: bool) -> None:
    assert ("Night Watch" in words(strokes(**options))) is whole
    assert (" ".join(one.text for one in number_of(**options)) == "Sheet 2 of 6") is whole


@pytest.mark.parametrize(("paper", "turned"), [("75x110", False), ("72x93", True)])
def test_where_the_margin_has_one_area_the_number_stands_behind_the_title_up_the_side_if_that_alone_has_room(
    paper: str, turned: bool
) -> None:
    (run,) = number_of(paper=paper, margin="0")
    assert run.text.startswith("Night Watch · ") and "Sheet 2 of 6" in run.text and run.turned is turned


def test_a_margin_with_one_area_has_no_words_but_the_number_and_the_title() -> None:
    assert "Night Watch" not in words(strokes(paper="72x93", margin="0")) and "Print at" not in words(
        strokes(paper="72x93", margin="0")
    )
    assert "Print at 100 %" in words(strokes())


def test_where_the_margin_has_two_areas_the_title_and_what_it_is_about_share_the_first() -> None:
    (run,) = number_of(paper="72x181", margin="0")
    assert run.text == "Sheet 2 of 6" and "Night Watch · Spycraft" in words(
        strokes(paper="72x181", margin="0")
    )


def test_margins_for_a_machines_marks_grow_until_their_arms_have_room() -> None:
    tried = list(registration_margins(5_000, 0))
    assert tried == sorted(tried) and tried[0] == 10_800 and tried[-1] == 16_250
    assert list(registration_margins(30_000, 0)) == [30_000]


def test_a_sheet_without_room_for_arms_has_no_marks_of_a_machine() -> None:
    assert registration_marks(lay_out(PAPERS["a4"], (66_000, 94_000), margin=0), 4) == ()
