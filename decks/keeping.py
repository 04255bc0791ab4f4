"""Save a pasted list as a deck: all of it or nothing."""

from __future__ import annotations

from dataclasses import replace

from cardsdb.errors import Fault, Refused
from cardsdb.games.kit import Format, Game
from decks.models import ChangedElsewhere, Deck
from decks.validation import judge_text


def keep_text(deck: Deck, game: Game, text: str, format: Format | None = None) -> None:
    """Replace the deck's cards by those of a list.

    Raises Refused naming every line that could not be read; then nothing is stored.
    """
    judged = judge_text(game, text, format)
    if judged.unread:
        raise Refused(*(Fault(unread.code, f"{unread.message} ({unread.text[:80]})", f"line {unread.line}") for unread in judged.unread))
    if not judged.deck.entries and not judged.deck.details:
        raise Refused(Fault("empty", "The list has no cards.", "text"))
    deck.game, deck.format = game.slug, judged.format.slug
    try:
        deck.keep(replace(judged.deck, name=deck.name))
    except ChangedElsewhere:
        sentence = (
            "The deck was changed elsewhere since you opened it. Nothing was overwritten: look at it in another tab, then save again."
        )
        raise Refused(Fault("changed_elsewhere", sentence, "revision"), status=409) from None
