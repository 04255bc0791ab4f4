"""The format of a league as people make it: by the form, or out of a file."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import LeagueFormat

FILE = """
game = "spycraft"
name = "Tuesday"
by = "The Tuesday table"
url = "https://example.org/tuesday"
based_on = "agency"
numbers = { "AG-3.at_least" = 3 }
leave_out = ["AG-6", "AG-7"]

[[rules]]
rule = "banned"
cards = ["Kai"]
says = "Kai stays at home."

[[rules]]
rule = "points"
limit = 1
cards = { "Termite" = 1 }
"""


def begin(client: Client, name: str) -> Any:
    return client.post("/formats/", {"name": name, "base": "spycraft/agency"})


def settings_of(row: LeagueFormat, **changed: str) -> dict[str, str]:
    """What the form of its settings sends."""
    return {"name": row.name, "visibility": row.visibility} | changed


def declared(row: LeagueFormat) -> dict[str, Any]:
    """What is stored of it now."""
    row.refresh_from_db()
    said: dict[str, Any] = row.declared
    return said
