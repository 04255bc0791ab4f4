"""Pasted lists: names suggested for misspelt lines, and comments of a list put into the notes."""

import pytest

from cardsdb.games import games
from decks.core.pasted_text import MAX_SUGGESTED, read_text, with_comments


@pytest.mark.parametrize(
    ("game", "line", "suggested", "likely"),
    [
        ("xfiles", "2 Blevins", ("Section Chief Scott Blevins",), "Section Chief Scott Blevins"),
        ("spycraft", "2 Tracr", ("Tracer (ON)", "Tracer (ML)"), ""),
    ],
)
def test_a_sole_suggestion_is_likely_and_cards_of_one_name_are_all_suggested(game, line, suggested, likely):
    (unread,) = read_text(games()[game], line).unread
    assert (unread.suggestions[: len(suggested)], unread.likely) == (suggested, likely)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("2 termit (ON) 12", "Termite"),
        ("3x dr. skipjback #blue", "Dr. Skipjack"),
    ],
)
def test_a_misspelt_name_is_found_whatever_follows_it(line, name):
    reading = read_text(games()["spycraft"], f"1 Kai\n{line}")
    assert reading.unread[0].suggestions[0].casefold() == name.casefold()


def test_only_the_first_misspelt_lines_get_suggestions():
    reading = read_text(games()["spycraft"], "\n".join(["1 Termit"] * (MAX_SUGGESTED + 1)))
    assert [bool(line.suggestions) for line in reading.unread] == [True] * MAX_SUGGESTED + [False]


def test_a_comment_that_the_notes_have_already_is_not_added_again():
    reading = read_text(games()["spycraft"], "// name: A\n// First\n// Second\n1 Kai\n")
    assert with_comments("First", reading) == "First\nSecond"
