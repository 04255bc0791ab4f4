"""In which order the editor shows cards that nobody searched for: what the deck lacks and what goes with it
comes first.
"""

from __future__ import annotations

from itertools import takewhile

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.repair.search import smallest_repairs
from cardsdb.search.query.tree import normal
from decks.core.judging import judge
from decks.editor.card_pane import CardResults, Likely, find, likely_for, preset_of
from decks.models import Deck
from tests.cardsdb.games.kit.repair.test_search import PATIENT
from tests.support.public_decks import starter

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
pytestmark = pytest.mark.django_db


def likely(game: Game, text: str, format: str = "") -> Likely:
    chosen = game.formats_by_slug.get(format, game.formats[0])
    return likely_for(judge(game, read_deck(game, text, chosen).deck, chosen))


def found(game: Game, query: str = "", text: str = "", page: int = 1) -> CardResults:
    preset = preset_of(game, game.formats[0], Decklist())
    return find(query, game, preset, (), page, lambda: likely(game, text))


def facts(results: CardResults, game: Game, key: str) -> list[object]:
    cards = [game.card(card.code) for card in results.cards]
    return [card.fact(key) if card else None for card in cards]


def test_an_empty_deck_is_shown_leaders_by_faction_and_level() -> None:
    results = found(SPYCRAFT)
    assert {card.type for card in results.cards} == {"leader"}
    factions = facts(results, SPYCRAFT, "faction")
    assert factions == sorted(factions, key=str)
    first = list(takewhile(lambda faction: faction == factions[0], factions))
    levels = facts(results, SPYCRAFT, "level")[: len(first)]
    assert len(first) > 1 and levels == sorted(levels, key=str)


def test_after_the_first_leader_come_those_of_its_faction_then_its_agents() -> None:
    leader = next(card for card in SPYCRAFT.cards if card.type == "leader" and card.fact("level") == 2)
    text = f"Leaders:\n1 {leader.name}\n"
    cards = [SPYCRAFT.card(card.code) for page in (1, 2) for card in found(SPYCRAFT, "", text, page).cards]
    of_faction = [card for card in cards if card and card.fact("faction") == leader.fact("faction")]
    assert cards[0] and (cards[0].type, cards[0].fact("level"), cards[0].fact("faction")) == (
        "leader",
        1,
        leader.fact("faction"),
    )
    assert {card.type for card in of_faction[:3]} == {"leader"}
    assert "agent" in {card.type for card in of_faction}


def test_a_whole_deck_is_shown_what_is_of_its_faction() -> None:
    for query in ("", "type:agent"):
        factions = facts(found(SPYCRAFT, query, starter("spycraft", "nine-tiger")), SPYCRAFT, "faction")
        assert set(factions[:15]) == {"Nine Tiger"}
        assert factions == sorted(factions, key=lambda faction: faction != "Nine Tiger")


def test_the_x_file_and_the_agents_come_before_the_rest() -> None:
    assert found(XFILES).cards[0].type == "x-file"


LEADERS = [
    "type=leader level=1",
    "type=leader level=2",
    "type=leader level=3",
    "type=leader level=4",
    "type=leader",
]


def first(*names: str) -> list[str]:
    """What comes first for a deck of these cards, as queries."""
    return [
        normal(tree) for tree in likely(SPYCRAFT, "Deck:\n" + "".join(f"1 {name}\n" for name in names)).first
    ]


def test_of_much_that_is_lacking_only_what_fewest_cards_can_be_comes_first() -> None:
    """The deck lacks agents, actions or gear too, but nearly every card is one of these."""
    assert first("Glock 17") == LEADERS


def test_what_a_quarter_of_the_cards_has_at_all_may_be_what_they_share() -> None:
    gear_and_actions = ("Glock 17", "Bravado", "Bait", "Bluff")
    assert 'faction="Nine Tiger"' in first("Kai", *gear_and_actions[:3])
    assert first("Kai", *gear_and_actions) == LEADERS


def test_half_of_those_that_have_a_faction_share_it_and_fewer_do_not() -> None:
    two_of_four = ("Beowulf", "Boris Zuchev", "Chaos", "Kai")
    assert 'faction="The Krypt"' in first(*two_of_four)
    assert first(*two_of_four, "Chen") == LEADERS


def test_pages_hold_every_card_once() -> None:
    first = found(SPYCRAFT)
    codes = [card.code for page in range(1, first.pages + 1) for card in found(SPYCRAFT, "", "", page).cards]
    assert len(codes) == len(set(codes)) == first.total


def test_a_type_alone_is_ordered_so_too_and_words_and_orders_are_not() -> None:
    assert found(SPYCRAFT, "type:agent", "Leaders:\n1 King Maul\n").is_by_deck
    assert not found(SPYCRAFT, "maul").is_by_deck
    asked = found(SPYCRAFT, "order:name")
    assert not asked.is_by_deck and {card.type for card in asked.cards} > {"leader"}


def test_an_empty_deck_is_repaired_with_leaders_that_go_together() -> None:
    format = SPYCRAFT.formats_by_slug["agency"]
    repairs = smallest_repairs(SPYCRAFT, Decklist(), format, PATIENT)
    factions = [change.card.fact("faction") for change in repairs[0].changes if change.card.type == "leader"]
    assert len(factions) == 4 and len(set(factions)) == 1
    assert repairs[0].verdict == "legal"


def test_the_page_says_so(client: Client) -> None:
    client.post("/decks/new/", {"game": "spycraft", "name": "New", "start": "empty"})
    address = f"/decks/{Deck.objects.get().link}/edit/"
    said = "what the deck lacks first"
    assert said in client.get(address).content.decode()
    assert said not in client.get(address, {"q": "kai"}).content.decode()


def test_a_whole_deck_is_not_said_to_lack_what_comes_first() -> None:
    assert not found(SPYCRAFT, "", starter("spycraft", "nine-tiger")).is_by_deck
