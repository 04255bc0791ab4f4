"""A list is changed where it stands: all other lines stay as their author wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.rewriting import (
    KEEP_TITLE,
    KEEP_UNKNOWN,
    with_card_changes,
    with_corrections,
)
from cardsdb.games.kit.model.decklist import CardChange, with_changes
from tests.cardsdb.games.kit.listtext.lists import copies_in

LIST = """Nine Tiger, my try

Leaders:
1 Li Cong
1 Adam Razir   // to be swapped

Agents
3x Kai (ON) #blue
2 Shiatzu
- 1 Kai
"""


def game() -> Game:
    return games()["spycraft"]


def change(code: str, by: int, section: str = "deck") -> CardChange:
    card = game().card(code)
    assert card
    return CardChange(card, section, by)


# What happens -> (changes, lines of LIST, the lines in their place).
REWRITTEN = {
    "copies come out of the last line": ([change("kai", -1)], "- 1 Kai\n", ""),
    "what stands behind the name stays": (
        [change("kai", -2)],
        "3x Kai (ON) #blue\n2 Shiatzu\n- 1 Kai",
        "2 Kai (ON) #blue\n2 Shiatzu",
    ),
    "a line without copies goes": (
        [change("adam-razir", -1, "leaders")],
        "1 Adam Razir   // to be swapped\n",
        "",
    ),
    "new copies join the first line": ([change("kai", 2)], "3x Kai", "5 Kai"),
    "a new card stands below its section": (
        [change("mai-tai", 1, "leaders")],
        "to be swapped\n",
        "to be swapped\n1 Mai-Tai\n",
    ),
    "a new card stands below its type": ([change("termite", 1)], "- 1 Kai\n", "- 1 Kai\n1 Termite\n"),
}


@pytest.mark.parametrize("happens", REWRITTEN)
def test_a_change_of_cards_rewrites_their_lines_and_no_other(happens):
    changes, old, new = REWRITTEN[happens]
    assert with_card_changes(game(), LIST, changes) == LIST.replace(old, new)


@pytest.mark.parametrize(
    ("text", "changes", "wanted"),
    [
        (
            "2 Kai\nNobody knows this\n",
            [change("li-cong", 1, "leaders"), change("groundfire", 1, "leaders")],
            "2 Kai\nNobody knows this\n\nLeaders:\n1 Li Cong\n1 Groundfire\n",
        ),
        (
            "Leaders:\n1 Kai\n\nDeck:\n1 Termite\n",
            [change("kai", 1), change("kai", -1, "leaders")],
            "Leaders:\n\nDeck:\n1 Termite\n1 Kai\n",
        ),
        ("1 Kai | #blue\n  | // a long note\n1 Termite\n", [change("kai", -1)], "1 Termite\n"),
    ],
    ids=["new cards of a new section get one heading", "a card moves", "further lines go with their card"],
)
def test_cards_come_go_and_move_with_all_their_lines(text, changes, wanted):
    assert with_card_changes(game(), text, changes) == wanted


def test_a_card_that_the_list_does_not_have_cannot_come_out():
    with pytest.raises(ValueError, match="has 0 of the 1 Termite"):
        with_card_changes(game(), LIST, [change("termite", -1)])


@pytest.mark.parametrize(
    ("text", "number", "suggestion", "wanted"),
    [
        ("2 Kai\r\n2x Termitte\r\n", 2, "Termite", "2 Kai\r\n2 Termite\r\n"),
        ("Termitte x3", 1, "Termite", "3 Termite"),
        ("* Termitte", 1, "Termite", "1 Termite"),
        ("Leaders: 2 Kia", 1, "Kai", "Leaders: 2 Kai"),
        ("2 Kai\nLeeders:", 2, "Leaders:", "2 Kai\nLeaders:"),
        ("1 Tracer", 1, "Tracer (ON)", "1 Tracer (ON)"),
        ("2x Termitte #blue // n", 1, "Termite", "2 Termite #blue // n"),
    ],
)
def test_a_suggestion_replaces_the_name_on_its_line_and_nothing_else(text, number, suggestion, wanted):
    assert with_corrections(game(), text, {number: suggestion}) == wanted


@pytest.mark.parametrize(("number", "suggestion"), [(0, "Kai"), (3, "Kai"), (1, ""), (1, " \n ")])
def test_a_correction_of_no_line_changes_nothing(number, suggestion):
    assert with_corrections(game(), "2 Kia\n2 Kie", {number: suggestion}) == "2 Kia\n2 Kie"


def test_a_correction_stays_on_one_line_of_bounded_length():
    assert with_corrections(game(), "2 Kia", {1: "Kai\n9 Termite"}) == "2 Kai 9 Termite"
    assert len(with_corrections(game(), "2 Kia", {1: "x" * 10_000})) <= MAX_LINE + 2


def test_a_line_is_kept_as_an_unknown_card():
    game, text = games()["xfiles"], "2 Kai\nX-File: 2x Nobody #b"
    assert read_deck(game, text).unread[-1].code == "unknown_card"
    corrected = with_corrections(game, text, {2: KEEP_UNKNOWN})
    assert corrected == "2 Kai\nX-File: 2 Nobody | unknown | #b"
    # A bar in the name would begin the facts of a card.
    assert with_corrections(game, "2x A|B #b", {1: KEEP_UNKNOWN}) == "2 A¦B | unknown | #b"


def test_several_names_are_corrected_at_once():
    assert (
        with_corrections(game(), "2 Shiatzu\n1 Kai\n1 Temite", {1: "Shiatsu", 3: "Termite", 9: "Kai"})
        == "2 Shiatsu\n1 Kai\n1 Termite"
    )


def test_a_line_is_kept_as_the_title():
    text = with_corrections(game(), "Mine\n2 Kai\n", {1: KEEP_TITLE})
    assert read_deck(game(), text).deck.name == "Mine"


@settings(max_examples=10)
@given(data=st.data())
@pytest.mark.parametrize("slug", sorted(slug for slug, game in games().items() if game.starters))
def test_a_changed_list_is_read_as_the_deck_that_is_meant(slug, data):
    game = games()[slug]
    starter = data.draw(st.sampled_from(game.starters))
    format = game.formats_by_slug[starter.format]
    deck = read_deck(game, starter.text, format).deck
    less = data.draw(st.lists(st.sampled_from(deck.entries), max_size=3, unique_by=id))
    playable = [card for card in game.cards if game.types_by_slug[card.type].in_decks]
    more = data.draw(st.lists(st.sampled_from(playable), max_size=3, unique_by=lambda card: card.code))
    changes = [
        CardChange(entry.card, entry.section, -data.draw(st.integers(1, entry.count))) for entry in less
    ]
    changes += [CardChange(card, game.section_for(card.type, format), 1) for card in more]
    text = with_card_changes(game, starter.text, changes, format)
    assert text is not None
    after = read_deck(game, text, format).deck
    assert (copies_in(after), after.name) == (copies_in(with_changes(deck, changes)), deck.name)
