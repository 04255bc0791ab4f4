"""The card list at ``/cards/`` read through the test client, and helpers for lists and addresses."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.test import Client

from cardsdb.search.results import parse_query, results_of
from tests.support.pages import Page, page


def listed(client: Client, **params: str) -> Any:
    """Return the template's ``page`` for these query parameters; its ``cards`` are the cards shown."""
    return client.get("/cards/", params, follow=True).context["page"]


def as_typed(client: Client, query: str) -> Page:
    """Return the page of the list of exactly this query, without corrections."""
    return page(client, "/cards/", {"q": query, "as_typed": "1"})


def total(query: str) -> int:
    """Return the number of cards that a query finds as typed."""
    return results_of(parse_query(query)).total


def names(client: Client, **params: str) -> list[str]:
    """Return the names of the cards that the list shows for these query parameters."""
    return [card.name for card in listed(client, **params).cards]


def four_of_one(text: str) -> str:
    """Return the deck list with ``3`` changed to ``4`` on its first line of three copies."""
    return re.sub(r"(?m)^3 ", "4 ", text, count=1)


def query_of(address: str) -> str:
    """Return the search query (``q``) in an address, or "" without one."""
    return parse_qs(urlsplit(address).query).get("q", [""])[0]
