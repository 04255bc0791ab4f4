"""An Agency Deck as it is counted: its faction, the agents that it can pay, the gear that it can use.
Proposals for decks are tested in ``kit/complete``.
"""

from typing import Any

import pytest

from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.spycraft.roles import FRANCHISE, WAYS_TO_PAY, Agency
from cardsdb.games.spycraft.rules import FREELANCER


def card(kind: str, **facts: Any) -> Card:
    return Card("spycraft", "x", "X", kind, facts)


def agency(*cards: Card) -> Agency:
    """Return the deck of a leader of level 1 and expense 3, of Nine Tiger, and these cards."""
    leader = card("leader", level=1, expense=3, faction="Nine Tiger")
    return Agency((), Decklist(tuple(Entry(each, 1, "deck") for each in (leader, *cards))), "")


def test_agents_of_unknown_faction_give_a_deck_none():
    deck = Decklist((Entry(card("agent"), 2, "deck"),))
    assert Agency((), deck, "").faction is None


@pytest.mark.parametrize(
    ("expense", "roles"),
    [
        (3, ["at-once"]),
        (4, ["with-discard"]),
        (6, ["with-discard"]),
        (7, ["later"]),
        (16, ["later"]),
        (17, []),
    ],
)
def test_an_agent_takes_the_first_role_in_which_it_can_be_paid(expense, roles):
    agent = card("agent", expense=expense, faction="Nine Tiger")
    assert [role for role in WAYS_TO_PAY if agency().takes(role, agent)] == roles


def test_a_card_counts_less_the_worse_its_faction_suits_the_deck():
    factions = ("Nine Tiger", FREELANCER, "Bloodvine", FRANCHISE)
    counts = [agency().loyal(card("agent", faction=faction))[0] for faction in factions]
    assert counts == sorted(set(counts), reverse=True)


@pytest.mark.parametrize(("expense", "is_taken"), [(5, True), (6, False)])
def test_gear_is_taken_if_two_people_can_pay_it_with_any_discard(expense, is_taken):
    gear, agent = card("gear", expense=expense), card("agent", expense=3)
    assert agency(agent).takes("gear", gear) is is_taken
    assert not agency().takes("gear", gear)
