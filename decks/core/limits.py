"""How large a deck may be: no column cuts it short, and its text can be sent back to be saved, so that what is stored can be edited."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cardsdb.games.kit import Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES, MAX_ENTRIES, write_deck
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.listtext.marks import MAX_NOTE, MAX_TAG, MAX_TAGS
from cardsdb.site.faults import Fault, Refused
from decks.core.content import DeckContent

# The columns' lengths. Forms say so in kinder words; this is for whatever comes by another way.
MAX_LENGTHS = {"name": 120, "notes": 5_000, "house rules": 400}
# Bytes of one state as the history keeps it. There are hundreds of them.
MAX_STATE = 256 * 1024


def refuse_beyond_limits(game: Game, content: DeckContent) -> None:
    """Raises Refused for what no column takes, and for more than the history keeps of a state or than can be sent as a list."""
    if faults := list(_too_long(content)):
        raise Refused(*faults)
    text = write_deck(game, content.deck, game.formats_by_slug.get(content.format))
    # A form sends each line's end as two characters.
    listed = len(text.encode("utf-8", "replace")) + text.count("\n")
    state = len(json.dumps(content.as_json()))
    if listed > MAX_BYTES or state > MAX_STATE:
        sentence = (
            f"With its notes and tags the deck would have {max(listed, state) // 1024 + 1:,} KB; there is room for {MAX_BYTES // 1024}. "
            "Shorten notes on cards, take tags away, or make two decks of it."
        )
        raise Refused(Fault("too_large", sentence, "text"))


def _too_long(content: DeckContent) -> Iterator[Fault]:
    texts = {"name": content.deck.name, "notes": content.notes, "house rules": content.house}
    for what, text in texts.items():
        if len(text) > MAX_LENGTHS[what]:
            yield Fault("too_long", f"The {what} may have {MAX_LENGTHS[what]:,} characters; these are {len(text):,}.", what)
    if len(content.deck.entries) > MAX_ENTRIES:
        yield Fault("too_many_cards", f"A deck holds {MAX_ENTRIES:,} different cards at most.", "text")
    for entry in content.deck:
        if not 1 <= entry.count <= MAX_COUNT:
            yield Fault("bad_count", f"{entry.card.name}: 1 to {MAX_COUNT} copies, not {entry.count}.", "count")
        if len(entry.marks.note) > MAX_NOTE:
            yield Fault("too_long", f"The note on {entry.card.name} may have {MAX_NOTE} characters.", "note")
    for tags in (content.tags, *(entry.marks.tags for entry in content.deck)):
        if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG for tag in tags):
            yield Fault("too_long", f"At most {MAX_TAGS} tags of {MAX_TAG} characters each.", "tags")
