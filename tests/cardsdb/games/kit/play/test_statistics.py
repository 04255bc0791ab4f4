"""Statistics of a deck: what is counted, what is added, and that what nobody states is never taken for
nothing.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.play.statistics import (
    NOT_STATED,
    Copies,
    Counts,
    Cross,
    Curve,
    Table,
    Words,
)

SPYCRAFT = games()["spycraft"]


def deck_of(game: str, starter: str) -> Decklist:
    ready = next(one for one in games()[game].starters if one.slug == starter)
    return read_deck(games()[game], ready.text).deck


def tables_of(game: str, deck: Decklist, partner: Decklist | None = None) -> dict[str, Table]:
    return {table.title: table for table in games()[game].measure(deck, partner)}


def rows(table: Table | None) -> dict[str, tuple[Any, ...]]:
    assert table is not None
    return {row.label: row.cells for row in table.rows}


def agent(code: str, count: int = 1, **facts: Any) -> Entry:
    return Entry(Card("spycraft", code, code.title(), "agent", facts), count, "deck")


# -- the kit's own ----------------------------------------------------------------------


def test_a_curve_counts_copies_shows_gaps_and_keeps_what_is_not_stated_apart():
    deck = Decklist((agent("one", 2, expense=2), agent("two", 1, expense=4), agent("three", 3)))
    table = Curve("Expense", facts=("expense",)).measure(SPYCRAFT, deck)
    assert rows(table) == {"2": (2,), "3": (0,), "4": (1,), NOT_STATED: (3,)}
    assert table is not None
    assert {row.label: row.cells for row in table.feet} == {"Sum": (8,), "Mean": (Fraction(8, 3),)}


def test_a_fact_that_a_type_does_not_have_is_not_called_unknown():
    deck = Decklist((agent("one", expense=2), Entry(Card("spycraft", "trick", "Trick", "action"), 1, "deck")))
    assert rows(Curve("Expense", facts=("expense",)).measure(SPYCRAFT, deck)) == {"2": (1,)}


def test_a_formula_stands_in_a_row_of_its_own_and_in_no_mean():
    game = games()["xfiles"]
    facts = ({"cost": 2, "pool": "RP"}, {"cost_formula": "X", "pool": "CP"})
    deck = Decklist(
        tuple(
            Entry(Card("xfiles", f"e{n}", f"E{n}", "event", each), 1, "bureau")
            for n, each in enumerate(facts)
        )
    )
    table = Curve("Cost", facts=("cost",)).measure(game, deck)
    assert rows(table) == {"2": (1,), "X": (1,)}
    assert table is not None and table.feet[1].cells == (Fraction(2),)
    assert rows(Cross("Cost", down="cost", across="pool").measure(game, deck)) == {"2": (0, 1), "X": (1, 0)}


def test_a_card_of_several_words_counts_for_each():
    deck = Decklist(
        (agent("one", 2, traits=("Soldier", "Unique")), agent("two", 1, traits=("Soldier",)), agent("three"))
    )
    assert rows(Words("Traits", fact="traits").measure(SPYCRAFT, deck)) == {
        "Soldier": (3,),
        "Unique": (2,),
        "none": (1,),
    }


def test_copies_of_a_card_in_two_sections_are_one_card():
    entry = agent("one", 2)
    deck = Decklist((entry, replace(entry, section="leaders", count=1), agent("two")))
    assert rows(Copies("Copies").measure(SPYCRAFT, deck)) == {"1 copy": (1, 1), "3 copies": (1, 3)}


def test_the_longest_bar_of_a_stack_is_its_longest_row():
    deck = Decklist(
        (agent("one", 2, expense=2, faction="Krypt"), agent("two", 3, expense=2, faction="Franchise"))
    )
    table = Cross("Expense", down="expense", across="faction").measure(SPYCRAFT, deck)
    assert table is not None and (table.longest, table.columns) == (5, ("Franchise", "Krypt"))


def test_an_empty_deck_has_no_tables():
    assert [game.measure(Decklist()) for game in games().values()] == [()] * len(games())


def test_a_type_that_the_game_no_longer_has_is_counted_last():
    gone = Entry(Card("spycraft", "old", "Old", "safe-house"), 1, "deck")
    table = Counts("Cards").measure(SPYCRAFT, Decklist((gone, agent("one"))))
    assert list(rows(table)) == ["Agents", "Safe house"]


# -- what games declare -------------------------------------------------------------------


def test_an_agency_is_measured_against_the_mission_deck_played_with_it():
    agency, missions = deck_of("spycraft", "nine-tiger"), deck_of("spycraft", "mission-deck-base")
    assert "Team and missions" not in tables_of("spycraft", agency)
    together = rows(tables_of("spycraft", agency, missions)["Team and missions"])
    assert {skill: cells[1] for skill, cells in together.items()} == {
        "Charisma": 7,
        "Combat": 6,
        "Transport": 8,
        "Craft": 3,
    }
    combat = sorted(
        (e.card.number("combat") or 0 for e in agency.of_type("agent") for _ in range(e.count)), reverse=True
    )
    assert together["Combat"][0] == sum(combat[:5]) + max(
        e.card.number("combat") or 0 for e in agency.of_type("leader")
    )


# -- a game that declares nothing --------------------------------------------------------


def test_a_sixth_game_gets_its_numbers_for_nothing(sixth_game):
    deck = read_deck(sixth_game, "2 Zorka\n1 Sealed Box").deck
    assert sixth_game.statistics == ()
    tables = {table.title: rows(table) for table in sixth_game.measure(deck)}
    assert tables == {
        "Cards by type": {"Couriers": (2,), "Parcels": (1,)},
        "Copies": {"1 copy": (1, 1), "2 copies": (1, 2)},
        "Weight": {"7": (1,)},
        "City": {"Trieste": (2,), NOT_STATED: (1,)},
    }
