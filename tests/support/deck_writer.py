"""A child process that writes to a deck, for tests of several writers at once.

It sends ``ready``, waits for a word, writes, and sends a line for each change. ``doing`` is how it writes:

- ``add``: as the editor does
- ``slowly``: the same, but waiting for a word between reading and writing
- ``unlocked``: slowly, with all locks removed
- ``replace``: over the API, with the ETag of what it read
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
    """Add one copy of a card to the deck, this many times."""
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
    connection.settings_dict["OPTIONS"].pop("transaction_mode", None)
    turn.one_at_a_time = lambda path: nullcontext()
    QuerySet.select_for_update = lambda queryset, *args, **kwargs: queryset.all()


def _replaced(link: str, key: str, more: str) -> str:
    """Add a line to the deck's text over the API, again until no other writer was faster. Return the statuses
    of all answers, ``200 412 200 200``.
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
