"""Decks as text: read what people paste, write what people can paste.

Reading is tolerant about shape and strict about meaning: every line becomes cards, a
section, a detail or a comment, or is reported with its number and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from cardsdb.games.kit.cardline import MAX_COUNT, MAX_LINE, MAX_WRITTEN, LineRefused, line_for, read_card_line, with_name
from cardsdb.games.kit.cards import Card, fold
from cardsdb.games.kit.decklist import Decklist, Detail, Entry
from cardsdb.games.kit.names import NameIndex, name_index

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Format, Game

MAX_BYTES = 256 * 1024
MAX_LINES = 5_000
MAX_ENTRIES = 1_000

_WHOLE_DECK = {"deck", "main", "main deck", "maindeck", "mainboard"}
_SIDEBOARD = "sideboard"
# Lines that other tools write and that say nothing about cards.
_LEFT_BY_OTHERS = re.compile(r"(?i)about|name[ :=].*|layout .*|\[metadata\]")
_COMMENT_KEYS = {"name", "format", "source", "note"}


class ListTooLarge(ValueError):
    """The text is beyond what is read at all; the message says which bound."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that was not understood: its number as an editor counts, its text, and why."""

    line: int
    text: str
    code: str
    message: str
    suggestions: tuple[str, ...] = ()

    @property
    def correctable(self) -> bool:
        """Whether a suggestion can stand in the line as it is, so that ``with_correction`` may put it there."""
        return self.code in ("unknown_card", "ambiguous", "unknown_section")


@dataclass(frozen=True, slots=True)
class Notice:
    """Something set aside while reading a line that was otherwise understood."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: the deck, what could not be read, and what was set aside."""

    deck: Decklist
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()
    format: str = ""
    comments: tuple[str, ...] = ()


@dataclass
class _State:
    also: NameIndex
    section: str = ""
    type_hint: str = ""
    name: str = ""
    format: str = ""
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


def lines_of(text: str) -> list[str]:
    """Split into lines as editors count them: at LF, CR LF or CR, and nowhere else."""
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    return lines[:-1] if lines[-1] == "" else lines


def read_deck(game: Game, text: str, format: Format | None = None, also: Iterable[Card] = ()) -> Reading:
    """Read a pasted list for a game. ``also``: cards that it may name although the game no longer lists them.

    Raises ListTooLarge before anything is parsed when the text is beyond the bounds.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ListTooLarge(f"The list is larger than {MAX_BYTES // 1024} KB.")
    lines = lines_of(text)
    if len(lines) > MAX_LINES:
        raise ListTooLarge(f"The list has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    state = _State(NameIndex(tuple(also)))
    for number, line in _joined(lines):
        try:
            if any(len(part) > MAX_LINE for part in line.split("\n")):
                raise LineRefused("line_too_long", f"This line is longer than {MAX_LINE} characters.")
            _read_line(game, " ".join(part.strip() for part in line.split("\n")).strip(), number, state, format)
        except LineRefused as refused:
            state.unread.append(Unread(number, line.strip()[:MAX_LINE], refused.code, refused.message, refused.suggestions))
    deck = Decklist(tuple(state.entries.values()), state.details, state.name)
    return Reading(deck, tuple(state.unread), tuple(state.notices), state.format, tuple(state.comments))


def _joined(lines: list[str]) -> list[tuple[int, str]]:
    """(number, line), where lines that begin with | go on with a card that is written in above."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("|") and found and "|" in found[-1][1] and len(found[-1][1]) < MAX_WRITTEN:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
        else:
            found.append((number, line))
    return found


def _read_line(game: Game, line: str, number: int, state: _State, format: Format | None) -> None:
    if not line:
        return
    if _control(line):
        raise LineRefused("bad_character", "This line has a control character; remove it.")
    # Single spaces: patterns that allow for spaces in several places are slow on long runs of them.
    line = " ".join(line.split())
    section = state.section
    types: tuple[str, ...] = (state.type_hint,) if state.type_hint else ()
    if not (name_index(game).called(line) or state.also.called(line)):
        if _read_heading(game, line, state) or _read_comment(line, state) or _read_detail(game, line, state):
            return
        if _LEFT_BY_OTHERS.fullmatch(line):
            return
        heading, line = _split_heading(game, line)
        if heading == _SIDEBOARD and heading not in _headings(game):
            state.notices.append(Notice(number, f"{game.name} has no sideboard; the card was put where its type belongs."))
            section, types = "", ()
        elif heading:
            section, type_hint = _headings(game)[heading]
            types = (type_hint,) if type_hint else ()
    types = types or (game.sections_by_slug[section].types if section else ())
    count, card, ignored = read_card_line(game, line, types, state.also)
    if ignored:
        state.notices.append(Notice(number, f"No print “{ignored}” of {card.name} is known; the card was taken without it."))
    stated = format or game.formats_by_slug.get(state.format)
    _add(state, Entry(card, count, section or game.section_for(card.type, stated)))


def _split_heading(game: Game, line: str) -> tuple[str, str]:
    """(folded heading, rest) of a line such as ``X-File: Død Kalm`` or ``SB: 2 Kai``; no heading, and the line, otherwise."""
    label, colon, rest = line.partition(":")
    heading = _SIDEBOARD if fold(label) == "sb" else fold(label)
    if colon and rest.strip() and (heading in _headings(game) or heading == _SIDEBOARD):
        return heading, rest.strip()
    return "", line


