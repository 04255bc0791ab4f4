"""One deck by its address, as its pages look it up."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from cardsdb.identity.viewer import Viewer
from decks.models.deck import Deck


def visible_deck(link: str, viewer: Viewer) -> Deck:
    """The deck, with its owner, that this visitor may open. Raises Http404."""
    return get_object_or_404(Deck.objects.visible_to(viewer).select_related("owner"), link=link)


def editable_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """The deck that is this visitor's to edit. ``locked``: until the transaction ends. Raises Http404."""
    decks = Deck.objects.editable_by(viewer)
    return get_object_or_404(decks.select_for_update() if locked else decks, link=link)
