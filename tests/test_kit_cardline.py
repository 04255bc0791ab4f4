"""Lines of a list that need more than the catalogue: retired cards, long written-in cards, corrections."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Game, Print
from cardsdb.games.kit.cardline import MAX_LINE
from cardsdb.games.kit.decktext import Reading, read_deck, with_correction, write_deck


def spycraft() -> Game:
    return games()["spycraft"]


def spynet() -> Game:
    return games()["spynet"]


def codes(reading: Reading) -> list[tuple[int, str]]:
    return [(unread.line, unread.code) for unread in reading.unread]


GONE = Card("spycraft", "gone", "Old Acquaintance", "agent", prints=(Print("ON", "7"),))


def test_a_card_the_game_no_longer_lists_is_read_where_it_is_offered() -> None:
    assert codes(read_deck(spycraft(), "2 old acquaintance")) == [(1, "unknown_card")]
    (entry,) = read_deck(spycraft(), "2 old acquaintance", also=[GONE]).deck
    assert (entry.card, entry.count) == (GONE, 2)


def test_a_card_the_game_lists_goes_before_one_it_no_longer_lists() -> None:
    (entry,) = read_deck(spycraft(), "2 Kai", also=[replace(GONE, name="Kai")]).deck
    assert entry.card.code == "kai"


def test_two_cards_no_longer_listed_under_one_name_are_told_apart_by_set() -> None:
    other = replace(GONE, code="gone-too", prints=(Print("DF", "9"),))
    (entry,) = read_deck(spycraft(), "1 Old Acquaintance (DF)", also=[GONE, other]).deck
    assert entry.card is other
    (unread,) = read_deck(spycraft(), "1 Old Acquaintance", also=[GONE, other]).unread
    assert (unread.code, unread.suggestions) == ("ambiguous", ("Old Acquaintance (ON)", "Old Acquaintance (DF)"))


LONG = (
    ("1 X | agent\n| branches: " + ";".join("ab" * 60), "bad_fact"),
    ("1 X | agent\n| branches: " + "b" * (MAX_LINE - 12), "bad_fact"),
    ("1 " + "X" * (MAX_LINE - 10) + " | agent", "line_too_long"),
)


@pytest.mark.parametrize(("text", "code"), LONG)
def test_a_written_in_card_that_could_not_be_read_back_is_refused_at_its_line(text: str, code: str) -> None:
    assert max(map(len, text.split("\n"))) <= MAX_LINE, "the reader takes the lines themselves"
    assert codes(read_deck(spynet(), f"// name: Ours\n{text}")) == [(2, code)]


def test_the_longest_fact_that_is_taken_is_read_back() -> None:
    # 99 X | ... is written as "  | Branches: " and the value.
    text = "99 X | agent\n| branches: " + "b" * (MAX_LINE - len("  | Branches: "))
    reading = read_deck(spynet(), text)
    assert not reading.unread
    assert not read_deck(spynet(), write_deck(spynet(), reading.deck)).unread


@pytest.mark.parametrize(
    ("text", "number", "suggestion", "wanted"),
    [
        ("2 Kai\r\n2x Termitte\r\n", 2, "Termite", "2 Kai\r\n2 Termite\r\n"),
        ("Termitte x3", 1, "Termite", "3 Termite"),
        ("* Termitte", 1, "Termite", "1 Termite"),
        ("Leaders: 2 Kia", 1, "Kai", "Leaders: 2 Kai"),
        ("2 Kai\nLeeders:", 2, "Leaders:", "2 Kai\nLeaders:"),
        ("1 Tracer", 1, "Tracer (ON)", "1 Tracer (ON)"),
    ],
)
def test_a_suggestion_replaces_the_name_on_its_line_and_nothing_else(text: str, number: int, suggestion: str, wanted: str) -> None:
    assert with_correction(spycraft(), text, number, suggestion) == wanted


@pytest.mark.parametrize(("number", "suggestion"), [(0, "Kai"), (-1, "Kai"), (3, "Kai"), (10**9, "Kai"), (1, ""), (1, " \n ")])
def test_a_correction_of_no_line_changes_nothing(number: int, suggestion: str) -> None:
    assert with_correction(spycraft(), "2 Kia\n2 Kie", number, suggestion) == "2 Kia\n2 Kie"


def test_a_correction_stays_on_one_line_of_bounded_length() -> None:
    assert with_correction(spycraft(), "2 Kia", 1, "Kai\n9 Termite") == "2 Kai 9 Termite"
    assert len(with_correction(spycraft(), "2 Kia", 1, "x" * 10_000)) <= MAX_LINE + 2
