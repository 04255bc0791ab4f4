"""A collection, as its owner fills it on its page."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import Owned


def note(client: Client, count: str, seen: str = "0", card: str = "spycraft/kai") -> Any:
    """Type how many there are of a card, whose field showed another number."""
    return client.post("/collection/", {f"count:{card}": count, f"seen:{card}": seen})


def held() -> list[tuple[str, str, int]]:
    """What all collections hold: code of the card, set of the print, copies."""
    return sorted(Owned.objects.values_list("card__code", "set", "count"))
