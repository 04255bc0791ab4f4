"""What a list is called: a first line that is no card, in whatever way people write it; but no misspelt card
is taken for it.
"""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from tests.cardsdb.games.kit.listtext.test_line_forms import COUNTED, written

CARDS = "\n2 Kai\n1 Termite\n"


def read(text: str) -> Reading:
    return read_deck(games()["spycraft"], text)


@pytest.mark.parametrize(
    "line",
    [
        "Night Watch",
        "Deck: Night Watch",
        "Title: Night Watch",
        "Deck name: Night Watch",
        "# Night Watch",
        "// Night Watch",
        "Name: Night Watch",
    ],
)
@pytest.mark.parametrize(
    "below", [CARDS, "\nLeaders:\n1 Li Cong\n\nAgents:\n2 Kai\n"], ids=["cards", "headings"]
)
def test_a_title_is_the_decks_name(line: str, below: str) -> None:
    reading = read(line + below)
    assert (reading.deck.name, reading.unread) == ("Night Watch", ())


def test_a_line_that_is_taken_for_the_title_is_told() -> None:
    (told,) = read(f"\nNine Tiger, my try{CARDS}").notices
    assert (told.line, told.message) == (2, "“Nine Tiger, my try” was taken for the deck’s name.")
    assert read(f"// Night Watch{CARDS}").notices == ()


@pytest.mark.parametrize(
    "line",
    ["**Night Watch**", "### Night Watch ###", "Night Watch ###", "__Night Watch__", "[b]Night Watch[/b]"],
)
def test_a_title_is_read_without_what_sets_it_off(line: str) -> None:
    assert (read(line + CARDS).deck.name, read(line + CARDS).unread) == ("Night Watch", ())


@pytest.mark.parametrize("form", COUNTED)
def test_a_line_with_a_count_is_no_title_whatever_it_counts(form: str) -> None:
    assert read(written(form, "Night Watch Tower", 2, 1) + CARDS).deck.name == ""


@pytest.mark.parametrize("line", ["Kai twice", "four Termite", "Kai, four of it"])
def test_a_line_with_the_name_of_a_card_at_an_end_is_asked_about(line: str) -> None:
    (unread,) = read(line + CARDS).unread
    assert (unread.text, unread.may_be_title) == (line, True)


@pytest.mark.parametrize(
    "line",
    [
        "Recon..4",
        "<td>4</td><td>Termite</td>",
        "[row]4 Termite[/row]",
        "{4 Termite}",
        "Get 4 Kai, fast",
    ],
)
def test_a_line_with_a_name_and_a_number_or_brackets_is_asked_about(line: str) -> None:
    (unread,) = read(line + CARDS).unread
    assert unread.text == line


@pytest.mark.parametrize(
    "line",
    [
        "Shiatzu",
        "Ambish",
        "Mothr of Clouds",
        "Kia",
        "2 Night Watch",
        "Night Watch x2",
        "Night Watch 2",
        "Count,Name",
        "Night | Watch",
        "Leadrs:",
    ],
)
def test_what_may_be_a_card_or_a_heading_is_no_title(line: str) -> None:
    reading = read(line + CARDS)
    assert reading.deck.name == ""
    assert [unread.line for unread in reading.unread] == [1]


def test_a_short_first_line_may_be_either_and_is_asked_about() -> None:
    (unread,) = read(f"Mine{CARDS}").unread
    assert unread.may_be_title


@pytest.mark.parametrize(
    "text",
    [
        "Night Watch\nTermite\nKai\n",
        "Night Watch\n",
        f"2 Kai\nNight Watch{CARDS}",
        f"Leaders:\nNight Watch{CARDS}",
    ],
)
def test_only_a_first_line_above_counted_ones_is_a_title(text: str) -> None:
    reading = read(text)
    assert reading.deck.name == ""
    assert [unread.text for unread in reading.unread] == ["Night Watch"]


def test_a_name_that_the_list_states_stays() -> None:
    reading = read(f"// name: Dragons\nNight Watch{CARDS}")
    assert (reading.deck.name, [unread.line for unread in reading.unread]) == ("Dragons", [2])


def test_a_card_is_no_title() -> None:
    reading = read(f"Main Battle Tank{CARDS}")
    assert reading.deck.name == "" and reading.deck.size == 4


def test_where_a_deck_has_its_name_elsewhere_the_line_is_not_read() -> None:
    reading = read_deck(games()["spycraft"], f"Night Watch{CARDS}", titled=False)
    assert ([unread.text for unread in reading.unread], reading.unread[0].may_be_title) == (
        ["Night Watch"],
        True,
    )
