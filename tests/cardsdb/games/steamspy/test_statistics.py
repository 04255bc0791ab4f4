"""The ranks of a Steam Spy cell: ranks that allegiances add, and ranks that were bought."""

from cardsdb.games.kit import Card, Decklist, Entry
from tests.cardsdb.games.kit.play.test_statistics import deck_of, rows, tables_of


def test_bought_ranks_are_told_apart_from_those_that_allegiances_add():
    tables = tables_of("steamspy", deck_of("steamspy", "level-1-character"))
    # At the start, added by the allegiance, bought, best rank.
    assert rows(tables["Traits of the cell"]) == {
        "Intelligence": (1, 0, 1, 2),
        "Charisma": (1, 1, 0, 2),
        "Body": (1, 1, 0, 2),
    }
    # A new character spends its ten XP at these prices.
    prices = {"Traits": 4, "Actions": 3, "Skills": 1}
    bought = sum(
        price * cells[2]
        for kind, price in prices.items()
        for cells in rows(tables[f"{kind} of the cell"]).values()
    )
    assert bought == 10


def test_ranks_of_a_character_with_an_unknown_allegiance_are_not_told_apart():
    facts = {"corporation": "Acme", "body": 3}
    tables = tables_of(
        "steamspy", Decklist((Entry(Card("steamspy", "x", "X", "character", facts), 1, "cell"),))
    )
    # Between bought and best rank stands a column of ranks that are not told apart.
    assert rows(tables["Traits of the cell"])["Body"] == (0, 0, 0, 3, 3)
