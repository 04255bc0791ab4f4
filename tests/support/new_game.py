"""The files of a new data game, as the command ``new_game`` writes them, and checks that a site can use a new
game.
"""

from __future__ import annotations

import json
from pathlib import Path

from django.test import Client

from cardsdb.management.commands.new_game import write_new_game
from tests.support.pages import page


def files_of(folder: Path) -> dict[str, bytes]:
    """Return path below the folder -> bytes of each file in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def files_of_new_game(place: Path) -> dict[str, bytes]:
    """Write the example game Night Train into a folder of ``place``; return its files."""
    write_new_game(place / "night-train", "Night Train")
    return files_of(place / "night-train")


def verdict_on(client: Client, game: str, text: str, format: str = "") -> tuple[str, list[str]]:
    """Return the API's verdict on a list, and the codes of the rules that the list breaks."""
    body = json.dumps({"game": game, "text": text} | ({"format": format} if format else {}))
    verdict = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    return verdict["verdict"], [violation["code"] for violation in verdict["violations"]]


def assert_is_decked_and_printed(client: Client, game: str, text: str, card: str) -> str:
    """Assert that a legal list becomes a deck, that its page shows this card, that its sheets are a PDF, and
    that the game has colours. Return the deck's address.
    """
    made = client.post("/decks/new/", {"game": game, "name": "Run", "text": text})["Location"]
    shown = page(client, made).text
    assert "Legal" in shown and card in shown
    assert client.get(f"/print/sheets.pdf?deck={made.split('/')[2]}").content.startswith(b"%PDF")
    assert client.get("/games.css").text.count(f".game-{game}") == 1
    return made.partition("?")[0]
