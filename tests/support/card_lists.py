"""The card list as a visitor is answered: from the index or the database, with its cards and their names."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.models import Edition
from cardsdb.search import open_index


@pytest.fixture(params=["index", "database"])
def engine(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The list answers the same from the index and, where there is none, from the database."""
    if request.param == "database":
        monkeypatch.setattr("cardsdb.search.results.index_of", lambda edition: None)
    else:
        assert open_index.index_of(Edition.objects.current()), "the index is made when the tests load the cards"
    return str(request.param)


def listed(client: Client, **params: str) -> Any:
    return client.get("/cards/", params, follow=True).context["browse"]


def names(client: Client, **params: str) -> list[str]:
    return [card.name for card in listed(client, **params).cards]
