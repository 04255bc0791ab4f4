"""Reads the text typed into the editor's search box: a line that changes the deck, or a search query.

    2 Kai, Kai 2     adds 2 Kai           -1 Kai          takes out 1 Kai
    2 ka             adds 2 Kai           2 Kia           adds 2 Kai, and says that "Kia" was misread
    deck: 2 Kai      adds to a section    Kai             adds 1 Kai: the whole name of one card
    ka, glock 1, 2 type:agent             searches

``views.py`` asks ``is_line`` if a text is a line. ``card_pane.py`` shows the card that ``offer_in`` finds
while the author still types. ``changes.py`` makes the edit, with ``offer_in`` and ``read_typed``. Invariant:
Enter does what the box offers, so a misspelt name stands for the same likeliest card in both. If no card is
likely, or several share the name, nothing is offered, and ``LineNotRead`` lists lines that would be
understood. Tests: ``tests/decks/editor/test_typed_line.py``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

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

# A minus before a line takes copies out; inside a name it is a hyphen. Both "-" and the sign "−" count.
_MINUS = re.compile(r"[-−]\s*(?=\S)")
# A count behind the name: "Kai 2". ``likeliest`` reads "Kai x2", but leaves a bare number in the name.
_COUNT_LAST = re.compile(r"(?P<name>.*\S)\s(?P<count>[0-9]{1,2})")
# Signs of the search language, which names of cards rarely contain.
_QUERY = re.compile(r'[:=<>"|()]')
# The most names suggested that begin with the typed letters.
MAX_BEGINNING = 5


@dataclass(frozen=True)
class Offer:
    """A card that the box offers to add or take out, found from a text with a count.

    ``copies`` is at least 1; ``is_fewer`` means that they are taken out. ``typed`` is the name as typed,
    without set and marks. ``line`` is the complete line that makes the change, marks included. ``misread`` is
    the typed name if the card's real name is unlike it, else empty. For "2 Kia"::

        Offer(card=<Kai>, copies=2, typed="Kia", line="2 Kai", is_fewer=False, misread="Kia")
    """

    card: Card
    copies: int
    typed: str
    line: str
    is_fewer: bool = False
    misread: str = ""

    @property
    def words(self) -> str:
        """The button's words: "Add 2" or "Take out 1"."""
        return f"{'Take out' if self.is_fewer else 'Add'} {self.copies}"


@dataclass(frozen=True)
class TypedLine:
    """A line as read. ``section`` is the section named before the card, or None. ``is_fewer`` means that the
    copies are taken out. ``typed`` is the misspelt name in whose place the likeliest card was read, else
    empty.
    """

    read: CardLine
    section: Section | None
    is_fewer: bool
    typed: str = ""


class LineNotRead(Refused):
    """Raised for a line that was not understood. ``lines`` are similar lines that would be.

    If no card has the typed name, ``name`` is that name, and ``unknown`` is a line that adds it as an unknown
    card.
    """

    def __init__(
        self, refused: LineRefused, lines: tuple[str, ...], name: str = "", unknown: str = ""
    ) -> None:
        super().__init__(Fault(refused.code, refused.message, "line"))
        self.lines, self.name, self.unknown = lines, name, unknown


class _Counted(NamedTuple):
    """A text split into its parts. ``count`` is 0 if there is none; ``is_first``: the count stands before the
    name.
    """

    has_minus: bool
    count: int
    name: str
    is_first: bool


def offer_in(game: Game, text: str, also: NameIndex = NOTHING_ELSE) -> Offer | None:
    """Return the one card that a text with a count names, or begins to name while it is being typed; or one
    copy of the card of which the text is the whole name. ``also``: the names of the author's own cards.

    Return None for any other text, and if several cards that may stand in decks share the name.
    """
    if len(text) > MAX_LINE or "|" in text:
        return None
    text, index = " ".join(text.split()), game.name_index
    if whole := _only_one(game, [index.called(text) or also.called(text)]):
        return Offer(whole, 1, text, f"1 {index.label(whole)}")
    counted = _counted(text)
    # "glock 1" begins the name "Glock 17", so the number is not a count.
    if not 1 <= counted.count <= MAX_COUNT or _begins_a_name(index, text):
        return None
    if not counted.is_first:
        return _offer_behind(game, counted, also)
    line = f"{counted.count} {counted.name}"
    # Without the set and the marks that may follow it.
    name = typed = name_in(line)
    # First the cards of exactly this name, then the card of the whole line, then those of likely names.
    exact = index.called(name) or also.called(name)
    if not exact:
        try:
            exact = (read_card_line(game, line, (), also).card,)
            # Only the whole line named the card, as in "2 [ON] Kai": its own name is searched for.
            typed = exact[0].name
        except LineRefused as refused:
            if refused.code != "unknown_card":
                return None
    groups = [exact] if exact else [index.called(likely) for likely in _likely_names(index, name)]
    card = _only_one(game, groups)
    if card is None:
        return None
    sign = "-" if counted.has_minus else ""
    # A likely name that contains the typed letters is a completion, any other a correction.
    misread = "" if exact or fold(name) in fold(card.name) else name
    complete_line = f"{sign}{with_name(line, index.label(card))}"
    return Offer(card, counted.count, typed, complete_line, counted.has_minus, misread)


