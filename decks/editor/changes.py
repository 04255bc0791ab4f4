"""What a form of the editor asks for, read as an edit. ``edit`` says what:

+1 deck kai     so many copies more of a card in a section (-1 fewer, =3 exactly)
line            a whole line: its count, section, note, tags, whether repairs must leave it
add             a line as one would write it in a list: 2 Kai; with a minus before it, that many come out
lines           several such lines, all or none of them
format          another format
details         what the format asks besides cards
repair          what a finding offers that cures it
undo, redo      are no edits but steps in the history
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rapidfuzz import process

from cardsdb.games.kit import Card, Format, Game
from cardsdb.games.kit.listtext.deck import Unread
from cardsdb.games.kit.listtext.line import MAX_LINE, MAX_WRITTEN, LineRefused, as_unknown, name_in, read_card_line, with_name
from cardsdb.games.kit.listtext.names import NameIndex, name_index
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.model.text import fold
from cardsdb.site.faults import Fault, Refused
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.edits import Edit, EditRefused
from decks.core.judging import read_text
from decks.repairs.search import repairing

# Before a line it takes copies out; within a name it is a hyphen.
_MINUS = re.compile(r"[-−]\s*(?=\S)")
# Lines that were not understood and are named; the rest would be of no more help.
MAX_FAULTS = 12
# "found" behind it: it was asked for beside the cards found.
_COUNT = re.compile(r"(?P<sign>[-+=])(?P<number>[0-9]{1,3}) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x7e]{1,200})(?: found)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class EditRequest:
    """An edit, the section and card of the line it is about, if it is about one, and the kind of state that it makes."""

    edit: Edit
    section: str = ""
    code: str = ""
    kind: str = "edited"


class LineNotRead(Refused):
    """A line that was not understood, with lines that would be.

    Where no card is called so, ``name`` is what was typed and ``unknown`` the line that keeps it as an unknown card.
    """

    def __init__(self, refused: LineRefused, lines: tuple[str, ...], name: str = "", unknown: str = "") -> None:
        super().__init__(Fault(refused.code, refused.message, "line"))
        self.lines, self.name, self.unknown = lines, name, unknown


def parse_edit(posted: Mapping[str, str], game: Game) -> EditRequest:
    """Read what was posted. Raises Refused for what is no edit; the edit itself raises it for what cannot be."""
    kind = posted.get("edit", "")
    if match := _COUNT.fullmatch(kind):
        return _count(game, match["sign"], int(match["number"]), match["section"], match["code"])
    readers: dict[str, Callable[[Mapping[str, str], Game], EditRequest]] = {
        "line": _line,
        "add": _add,
        "lines": _lines,
        "format": _format,
        "details": _details,
        "repair": _repair,
    }
    if kind not in readers:
        raise Refused(Fault("unknown_edit", "The page asked for something that the editor does not know. Reload it and try again.", "edit"))
    return readers[kind](posted, game)


def format_of(content: DeckContent, game: Game) -> Format:
    """The format as the rulebook has it; the game's first for one that it no longer has."""
    return game.formats_by_slug.get(content.format, game.formats[0])


def refusing(edit: Edit) -> Edit:
    """The edit, with what cannot be done said as the pages say it."""

    def refused(content: DeckContent) -> DeckContent:
        try:
            return edit(content)
        except EditRefused as error:
            raise Refused(Fault(error.code, error.message, error.where)) from None

    return refused


def _count(game: Game, sign: str, number: int, section: str, code: str) -> EditRequest:
    known_section(game, section)

    def edit(content: DeckContent) -> DeckContent:
        card = card_of(content, game, code)
        if sign == "=":
            return edits.with_count(content, card, section, number)
        return edits.with_more(content, card, section, number if sign == "+" else -number)

    return EditRequest(refusing(edit), section, code)


def _line(posted: Mapping[str, str], game: Game) -> EditRequest:
    section, code, to = (posted.get(name, "")[:200] for name in ("section", "code", "to"))
    known_section(game, section)
    to = to or section
    known_section(game, to)
    count = posted.get("count", "").strip()
    if not re.fullmatch(r"[0-9]{1,3}", count, re.ASCII):
        raise Refused(Fault("bad_count", f"The count must be a whole number from 0 to 99, not “{count[:20]}”.", "count"))

    def edit(content: DeckContent) -> DeckContent:
        if edits.entry_of(content, section, code) is None:
            raise EditRefused("not_in_the_deck", "The deck has no such line any more; somebody took it out meanwhile.", "line")
        content = edits.with_count(content, card_of(content, game, code), section, int(count))
        if not int(count):
            return content
        marks = edits.marks_of(posted.get("note", ""), posted.get("tags", ""), bool(posted.get("keep")))
        return edits.moved(edits.marked(content, section, code, marks), section, code, to)

    return EditRequest(refusing(edit), to, code)


