"""The card list (``/cards/``) as the test client gets it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.test import Client


def listed(client: Client, **params: str) -> Any:
    """The object ``page`` in the template context of the card list."""
    return client.get("/cards/", params, follow=True).context["page"]


def names(client: Client, **params: str) -> list[str]:
    return [card.name for card in listed(client, **params).cards]


def four_of_one(text: str) -> str:
    """A decklist with a fourth copy of the first card that it has three times."""
    return re.sub(r"(?m)^3 ", "4 ", text, count=1)


def query_of(address: str) -> str:
    """The query ``q`` in an address; empty if there is none."""
    return parse_qs(urlsplit(address).query).get("q", [""])[0]
