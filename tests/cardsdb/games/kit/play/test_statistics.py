"""Statistics of a deck: counting and adding, where an unknown value is never taken for zero."""

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


def deck_of(game: str, slug: str) -> Decklist:
    starter = next(starter for starter in games()[game].starters if starter.slug == slug)
    return read_deck(games()[game], starter.text).deck


def tables_of(game: str, deck: Decklist, partner: Decklist | None = None) -> dict[str, Table]:
    return {table.title: table for table in games()[game].measure(deck, partner)}


def rows(table: Table | None) -> dict[str, tuple[Any, ...]]:
    assert table is not None
    return {row.label: row.cells for row in table.rows}


def agent(code: str, count: int = 1, **facts: Any) -> Entry:
    return Entry(Card("spycraft", code, code.title(), "agent", facts), count, "deck")


# -- the kit's own ----------------------------------------------------------------------


def test_a_curve_counts_copies_shows_gaps_and_keeps_unknown_values_apart():
    deck = Decklist((agent("one", 2, expense=2), agent("two", 1, expense=4), agent("three", 3)))
    table = Curve("Expense", facts=("expense",)).measure(SPYCRAFT, deck)
    assert rows(table) == {"2": (2,), "3": (0,), "4": (1,), NOT_STATED: (3,)}
    assert table is not None
    assert {row.label: row.cells for row in table.feet} == {"Sum": (8,), "Mean": (Fraction(8, 3),)}


def test_a_fact_that_a_type_cannot_have_is_not_counted_as_unknown():
    deck = Decklist((agent("one", expense=2), Entry(Card("spycraft", "trick", "Trick", "action"), 1, "deck")))
    assert rows(Curve("Expense", facts=("expense",)).measure(SPYCRAFT, deck)) == {"2": (1,)}


def test_a_formula_has_a_row_of_its_own_and_is_in_no_mean():
    game = games()["xfiles"]
    number = Card("xfiles", "e0", "E0", "event", {"cost": 2, "pool": "RP"})
    formula = Card("xfiles", "e1", "E1", "event", {"cost_formula": "X", "pool": "CP"})
    deck = Decklist((Entry(number, 1, "bureau"), Entry(formula, 1, "bureau")))
    table = Curve("Cost", facts=("cost",)).measure(game, deck)
    assert rows(table) == {"2": (1,), "X": (1,)}
    assert table is not None and table.feet[1].cells == (Fraction(2),)
    assert rows(Cross("Cost", down="cost", across="pool").measure(game, deck)) == {"2": (0, 1), "X": (1, 0)}


def test_a_card_with_several_words_counts_for_each():
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


def test_a_type_that_the_game_no_longer_has_is_counted_last():
    gone = Entry(Card("spycraft", "old", "Old", "safe-house"), 1, "deck")
    table = Counts("Cards").measure(SPYCRAFT, Decklist((gone, agent("one"))))
    assert list(rows(table)) == ["Agents", "Safe house"]


# -- what games declare -------------------------------------------------------------------


def test_an_agency_is_measured_against_the_mission_deck_played_with_it():
    agency, missions = deck_of("spycraft", "nine-tiger"), deck_of("spycraft", "mission-deck-base")
    assert "Team and missions" not in tables_of("spycraft", agency)
    together = rows(tables_of("spycraft", agency, missions)["Team and missions"])
    asking = {"Charisma": 7, "Combat": 6, "Transport": 8, "Craft": 3}
    assert {skill: cells[1] for skill, cells in together.items()} == asking
    # A team is one leader and five agents.
    agents = [entry.card for entry in agency.of_type("agent") for _ in range(entry.count)]
    best_agents = sorted((card.number("combat") or 0 for card in agents), reverse=True)[:5]
    best_leader = max(entry.card.number("combat") or 0 for entry in agency.of_type("leader"))
    assert together["Combat"][0] == sum(best_agents) + best_leader


# -- a game that declares nothing --------------------------------------------------------


def test_a_game_without_statistics_gets_those_of_its_facts(sixth_game):
    deck = read_deck(sixth_game, "2 Zorka\n1 Sealed Box").deck
    assert sixth_game.statistics == ()
    tables = {table.title: rows(table) for table in sixth_game.measure(deck)}
    assert tables == {
        "Cards by type": {"Couriers": (2,), "Parcels": (1,)},
        "Copies": {"1 copy": (1, 1), "2 copies": (1, 2)},
        "Weight": {"7": (1,)},
        "City": {"Trieste": (2,), NOT_STATED: (1,)},
    }
