"""What our writers keep in another format's notes (``extras.note_lines``), read back from there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from cardsdb.games.kit import Card, Game, Marks
from cardsdb.games.kit.listtext.deck import Unread, read_deck
from cardsdb.games.kit.listtext.line import MAX_LINE, MAX_WRITTEN, LineRefused, read_card_line
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.model.text import fold
from decks.formats.extras import OURS

MAX_NOTE_LINE = MAX_WRITTEN + 2 * MAX_LINE
_LINE = re.compile(r"(?P<key>Name|Format|House rules|Tags|Comment|Written in|Marked|Not read): (?P<value>.*)")


@dataclass(slots=True)
class Kept:
    """What notes say of a deck. ``said``: name, format, house rules and tags as they stand; ``written`` by folded name, ``marks`` by
    code, both in the list's order."""

    notes: str = ""
    said: dict[str, str] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    written: dict[str, list[Card]] = field(default_factory=dict)
    marks: dict[str, list[Marks]] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)

    def card(self, name: str) -> Card | None:
        """The next card written in by this name; the last one goes on standing for it."""
        cards = self.written.get(fold(name), [])
        return cards.pop(0) if len(cards) > 1 else next(iter(cards), None)

    def marks_of(self, card: Card) -> Marks:
        """The next marks on this card."""
        marks = self.marks.get(card.code)
        return marks.pop(0) if marks else NO_MARKS


def read_kept(game: Game, notes: str) -> Kept:
    """Tell our own lines, below the line ``OURS``, from the author's notes above it."""
    lines = [line.rstrip() for line in notes.split("\n")]
    place = max((number for number, line in enumerate(lines) if line.strip() == OURS), default=len(lines))
    kept = Kept()
    rest = [*lines[:place], *(line for line in lines[place + 1 :] if line and not _read(game, line.strip(), kept))]
    kept.notes = "\n".join(rest).strip("\n")
    return kept


def _read(game: Game, line: str, kept: Kept) -> bool:
    """Whether the line was one of ours."""
    found = _LINE.fullmatch(line) if len(line) <= MAX_NOTE_LINE else None
    if not found:
        details: Mapping[str, int | str] = read_deck(game, line).deck.details if len(line) <= MAX_LINE else {}
        kept.details.update(details)
        return bool(details)
    key, value = found["key"], found["value"].strip()
    if key == "Comment":
        kept.comments.append(value)
    elif key == "Not read":
        kept.unread.append(Unread(0, value[:MAX_LINE], "unknown_card", "The file keeps it as a line that was not read."))
    elif key in ("Written in", "Marked"):
        try:
            card = read_card_line(game, value, ())
        except LineRefused:
            return False
        if key == "Marked":
            kept.marks.setdefault(card.card.code, []).append(card.marks)
        else:
            kept.written.setdefault(fold(card.card.name), []).append(card.card)
    else:
        kept.said.setdefault(key, value)
    return True


def tags_of(text: str) -> tuple[str, ...]:
    """``a, b``."""
    return tuple(dict.fromkeys(tag for tag in map(str.strip, text.split(",")) if tag))
