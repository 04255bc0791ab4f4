"""The body of a child process that writes to one deck, for tests of several writers at once.

The process and the test talk through a pipe. The process sends ``ready``, waits for a word, writes ``times``
times, and sends one line per change: ``stored``, ``failed ErrorName``, or the HTTP statuses. ``doing`` is one
of:

- ``add``: add a copy of the card, as the editor does.
- ``slowly``: the same, but send ``read`` and wait for a word between reading and writing.
- ``unlocked``: like ``slowly``, with every lock switched off, to show that the locks matter.
- ``replace``: replace the deck through the API with If-Match, as a careful program does.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Entry
from cardsdb.identity.viewer import Viewer, hashed
from decks.core.content import DeckContent
from decks.saving import turn
from decks.saving.save import save_edit


def write(pipe: Connection, doing: str, link: str, key: str, code: str, times: int) -> None:
    """Add one copy of the card to the deck, so many times, in the way that ``doing`` names."""
    card = games()["spycraft"].card(code)
    assert card is not None

    def one_more(content: DeckContent) -> DeckContent:
        if doing != "add":
            pipe.send("read")
            pipe.recv()
        entries = {(entry.section, entry.card.code): entry for entry in content.deck}
        before = entries.get(("deck", code)) or Entry(card, 0, "deck")
        entries["deck", code] = replace(before, count=before.count + 1)
        return replace(content, deck=replace(content.deck, entries=tuple(entries.values())))

    if doing == "unlocked":
        _take_the_locks_off()
    pipe.send("ready")
    pipe.recv()
    for _ in range(times):
        if doing == "replace":
            pipe.send(_replaced(link, key, f"1 {card.name}\n"))
            continue
        try:
            save_edit(link, Viewer(key_hash=hashed(key)), one_more)
            pipe.send("stored")
        except Exception as error:
            pipe.send(f"failed {type(error).__name__}")


def _take_the_locks_off() -> None:
    """Disable SQLite's immediate transactions, the lock file and SELECT FOR UPDATE in this process."""
    connection.settings_dict["OPTIONS"].pop("transaction_mode", None)
    turn.one_at_a_time = lambda path: nullcontext()
    QuerySet.select_for_update = lambda queryset, *args, **kwargs: queryset.all()


def _replaced(link: str, key: str, more: str) -> str:
    """Add a line to the deck's text through the API and retry after each 412. Return all HTTP statuses,
    joined by spaces.
    """
    client, address, seen = (
        Client(headers={"host": "localhost", "x-deck-key": key}),
        f"/api/v1/decks/{link}/",
        [],
    )
    while True:
        read = client.get(address)
        deck: dict[str, Any] = read.json()
        body = json.dumps(
            {
                "game": deck["game"],
                "format": deck["format"],
                "name": deck["name"],
                "text": f"{deck['text']}\nDeck:\n{more}",
            }
        )
        answer = client.put(
            address, body, content_type="application/json", headers={"if-match": read["ETag"]}
        )
        seen += [read.status_code, answer.status_code]
        if answer.status_code != 412:
            return " ".join(map(str, seen))
