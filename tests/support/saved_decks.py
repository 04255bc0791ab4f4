"""Decks saved from judged lists, without a page in between."""

from __future__ import annotations

from typing import Any

from cardsdb.identity.viewer import Viewer
from decks.core.judging import Judged
from decks.models import Deck
from decks.saving.save import Saved, save_whole


def save_list(deck: Deck, judged: Judged, **values: Any) -> Saved:
    """Save the list as this deck, new or stored, under these values: name, notes, house, tags, visibility."""
    columns = {"visibility": values.pop("visibility")} if "visibility" in values else {}
    if not deck.pk:
        deck.game = judged.game.slug
        return save_whole(deck, judged.content(**values), **columns)
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    content = judged.content(stored.content(), **values)
    return save_whole(stored.link, content, Viewer(key_hash=stored.edit_hash), seen=deck.revision, **columns)
