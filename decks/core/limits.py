"""How large a deck may be: no larger than its own text may be that comes back to be saved, so that whatever is kept can be edited."""

from __future__ import annotations

import json

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, write_deck
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent

# Of one state as the history keeps it. There are hundreds of them.
MOST_KEPT = 256 * 1024


def refuse_too_large(game: Game, content: DeckContent) -> None:
    """Raises Refused if the deck is more than its history keeps of a state, or more than can be sent as a list."""
    text = write_deck(game, content.deck, game.formats_by_slug.get(content.format))
    # A form sends each line's end as two characters.
    listed = len(text.encode("utf-8", "replace")) + text.count("\n")
    kept = len(json.dumps(content.as_json()))
    if listed > MAX_BYTES or kept > MOST_KEPT:
        sentence = (
            f"With its notes and tags the deck would have {max(listed, kept) // 1024 + 1:,} KB; there is room for {MAX_BYTES // 1024}. "
            "Shorten notes on cards, take tags away, or make two decks of it."
        )
        raise Refused(Fault("too_large", sentence, "text"))
