"""Make the format of a league, by its form or from a file."""

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
    """Make a new format under this name by the form."""
    return client.post("/formats/", {"name": name, "base": "spycraft/agency"})


def settings_of(row: LeagueFormat, **changed: str) -> dict[str, str]:
    """The fields of the form with its settings."""
    return {"name": row.name, "visibility": row.visibility} | changed


def declared(row: LeagueFormat) -> dict[str, Any]:
    """The stored declaration of the format."""
    row.refresh_from_db()
    declaration: dict[str, Any] = row.declared
    return declaration