def _add(posted: Mapping[str, str], game: Game) -> EditRequest:
    line = " ".join(posted.get("line", "")[: MAX_WRITTEN + 1].split())
    if not line:
        raise Refused(Fault("empty", "Write a card’s name, with a count before it if it is more than one: 2 Kai.", "line"))
    if len(line) > (MAX_WRITTEN if "|" in line else MAX_LINE):
        raise Refused(Fault("line_too_long", f"A line has at most {MAX_LINE} characters.", "line"))
    minus = _MINUS.match(line)
    fewer, line = bool(minus), line[minus.end() :] if minus else line
    heading, colon, rest = line.partition(":")
    section = next((s for s in game.sections if colon and rest.strip() and fold(heading) in map(fold, (s.slug, s.name, *s.headings))), None)
    line = rest.strip() if section else line
    try:
        read = read_card_line(game, line, section.types if section else ())
    except LineRefused as refused:
        raise _not_read_line(game, line, refused, ("-" if fewer else "") + (f"{heading}: " if section else ""), fewer) from None
    card, into = read.card, posted.get("into", "")

    def fewer_of(content: DeckContent) -> DeckContent:
        home = section.slug if section else edits.home_of(game, card.type, format_of(content, game), into)
        held = [entry.section for entry in content.deck if entry.card.code == card.code and (not section or entry.section == section.slug)]
        if not held:
            raise EditRefused("not_in_the_deck", f"The deck has no {card.name} to take out.", "line")
        return edits.with_more(content, card, home if home in held else held[0], -read.copies)

    def edit(content: DeckContent) -> DeckContent:
        if fewer:
            return fewer_of(content)
        place = section.slug if section else edits.home_of(game, card.type, format_of(content, game), into)
        content = (edits.with_written if card.written else edits.with_more)(content, card, place, read.copies)
        return edits.marked(content, place, card.code, read.marks) if read.marks != NO_MARKS else content

    return EditRequest(refusing(edit), section.slug if section else "", card.code)


def _lines(posted: Mapping[str, str], game: Game) -> EditRequest:
    """A piece of a list: its headings count, and a line that is not understood stops all of it."""
    text = posted.get("lines", "")
    if not text.strip():
        raise Refused(Fault("empty", "Write or paste some lines: one card a line, the count first.", "lines"))

    def edit(content: DeckContent) -> DeckContent:
        reading = read_text(game, text, format_of(content, game), [entry.card for entry in content.deck if not entry.card.written])
        if reading.unread:
            raise Refused(*(_not_read(unread) for unread in reading.unread[:MAX_FAULTS]))
        if not reading.deck.entries:
            raise EditRefused("empty", "These lines name no card.", "lines")
        for entry in reading.deck:
            content = (edits.with_written if entry.card.written else edits.with_more)(content, entry.card, entry.section, entry.count)
            if entry.marks != NO_MARKS:
                content = edits.marked(content, entry.section, entry.card.code, entry.marks)
        return content

    return EditRequest(refusing(edit))


def _not_read(unread: Unread) -> Fault:
    instead = f" Did you mean {' or '.join(unread.suggestions[:3])}?" if unread.suggestions else ""
    return Fault(unread.code, f"Line {unread.line}, “{unread.text[:60]}”: {unread.message}{instead}", f"line {unread.line}")


def _not_read_line(game: Game, line: str, refused: LineRefused, before: str, fewer: bool) -> LineNotRead:
    """What was wrong, with lines that would do; ``before`` stands before each of them, as it did before this one."""
    likely = tuple(f"{before}{instead}" for instead in _likely_lines(game, line, refused))
    if refused.code != "unknown_card":
        return LineNotRead(refused, likely)
    return LineNotRead(refused, likely, name_in(line), "" if fewer else f"{before}{as_unknown(line)}")


def _likely_lines(game: Game, line: str, refused: LineRefused) -> tuple[str, ...]:
    """Lines that name cards instead: those whose names begin as typed, else those spelt much like it."""
    if refused.code == "ambiguous":
        return tuple(with_name(line, label) for label in refused.suggestions)
    if refused.code != "unknown_card":
        return ()
    index: NameIndex = name_index(game)
    typed = fold(re.sub(r"^\s*[\[(]?\d+[\])]?\s*[x×]?\s+", "", line)).strip()
    close = [name for name in index.names if name.startswith(typed)][:5]
    close = close or [name for name, _, _ in process.extract(typed, index.names, limit=3, score_cutoff=75)]
    return tuple(dict.fromkeys(with_name(line, index.label(index.called(name)[0])) for name in close))


def _format(posted: Mapping[str, str], game: Game) -> EditRequest:
    format = game.formats_by_slug.get(posted.get("format", ""))
    if format is None:
        raise Refused(Fault("unknown_format", f"{game.name} has no such format. Choose one of those offered.", "format"))
    return EditRequest(refusing(lambda content: edits.in_format(content, format)))


def _details(posted: Mapping[str, str], game: Game) -> EditRequest:
    typed = {name.removeprefix("detail-"): value[:400] for name, value in posted.items() if name.startswith("detail-")}
    return EditRequest(refusing(lambda content: edits.with_details(content, format_of(content, game).details, typed)))


def _repair(posted: Mapping[str, str], game: Game) -> EditRequest:
    return EditRequest(repairing(game, [posted.get("change", "")]), kind="repaired")


def known_section(game: Game, section: str) -> None:
    """Raises Refused, naming the sections that there are."""
    if section not in game.sections_by_slug:
        names = ", ".join(section.name for section in game.sections)
        raise Refused(Fault("unknown_section", f"{game.name} decks have no such section. There are: {names}.", "section"))


def card_of(content: DeckContent, game: Game, code: str) -> Card:
    """The deck's own card of this code, which may be retired or written in, else the game's."""
    card = next((entry.card for entry in content.deck if entry.card.code == code), None) or game.card(code)
    if card is None:
        raise EditRefused(
            "unknown_card", f"{game.name} has no card “{code[:60]}” that could be added. Find it on the left, or write it in.", "card"
        )
    if not game.type_named(card.type).in_decks and not edits.copies_of(content, code):
        raise EditRefused("not_for_decks", f"{card.name} is not a card that stands in decks.", "card")
    return card
