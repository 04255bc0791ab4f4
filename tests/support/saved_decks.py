"""Decks saved through ``decks.saving`` directly, without a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Entry
from cardsdb.identity.viewer import Viewer
from decks.core.content import DeckContent
from decks.core.judging import Judged, judge_text
from decks.models import Deck, DeckLine, DeckRevision, new_deck
from decks.saving.save import Saved, save_whole

SPYCRAFT = games()["spycraft"]
# What ``save_edit`` takes: old content -> new content.
Edit = Callable[[DeckContent], DeckContent]


def save_list(deck: Deck, judged: Judged, **values: Any) -> Saved:
    """Save a judged list as this deck, new or stored. ``values`` may be name, notes, house, tags and
    visibility.
    """
    columns = {"visibility": values.pop("visibility")} if "visibility" in values else {}
    if not deck.pk:
        deck.game = judged.game.slug
        return save_whole(deck, judged.content(**values), **columns)
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    content = judged.content(stored.content(), **values)
    return save_whole(stored.link, content, Viewer(key_hash=stored.edit_hash), seen=deck.revision, **columns)


def made(text: str = "2 Kai", **values: object) -> tuple[Deck, Viewer]:
    """Make a Spycraft deck without an owner; return it and the viewer with its edit key. By default it has 2
    copies of Kai, which tests of ``stored`` and ``having`` change.
    """
    deck, _ = new_deck()
    save_list(deck, judge_text(SPYCRAFT, text), name="Dragons", **values)
    return deck, Viewer(key_hash=deck.edit_hash)


def secret_deck(**values: Any) -> Deck:
    """Make a public X-Files deck whose X-File is secret; ``values`` are set in its columns."""
    game = games()["xfiles"]
    starter = next(starter for starter in game.starters if starter.format == "advanced")
    deck, _ = new_deck()
    judged = judge_text(game, starter.text, game.formats_by_slug["advanced"])
    save_list(deck, judged, name="Secret", visibility="public")
    Deck.objects.filter(pk=deck.pk).update(**values)
    return deck


def having(count: int, code: str = "kai") -> Edit:
    """Return an edit that sets the number of copies of a card in the deck, by default of the card of
    ``made``.
    """
    card = SPYCRAFT.card(code)
    assert card is not None

    def edit(content: DeckContent) -> DeckContent:
        others = tuple(entry for entry in content.deck if entry.card.code != code)
        entries = (*others, Entry(card, count, "deck")) if count else others
        return replace(content, deck=replace(content.deck, entries=entries))

    return edit


def stored(deck: Deck) -> dict[str, int]:
    """Return the cards of the deck as the database has them now: code -> count."""
    lines = DeckLine.objects.filter(deck=deck).select_related("card")
    return {line.card.code: line.count for line in lines if line.card}


def states(deck: Deck) -> list[tuple[int, str, int | None, int | None]]:
    """(number, kind, undo_to, redo_to) of every state in the deck's history."""
    return list(DeckRevision.objects.of(deck.pk).values_list("number", "kind", "undo_to", "redo_to"))
