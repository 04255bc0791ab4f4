"""Fill a collection on its page, and read all collections."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import Owned


def note(client: Client, count: str, seen: str = "0", card: str = "spycraft/kai") -> Any:
    """Type the number of owned copies of a card. ``seen`` is the number that its field showed before."""
    return client.post("/collection/", {f"count:{card}": count, f"seen:{card}": seen})


def held() -> list[tuple[str, str, int]]:
    """(card code, set of the print, copies) of everything in all collections."""
    return sorted(Owned.objects.values_list("card__code", "set", "count"))
