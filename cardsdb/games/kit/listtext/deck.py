"""Decks as text: read what people paste, write what people can paste.

Reading is tolerant about shape and strict about meaning: every line becomes cards, a
section, a detail or a comment, or is reported with its number and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    MAX_WRITTEN,
    UNKNOWN,
    LineRefused,
    as_unknown,
    line_for,
    read_card_line,
    refuse_long_marks,
    with_name,
)
from cardsdb.games.kit.listtext.marks import DeckComments, has_control, joined_marks
from cardsdb.games.kit.listtext.names import NameIndex, name_index
from cardsdb.games.kit.listtext.sections import (
    SIDEBOARD,
    bare_heading,
    heading_of,
    headings,
    main_section,
    named_sections,
    placed_words,
    split_heading,
)
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist, Detail, Entry
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.text import fold

MAX_BYTES = 256 * 1024
MAX_LINES = 5_000
MAX_ENTRIES = 1_000

# Lines that other tools write and that say nothing about cards.
_LEFT_BY_OTHERS = re.compile(r"(?i)about|layout .*|\[metadata\]")
_NAME_OF_OTHERS = re.compile(r"(?i)name(?:\s*[:=]\s*|\s+)(?P<name>.*)|name")
# Stands in place of a suggestion: the line stays, as a card that is not in the catalogue.
KEEP_UNKNOWN = f"| {UNKNOWN}"
# Marks go on behind a bar: no longer than a line has room for, the bar left out.
_BAR = len("  | // ")


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
    section: str = ""

    @property
    def may_stay_unknown(self) -> bool:
        """Whether the line may stay as a card that is not in the catalogue (``KEEP_UNKNOWN``)."""
        return self.code == "unknown_card"

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
    """What a text says: the deck, what could not be read, what was set aside, and what it says of the deck besides."""

    deck: Decklist
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()
    format: str = ""
    comments: tuple[str, ...] = ()
    notes: str = ""
    tags: tuple[str, ...] = ()
    house: str = ""


@dataclass
class _State:
    also: NameIndex
    lines: list[str]
    section: str = ""
    type_hint: str = ""
    under_main: bool = False
    about: DeckComments = field(default_factory=DeckComments)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    _named: frozenset[str] | None = None

    def named(self, game: Game) -> frozenset[str]:
        """The sections that the list has headings for, looked for when it first matters."""
        if self._named is None:
            self._named = named_sections(game, (line for line in self.lines if len(line) <= MAX_LINE))
        return self._named


def lines_of(text: str) -> list[str]:
    """Split into lines as editors count them: at LF, CR LF or CR, and nowhere else."""
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    return lines[:-1] if lines[-1] == "" else lines


def joined_lines(lines: list[str]) -> list[tuple[int, str]]:
    """(number, line), where lines that begin with | go on with the card above: its facts if it is written in, its marks."""
    joined: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        is_more = line.lstrip().startswith("|") and joined and joined[-1][1].strip()
        if is_more and ("|" in joined[-1][1] or re.match(r"\s*\|\s*(?:\^|#|//)", line)) and len(joined[-1][1]) < 2 * MAX_WRITTEN:
            joined[-1] = (joined[-1][0], f"{joined[-1][1]}\n{line}")
        else:
            joined.append((number, line))
    return joined


def read_deck(game: Game, text: str, format: Format | None = None, also: Iterable[Card] = ()) -> Reading:
    """Read a pasted list for a game. ``also``: cards that it may name although the game no longer lists them.

    Raises ListTooLarge before anything is parsed when the text is beyond the bounds.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ListTooLarge(f"The list is larger than {MAX_BYTES // 1024} KB.")
    lines = lines_of(text)
    if len(lines) > MAX_LINES:
        raise ListTooLarge(f"The list has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    state = _State(NameIndex(tuple(also)), lines)
    for number, line in joined_lines(lines):
        try:
            if any(len(part) > MAX_LINE + (_BAR if part.startswith("  | ") else 0) for part in line.split("\n")):
                raise LineRefused("line_too_long", f"This line is longer than {MAX_LINE} characters.")
            _read_line(game, " ".join(part.strip() for part in line.split("\n")).strip(), number, state, format)
        except LineRefused as refused:
            text = line.strip()[:MAX_LINE]
            state.unread.append(Unread(number, text, refused.code, refused.message, refused.suggestions, state.section))
    about = state.about
    deck = Decklist(tuple(state.entries.values()), state.details, about.get("name"))
    return Reading(
        deck,
        tuple(state.unread),
        tuple(state.notices),
        about.get("format"),
        tuple(state.comments),
        "\n".join(about.notes),
        about.tags,
        about.get("house"),
    )


def _read_line(game: Game, line: str, number: int, state: _State, format: Format | None) -> None:
    if not line:
        return
    if has_control(line):
        raise LineRefused("bad_character", "This line has a control character; remove it.")
    if state.about.read(line):
        return
    # Single spaces: patterns that allow for spaces in several places are slow on long runs of them.
    line = " ".join(line.split())
    section = state.section
    types: tuple[str, ...] = (state.type_hint,) if state.type_hint else ()
    if not (name_index(game).called(line) or state.also.called(line)):
        if _read_heading(game, line, state, number) or _read_comment(line, state) or _read_detail(game, line, state):
            return
        if _LEFT_BY_OTHERS.fullmatch(line):
            return
        if named := _NAME_OF_OTHERS.fullmatch(line):
            state.about.values.setdefault("name", (named["name"] or "").strip())
            return
        heading, line = split_heading(game, line)
        if heading == SIDEBOARD and heading not in headings(game):
            state.notices.append(Notice(number, f"{game.name} has no sideboard; the card was put where its type belongs."))
            section, types = "", ()
        elif heading:
            section, type_hint = headings(game)[heading]
            types = (type_hint,) if type_hint else ()
    types = types or (game.sections_by_slug[section].types if section else ())
    count, card, ignored, marks = read_card_line(game, line, types, state.also)
    if ignored:
        state.notices.append(Notice(number, f"No print “{ignored}” of {card.name} is known; the card was taken without it."))
    section = section or _place(game, card, count, number, state, format or game.formats_by_slug.get(state.about.get("format")))
    _add(state, Entry(card, count, section, marks))


def _place(game: Game, card: Card, count: int, number: int, state: _State, format: Format | None) -> str:
    """Where a card goes whose line is under no section. In a list that names the section of its type, the main part means another."""
    section = game.section_for(card.type, format)
    main = main_section(game, card.type, format.sections if format else game.sections_by_slug) if state.under_main else ""
    if main in ("", section) or section not in state.named(game):
        return section
    state.notices.append(Notice(number, placed_words(game, main, [f"{count} {card.name}"], "list")))
    return main


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
    marks = joined_marks(before.marks, entry.marks) if before else entry.marks
    refuse_long_marks(marks)
    state.entries[key] = replace(before or entry, count=count, marks=marks)


def _read_heading(game: Game, line: str, state: _State, number: int) -> bool:
    """``Leaders:``, ``[Leaders]``, ``// Leaders (4)``, ``## Leaders`` or the bare word."""
    bare, bracketed = bare_heading(line)
    if _LEFT_BY_OTHERS.fullmatch(f"[{bare}]" if bracketed else bare) or _NAME_OF_OTHERS.fullmatch(bare):
        return False
    if (heading := heading_of(game, bare)) is not None:
        state.section, state.type_hint = heading
        state.under_main = not any(heading)
        return True
    if fold(bare.rstrip(": ")) == SIDEBOARD:
        state.section = state.type_hint = ""
        state.under_main = False
        state.notices.append(Notice(number, f"{game.name} has no sideboard; the cards below were put where their type belongs."))
        return True
    if bracketed or (re.fullmatch(r"[^\d|:]+:", bare) and not line.startswith(("//", "#"))):
        names = [section.name for section in game.sections]
        state.section = state.type_hint = ""
        state.under_main = False
        raise LineRefused("unknown_section", f"{game.name} decks have no section “{bare.rstrip(':')}”.", [f"{name}:" for name in names])
    return False


def _read_comment(line: str, state: _State) -> bool:
    if not line.startswith(("//", "#")):
        return False
    comment = line.lstrip("/# ").strip()
    if state.about.read_other(line):
        return True
    if comment and "name" not in state.about.values:
        state.about.values["name"] = comment
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
    details = {}
    for format in game.formats:
        for detail in format.details:
            details[fold(detail.label)] = details[fold(detail.key)] = detail
    return details


def with_correction(game: Game, text: str, number: int, suggestion: str) -> str:
    """The list with one line, counted from 1, naming what was suggested for it; unchanged when it has no such line."""
    parts = re.split(r"(\r\n|\n|\r)", text)
    place, suggestion = 2 * (number - 1), " ".join(suggestion.split())[:MAX_LINE]
    if not suggestion or not 0 <= place < len(parts):
        return text
    line = parts[place].strip()
    heading, rest = split_heading(game, line)
    before = f"{line.partition(':')[0]}: " if heading and rest != line else ""
    if suggestion == KEEP_UNKNOWN:
        parts[place] = before + as_unknown(rest)
    else:
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
