"""One line of a deck list: ``read_card_line`` reads it, ``line_for`` writes it.

    2 Kai (ON) #blue                    a card of the game, with its set and a mark
    1 Nightingale | agent | power: 3    a card written in: the line states its type and facts
    1 Ghost | unknown                   an unknown card: the author knows only its name
    1 X-File | secret                   a covered card: its owner shows only its type

The last three make a ``Card`` with ``written=True``, since the catalogue does not have them. ``deck.py``
calls both functions for each line. Every line that is written must be read back as the same entry.
Tests: ``tests/cardsdb/games/kit/listtext/test_line.py``, ``test_deck.py``; lines that are refused in
``test_reading.py``.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple
from zlib import crc32

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import Split, likeliest, splits, visible
from cardsdb.games.kit.model.cards import Card, Claim, FactValue, as_words
from cardsdb.games.kit.model.decklist import NO_MARKS, Entry, Marks, Prints
from cardsdb.games.kit.model.marks import (
    begin_of_marks,
    behind_bar,
    marks_as_words,
    read_marks,
    wrong_with,
)
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.print_words import NameMatch
from cardsdb.games.kit.model.text import fold, slugify

MAX_COUNT = 99  # copies of a card
MAX_LINE = 300  # characters of a line
MAX_WRITTEN = 2_000  # characters of all lines together that a card with many facts takes
WRITTEN_WIDTH = 100  # characters after which a written card goes on in a new line
# What ``_append`` writes before the marks of a line that goes on; it does not count towards MAX_LINE.
_BAR = len("  | // ")
# Marks behind a bar at the beginning of a line: ``| ^keep``, ``| #tag``, ``| // a note``.
_MARKS_BELOW = re.compile(r"\s*\|\s*(?:\^|#|//)")
NOTHING_ELSE = NameIndex(())
# The source of every fact of a written-in card.
WRITTEN_IN = Claim("", note="written in by the author of the list")
# The words behind the bar of an unknown and of a covered card. The second is "secret" because only types of
# a section with ``Section.secret`` can be covered.
UNKNOWN = "unknown"
COVERED = "secret"

# A print before the name: "[ON:12] Kai". A number in brackets, "[2] Kai", is a count.
_SET_FIRST = re.compile(r"\[(?![xX×]?[0-9]+[xX×]?\])(?P<print>[^\]]*)\]\s*(?P<rest>\S.*)")


class LineRefused(Exception):
    """A line was not understood. ``code`` names the reason, ``message`` is a sentence for the author, and
    ``suggestions`` are words that could stand in the line.
    """

    def __init__(self, code: str, message: str, suggestions: Iterable[str] = ()) -> None:
        self.code, self.message, self.suggestions = code, message, tuple(suggestions)


class AmbiguousLine(LineRefused):
    """Several cards have the name in a line. ``labels``: for each card a text that names only it.
    ``readings`` is empty at first; ``deck.py``, which knows the section, sets it to the entry that the line
    would be for each card.
    """

    def __init__(self, cards: tuple[Card, ...], labels: Iterable[str], copies: int, marks: Marks) -> None:
        super().__init__("ambiguous", f"{len(cards)} cards are called {cards[0].name}; say which.", labels)
        self.cards, self.copies, self.marks = cards, copies, marks
        self.readings: tuple[Entry, ...] = ()


class CardLine(NamedTuple):
    """A line that was read."""

    copies: int
    card: Card
    ignored: str = ""  # a print that was named but is not known
    marks: Marks = NO_MARKS


def read_card_line(game: Game, line: str, types: tuple[str, ...], also: NameIndex = NOTHING_ELSE) -> CardLine:
    """Read one line of a list. Raises LineRefused.

    ``types``: card types that the heading above takes; they decide between cards of one name. ``also``: cards
    that this list may name though they are not in the game: retired cards, and a visitor's own.

    The line is tried as
      1. a covered or written-in card, if it has a bar and is not marked as unknown;
      2. the name of a card of the game, then of ``also``. An unknown card may be known by now, so
         "2 Kai | unknown" is read as 2 copies of Kai;
      3. an unknown card, if it is marked as one.
    """
    line, tail = behind_bar(line)
    marks = read_marks(tail)
    if marks is None:
        raise LineRefused("bad_marks", f"“{tail[:60]}” is no mark: write ^keep, #tag or // a note.")
    refuse_long_marks(marks)
    line = visible(line)
    # The ways to split the line into (count, rest): "2 Kai" -> [(2, "Kai"), (None, "2 Kai")].
    ways = list(splits(line))
    ways_with_bar = ways if "|" in line else []
    named_unknown = [Split(count, _named_unknown(game, rest)) for count, rest in ways_with_bar]
    unknown = [way for way in named_unknown if way.name][:1]
    if not unknown:
        for count, rest in ways_with_bar:
            if card := _covered(game, rest) or _written_in(game, rest, also):
                return CardLine(_bounded(count, card), card, "", marks)
    for index in (game.name_index, also):
        count, match = _looked_up(index, unknown or ways)
        if match.cards:
            # In "2 Kai #blue | #late" the tail is "#late", and the match has found "#blue".
            return _named_card(index, match, types, count, read_marks(f"{match.marks} {tail}") or marks)
    if unknown:
        ((count, name),) = unknown
        card = unknown_card(game, name)
        return CardLine(_bounded(count, card), card, "", marks)
    raise LineRefused("unknown_card", _no_card_sentence(game, name_in(line)))


def _named_unknown(game: Game, rest: str) -> str:
    """The name of the card in a line ``Ghost | unknown`` without its count; empty for other lines."""
    name = _marked_as(UNKNOWN, game, rest)
    return name if any(char.isalnum() for char in name) else ""


def _covered(game: Game, rest: str) -> Card | None:
    """The covered card of ``X-File | secret``, if the type belongs in a secret section; else None."""
    name = _marked_as(COVERED, game, rest)
    hidden = {slug for section in game.sections if section.secret for slug in section.types}
    for each in game.types:
        if each.slug in hidden and fold(name) in (fold(each.name), each.slug):
            return covered_card(game, each.slug)
    return None


def _marked_as(word: str, game: Game, rest: str) -> str:
    """The text before ``| word`` at the end of a line; empty for other lines, and in a game with a card type
    of that name.
    """
    text, bar, kind = rest.rpartition("|")
    return text.strip() if bar and fold(kind) == word and word not in game.kinds_by_word else ""


def _written_in(game: Game, rest: str, also: NameIndex) -> Card | None:
    """The card that ``Nightingale | agent | power: 3`` describes; None for other lines. If a card of the
    visitor's own (in ``also``) has the same name, type and facts, that card. Raises LineRefused for bad
    facts.
    """
    name, *parts = (part.strip() for part in rest.split("|"))
    # Folded word for a type, "branch token" or "token" -> slug of the type.
    kinds = game.kinds_by_word
    if not parts or fold(parts[0]) not in kinds:
        return None
    if not any(char.isalnum() for char in name):
        raise LineRefused("no_name", "A card that is written in needs a name before the first |.")
    card_type = kinds[fold(parts[0])]
    facts: dict[str, FactValue] = {}
    for part in filter(None, parts[1:]):
        label, colon, value = part.partition(":")
        fact = game.fact_named(label)
        if not colon or fact is None or not fact.applies_to(card_type):
            known = [f"{fact.title}:" for fact in game.facts_of(card_type)]
            raise LineRefused(
                "unknown_fact",
                f"“{part}” is not a fact of the type {game.types_by_slug[card_type].name}; write “fact:"
                " value”.",
                known,
            )
        try:
            read = fact.read(value)
        except ValueError as error:
            raise LineRefused("bad_fact", f"{error}.") from None
        if facts.get(fact.key, read) != read:
            raise LineRefused("bad_fact", f"{fact.title} is stated twice.")
        if read is not None:
            facts[fact.key] = read
    card = Card(
        game.slug, written_code(name), name, card_type, facts, sources={"": (WRITTEN_IN,)}, written=True
    )
    _refuse_too_long(game, card)
    for same in also.called(name):
        if same.own and same.type == card_type and dict(same.facts) == facts:
            return same
    return card


def _refuse_too_long(game: Game, card: Card) -> None:
    """Raise LineRefused for a written-in card whose lines would be too long to be read back. They are
    measured as ``line_for`` writes them, which may be longer than what was typed: "a;b" becomes "a, b".
    """
    if len(f"{MAX_COUNT} {card.name} | {card.type}") > MAX_LINE:
        raise LineRefused(
            "line_too_long",
            f"The name “{card.name[:40]}…” is too long; a line has room for {MAX_LINE} characters.",
        )
    for fact in facts_as_text(game, card):
        if len(f"  | {fact}") > MAX_LINE:
            label = fact.partition(":")[0]
            raise LineRefused(
                "bad_fact",
                f"{label} comes to {len(fact)} characters; a line has room for {MAX_LINE}. Shorten it.",
            )
    if len(line_for(game, Entry(card, MAX_COUNT, ""))) > MAX_WRITTEN:
        raise LineRefused(
            "bad_fact",
            f"The facts of {card.name[:40]} come to more than {MAX_WRITTEN:,} characters. Shorten them.",
        )


def _looked_up(index: NameIndex, ways: list[Split]) -> tuple[int | None, NameMatch]:
    """(count, match) of the first way to split a line in which the rest names a card of the index; the match
    has no cards if there is none.
    """
    for count, rest in ways if index.cards else ():
        match = index.find(rest, is_counted=count is not None)
        if not match.cards and (bracketed := _SET_FIRST.fullmatch(rest)):
            match = index.find(bracketed["rest"], bracketed["print"])
        if match.cards:
            return count, match
    return None, NameMatch()


def _named_card(
    index: NameIndex, match: NameMatch, types: tuple[str, ...], count: int | None, marks: Marks
) -> CardLine:
    """The line of a card that was found by its name, with the print that it names among its marks. Raises
    AmbiguousLine if several cards have the name, unless only one of them has one of these types.
    """
    cards = match.cards
    if len(cards) > 1:
        cards = tuple(card for card in cards if card.type in types) or cards
    if len(cards) > 1:
        refuse_long_marks(marks)
        labels = [index.label(card) for card in cards]
        raise AmbiguousLine(cards, labels, _bounded(count, match.cards[0]), marks)
    (card,) = cards
    marks = replace(marks, prints=Prints.of(card.print_meant(match.set, match.number)))
    refuse_long_marks(marks)
    return CardLine(_bounded(count, card), card, match.ignored, marks)


def _bounded(count: int | None, card: Card) -> int:
    """The count of a line, 1 if it states none. Raises LineRefused if it is out of bounds."""
    if count is None:
        return 1
    if not 1 <= count <= MAX_COUNT:
        raise LineRefused("bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}.")
    return count


def _no_card_sentence(game: Game, name: str) -> str:
    sentence = f"{game.name} has no card called “{name[:80]}”."
    if game.write_in:
        sentence += f" To write it in: {name[:40]} | {game.write_in[0]} | fact: value"
    return sentence


def refuse_long_marks(marks: Marks) -> None:
    """Raise LineRefused for marks that a deck has no room for."""
    if marks is not NO_MARKS and (sentence := wrong_with(marks)):
        raise LineRefused("bad_marks", sentence)


def refuse_long(line: str) -> None:
    """Raise LineRefused for a line, perhaps joined, of which a part is too long."""
    for part in line.split("\n"):
        if len(part) > MAX_LINE + (_BAR if part.startswith("  | ") else 0):
            raise LineRefused("line_too_long", f"This line is longer than {MAX_LINE} characters.")


def joined_lines(lines: list[str]) -> list[tuple[int, str]]:
    """(number, line) for each line of a list. A line that begins with | goes on with the card above: it is
    joined to that line, with a line break between them.

    ["2 Kai", "  | #blue", "1 Sab"] -> [(1, "2 Kai\\n  | #blue"), (3, "1 Sab")]
    """
    if not any(line.lstrip().startswith("|") for line in lines):
        return list(enumerate(lines, 1))
    joined: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        number_above, above = joined[-1] if joined else (0, "")
        # Facts go on below a line that has some already; marks, with ^, # or //, below any card. Nothing is
        # joined to what is far too long to be read.
        if (
            line.lstrip().startswith("|")
            and above.strip()
            and ("|" in above or _MARKS_BELOW.match(line))
            and len(above) < 2 * MAX_WRITTEN
        ):
            joined[-1] = number_above, f"{above}\n{line}"
        else:
            joined.append((number, line))
    return joined


# -- cards that the catalogue lacks ---------------------------------------------------


def unknown_card(game: Game, name: str) -> Card:
    """A card of which only the name is known."""
    return Card(game.slug, written_code(name), name, "", written=True)


def covered_card(game: Game, card_type: str) -> Card:
    """A card of this type that its owner does not show."""
    return Card(
        game.slug,
        f"secret-{card_type}",
        f"A secret {game.type_named(card_type).name}",
        card_type,
        written=True,
    )


def written_code(name: str) -> str:
    """The code of a written-in card of this name. The checksum tells names apart that have the same slug."""
    return f"written-{slugify(name)[:60]}-{crc32(fold(name).encode()):08x}"


def as_a_list_has_it(game: Game, card: Card) -> Card:
    """The card as it comes back from a list that writes it in: without what a line cannot state. Raises
    LineRefused if no line can state it.
    """
    line = " ".join(line_for(game, Entry(card, 1, "")).split())
    # One bar stands before the type and one before each fact; any further bar is part of a word.
    if line.count("|") != len(card.facts) + 1:
        raise LineRefused("bad_fact", "A bar (|) cannot stand in a list. Take it out.")
    return read_card_line(game, line, ()).card


# -- writing ----------------------------------------------------------------------------


def line_for(game: Game, entry: Entry) -> str:
    """The text of an entry in a list: one line, and further lines that begin with a bar if facts or notes are
    long. The entry must name one print at most (``by_print`` splits it).
    """
    card, facts = entry.card, []
    # "¦" stands for a bar in the name of an unknown card, since a bar would end the name.
    if card.unknown:
        words = f"{card.name.replace('|', '¦')} | {UNKNOWN}"
    elif card.covered:
        words = f"{game.type_named(card.type).name} | {COVERED}"
    elif card.written:
        words, facts = f"{card.name} | {card.type}", facts_as_text(game, card)
    else:
        words = game.name_index.label(card, entry.marks.prints.label)
    lines = [f"{entry.count} {words}"]
    for fact in facts:
        _append(lines, fact)
    if marks := marks_as_words(entry.marks):
        inline = f"{lines[0]} {' '.join(marks)}"
        if not card.written and "|" not in inline and len(inline) <= WRITTEN_WIDTH:
            return inline
        for mark in marks:
            _append(lines, mark)
    return "\n".join(lines)


def _append(lines: list[str], part: str) -> None:
    """Append a fact or mark to the last of the lines, behind a bar; on a new line if the last one is full."""
    if len(lines[-1]) + len(part) > WRITTEN_WIDTH:
        lines.append(f"  | {part}")
    else:
        lines[-1] += f" | {part}"


def facts_as_text(game: Game, card: Card) -> list[str]:
    """The facts of a written-in card as its line states them: ``Power: 3``."""
    return [
        f"{game.facts_by_key[key].title}: {_fact_text(value)}"
        for key, value in card.facts.items()
        if key in game.facts_by_key
    ]


def _fact_text(value: FactValue) -> str:
    """The value as ``Fact.read`` reads it back: ``Tech, Field``, or ``Tech, old; Field;`` if a word holds a
    comma.
    """
    if isinstance(value, tuple) and any("," in word for word in value):
        return "; ".join(value) + ";"
    return as_words(value)


# -- changing ---------------------------------------------------------------------------


def with_name(line: str, name: str) -> str:
    """The line with another name; its count and marks stay.

    ``2x Termitte #blue``, "Termite" -> ``2 Termite #blue``
    """
    count, _, tail = _in_parts(line)
    return f"{count} {name} {tail}".rstrip()


def with_count(game: Game, line: str, count: int, card: Card) -> str:
    """The line with another count; ``card`` is the card that it names.

    ``3x Kai (ON) #blue``, 2 -> ``2 Kai (ON) #blue``
    """
    rests = [rest for _, rest in splits(visible(" ".join(line.split())))]
    # Of the ways to split the line the one in which the rest names the card.
    for rest in rests:
        if any(found.key == card.key for found in game.name_index.find(rest).cards):
            return f"{count} {rest}"
    return f"{count} {rests[0]}"


def as_unknown(line: str) -> str:
    """The line changed so that it names an unknown card on purpose.

    ``2x Ghost #blue`` -> ``2 Ghost | unknown | #blue``
    """
    count, name, tail = _in_parts(line)
    return f"{count} {name.replace('|', '¦')} | {UNKNOWN}" + (f" | {tail.lstrip('| ')}" if tail else "")


def name_in(line: str) -> str:
    """The name of the card in a line, known or not: ``2x Ghost #blue`` -> ``Ghost``."""
    return _in_parts(line)[1]


def _in_parts(line: str) -> tuple[int, str, str]:
    """(count, name, marks as written) of a line, whatever the name is: "2x Ghost #blue" -> (2, "Ghost",
    "#blue").
    """
    stated, rest = likeliest(visible(" ".join(line.split())))
    count = 1 if stated is None else stated
    begin = begin_of_marks(rest)
    tail = rest[begin:].strip()
    if tail and read_marks(tail):
        return count, rest[:begin].rstrip(), tail
    return count, rest, ""
