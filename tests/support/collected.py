"""Filling a collection through its page, and reading what is stored."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import Owned


def note(client: Client, count: str, seen: str = "0", card: str = "spycraft/kai") -> Any:
    """Type a new count for one card and return the response. ``seen`` is the count that the field showed
    before.
    """
    return client.post("/collection/", {f"count:{card}": count, f"seen:{card}": seen})


def held() -> list[tuple[str, str, int]]:
    """Return the content of all collections as (card code, set of the print, copies), sorted."""
    return sorted(Owned.objects.values_list("card__code", "set", "count"))
