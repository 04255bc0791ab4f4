"""The sections of cards where a file leaves them open (``open_copies.py``): a legal deck is legal again when
it is read, and every choice is reported. And the game that a file is for (``contract.game_of_names``).

Agents of The X-Files fit two sections: the Starting Agents (``agents``, up to 20 resource points) and the
Bureau deck (``bureau``, the main section). How rows find their cards is tested by ``test_prints.py`` and the
tests of the formats.
"""

from collections import Counter
from unittest.mock import Mock
from xml.sax.saxutils import quoteattr

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import ReadFile, Unreadable, export, open_copies, read_any

GAME = games()["xfiles"]
# An Agent whom the starter below has in its Bureau deck, not among the Starting Agents.
IN_DECK = "Agent Jack Willis"


def with_agent_in_the_deck() -> Reading:
    """A starter with 19 of the 20 RP for starting Agents, and ``IN_DECK`` in the Bureau deck."""
    return read_deck(GAME, next(s for s in GAME.starters if s.slug == "deck-mulder").text)


def by_section(read: Reading) -> Counter[tuple[str, str]]:
    return Counter({(entry.section, entry.card.code): entry.count for entry in read.deck})


def chosen(read: ReadFile) -> list[str]:
    """The sentences about sections that were chosen for cards."""
    return [loss.message for loss in read.losses if loss.code == "place_chosen"]


def verdict(game: Game, reading: Reading) -> str:
    return game.judge(
        reading.deck, game.formats_by_slug.get(reading.format) or game.likely_format(reading.deck)
    ).verdict


def o8d(**parts: str) -> bytes:
    """An OCTGN file; name of a part -> names of cards between semicolons."""
    inside = ""
    for part, cards in parts.items():
        rows = "".join(f"<card qty='1' id=''>{card}</card>" for card in cards.split("; "))
        inside += f"<section name={part!r}>{rows}</section>"
    return f"<deck game='x'>{inside}</deck>".encode()


def cod(cards: list[tuple[str, int]]) -> bytes:
    """A Cockatrice file of cards, each as (name, count), all in the zone that stands for any section."""
    rows = "".join(f"<card number='{count}' name={quoteattr(name)}/>" for name, count in cards)
    return f"<cockatrice_deck version='1'><zone name='main'>{rows}</zone></cockatrice_deck>".encode()


@pytest.mark.parametrize("name", ["cod", "mpc"])
def test_a_file_without_sections_is_placed_as_the_same_legal_deck(name):
    reading = with_agent_in_the_deck()
    again = read_any(GAME, export(name, GAME, reading).data)
    assert by_section(again.reading) == by_section(reading)
    assert verdict(GAME, again.reading) == verdict(GAME, reading) == "legal"
    in_bureau, among_agents = chosen(again)
    assert in_bureau == f"1 {IN_DECK} was put into the Bureau deck: the file does not say where it belongs."
    assert among_agents.startswith("1 Agent Fox Mulder; 1 Agent Lucy Kazdin; ")
    assert among_agents.endswith(
        "were put into the Starting Agents: the file does not say where they belong."
    )


def test_cards_of_a_main_part_stay_in_the_main_section():
    read = read_any(GAME, o8d(Agents="Agent Fox Mulder", Main=f"{IN_DECK}; Browning, MT"))
    assert [(e.card.name, e.section) for e in read.reading.deck] == [
        ("Agent Fox Mulder", "agents"), (IN_DECK, "bureau"), ("Browning, MT", "bureau"),
    ]  # fmt: skip
    assert chosen(read) == [
        f"1 {IN_DECK} was put into the Bureau deck: the file does not say where it belongs."
    ]


def test_cards_under_a_main_heading_stay_in_the_main_section_of_text_too():
    reading = read_deck(GAME, f"Starting Agents:\n1 Agent Fox Mulder\n\nMain:\n1 {IN_DECK}\n1 Browning, MT\n")
    assert [entry.section for entry in reading.deck if entry.card.name == IN_DECK] == ["bureau"]
    assert [(notice.line, notice.message) for notice in reading.notices] == [
        (5, f"1 {IN_DECK} was put into the Bureau deck: the list does not say where it belongs.")
    ]


def test_a_main_part_alone_leaves_types_in_their_usual_section():
    assert [e.section for e in read_deck(GAME, f"Main:\n1 {IN_DECK}\n").deck] == ["agents"]
    assert [e.section for e in read_any(GAME, o8d(Main=IN_DECK)).reading.deck] == ["agents"]


def test_unordered_cards_are_placed_so_that_the_deck_is_legal():
    by_name = sorted((entry.card.name, entry.count) for entry in with_agent_in_the_deck().deck)
    assert verdict(GAME, read_any(GAME, cod(by_name)).reading) == "legal"


def test_many_open_cards_are_placed_by_a_bounded_number_of_tries(monkeypatch):
    tries = Mock(wraps=open_copies.badness)
    monkeypatch.setattr(open_copies, "badness", tries)
    names = [card.name for card in GAME.cards if card.type == "agent"]
    read = read_any(GAME, cod([(name, 40) for name in names]))
    assert read.reading.deck.size == 40 * len(names) > 10 * open_copies.MAX_TRIED
    # Two ways, by the file's order and by the rules, with about MAX_TRIED tries each.
    assert tries.call_count < 3 * open_copies.MAX_TRIED


# -- the game


@pytest.mark.parametrize(
    ("text", "slug"), [("1 Hitman\n1 Angel\n", "spynet"), ("1 Kai", "spycraft"), ("1 Abduction", "xfiles")]
)
def test_the_game_is_found_by_its_cards(text, slug):
    assert read_any(None, text.encode()).game.slug == slug


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [("1 Ambush\n1 Disarm\n", "unknown_game", "game"), ("1 Nobody At All\n", "foreign_game", "file")],
)
def test_an_ambiguous_or_unknown_game_is_refused(text, code, where):
    with pytest.raises(Unreadable) as refused:
        read_any(None, text.encode())
    assert (refused.value.code, refused.value.where) == (code, where)
