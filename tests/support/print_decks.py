"""A stored deck to print, its owner, and the cards that a print job contains.

For tests about choosing what to print ("only new cards", "only missing cards"). Keyword arguments name cards
by code with ``_`` for ``-``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Entry
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card as StoredCard
from decks.models import Collection, Deck, Owned
from decks.saving.save import save_edit
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.request.lists import Lists, PrintList
from tests.support.made_decks import named_deck, starter
from tests.support.print_lists import entries_of

STRANGER = Viewer()


def printed(job: Job) -> Counter[str]:
    """Return how often the job prints each piece: name -> copies."""
    counts: Counter[str] = Counter()
    for part in job.parts:
        for piece in pieces_of(part):
            counts[piece.name] += piece.count
    return counts


def in_deck(asked: Lists | PrintList) -> Counter[str]:
    """Return how often each card is in the lists: name -> copies."""
    counts: Counter[str] = Counter()
    for entry in entries_of(asked):
        counts[entry.card.name] += entry.count
    return counts


@pytest.fixture
def owner(db):
    """A viewer with the account "anna"."""
    return Viewer(User.objects.create_user("anna").pk)


@pytest.fixture
def client_of(owner):
    """A client that is logged in as ``owner``."""
    client = Client()
    client.force_login(User.objects.get(pk=owner.user_id))
    return client


@pytest.fixture
def tiger(client_of):
    """The owner's public deck Nine Tiger."""
    return named_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))


def edit(deck: Deck, owner: Viewer, **counts: int) -> None:
    """Set the number of copies of these cards in the section "deck"; 0 removes a card."""
    game = games()["spycraft"]

    def changed(content: Any) -> Any:
        entries = [entry for entry in content.deck if entry.card.code.replace("-", "_") not in counts]
        changed_entries = [
            Entry(game.card(code.replace("_", "-")) or pytest.fail(code), count, "deck")
            for code, count in counts.items()
            if count
        ]
        return replace(content, deck=replace(content.deck, entries=(*entries, *changed_entries)))

    save_edit(deck.link, owner, changed)


def owns(owner: Viewer, **counts: int) -> None:
    """Put this many copies of Spycraft cards into the owner's collection."""
    collection = Collection.objects.create(owner_id=owner.user_id)
    for code, count in counts.items():
        card = StoredCard.objects.get(game="spycraft", code=code)
        Owned.objects.create(collection=collection, card=card, count=count)
