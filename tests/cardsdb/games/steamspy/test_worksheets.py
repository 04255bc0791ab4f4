"""Steam Spy's character sheet on the page: ranks told apart, the budget by both readings, XP awarded and held
back.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.worksheet import Outcome, Worksheet, WorksheetResult
from cardsdb.games.steamspy.characters import CORPORATIONS, ORGANISATIONS, RANKS, sheet_of

NORA = {
    "name": "Nora Field",
    "corporation": "Navidad Pharmaceuticals",
    "organisation": "Shadow Bureau",
    "intelligence": "2",
    "charisma": "2",
    "body": "2",
    "bluffing": "2",
    "stealth": "2",
    "land": "2",
    "rewiring": "4",
}


def sheet_called(slug: str) -> Worksheet:
    return next(sheet for sheet in games()["steamspy"].worksheets if sheet.slug == slug)


def filled(typed: dict[str, str], slug: str = "character-sheet") -> WorksheetResult:
    return sheet_called(slug).fill_in(games()["steamspy"], typed)


def outcome(typed: dict[str, str], label: str, slug: str = "character-sheet") -> Outcome:
    return next(one for one in filled(typed, slug).calculation.outcomes if one.label == label)


def written(typed: dict[str, str]) -> Any:
    sheet = sheet_called("character-sheet")
    assert sheet.writes
    reading = read_deck(
        games()["steamspy"],
        sheet.writes(filled(typed).values),
        games()["steamspy"].formats_by_slug["character"],
    )
    assert reading.unread == ()
    return reading.deck.entries[0].card


def test_a_rank_is_its_start_its_bonus_and_what_was_bought():
    notes = filled(NORA).calculation.notes
    assert notes["rewiring"] == "4 = 1 + 2 bonus + 1 bought"
    assert notes["smashing"] == "3 = 1 + 2 bonus"
    assert notes["charisma"] == "2 = 1 + 1 bonus"
    assert notes["intelligence"] == "2 = 1 + 1 bought"
    assert "lines" not in notes


def test_one_rank_too_many_is_told_with_how_many_xp():
    spent = outcome(NORA | {"persuasion": "2"}, "XP spent")
    assert (spent.value, spent.kind) == ("11 of 10", "warning")
    assert spent.note.startswith("1 too many")


def test_spending_too_much_is_said_once():
    outcomes = filled({"body": "99", "intelligence": "99"}).calculation.outcomes
    assert [one.label for one in outcomes if one.kind == "warning"] == ["XP spent"]
    assert [one.label for one in outcomes] == ["Level", "XP spent"]


@pytest.mark.parametrize(("had", "level"), [("", "1"), ("25", "2")])
def test_no_level_is_made_by_xp_that_the_character_never_had(had, level):
    typed = {"body": "99", "xp": had} if had else {"body": "99"}
    assert outcome(typed, "Level").value == level
    assert "make level" not in outcome(typed, "Level").note


def test_an_award_that_is_not_filled_in_says_why_it_is_nothing():
    assert (
        outcome({}, "XP received", "xp-award").note
        == "Nothing is earned without an encounter or the game won."
    )
    assert outcome({"encounters": "1"}, "XP received", "xp-award").note == ""


def test_readings_that_cost_differently_are_both_shown():
    typed = {"corporation": "Das Wort", "safe_cracking": "3", "forgery": "3", "pick_pocket": "3"}
    table = outcome(typed, "By how the bonus is read")
    assert [(row[0], row[2], row[4]) for row in table.rows] == [
        ("each of the three", "0", "used"),
        ("one of the three", "4", ""),
    ]


def test_above_level_one_without_xp_what_is_left_is_not_guessed():
    assert outcome({"level": "3"}, "XP spent").value == "0"
    assert all(one.label != "XP left" for one in filled({"level": "3"}).calculation.outcomes)


def test_the_award_is_added_to_the_xp_had():
    card = written(NORA | {"xp": "10", "encounters": "4", "game_won": "yes", "fights_lost": "1", "owed": "1"})
    assert card.fact("xp") == 12
    assert "xp" not in written(NORA).facts


@pytest.mark.parametrize(
    ("typed", "received", "owed"),
    [
        ({"encounters": "1", "fights_lost": "1"}, "0", "1"),
    ],
)
def test_lost_fights_are_held_back_from_awards(typed, received, owed):
    assert outcome(typed, "XP received", "xp-award").value == received
    assert outcome(typed, "Still owed", "xp-award").value == owed


@pytest.mark.parametrize(("own", "other", "added"), [("2", "5", "+3")])
def test_the_lower_level_adds_the_difference(own, other, added):
    assert outcome({"own": own, "other": other}, "Handicap", "handicap").value == added


def test_an_empty_sheet_is_no_character_yet():
    sheet = sheet_called("character-sheet")
    assert sheet.writes and sheet.writes(sheet.start) == ""


def test_a_spelling_of_a_corporation_becomes_the_proper_one():
    card = (
        read_deck(games()["steamspy"], "1 Vex | character | corporation: Translatvian").deck.entries[0].card
    )
    sheet = sheet_called("character-sheet")
    assert sheet.of_card and sheet.of_card(card)["corporation"] == "Transylvanian Transportation Company"


def test_a_corporation_that_no_source_knows_is_asked_about_and_not_dropped():
    card = read_deck(games()["steamspy"], "1 Vex | character | corporation: Acme").deck.entries[0].card
    sheet = sheet_called("character-sheet")
    assert sheet.of_card
    result = filled(sheet.address({**sheet.start, **sheet.of_card(card)}))
    assert result.problems[0][0] == "corporation"
    assert result.typed["corporation"] == "Acme"


ranks = st.fixed_dictionaries({}, optional={key: st.integers(1, 9).map(str) for key in RANKS})
belongs = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Nora Field", "2 Kai", "O'Brien: x", "Ø"]),
        "corporation": st.sampled_from(["", *(one.name for one in CORPORATIONS)]),
        "organisation": st.sampled_from(["", *(one.name for one in ORGANISATIONS)]),
        "level": st.sampled_from(["", "1", "4"]),
        "xp": st.sampled_from(["", "10", "57"]),
    }
)


@given(belongs, ranks)
def test_a_sheet_goes_into_a_deck_and_comes_back_as_it_was(who, bought):
    sheet = sheet_called("character-sheet")
    card = written(who | bought)
    assert sheet.of_card
    assert sheet.address({**sheet.start, **sheet.of_card(card)}) == {
        key: text for key, text in (who | bought).items() if text
    }


@given(belongs, ranks)
def test_what_the_page_says_was_spent_is_what_the_rules_reckon(who, bought):
    card_sheet = sheet_of(written(who | bought))
    account = next(iter(card_sheet.affordable), None) or card_sheet.cheapest
    spent = outcome(who | bought, "XP spent").value
    assert spent.split()[0] == (str(account.spent) if account else "cannot")
