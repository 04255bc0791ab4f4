"""Read what is typed into the editor's box: words to search by, or a line with a count, which adds a card.

A count may stand before a name, or behind one that a card has exactly. Where no card has the name before
which a count stands, the likeliest one is read, which the box has offered by then. Where nothing is likely,
or several cards share the name and no set tells them apart, nothing is offered and the refusal says what
would be understood.
"""

import re
from dataclasses import dataclass

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game, NameIndex, Section, fold
from cardsdb.games.kit.listtext.forms import likeliest
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    MAX_WRITTEN,
    NOTHING_ELSE,
    CardLine,
    LineRefused,
    as_unknown,
    name_in,
    read_card_line,
    with_name,
)
from cardsdb.search.query.fields import MAX_NAMES

# Before a line it takes copies out; within a name it is a hyphen.
_MINUS = re.compile(r"[-−]\s*(?=\S)")
_COUNT_LAST = re.compile(r"(?P<name>.*\S)\s(?P<count>[0-9]{1,2})")
# Signs of a query, which few names of cards have.
_QUERY = re.compile(r'[:=<>"|()]')
# Names that are offered because they begin as typed.
MAX_BEGINNING = 5


@dataclass(frozen=True)
class Offer:
    """So many copies of a card that a text with a count names. ``typed`` is the name as it was typed, without
    set and marks.

    ``line`` is what adds them, with the marks. ``misread`` is the typed name if the card's is not like it,
    else empty.
    """

    card: Card
    copies: int
    typed: str
    line: str
    is_fewer: bool = False
    misread: str = ""

    @property
    def words(self) -> str:
        return f"{'Take out' if self.is_fewer else 'Add'} {self.copies}"


@dataclass(frozen=True)
class TypedLine:
    """A line as read. ``section`` is the one named before it, ``typed`` the name in whose place a likelier
    one was read, or empty.
    """

    read: CardLine
    section: Section | None
    is_fewer: bool
    typed: str = ""


class LineNotRead(Refused):
    """A line that was not understood, with lines that would be.

    Where no card has the name, ``name`` is what was typed and ``unknown`` the line that keeps it as an
    unknown card.
    """

    def __init__(
        self, refused: LineRefused, lines: tuple[str, ...], name: str = "", unknown: str = ""
    ) -> None:
        super().__init__(Fault(refused.code, refused.message, "line"))
        self.lines, self.name, self.unknown = lines, name, unknown


def offer_in(game: Game, text: str, also: NameIndex = NOTHING_ELSE) -> Offer | None:
    """The card that a text with a count names, or begins to name before it has the whole name. ``also``:
    the author's own cards.

    None for any other text, such as a name that ends with a number, and where several cards that stand in
    decks share the name.
    """
    if len(text) > MAX_LINE or "|" in text:
        return None
    text, index = " ".join(text.split()), game.name_index
    minus, copies, rest, first = _counted(text)
    if not 1 <= copies <= MAX_COUNT or _begins_a_name(index, text):
        return None
    line = f"{copies} {rest}"
    name = name_in(line) if first else rest
    called = exact = index.called(name) or also.called(name)
    if first and not exact:
        try:
            exact = (read_card_line(game, line, (), also).card,)
        except LineRefused as refused:
            if refused.code != "unknown_card":
                return None
    candidates = [exact] if exact else map(index.called, _likely_names(index, name) if first else ())
    in_decks = ([card for card in cards if game.type_named(card.type).in_decks] for cards in candidates)
    cards = next(filter(None, in_decks), [])
    if len(cards) != 1:
        return None
    (card,), is_fewer = cards, minus and first
    typed = card.name if exact and not called else name
    misread = "" if exact or fold(name) in fold(card.name) else name
    added = with_name(line, index.label(card)) if first else f"{copies} {index.label(card)}"
    return Offer(card, copies, typed, f"{'-' if is_fewer else ''}{added}", is_fewer, misread)


def _counted(text: str) -> tuple[bool, int, str, bool]:
    """(whether a minus stands before all, the count, 0 for none, the rest, whether the count stands before
    it).
    """
    minus = _MINUS.match(text)
    text = text[minus.end() :] if minus else text
    count, rest = likeliest(text)
    if count is None and (last := _COUNT_LAST.fullmatch(text)):
        count, rest = int(last["count"]), last["name"]
    return bool(minus), count or 0, rest, count is not None and text.endswith(rest)


