"""No page asks the database for the same thing twice, and a deck's page asks for little."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.models import Card
from tests.support.exports import blank_cards
from tests.support.permission_table import ROWS
from tests.support.visitors import OWNER, World, addresses, answered

__all__ = ["blank_cards"]
# The same statements go to either engine.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
ADDRESSES = {address.name: address for address in addresses()}
# A deck's page: the visitor, the deck, its lines, the edition, what the visitor owns, likes, comments.
DECK_PAGE = 7
# Statements about the transaction itself.
FRAMES = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN")
# A table of allauth's, which asks it as often as it likes; and a deck that is compared with itself.
OF_OTHERS, WITH_ITSELF = "mfa_authenticator", "deck_compare"


@pytest.fixture(autouse=True)
def nobody_is_slowed_down(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    settings.MFA_RATE_LIMITS = False
    cache.clear()


def asked_for(client: Client, path: str) -> Counter[str]:
    """Statement -> how often the page at this path sends it, with the same values."""
    with CaptureQueriesContext(connection) as queries:
        answered(client, "get", path)
    sent = [query["sql"] for query in queries]
    return Counter(sql for sql in sent if not sql.startswith(FRAMES) and OF_OTHERS not in sql)


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("game", sorted({row.game for row in ROWS.values()}))
def test_no_page_asks_for_the_same_thing_twice(game):
    world = World(game) if game else World()
    deck, client = world.decks["private"], world.clients[OWNER]
    code = Card.objects.in_game("spycraft").order_by("code").values_list("code", flat=True)[0]
    twice = {}
    for name, row in ROWS.items():
        if row.game == game and name != WITH_ITSELF:
            values = {"code": code, "pk": 1, **row.values}
            path = ADDRESSES[name].path(deck.link, **values) + row.query.replace("{link}", deck.link)
            if repeated := [sql for sql, times in asked_for(client, path).items() if times > 1]:
                twice[path] = repeated
    assert twice == {}


def test_a_page_of_a_deck_asks_for_seven_things_at_most():
    world = World()
    asked = asked_for(world.clients["anonymous"], f"/decks/{world.decks['public'].link}/")
    assert asked.total() <= DECK_PAGE, list(asked)
