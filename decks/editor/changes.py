"""Turns a form posted by the editor into an edit: a function from the deck's content to its new content
(``decks/core/edits.py``). ``views.py`` calls ``parse_edit`` and passes the edit to ``save_edit``, which
applies it to the stored deck. Others may have changed that deck since the form was shown, so each function
``edit`` below looks up cards and lines only when it is applied.

The field ``edit`` names the kind of change. "undo" and "redo" are steps in the history and are not read here.

  +1 deck kai     add copies of a card to a section (-1 takes copies out, =3 sets their number)
  move 1 bureau kai to sideboard
                  move copies to another section ("all" instead of a number: the whole line)
  line            change a line: its count, section, note, tags, prints, and whether repairs must keep it
  add             add a typed line, such as "2 Kai"; with a minus before it, take copies out
  enter           the text of the search box; ``views.py`` turns it into "add" or into a search
  lines           add several typed lines: all of them or, if one is not understood, none
  format          change the format
  details         change what the format asks for besides cards
  repair          make the changes that a violation offers as its repair

Tests: ``tests/decks/editor/test_changes.py``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Entry, Format, Game, Prints, whole_number
from cardsdb.games.kit.listtext.reading import Unread
from cardsdb.search.own_cards import NOBODYS, OwnOfGame
from decks.check.pasted import repairing
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.edits import Edit, EditRefused
from decks.core.pasted_text import read_text, with_comments
from decks.core.used_format import LeagueLookup, no_leagues
from decks.editor.typed_line import offer_in, read_typed

# The most lines reported as not understood; more would not help.
MAX_FAULTS = 12
# The most cards suggested for one of them.
MAX_SUGGESTED = 3
# Characters of a typed text that a message repeats, and of a typed number.
MAX_TOLD = 60
MAX_NUMBER_TOLD = 20
# Characters that are read of a detail, and of the names of a line and its section.
MAX_DETAIL = 400
MAX_NAME = 200
# Characters of lines that are added at once. They are read while the deck is locked, so this is kept small.
MAX_PIECE = 32 * 1024
# The form field "copies-of <print label>" says how many copies of a line are of that print.
COPIES_OF = "copies-of "
# "+1 deck kai": sign, number, section, card code. A button beside a search result adds " found".
_COUNT = re.compile(
    r"(?P<sign>[-+=])(?P<number>[0-9]{1,3}) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x7e]{1,200})(?: found)?",
    re.ASCII,
)
# "move 1 bureau kai to sideboard": number or "all", section, card code, the section to move to.
_MOVE = re.compile(
    r"move (?P<number>[0-9]{1,3}|all) (?P<section>[\w-]{1,40}) (?P<code>[\x21-\x7e]{1,200}) to"
    r" (?P<to>[\w-]{1,40})",
    re.ASCII,
)


@dataclass(frozen=True)
class EditRequest:
    """An edit that a form asks for: ``edit`` takes the deck's content and returns the changed one.
    ``section`` and ``code`` name the line to show afterwards, and are empty if it is about none. ``kind`` is
    the kind of revision that it makes (``KINDS`` in ``decks/models/contents.py``). ``note`` is shown to the
    author after it is saved.
    """

    edit: Edit
    section: str = ""
    code: str = ""
    kind: str = "edited"
    note: str = ""


def parse_edit(
    posted: Mapping[str, str], game: Game, own: OwnOfGame = NOBODYS, leagues: LeagueLookup = no_leagues
) -> EditRequest:
    """Return the edit that a form posted. ``own``: the author's own cards; ``leagues``: looks up a league's
    format.

    Raise Refused if the form is invalid. The edit itself raises Refused if the deck does not allow it.
    """
    kind = posted.get("edit", "")
    if match := _COUNT.fullmatch(kind):
        return _count(game, match, own)
    if match := _MOVE.fullmatch(kind):
        section, code, to = match["section"], match["code"], match["to"]
        known_section(game, section, to)
        copies = None if match["number"] == "all" else int(match["number"])
        return EditRequest(lambda content: edits.moved(content, section, code, to, copies), to, code)
    match kind:
        case "line":
            return _line(posted, game)
        case "add":
            return _add(posted, game, own)
        case "lines":
            return _lines(posted, game, own)
        case "format":
            if format := game.formats_by_slug.get(posted.get("format", "")):
                return EditRequest(lambda content: edits.in_format(content, format))
            sentence = f"{game.name} has no such format. Choose one of those offered."
            raise Refused(Fault("unknown_format", sentence, "format"))
        case "details":
            typed = {key: value[:MAX_DETAIL] for key, value in _fields(posted, "detail-").items()}
            return EditRequest(
                lambda content: edits.with_details(content, format_of(content, game).details, typed)
            )
        case "repair":
            return EditRequest(repairing(game, [posted.get("change", "")], leagues), kind="repaired")
    sentence = "The page asked for something that the editor does not know. Reload it and try again."
    raise Refused(Fault("unknown_edit", sentence, "edit"))


def format_of(content: DeckContent, game: Game) -> Format:
    """The deck's format as the rulebook has it, without house rules. If the game no longer has it: its first
    format.
    """
    return game.formats_by_slug.get(content.format, game.formats[0])


def _count(game: Game, match: re.Match[str], own: OwnOfGame) -> EditRequest:
    """The edit "+1 deck kai", as matched by ``_COUNT``."""
    sign, number, section, code = match["sign"], int(match["number"]), match["section"], match["code"]
    known_section(game, section)

    def edit(content: DeckContent) -> DeckContent:
        card = own.cards.get(code) or card_of(content, game, code)
        if code in own.cards:
            content = edits.renewed(content, card)
        if sign == "=":
            return edits.with_count(content, card, section, number)
        return edits.with_more(content, card, section, number if sign == "+" else -number)

    return EditRequest(edit, section, code)


def _line(posted: Mapping[str, str], game: Game) -> EditRequest:
    """The edit "line": all that the form of an opened line says. A count of 0 removes the line; ``to`` is the
    section to move it to.
    """
    section, code, to = (posted.get(name, "")[:MAX_NAME] for name in ("section", "code", "to"))
    to = to or section
    known_section(game, section, to)
    typed = posted.get("count", "").strip()
    # Three digits: 100 to 999 are refused by ``with_count``.
    if not re.fullmatch(r"[0-9]{1,3}", typed, re.ASCII):
        sentence = f"The count must be a whole number from 0 to 99, not “{typed[:MAX_NUMBER_TOLD]}”."
        raise Refused(Fault("bad_count", sentence, "count"))
    count = int(typed)

    def edit(content: DeckContent) -> DeckContent:
        line = edits.entry_of(content, section, code)
        if line is None:
            sentence = "The deck has no such line any more. It was taken out meanwhile."
            raise EditRefused("not_in_the_deck", sentence, "line")
        content = edits.with_count(content, card_of(content, game, code), section, count)
        if not count:
            return content
        marks = edits.marks_of(
            posted.get("note", ""),
            posted.get("tags", ""),
            bool(posted.get("keep")),
            _prints(posted, line, count),
        )
        return edits.moved(edits.marked(content, section, code, marks), section, code, to)

    return EditRequest(edit, to, code)


def _prints(posted: Mapping[str, str], line: Entry, count: int) -> Prints:
    """The prints of a line as its form states them: the field ``print`` is the print of all copies, the field
    "copies-of TRU 154" the number of copies of one print. Without these fields the line keeps its prints.
    ``count``: the new number of copies.
    """
    if "print" in posted:
        label = posted["print"]
        return edits.prints_or_refuse(line, count, {label: count} if label else {})
    typed = _fields(posted, COPIES_OF)
    if not typed:
        return line.marks.prints.resized(count)
    copies = {label: whole_number(words.strip() or "0", 99) for label, words in typed.items()}
    for label, number in copies.items():
        if number is None:
            wrong = typed[label].strip()[:MAX_NUMBER_TOLD]
            sentence = f"The copies of a print must be a whole number from 0 to 99, not “{wrong}”."
            raise EditRefused("bad_count", sentence, "print")
    return edits.prints_or_refuse(line, count, {label: number or 0 for label, number in copies.items()})


def _fields(posted: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The posted fields whose names begin with ``prefix``, by the rest of their names."""
    return {name.removeprefix(prefix): typed for name, typed in posted.items() if name.startswith(prefix)}


