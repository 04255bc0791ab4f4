"""What staff change of a public deck: its name, its notes, who sees it. A state like any other, but that undoing ends there."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.shortcuts import get_object_or_404

from cardsdb.games import game_named
from decks.core.viewer import Viewer
from decks.models import Deck, DeckRevision
from decks.saving.diff import difference
from decks.saving.record import store

KIND = "moderated"


@transaction.atomic
def moderate(deck_id: int, *, name: str, notes: str, visibility: str) -> None:
    """Store these; its cards stay as they are at this moment. Who did it is in the admin's own log. Raises Http404 if it is not public."""
    deck = get_object_or_404(Deck.objects.public().with_cards().select_for_update(), pk=deck_id)
    game, before = game_named(deck.game), deck.content()
    after = replace(before, deck=replace(before.deck, name=name), notes=notes)
    if game is None:
        Deck.objects.filter(pk=deck.pk).update(name=name, notes=notes, visibility=visibility)
    elif difference(before, after):
        # No step leads from here to the state before.
        store(deck, game, after, KIND, Viewer(), (None, None), visibility=visibility)
    else:
        Deck.objects.filter(pk=deck.pk).update(visibility=visibility)


def is_moderated_since(deck_id: int, number: int) -> bool:
    """Whether name and notes were moderated after this state, so that they are not to come back."""
    return DeckRevision.objects.of(deck_id).filter(kind=KIND, number__gt=number).exists()
