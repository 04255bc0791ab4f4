"""A visitor's own cards and texts in searches: found only by their owner, before the catalogue's cards."""

from __future__ import annotations

import pytest

from cardsdb.box.sets import delete_card
from cardsdb.box.texts import save_text
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, Edition, OwnCard
from cardsdb.search.results import Results, parse_query, pks_with_retired, results_of
from tests.support.own_sets import own_card, own_set
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
ADA, BOB = Viewer(browser="ada's"), Viewer(browser="bob's")


def found(text: str, viewer: Viewer = ADA) -> Results:
    return results_of(parse_query(text, viewer=viewer))


@pytest.fixture
def falcon():
    """Return the code of Ada's own card "Brass Falcon", in a set with one other card."""
    balloons = own_set(ADA)
    own_card(balloons, name="Tin Gull", card_type="gear")
    return own_card(balloons, craft="9", faction="Bloodvine").code


@pytest.mark.parametrize(
    "query",
    [
        '!"Brass Falcon"',
        "text:zeppelin type:agent",
        "mine:yes craft=9",
        "is:mine type:agent",
        "brass falcon",
        'set:"Balloons" craft>8',
        "name:/^brass/ -craft<9",
    ],
)
def test_own_cards_are_found_by_their_owner_only(falcon, query):
    assert falcon in [card.code for card in found(query).slice(0, 5)]
    assert falcon not in [card.code for card in found(query, BOB).slice(0, 50)]
    assert found(query, Viewer()).total == found(query, BOB).total


def test_own_cards_come_first_and_paging_continues_with_the_catalogue(falcon):
    results, others = found("craft>=8"), found("craft>=8", BOB)
    assert results.total == others.total + 1
    cards, page = [], results.page(2)
    while True:
        cards += page.cards
        if not page.after:
            break
        page = results.page(2, after=cards[-1].key)
    assert [card.code for card in cards] == [falcon, *(card.code for card in others.slice(0, others.total))]
    before = results.page(2, before=cards[2].key)
    assert [card.code for card in before.cards] == [card.code for card in cards[:2]]


@pytest.mark.parametrize(
    ("order", "names"),
    [("-craft", ["Brass Falcon", "Copper Kite"]), ("craft", ["Copper Kite", "Brass Falcon"])],
)
def test_own_cards_are_sorted_as_the_query_asks(falcon, order, names):
    own_card(own_set(ADA, name="Kites"), name="Copper Kite", craft="8")
    assert [card.name for card in found(f"craft>=8 type:agent order:{order}").slice(0, 2)] == names


def test_facets_count_own_cards_for_their_owner(falcon):
    mine, others = (found("type:agent", viewer) for viewer in (ADA, BOB))
    assert dict(mine.facet("faction"))["bloodvine"] == dict(others.facet("faction"))["bloodvine"] + 1
    assert (mine.facet("mine"), others.facet("mine")) == ([("yes", 1)], [])


def test_own_and_catalogue_cards_are_neighbours(falcon):
    results = found("craft>=8")
    last = results.key_at(1)
    assert results.around(f"spycraft/{falcon}") == (1, "", last)
    behind = results.around(last)
    assert behind and behind[:2] == (2, f"spycraft/{falcon}")
    assert found("craft>=8", BOB).around(f"spycraft/{falcon}") is None


@pytest.mark.both_databases
def test_a_deleted_card_is_no_longer_found(falcon):
    assert found("brass falcon").total == 1
    delete_card(OwnCard.objects.select_related("in_set__box").get(code=falcon))
    assert found("brass falcon").total == 0


# -- own texts ---------------------------------------------------------------------------


def test_a_changed_own_text_is_found_at_once():
    for words in ("Zeppelin.", "Dirigible.", "Balloon."):
        save_text(ADA, SPYCRAFT, "kai", words)
        assert results_of(parse_query(f"text:{words[:-1]}", viewer=ADA)).total == 1
    assert results_of(parse_query("text:zeppelin", viewer=ADA)).total == 0


def test_own_texts_of_retired_cards_are_found_only_with_retired_cards():
    for code in ("kai", "glock-17"):
        save_text(ADA, SPYCRAFT, code, "Zeppelin.")
    Card.objects.filter(game="spycraft", code="glock-17").update(retired=True)
    Edition.objects.create()
    query = parse_query("zeppelin", viewer=ADA)
    assert (results_of(query).total, len(pks_with_retired(query))) == (1, 2)
    assert pks_with_retired(parse_query("zeppelin")) == []


@pytest.mark.parametrize(
    "query", ["kai", "text:zeppelin", '"a zeppelin"', 'similar:!"Kai"', "which cards hide a zeppelin?"]
)
def test_own_texts_cost_a_search_no_further_database_query(query):
    def search() -> None:
        results_of(parse_query(query, viewer=ADA)).slice(0, 10)

    counts = []
    for words in ("", "Choose a zeppelin and hide it."):
        save_text(ADA, SPYCRAFT, "kai", words)
        search()
        with working_with(catalogue()):
            counts.append(len(queries_of(search)))
    # The one query is for the states of the boxes.
    assert counts == [1, 1]
