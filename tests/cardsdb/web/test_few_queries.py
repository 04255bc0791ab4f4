"""Pages of the catalogue ask the database for little, however much they show."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games

# The same statements go to either engine.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

# Address -> how many statements at most: the edition, whether everyone has something, what the page is
# about.
MOST = {
    "/": 4,
    "/cards/": 3,
    "/cards/?q=kai": 3,
    "/cards/?q=game:spycraft+craft>=4": 3,
    "/cards/spycraft/li/": 2,
    "/cards/spycraft/li/?q=game:spycraft": 9,
    "/compare/?card=spycraft/li&card=xfiles/first-aid&card=spynet/angel&card=agentdecker/hide": 5,
    "/games/": 2,
    "/games/xfiles/": 5,
    "/games/xfiles/about/": 5,
    "/search/suggest/?q=gl": 1,
    "/sets/": 2,
    "/sets/xfiles/PRE/": 9,
    **{f"/games/{slug}/set-up/": 1 for slug, game in games().items() if game.set_up_guide},
    **{f"/games/{slug}/glossary/": 1 for slug, game in games().items() if game.glossary},
}


@pytest.mark.parametrize(("address", "most"), MOST.items())
def test_a_page_asks_for_little(
    client: Client, django_assert_max_num_queries: Any, address: str, most: int
) -> None:
    client.get(address)
    with django_assert_max_num_queries(most):
        assert client.get(address).status_code == 200
