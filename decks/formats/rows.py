"""The contents of files before they are read for a game: rows that name cards, and texts about the deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from cardsdb.games.kit import Card, Game, Marks
from cardsdb.games.kit.listtext.line import LineRefused, covered_card, read_card_line
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.model.text import fold
from decks.formats.contract import Games, Loss, ReadFile
from decks.formats.places import Place

MAX_ROWS = 5_000


@dataclass(frozen=True, slots=True)
class Row:
    """Some copies of a card as a file names it, word for word, at this place in the file; ``count_at``: where
    the count stands, in words.

    ``id`` is the card's in that tool, ``code`` the one in our catalogue. ``facts`` are those of a card that
    the list writes in, None for any other.
    """

    place: Place
    count: str
    name: str
    part: str = ""
    set: str = ""
    number: str = ""
    id: str = ""
    code: str = ""
    type: str = ""
    facts: tuple[tuple[str, object], ...] | None = None
    marks: Marks = NO_MARKS
    count_at: str = ""

    @property
    def where(self) -> str:
        """The row's place in words."""
        return str(self.place)

    @property
    def text(self) -> str:
        """The row as a line that a person would write."""
        extras = f" ({self.set})" + (f" {self.number}" if self.number else "") if self.set else ""
        return f"{self.count or 1} {self.name}{extras}"


# Ways in which programs and people write whole numbers: 2, 2x, x2, ×2, 2.0.
_COPIES = re.compile(r"(?:[xX×]\s?)?(?P<count>[0-9]{1,4})(?:\s?[xX×]|\.0+)?")


def copies_of(count: str) -> tuple[int, str]:
    """How many copies a count says, 0 where it is no number; and in words what was assumed, empty if nothing
    was.
    """
    if not count.strip():
        return 1, "no count is given; one copy was assumed"
    match = _COPIES.fullmatch(count.strip())
    if match is None:
        return 0, ""
    copies = int(match["count"])
    return (
        copies,
        "" if count.strip().isdecimal() else f"the count “{count.strip()[:20]}” was taken for {copies}",
    )


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole file. ``game`` is the slug of the game it is for, empty if it does not say; ``details`` stand
    by key.

    ``notes_field`` is the text of the format's field for notes, which holds our lines beside the author's
    (see ``extras.read_notes``).
    """

    rows: tuple[Row, ...]
    game: str = ""
    name: str = ""
    format: str = ""
    house: str = ""
    notes: str = ""
    notes_field: str = ""
    tags: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    details: Mapping[str, int | str] = field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    dialect: str = ""
    unread: tuple[Unread, ...] = ()


Read = Callable[[Game | None, bytes, str, Games], ReadFile]


def merged(rows: list[Row]) -> tuple[Row, ...]:
    """The rows with equal ones added up, each at the place of the first. Their counts are whole numbers."""
    firsts: dict[tuple[str, ...], Row] = {}
    counts: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = (row.name, row.part, row.set, row.number, row.id, row.code)
        firsts.setdefault(key, row)
        counts[key] = counts.get(key, 0) + int(row.count)
    return tuple(replace(row, count=str(counts[key])) for key, row in firsts.items())


def written_in_card(game: Game, name: str, card_type: str, facts: Iterable[tuple[str, object]]) -> Card:
    """The card of this name, type and facts. Raises LineRefused if a list could not write it in."""
    covered = covered_card(game, card_type) if card_type in game.types_by_slug else None
    if covered and fold(covered.name) == fold(name):
        return covered
    parts = [name.replace("|", "¦"), card_type]
    for key, value in facts:
        fact = game.facts_by_key.get(key) or game.fact_named(key)
        if fact is None:
            raise LineRefused("unknown_fact", f"{game.name} has no fact “{key[:40]}”.")
        parts.append(f"{fact.title}: {_as_text(value)}")
    card = read_card_line(game, f"1 {' | '.join(' '.join(part.split()) for part in parts)}", ()).card
    if not card.written:
        raise LineRefused(
            "unknown_type", f"Cards of the type “{card_type[:40]}” cannot be written in for {game.name}."
        )
    return card


def _as_text(value: object) -> str:
    """The value as a line of a list states it: words that hold a comma need semicolons between them."""
    if isinstance(value, list):
        words = [str(word) for word in value]
        return "; ".join(words) + ";" if any("," in word for word in words) else ", ".join(words)
    if isinstance(value, bool | int | str):
        return as_words(value).replace("|", "¦")
    raise LineRefused("bad_fact", "A fact is a number, a text, yes or no, or a list of words.")
