"""One deck by its address, as its pages look it up: the queries of ``DeckQuerySet``, written once."""

from __future__ import annotations

from typing import Any

from django.http import Http404

from cardsdb.identity.viewer import Viewer
from cardsdb.models.prepared import Prepared
from decks.models.deck import Deck, DeckQuerySet


def _seen(link: str, **who: Any) -> DeckQuerySet:
    return Deck.objects.visible_to(Viewer(**who)).select_related("owner").filter(link=link)


def _own(link: str, **who: Any) -> DeckQuerySet:
    return Deck.objects.editable_by(Viewer(**who)).filter(link=link)


def _locked(link: str, **who: Any) -> DeckQuerySet:
    return _own(link, **who).select_for_update()


_SEEN, _OWN, _LOCKED = Prepared(_seen), Prepared(_own), Prepared(_locked)


def visible_deck(link: str, viewer: Viewer) -> Deck:
    """The deck, with its owner, that this visitor may open. Raises Http404."""
    return _found(_SEEN, link, viewer)


def editable_deck(link: str, viewer: Viewer, *, locked: bool = False) -> Deck:
    """The deck that is this visitor's to edit. ``locked``: until the transaction ends. Raises Http404."""
    return _found(_LOCKED if locked else _OWN, link, viewer)


def _found(query: Prepared[Deck], link: str, viewer: Viewer) -> Deck:
    deck = query.first(link=link, user_id=viewer.user_id, key_hash=viewer.key_hash, browser=viewer.browser)
    if deck is None:
        raise Http404("No Deck matches the given query.")
    return deck
