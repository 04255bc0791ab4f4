"""A collection, as its owner fills it on its page."""

from __future__ import annotations

from typing import Any

from django.test import Client


def note(client: Client, count: str, seen: str = "0", card: str = "spycraft/kai") -> Any:
    """Type how many there are of a card, whose field showed another number."""
    return client.post("/collection/", {f"count:{card}": count, f"seen:{card}": seen})