def _add(posted: Mapping[str, str], game: Game, own: OwnOfGame) -> EditRequest:
    """The edit "add": the line typed into the box (``q``), where a count may also stand behind the name
    ("Kai 2"), or the line of another button (``line``).
    """
    offer = None if "line" in posted else offer_in(game, posted.get("q", ""), own.names)
    line = offer.line if offer else posted.get("line", posted.get("q", ""))
    typed = read_typed(game, line, own.names)
    copies, card, _, marks = typed.read
    # The section that the line names. It overrides ``into``, the section that the search adds to.
    section = typed.section.slug if typed.section else ""
    into = posted.get("into", "")

    def edit(content: DeckContent) -> DeckContent:
        place = section or edits.home_of(game, card.type, format_of(content, game), into)
        if not typed.is_fewer:
            return _with_line(content, Entry(card, copies, place, marks))
        # Copies are taken out of any section that has the card, unless the line names one.
        sections = [entry.section for entry in content.deck if entry.card.code == card.code]
        if not sections or (section and section not in sections):
            raise EditRefused("not_in_the_deck", f"The deck has no {card.name} to take out.", "line")
        if place not in sections:
            place = sections[0]
        return edits.with_more(content, card, place, -copies, marks.prints)

    # Either function may have read another card for a misspelt name.
    misread = typed.typed or (offer.misread if offer else "")
    note = f"No card is called “{misread[:MAX_TOLD]}”; {card.name} is the likeliest." if misread else ""
    return EditRequest(edit, section, card.code, note=note)


