"""The faction of a counted Agency Deck. Proposals for decks are tested in ``kit/complete``."""

from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.spycraft.roles import Agency


def test_agents_of_unknown_faction_give_a_deck_none():
    deck = Decklist((Entry(Card("spycraft", "x", "X", "agent"), 2, "deck"),))
    assert Agency((), deck, "").faction is None
