"""A print as one value: what is too much for it, and what it says of itself."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from cardsdb.games import games
from printing.job import job as job_module
from printing.job.job import MAX_TITLE, Job, TooMuch
from printing.options.values import BadOption, read_options
from tests import ROOT
from tests.support.game_folders import own_games

GAME = games()["spycraft"]
KAI = GAME.cards[0]


def job(title: str = "Night Watch", count: int = 3, **options: str) -> Job:
    return Job(GAME, ((KAI, count),), title, read_options(options))


def said(made: Job, words: str) -> bool:
    return any(words in remark for remark in made.remarks())


def test_a_title_has_as_many_letters_as_a_margin_takes() -> None:
    assert job("x" * MAX_TITLE).cards == 3
    with pytest.raises(TooMuch, match=f"at most {MAX_TITLE} letters"):
        job("x" * (MAX_TITLE + 1))


@pytest.mark.parametrize("entries", [(), ((KAI, 0),)])
def test_a_print_of_nothing_is_none(entries: Any) -> None:
    with pytest.raises(TooMuch, match="nothing to print"):
        Job(GAME, entries)


def test_a_card_that_says_more_than_a_card_holds_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "MAX_TEXT", 10)
    with pytest.raises(TooMuch, match=f"“{KAI.name}” says more than 10 letters"):
        job()


def test_more_different_cards_than_one_job_prints_are_refused_with_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_module, "MAX_DIFFERENT", 1)
    with pytest.raises(TooMuch, match="print sections of the list by themselves"):
        Job(GAME, tuple((card, 1) for card in GAME.cards[:2]))


def test_a_sheet_is_of_the_part_that_it_belongs_to_and_behind_the_cards_of_none() -> None:
    made = job(count=10)
    assert made.sheets == 2
    assert (made.part_with(1), made.part_with(2), made.part_with(3)) == ((made, 0), (made, 0), None)


NARROW = {"paper": "64x89", "margin": "0", "marks_where": "below"}


def test_margins_without_room_are_told_of() -> None:
    made = job(**NARROW)
    for lacks in ("no room for a scale bar", "no room for words", "no room for cut marks"):
        assert said(made, lacks) and not said(job(), lacks), lacks


def test_what_the_sheets_cannot_say_of_lines_that_are_missing_the_remarks_say() -> None:
    made = job(**NARROW)
    lacking = replace(made, unread=2)
    assert said(lacking, "they do not say that 2 lines of the list are missing")
    assert not said(made, "are missing") and not said(replace(job(), unread=2), "are missing")
    assert (made.says_what_it_is, job().says_what_it_is, job(header="no").says_what_it_is) == (
        False,
        True,
        False,
    )


def test_a_card_size_that_is_wider_than_high_is_told_of() -> None:
    assert said(job(trim="88x63"), "wider than high") and not said(job(trim="63x88"), "wider than high")


@pytest.mark.parametrize(("trim", "why"), [("50x70", "You asked for this size."), ("", GAME.trim_source)])
def test_a_size_says_where_it_comes_from(trim: str, why: str) -> None:
    assert dict(job(trim=trim).details())["Why this size"] == why


def keys_of_all_types() -> list[str]:
    """A key for each game, of one card of each of its types."""
    cards = [(game, {card.type: card for card in game.cards}.values()) for game in own_games().values()]
    return [Job(game, tuple((card, 1) for card in of_each)).key for game, of_each in cards]


def test_a_key_is_the_same_in_every_process() -> None:
    code = "from tests.printing.job.test_job import keys_of_all_types as keys; print(*keys())"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert told == keys_of_all_types()


def test_a_key_changes_with_the_code_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    before = job().key
    monkeypatch.setattr(job_module, "digest_of_drawing", lambda game: "newer")
    assert job().key != before


def remarks(**options: str) -> str:
    return " ".join(job(count=45, **options).remarks())


def test_bleed_that_moves_cards_apart_is_told_with_the_sheets_that_it_costs() -> None:
    told = remarks(paper="letter", bleed="1.5", gap="1.5")
    assert "Cards stand 3 mm apart, not 1.5, for each has 1.5 mm of bleed round it, which takes" in told
    assert "apart" not in remarks(bleed="1.5", gap="3") + remarks(
        bleed="1.5", gap="1.5", bleed_where="outside"
    )


def test_sides_of_a_folded_sheet_that_are_not_printed_alone_are_told() -> None:
    assert "both are printed" in remarks(backs="gutterfold", side="fronts")
    assert "both are printed" not in remarks(backs="gutterfold") + remarks(backs="long", side="fronts")


def test_cards_too_small_to_be_read_are_told() -> None:
    assert "cannot be read" in remarks(trim="25x25", corner="12.5")
    assert "cannot be read" not in remarks(trim="micro")


def test_columns_and_rows_that_do_not_fit_are_refused_at_their_field() -> None:
    with pytest.raises(BadOption, match="as few columns and rows of 63 × 88 mm as fit on A4") as caught:
        remarks(block="4x4")
    assert caught.value.field == "block"


@pytest.mark.parametrize("name", ["left", "top"])
def test_cards_of_a_folded_sheet_are_not_put_elsewhere(name: str) -> None:
    with pytest.raises(BadOption, match="stand at its fold") as caught:
        remarks(backs="gutterfold", **{name: "10"})
    assert caught.value.field == name


def test_marks_for_a_cutter_need_room_beside_cards_in_a_corner() -> None:
    with pytest.raises(BadOption, match="leave no room") as caught:
        remarks(marks="registration3", left="1", top="1")
    assert caught.value.field == "marks"


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({"left": "250"}, "left"),
        ({"top": "290", "left": "20"}, "top"),
        ({"paper": "148x210", "trim": "140x200", "margin": "30", "left": "1"}, "trim"),
    ],
)
def test_cards_that_begin_too_far_to_fit_are_refused_at_that_field(
    chosen: dict[str, str], field: str
) -> None:
    with pytest.raises(BadOption) as caught:
        remarks(**chosen)
    assert caught.value.field == field


def test_sheets_name_the_cutting_template_that_fits_them_and_no_other() -> None:
    cutter = {"orientation": "landscape", "marks": "registration3", "gap": "1.26", "gap_y": "0.9"}
    assert "a4_standard_v2" in job(**cutter).notes().about
    others = ({"marks": "corners"}, {"gap": "1.25"}, {"turn": "turned"}, {"block": "3x2"})
    assert [other for other in others if "template" in job(**cutter | other).notes().about] == []