def _begins_a_name(index: NameIndex, text: str) -> bool:
    folded = fold(text)
    return any(name.startswith(folded) for name in index.names)


def _likely_names(index: NameIndex, name: str, is_query_too: bool = False) -> list[str]:
    """The folded names that a name as typed may mean, where no card has it: those that begin so, else have a
    word that does, else alike.

    ``is_query_too``: whether a name with the signs of a query may be a misspelt one.
    """
    begun, typed = index.beginning(name), fold(name)
    if whole := [one for one in begun if one.startswith(typed)]:
        return whole[:MAX_BEGINNING]
    if _QUERY.search(name) and not is_query_too:
        return []
    return begun[:MAX_BEGINNING] or index.like(name, MAX_NAMES)


def is_line(game: Game, text: str) -> bool:
    """True if a text is meant to add something and is no query: it has a count, writes a card in, or names a
    section before a card.

    A count before a name is enough, even if no card has the name; one behind it only where a card has that
    name.
    """
    text = " ".join(text[: MAX_WRITTEN + 1].split())
    minus = _MINUS.match(text)
    heading, colon, rest = text[minus.end() if minus else 0 :].partition(":")
    if (
        "|" in text
        or (colon and _section_called(game, heading) and _counted(rest.strip())[3])
        or offer_in(game, text)
    ):
        return True
    _, count, name, first = _counted(text)
    if not first or _begins_a_name(game.name_index, text):
        return False
    line = f"{count} {name}"
    if not _QUERY.search(name_in(line)):
        return True
    try:
        read_card_line(game, line[: MAX_LINE + 1], ())
    except LineRefused as refused:
        return refused.code != "unknown_card"
    return True


def read_typed(game: Game, text: str, also: NameIndex = NOTHING_ELSE) -> TypedLine:
    """Read what was typed as one line of a list: a minus, a section, a count, a name, marks. Raises Refused,
    mostly LineNotRead.
    """
    line = " ".join(text[: MAX_WRITTEN + 1].split())
    if not line:
        sentence = "Write a card’s name, with a count before it if it is more than one: 2 Kai."
        raise Refused(Fault("empty", sentence, "line"))
    if len(line) > (MAX_WRITTEN if "|" in line else MAX_LINE):
        raise Refused(Fault("line_too_long", f"A line has at most {MAX_LINE} characters.", "line"))
    minus = _MINUS.match(line)
    is_fewer, line = bool(minus), line[minus.end() :] if minus else line
    heading, colon, rest = line.partition(":")
    section = _section_called(game, heading) if colon and rest.strip() else None
    line = rest.strip() if section else line
    types = section.types if section else ()
    try:
        return TypedLine(read_card_line(game, line, types, also), section, is_fewer)
    except LineRefused as refused:
        index = game.name_index
        is_unknown = refused.code == "unknown_card"
        names = _likely_names(index, name_in(line), True) if is_unknown and "|" not in line else []
        labels = [index.label(card) for name in names for card in index.called(name)]
        if refused.code == "ambiguous":
            labels = list(refused.suggestions)
        lines = tuple(dict.fromkeys(with_name(line, label) for label in labels))
        if names and len(index.called(names[0])) == 1 and _counted(line)[3]:
            try:
                return TypedLine(read_card_line(game, lines[0], types), section, is_fewer, name_in(line))
            except LineRefused as wrong_otherwise:
                refused, lines = wrong_otherwise, ()
        # What stood before the line stands before each that is added instead.
        before = ("-" if is_fewer else "") + (f"{heading}: " if section else "")
        lines = tuple(f"{before}{instead}" for instead in lines)
        if refused.code != "unknown_card":
            raise LineNotRead(refused, lines) from None
        unknown = "" if is_fewer else f"{before}{as_unknown(line)}"
        raise LineNotRead(refused, lines, name_in(line), unknown) from None


def _section_called(game: Game, heading: str) -> Section | None:
    return next((s for s in game.sections if fold(heading) in map(fold, (s.slug, s.name, *s.headings))), None)
