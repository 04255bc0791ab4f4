"""Statistics of games and sets, without their pages."""

import pytest

from cardsdb.catalogue.stats import CatalogueStats, stats_of
from cardsdb.games import games
from cardsdb.games.kit import CardSet
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.game_statistics import MIN_CARDS, charts_of, completeness, coverage_of

# SQLite suffices: the statistics are read from memory.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.mark.parametrize(
    ("size", "known", "missing"),
    [
        pytest.param(10, ((2, 4), (7, 7)), (("1", "5–6", "8–10"), 6), id="short ranges"),
        pytest.param(None, ((1, 2), (5, 5)), (("3–4",), 2), id="of no stated size, gaps alone"),
        pytest.param(10, (), ((), 0), id="none without a single number"),
    ],
)
def test_the_missing_numbers_of_a_set(size, known, missing):
    of = CatalogueStats("g", numbers={"S": known} if known else {}, sets={"S": 4})
    found = completeness(CardSet("S", "Set", size=size), of)
    assert (found.missing, found.missing_count) == missing


def test_the_bar_of_a_set_is_never_overfull_and_counts_cards_only():
    assert completeness(CardSet("S", "Set", size=2), CatalogueStats("g", sets={"S": 3})).shown == 2
    cards = CatalogueStats("g", sets={"S": 3}, numbers={"S": ((1, 3),)})
    whole = CatalogueStats("g", sets={"S": 9}, numbers={"S": ((1, 4),)}, of_cards=cards)
    found = completeness(CardSet("S", "Set", size=4), whole)
    assert (found.known, found.numbers, found.missing) == (3, 3, ("4",))


@pytest.mark.parametrize("slug", ["spycraft", "xfiles"])
def test_a_bar_of_a_chart_counts_the_cards_that_its_query_finds(slug):
    charts = charts_of(games()[slug], stats_of(slug))
    assert charts
    for bar in (bar for chart in charts[:6] for bar in chart.bars[:2]):
        found = results_of(parse_query(bar.query))
        assert (found.total, [kind for kind, _ in found.facet("entry")]) == (bar.count, ["card"]), bar


def test_many_values_are_charted_in_ranges_and_too_few_cards_not_at_all():
    def charts(values, times):
        counts = {"expense": {str(value): (str(value), times) for value in values}}
        return charts_of(games()["spycraft"], CatalogueStats("spycraft", vocabulary=counts))

    (chart,) = charts(range(-3, 60), 2)
    assert sum(bar.count for bar in chart.bars) == 126 and len(chart.bars) <= 12
    assert charts(range(MIN_CARDS - 1), 1) == []


@pytest.mark.parametrize("slug", list(games()))
def test_a_fact_that_no_card_states_has_no_link(slug):
    known = coverage_of(games()[slug], stats_of(slug))
    assert [fact for fact in known if bool(fact.query) != bool(fact.stated)] == []
    queries = [fact.query for fact in known if fact.query]
    assert bool(queries) == bool(stats_of(slug).cards), "of a game whose cards nobody names none is stated"
    assert [query for query in queries if not results_of(parse_query(query)).total] == []