def _control(line: str) -> bool:
    """C0 controls but tab, and the marks that turn or hide text."""
    return any(
        (c < " " and c != "\t") or c in "\x7f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" or "\ud800" <= c <= "\udfff"
        for c in line
    )


def _add(state: _State, entry: Entry) -> None:
    key = (entry.section, entry.card.code)
    before = state.entries.get(key)
    if before and before.card.written:
        if dict(before.card.facts) != dict(entry.card.facts) or before.card.type != entry.card.type:
            raise LineRefused("written_twice", f"“{entry.card.name}” is written in above with other facts; give it another name.")
    count = entry.count + (before.count if before else 0)
    if count > MAX_COUNT:
        raise LineRefused("bad_count", f"That makes {count} copies of {entry.card.name}; at most {MAX_COUNT} are read.")
    if not before and len(state.entries) >= MAX_ENTRIES:
        raise LineRefused("too_many_cards", f"More than {MAX_ENTRIES:,} different cards; this one was left out.")
    state.entries[key] = replace(before or entry, count=count)


def _read_heading(game: Game, line: str, state: _State) -> bool:
    """``Leaders:``, ``[Leaders]``, ``// Leaders (4)``, ``## Leaders`` or the bare word."""
    bare = re.sub(r"^(?://|#+)\s*", "", line)
    if _LEFT_BY_OTHERS.fullmatch(bare):
        return False
    bracketed = re.fullmatch(r"\[(?P<word>[^\]\d][^\]]*)\]", bare)
    bare = bracketed["word"] if bracketed else bare
    word = fold(re.sub(r"\s*(?:\(\d+(?: cards?)?\)|[-–]\s*\d+)?\s*:?\s*(?:\(\d+\))?$", "", bare))
    if heading := _headings(game).get(word):
        state.section, state.type_hint = heading
        return True
    if word in _WHOLE_DECK:
        state.section = state.type_hint = ""
        return True
    if bracketed or (re.fullmatch(r"[^\d|:]+:", bare) and not line.startswith(("//", "#"))):
        names = [section.name for section in game.sections]
        state.section = state.type_hint = ""
        raise LineRefused("unknown_section", f"{game.name} decks have no section “{bare.rstrip(':')}”.", [f"{name}:" for name in names])
    return False


@lru_cache(maxsize=32)
def _headings(game: Game) -> dict[str, tuple[str, str]]:
    """Folded heading -> (section, type): sections by all their words, then types by theirs."""
    found: dict[str, tuple[str, str]] = {}
    for section in game.sections:
        for word in (section.slug, section.name, *section.headings):
            found.setdefault(fold(word), (section.slug, ""))
    for card_type in game.types:
        if card_type.in_decks:
            for word in (card_type.plural, card_type.name):
                found.setdefault(fold(word), ("", card_type.slug))
    return found


def _read_comment(line: str, state: _State) -> bool:
    if not line.startswith(("//", "#")):
        return False
    comment = line.lstrip("/# ").strip()
    key, colon, value = comment.partition(":")
    if colon and key.strip() in _COMMENT_KEYS:
        if key.strip() in ("name", "format"):
            setattr(state, key.strip(), value.strip())
        return True
    if comment and not state.name:
        state.name = comment
    elif comment:
        state.comments.append(comment)
    return True


def _read_detail(game: Game, line: str, state: _State) -> bool:
    label, colon, value = line.partition(":")
    if not colon or not value.strip():
        return False
    detail = _details(game).get(fold(label))
    if detail is None:
        return False
    text = value.strip()
    if detail.kind == "number":
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise LineRefused("bad_detail", f"{detail.label} must be a whole number, not “{text}”.")
        state.details[detail.key] = int(text)
    else:
        state.details[detail.key] = text
    return True


@lru_cache(maxsize=32)
def _details(game: Game) -> dict[str, Detail]:
    found = {}
    for format in game.formats:
        for detail in format.details:
            found[fold(detail.label)] = found[fold(detail.key)] = detail
    return found


def with_correction(game: Game, text: str, number: int, suggestion: str) -> str:
    """The list with one line, counted from 1, naming what was suggested for it; unchanged when it has no such line."""
    parts = re.split(r"(\r\n|\n|\r)", text)
    place, suggestion = 2 * (number - 1), " ".join(suggestion.split())[:MAX_LINE]
    if not suggestion or not 0 <= place < len(parts):
        return text
    line = parts[place].strip()
    heading, rest = _split_heading(game, line)
    before = f"{line.partition(':')[0]}: " if heading else ""
    parts[place] = suggestion if suggestion.endswith(":") else before + with_name(rest, suggestion)
    return "".join(parts)


def write_deck(game: Game, deck: Decklist, format: Format | None = None) -> str:
    """Write a deck so that ``read_deck`` reads the same deck."""
    head = [f"// name: {deck.name}"] if deck.name else []
    if format:
        head.append(f"// format: {format.slug}")
    labels = {detail.key: detail.label for detail in _details(game).values()}
    head += [f"{labels[key]}: {value}" for key, value in deck.details.items() if key in labels]
    blocks = ["\n".join(head)] if head else []
    for section in game.sections:
        if entries := deck.in_section(section.slug):
            blocks.append("\n".join([f"{section.name}:", *(line_for(game, entry) for entry in entries)]))
    return "\n\n".join(blocks) + "\n"
