"""A league's format as people make it: begun with the form at ``/formats/``, or read from a TOML file."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import LeagueFormat

# A format file that a visitor uploads.
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
    """Begin a new format based on Spycraft's agency format; return the response."""
    return client.post("/formats/", {"name": name, "base": "spycraft/agency"})


def settings_of(row: LeagueFormat, **changed: str) -> dict[str, str]:
    """Return the fields of the format's settings form, with some changed."""
    return {"name": row.name, "visibility": row.visibility} | changed


def declared(row: LeagueFormat) -> dict[str, Any]:
    """Return the format's stored declaration, read anew from the database."""
    row.refresh_from_db()
    said: dict[str, Any] = row.declared
    return said
