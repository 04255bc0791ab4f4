"""A stored deck, its owner and client, and the cards that a job prints, for tests of choosing cards."""

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
    """The printed copies of each card, by name."""
    copies: Counter[str] = Counter()
    for part in job.parts:
        for piece in pieces_of(part):
            copies[piece.name] += piece.count
    return copies


def in_deck(lists: Lists | PrintList) -> Counter[str]:
    """The copies of each card in these lists, by name."""
    copies: Counter[str] = Counter()
    for entry in entries_of(lists):
        copies[entry.card.name] += entry.count
    return copies


@pytest.fixture
def owner(db):
    return Viewer(User.objects.create_user("anna").pk)


@pytest.fixture
def client_of(owner):
    client = Client()
    client.force_login(User.objects.get(pk=owner.user_id))
    return client


@pytest.fixture
def tiger(client_of):
    return named_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))


def edit(deck: Deck, owner: Viewer, **counts: int) -> None:
    """Set the copies of these cards in the section "deck": ``edit(deck, owner, kai=3)``."""
    game = games()["spycraft"]

    def changed(content: Any) -> Any:
        kept = [entry for entry in content.deck if entry.card.code.replace("-", "_") not in counts]
        new = [
            Entry(game.card(code.replace("_", "-")) or pytest.fail(code), count, "deck")
            for code, count in counts.items()
            if count
        ]
        return replace(content, deck=replace(content.deck, entries=(*kept, *new)))

    save_edit(deck.link, owner, changed)


def owns(owner: Viewer, **counts: int) -> None:
    """Make a collection with these copies of Spycraft's cards: ``owns(owner, kai=2)``."""
    collection = Collection.objects.create(owner_id=owner.user_id)
    for code, count in counts.items():
        card = StoredCard.objects.get(game="spycraft", code=code)
        Owned.objects.create(collection=collection, card=card, count=count)
