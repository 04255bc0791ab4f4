"""No page sends the same database query twice, and a page of a deck sends few queries."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.models import Card
from tests.support.exports import blank_cards
from tests.support.permission_table import ROWS, path_to
from tests.support.visitors import OWNER, World, addresses, answered

__all__ = ["blank_cards"]
# The queries are the same on both databases, so SQLite is enough.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
ADDRESSES = {address.name: address for address in addresses()}
# Queries of a deck's page: visitor, deck, its lines, edition, visitor's collection, likes, comments.
DECK_PAGE = 7
# Statements that only open or close a transaction.
FRAMES = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN")
# allauth queries this table as often as it likes. The compare page loads the same deck twice on purpose.
OF_OTHERS, WITH_ITSELF = "mfa_authenticator", "deck_compare"


@pytest.fixture(autouse=True)
def no_rate_limits(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    settings.MFA_RATE_LIMITS = False
    cache.clear()


def queries_of(client: Client, path: str) -> Counter[str]:
    """Count the SQL statements, values included, that the page at this path sends: SQL -> number of times."""
    with CaptureQueriesContext(connection) as queries:
        answered(client, "get", path)
    sent = [query["sql"] for query in queries]
    return Counter(sql for sql in sent if not sql.startswith(FRAMES) and OF_OTHERS not in sql)


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("game", sorted({row.game for row in ROWS.values()}))
def test_no_page_sends_a_query_twice(game):
    world = World(game) if game else World()
    deck, client = world.decks["private"], world.clients[OWNER]
    code = Card.objects.in_game("spycraft").order_by("code").values_list("code", flat=True)[0]
    twice = {}
    for name, row in ROWS.items():
        if row.game == game and name != WITH_ITSELF:
            path = path_to(ADDRESSES[name], deck.link, code=code, pk=1)
            if repeated := [sql for sql, times in queries_of(client, path).items() if times > 1]:
                twice[path] = repeated
    assert twice == {}


def test_a_page_of_a_deck_sends_at_most_seven_queries():
    world = World()
    queries = queries_of(world.clients["anonymous"], f"/decks/{world.decks['public'].link}/")
    assert queries.total() <= DECK_PAGE, list(queries)
