"""Steam Spy's three sheets (character, XP award, handicap): the answer of each to what is typed, and a
character that goes into a deck and comes back. ``test_characters.py`` tests the arithmetic beneath.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games.kit import Card
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.worksheet import Outcome, Values, WorksheetResult
from cardsdb.games.steamspy import GAME
from cardsdb.games.steamspy.characters import CORPORATIONS, ORGANISATIONS, RANKS, sheet_of

SHEETS = {sheet.slug: sheet for sheet in GAME.worksheets}
CHARACTER_SHEET = SHEETS["character-sheet"]

# A new character whose ten XP are all spent. Navidad gives charisma and body 1 each, and three skills 2;
# the Shadow Bureau gives three actions 2.
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


def filled(typed: Mapping[str, str], slug: str = "character-sheet") -> WorksheetResult:
    return SHEETS[slug].fill_in(GAME, typed)


def outcome(typed: Mapping[str, str], label: str, slug: str = "character-sheet") -> Outcome:
    """The outcome with this label, of the sheet filled in like this."""
    return next(one for one in filled(typed, slug).calculation.outcomes if one.label == label)


def card_in_list(text: str) -> Card:
    """The first card of a list that is read without a line left over."""
    reading = read_deck(GAME, text, GAME.formats_by_slug["character"])
    assert reading.unread == ()
    return reading.deck.entries[0].card


def card_of(typed: Mapping[str, str]) -> Card:
    """The card that a list holds once the character sheet has written it there."""
    return card_in_list(CHARACTER_SHEET.writes(filled(typed).values))


def sheet_for(card: Card) -> Values:
    """The character sheet filled in for a card of a deck."""
    return {**CHARACTER_SHEET.start, **CHARACTER_SHEET.of_card(card)}


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
    reached = outcome({"body": "99", "xp": had}, "Level")
    assert reached.value == level
    assert "make level" not in reached.note


def test_an_award_that_is_not_filled_in_says_why_it_is_nothing():
    nothing, earned = (outcome(typed, "XP received", "xp-award") for typed in ({}, {"encounters": "1"}))
    assert nothing.note == "Nothing is earned without an encounter or the game won."
    assert earned.note == ""


def test_readings_that_cost_differently_are_both_shown():
    typed = {"corporation": "Das Wort", "safe_cracking": "3", "forgery": "3", "pick_pocket": "3"}
    table = outcome(typed, "By how the bonus is read")
    assert [(skills, xp_spent, used) for skills, _, xp_spent, _, used in table.rows] == [
        ("each of the three", "0", "used"),
        ("one of the three", "4", ""),
    ]


def test_the_xp_left_above_level_one_are_not_guessed_where_nobody_says_how_many_there_were():
    assert outcome({"level": "3"}, "XP spent").value == "0"
    assert all(one.label != "XP left" for one in filled({"level": "3"}).calculation.outcomes)


def test_the_award_is_added_to_the_xp_had():
    """Four encounters and the game earn 5 XP; a lost fight takes 2 of them, and 1 is owed from before."""
    game = {"encounters": "4", "game_won": "yes", "fights_lost": "1", "owed": "1"}
    assert card_of(NORA | {"xp": "10"} | game).fact("xp") == 10 + 5 - 2 - 1
    assert "xp" not in card_of(NORA).facts


@pytest.mark.parametrize(
    ("typed", "received", "owed"),
    [
        ({"encounters": "1", "fights_lost": "1"}, "0", "1"),
        ({"encounters": "3", "fights_lost": "1"}, "1", "0"),
        ({"encounters": "3", "game_won": "yes", "owed": "2"}, "2", "0"),
    ],
)
def test_lost_fights_are_held_back_from_awards(typed, received, owed):
    assert outcome(typed, "XP received", "xp-award").value == received
    assert outcome(typed, "Still owed", "xp-award").value == owed


@pytest.mark.parametrize(
    ("own", "other", "adds", "other_adds"),
    [("2", "5", "+3", "+0"), ("5", "2", "+0", "+3"), ("4", "4", "+0", "+0")],
)
def test_the_lower_level_adds_the_difference(own, other, adds, other_adds):
    typed = {"own": own, "other": other}
    assert outcome(typed, "Handicap", "handicap").value == adds
    assert outcome(typed, "The other adds", "handicap").value == other_adds


# -- into a deck and back ------------------------------------------------------------------


def test_an_empty_sheet_is_no_character_yet():
    assert CHARACTER_SHEET.writes(CHARACTER_SHEET.start) == ""


def test_a_spelling_of_a_corporation_becomes_the_proper_one():
    card = card_in_list("1 Vex | character | corporation: Translatvian")
    assert sheet_for(card)["corporation"] == "Transylvanian Transportation Company"


def test_a_corporation_that_no_source_knows_is_asked_about_and_not_dropped():
    card = card_in_list("1 Vex | character | corporation: Acme")
    result = filled(CHARACTER_SHEET.address(sheet_for(card)))
    assert [field for field, _ in result.problems] == ["corporation"]
    assert result.typed["corporation"] == "Acme"


any_ranks = st.fixed_dictionaries({}, optional={key: st.integers(1, 9).map(str) for key in RANKS})
anybody = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Nora Field", "2 Kai", "O'Brien: x", "Ø"]),
        "corporation": st.sampled_from(["", *(one.name for one in CORPORATIONS)]),
        "organisation": st.sampled_from(["", *(one.name for one in ORGANISATIONS)]),
        "level": st.sampled_from(["", "1", "4"]),
        "xp": st.sampled_from(["", "10", "57"]),
    }
)


@given(anybody, any_ranks)
def test_a_sheet_goes_into_a_deck_and_comes_back_as_it_was(who, ranks):
    filled_in = {key: text for key, text in (who | ranks).items() if text}
    assert CHARACTER_SHEET.address(sheet_for(card_of(who | ranks))) == filled_in


@given(anybody, any_ranks)
def test_what_the_page_says_was_spent_is_what_the_rules_reckon(who, ranks):
    reckoned = sheet_of(card_of(who | ranks))
    account = next(iter(reckoned.affordable), None) or reckoned.cheapest
    spent = outcome(who | ranks, "XP spent").value
    assert spent.split()[0] == (str(account.spent) if account else "cannot")
