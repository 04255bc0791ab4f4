"""Steam Spy's three worksheets (character, XP award, handicap): their outcomes, and a character that is
written into a deck and read back. ``test_characters.py`` tests the arithmetic.
"""

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
    """Return the outcome with this label for a sheet filled in like this."""
    outcomes = filled(typed, slug).calculation.outcomes
    return next(outcome for outcome in outcomes if outcome.label == label)


def card_in_list(text: str) -> Card:
    """Return the first card of a list, all lines of which must be readable."""
    reading = read_deck(GAME, text, GAME.formats_by_slug["character"])
    assert reading.unread == ()
    return reading.deck.entries[0].card


def card_of(typed: Mapping[str, str]) -> Card:
    """Return the card that is read from the list written by the filled in sheet."""
    return card_in_list(CHARACTER_SHEET.writes(filled(typed).values))


def sheet_for(card: Card) -> Values:
    """Return the values of the sheet for a card of a deck."""
    return {**CHARACTER_SHEET.start, **CHARACTER_SHEET.of_card(card)}


def test_a_rank_is_shown_as_the_sum_of_start_bonus_and_bought_ranks():
    notes = filled(NORA).calculation.notes
    # Navidad raises two of these skills and charisma.
    assert notes["rewiring"] == "4 = 1 + 2 bonus + 1 bought"
    assert notes["smashing"] == "3 = 1 + 2 bonus"
    assert notes["charisma"] == "2 = 1 + 1 bonus"
    assert notes["intelligence"] == "2 = 1 + 1 bought"
    assert "lines" not in notes


def test_one_rank_too_many_is_one_warning_with_the_number_of_xp():
    spent = outcome(NORA | {"persuasion": "2"}, "XP spent")
    assert (spent.value, spent.kind) == ("11 of 10", "warning")
    assert spent.note.startswith("1 too many")
    kinds = [each.kind for each in filled({"body": "99"}).calculation.outcomes]
    assert kinds == ["total", "warning"]


@pytest.mark.parametrize(("had", "level"), [("", "1"), ("25", "2")])
def test_xp_that_the_character_never_had_do_not_raise_its_level(had, level):
    reached = outcome({"body": "99", "xp": had}, "Level")
    assert reached.value == level
    assert "make level" not in reached.note


@pytest.mark.parametrize(
    ("slug", "typed", "shown"),
    [
        ("xp-award", {}, {"XP received": "0", "Still owed": "0"}),
        ("xp-award", {"encounters": "3", "game_won": "yes"}, {"XP received": "4", "Still owed": "0"}),
        ("xp-award", {"encounters": "1", "fights_lost": "1"}, {"XP received": "0", "Still owed": "1"}),
        ("xp-award", {"encounters": "1", "owed": "2"}, {"XP received": "0", "Still owed": "1"}),
        ("xp-award", {"encounters": "3", "owed": "2"}, {"XP received": "1", "Still owed": "0"}),
        ("handicap", {"own": "2", "other": "5"}, {"Handicap": "+3", "The other adds": "+0"}),
        ("handicap", {"own": "4", "other": "4"}, {"Handicap": "+0", "The other adds": "+0"}),
    ],
)
def test_the_award_after_a_game_and_the_handicap_between_two_levels_are_shown(slug, typed, shown):
    values = {each.label: each.value for each in filled(typed, slug).calculation.outcomes}
    assert values.items() >= shown.items()


def test_readings_that_cost_differently_are_both_shown():
    typed = {"corporation": "Das Wort", "safe_cracking": "3", "forgery": "3", "pick_pocket": "3"}
    table = outcome(typed, "By how the bonus is read")
    assert [(skills, xp_spent, used) for skills, _, xp_spent, _, used in table.rows] == [
        ("each of the three", "0", "used"),
        ("one of the three", "4", ""),
    ]


def test_above_level_one_the_xp_left_are_not_guessed():
    assert outcome({"level": "3"}, "XP spent").value == "0"
    labels = [outcome.label for outcome in filled({"level": "3"}).calculation.outcomes]
    assert "XP left" not in labels


def test_the_award_is_added_to_the_xp_had():
    # Four encounters and the game earn 5 XP; a lost fight takes 2 of them, and 1 is owed from before.
    game = {"encounters": "4", "game_won": "yes", "fights_lost": "1", "owed": "1"}
    assert card_of(NORA | {"xp": "10"} | game).fact("xp") == 10 + 5 - 2 - 1
    assert "xp" not in card_of(NORA).facts


# -- into a deck and back ------------------------------------------------------------------


def test_an_empty_sheet_is_no_character_yet():
    assert CHARACTER_SHEET.writes(CHARACTER_SHEET.start) == ""


def test_a_spelling_of_a_corporation_becomes_the_proper_one():
    card = card_in_list("1 Vex | character | corporation: Translatvian")
    assert sheet_for(card)["corporation"] == "Transylvanian Transportation Company"


def test_a_corporation_that_no_source_knows_is_a_problem_and_not_dropped():
    card = card_in_list("1 Vex | character | corporation: Acme")
    result = filled(CHARACTER_SHEET.address(sheet_for(card)))
    assert [field for field, _ in result.problems] == ["corporation"]
    assert result.typed["corporation"] == "Acme"


all_ranks = st.fixed_dictionaries({}, optional={key: st.integers(1, 9).map(str) for key in RANKS})
all_people = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Nora Field", "2 Kai", "O'Brien: x", "Ø"]),
        "corporation": st.sampled_from(["", *(corporation.name for corporation in CORPORATIONS)]),
        "organisation": st.sampled_from(["", *(organisation.name for organisation in ORGANISATIONS)]),
        "level": st.sampled_from(["", "1", "4"]),
        "xp": st.sampled_from(["", "10", "57"]),
    }
)


@given(all_people, all_ranks)
def test_a_sheet_written_into_a_deck_is_read_back_as_it_was(person, ranks):
    filled_in = {key: text for key, text in (person | ranks).items() if text}
    assert CHARACTER_SHEET.address(sheet_for(card_of(person | ranks))) == filled_in


@given(all_people, all_ranks)
def test_the_page_shows_the_xp_that_the_rules_compute(person, ranks):
    sheet = sheet_of(card_of(person | ranks))
    account = next(iter(sheet.affordable), None) or sheet.cheapest
    spent = outcome(person | ranks, "XP spent").value
    assert spent.split()[0] == (str(account.spent) if account else "cannot")