def _with_line(content: DeckContent, entry: Entry) -> DeckContent:
    """The content with the copies of this entry added, and with the note, tags and prints that its line
    states.
    """
    add = edits.with_written if entry.card.written else edits.with_more
    content = add(content, entry.card, entry.section, entry.count, entry.marks.prints)
    return edits.marked_by_line(content, entry.section, entry.card.code, entry.marks)


def _lines(posted: Mapping[str, str], game: Game, own: OwnOfGame) -> EditRequest:
    """The edit "lines": several lines of a decklist, with headings. If one is not understood, none counts."""
    text = posted.get("lines", "")
    if not text.strip():
        raise Refused(Fault("empty", "Write or paste some lines: one card a line, the count first.", "lines"))
    if len(text) > MAX_PIECE:
        sentence = f"These are {len(text):,} characters; at most {MAX_PIECE:,} are added at once."
        raise Refused(Fault("too_large", sentence, "lines"), status=413)

    def edit(content: DeckContent) -> DeckContent:
        reading = read_text(
            game,
            text,
            format_of(content, game),
            [*own.cards.values(), *(entry.card for entry in content.deck if entry.card.has_page)],
            titled=False,
        )
        if reading.unread:
            raise Refused(*map(_not_read, reading.unread[:MAX_FAULTS]))
        if not reading.deck.entries:
            raise EditRefused("empty", "These lines name no card.", "lines")
        content = replace(content, notes=with_comments(content.notes, reading))
        return reduce(_with_line, reading.deck, content)

    return EditRequest(edit)


def _not_read(unread: Unread) -> Fault:
    """Return the fault: ``Line 2, “1 Kia”: Spycraft has no card called “Kia”. Did you mean Kai or Kim?``"""
    instead = (
        f" Did you mean {' or '.join(unread.suggestions[:MAX_SUGGESTED])}?" if unread.suggestions else ""
    )
    sentence = f"Line {unread.line}, “{unread.text[:MAX_TOLD]}”: {unread.message}{instead}"
    return Fault(unread.code, sentence, f"line {unread.line}")


def known_section(game: Game, *sections: str) -> None:
    """Raise Refused, with the names of the game's sections, unless the game has all of these
    section slugs.
    """
    if not game.sections_by_slug.keys() >= {*sections}:
        names = ", ".join(section.name for section in game.sections)
        sentence = f"{game.name} decks have no such section. There are: {names}."
        raise Refused(Fault("unknown_section", sentence, "section"))


def card_of(content: DeckContent, game: Game, code: str) -> Card:
    """The card of this code: the deck's own, which may be retired or written in, else the game's. Raise
    EditRefused if there is none, or if it is a card that does not stand in decks.
    """
    card = next((entry.card for entry in content.deck if entry.card.code == code), None) or game.card(code)
    if card is None:
        told = f"{game.name} has no card “{code[:MAX_TOLD]}” that could be added."
        sentence = f"{told} Find it on the left, or write it in."
        raise EditRefused("unknown_card", sentence, "card")
    if not game.type_named(card.type).in_decks and not edits.copies_of(content, code):
        raise EditRefused("not_for_decks", f"{card.name} is not a card that stands in decks.", "card")
    return card