def is_line(game: Game, text: str) -> bool:
    """True if a text is a line that changes the deck, False if it is a search query. A line has a count,
    is the whole name of a card, writes a card in ("|"), or names a section before a counted card.

    A count before a name is enough, even if no card has the name. A count behind it is one only if a card has
    the name in front of it.
    """
    text = " ".join(text[: MAX_WRITTEN + 1].split())
    _, line = _without_minus(text)
    heading, colon, rest = line.partition(":")
    names_section = colon and _section_called(game, heading) and _counted(rest.strip()).is_first
    if "|" in text or names_section or offer_in(game, text):
        return True
    counted = _counted(text)
    if not counted.is_first or _begins_a_name(game.name_index, text):
        return False
    line = f"{counted.count} {counted.name}"
    if not _QUERY.search(name_in(line)):
        return True
    # "2 type:agent" looks like a query, and is a line only if it can be read as one.
    try:
        read_card_line(game, line[: MAX_LINE + 1], ())
    except LineRefused as refused:
        return refused.code != "unknown_card"
    return True


def read_typed(game: Game, text: str, also: NameIndex = NOTHING_ELSE) -> TypedLine:
    """Read a typed text as one line of a decklist: a minus, a section with a colon, a count, a name, marks.
    All but the name may be absent.

    Raise LineNotRead, with lines that would be understood, if it names no card or several; raise Refused if
    it is empty or too long. ``also``: the names of the author's own cards.
    """
    # One more character than allowed is kept, so that a longer text is refused below instead of being cut.
    line = " ".join(text[: MAX_WRITTEN + 1].split())
    if not line:
        sentence = "Write a card’s name, with a count before it if it is more than one: 2 Kai."
        raise Refused(Fault("empty", sentence, "line"))
    if len(line) > (MAX_WRITTEN if "|" in line else MAX_LINE):
        raise Refused(Fault("line_too_long", f"A line has at most {MAX_LINE} characters.", "line"))
    is_fewer, line = _without_minus(line)
    heading, colon, rest = line.partition(":")
    section = _section_called(game, heading) if colon and rest.strip() else None
    line = rest.strip() if section else line
    types = section.types if section else ()
    try:
        return TypedLine(read_card_line(game, line, types, also), section, is_fewer)
    except LineRefused as error:
        refused = error
    # The line was not understood. ``lines``: the same line with each name that may be meant.
    index, names, labels = game.name_index, list[str](), list[str]()
    if refused.code == "ambiguous":
        labels = list(refused.suggestions)
    elif refused.code == "unknown_card" and "|" not in line:
        names = _likely_names(index, name_in(line), is_query_too=True)
        labels = [index.label(card) for name in names for card in index.called(name)]
    lines = [with_name(line, label) for label in dict.fromkeys(labels)]
    # A count says that a card is meant: then the likeliest card is read in place of the typed name.
    if names and len(index.called(names[0])) == 1 and _counted(line).is_first:
        try:
            return TypedLine(read_card_line(game, lines[0], types), section, is_fewer, name_in(line))
        except LineRefused as error:
            # The name is fine now, but something else is wrong, such as a tag.
            refused, lines = error, []
    # The minus and the section were cut off above; the suggested lines get them back.
    before = f"{'-' if is_fewer else ''}{f'{heading}: ' if section else ''}"
    suggested = tuple(before + similar for similar in lines)
    if refused.code != "unknown_card":
        raise LineNotRead(refused, suggested)
    unknown = "" if is_fewer else f"{before}{as_unknown(line)}"
    raise LineNotRead(refused, suggested, name_in(line), unknown)


def _offer_behind(game: Game, counted: _Counted, also: NameIndex) -> Offer | None:
    """The offer for a count behind a name ("Kai 2"), which must be a card's whole name. The minus of "-Kai 2"
    takes nothing out.
    """
    card = _only_one(game, [game.name_index.called(counted.name) or also.called(counted.name)])
    if card is None:
        return None
    return Offer(card, counted.count, counted.name, f"{counted.count} {game.name_index.label(card)}")


def _only_one(game: Game, groups: Iterable[Iterable[Card]]) -> Card | None:
    """The card that may stand in decks, of the first group that has any. None if that group has several."""
    for group in groups:
        if cards := [card for card in group if game.type_named(card.type).in_decks]:
            return cards[0] if len(cards) == 1 else None
    return None


def _counted(text: str) -> _Counted:
    """Split a text: "-2 Kai" -> (True, 2, "Kai", True), "Kai 2" -> (False, 2, "Kai", False)."""
    has_minus, text = _without_minus(text)
    count, name = likeliest(text)
    if count is None and (last := _COUNT_LAST.fullmatch(text)):
        count, name = int(last["count"]), last["name"]
    # If the text ends with the name, the count stands before it.
    return _Counted(has_minus, count or 0, name, count is not None and text.endswith(name))


def _without_minus(text: str) -> tuple[bool, str]:
    """Return (True if the text begins with a minus, the text without it)."""
    minus = _MINUS.match(text)
    return (True, text[minus.end() :]) if minus else (False, text)


def _begins_a_name(index: NameIndex, text: str) -> bool:
    """True if a card's name begins with this text, as a name that starts or ends with a number does."""
    folded = fold(text)
    return any(name.startswith(folded) for name in index.names)


def _likely_names(index: NameIndex, name: str, is_query_too: bool = False) -> list[str]:
    """The folded names that a misspelt or unfinished name may stand for, likeliest first: names that begin
    with it, else names with a word that begins with it, else names of similar spelling.

    ``is_query_too``: look for similar names even if the text has signs of the search language.
    """
    begun, typed = index.beginning(name), fold(name)
    if whole := [candidate for candidate in begun if candidate.startswith(typed)]:
        return whole[:MAX_BEGINNING]
    if _QUERY.search(name) and not is_query_too:
        return []
    return begun[:MAX_BEGINNING] or index.like(name, MAX_NAMES)


def _section_called(game: Game, heading: str) -> Section | None:
    """Return the section with this slug, name or other heading, in any case of letters; None if there is
    none.
    """
    for section in game.sections:
        if fold(heading) in map(fold, (section.slug, section.name, *section.headings)):
            return section
    return None
