"""One line of a list: how many of which card, or a card that the line describes itself."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple
from zlib import crc32

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import likeliest, splits, visible
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
from cardsdb.games.kit.model.text import fold, slugify

MAX_COUNT = 99
MAX_LINE = 300
MAX_WRITTEN = 2_000
WRITTEN_WIDTH = 100
NOTHING_ELSE = NameIndex(())
# The source of every fact of a written-in card.
WRITTEN_IN = Claim("", note="written in by the author of the list")
# Written in place of a type where a list names, on purpose, a card that is not in the catalogue.
UNKNOWN = "unknown"

# Written behind the name of a type where a list counts a card without showing it.
COVERED = "secret"

_SET_FIRST = re.compile(r"\[(?![xX×]?[0-9]+[xX×]?\])(?P<print>[^\]]*)\]\s*(?P<rest>\S.*)")


class LineRefused(Exception):
    """A line that was not understood: a code, a sentence, and suggestions of what would be understood."""

    def __init__(self, code: str, message: str, suggestions: Iterable[str] = ()) -> None:
        self.code, self.message, self.suggestions = code, message, tuple(suggestions)


class AmbiguousLine(LineRefused):
    """A line whose name several cards bear: each as the line would have it, as soon as its section is
    known.
    """

    def __init__(self, cards: tuple[Card, ...], labels: Iterable[str]) -> None:
        super().__init__("ambiguous", f"{len(cards)} cards are called {cards[0].name}; say which.", labels)
        self.cards, self.copies, self.marks = cards, 1, NO_MARKS
        self.readings: tuple[Entry, ...] = ()


class CardLine(NamedTuple):
    """One line as read: how many copies of which card, what was set aside, and the author's marks."""

    copies: int
    card: Card
    ignored: str = ""
    marks: Marks = NO_MARKS


def read_card_line(game: Game, line: str, types: tuple[str, ...], also: NameIndex = NOTHING_ELSE) -> CardLine:
    """Read one line of a list.

    ``types`` are the types that the heading above takes; they decide between cards of one name. ``also`` are
    cards that this list may name although the game has them no longer, or never had: a visitor's own. Raises
    LineRefused.
    """
    line, tail = behind_bar(line)
    marks = read_marks(tail)
    if marks is None:
        raise LineRefused("bad_marks", f"“{tail[:60]}” is no mark: write ^keep, #tag or // a note.")
    refuse_long_marks(marks)
    line = visible(line)
    readings = list(splits(line)) if "|" in line else []
    unknown = next(((count, name) for count, rest in readings if (name := _named_unknown(game, rest))), None)
    for count, rest in () if unknown else readings:
        if card := _covered(game, rest) or _written_in(game, rest, also):
            return CardLine(_bounded(count, card), card, "", marks)
    for index in (game.name_index, also):
        for count, rest in [unknown] if unknown else splits(line) if index.cards else ():
            match = index.find(rest, is_counted=count is not None)
            if not match.cards and (bracketed := _SET_FIRST.fullmatch(rest)):
                match = index.find(bracketed["rest"], bracketed["print"])
            if match.cards:
                marks = read_marks(f"{match.marks} {tail}") or marks
                try:
                    card = _only(index, match.cards, types)
                except AmbiguousLine as line_refused:
                    refuse_long_marks(marks)
                    line_refused.copies, line_refused.marks = _bounded(count, match.cards[0]), marks
                    raise
                marks = replace(marks, prints=Prints.of(card.print_meant(match.set, match.number)))
                refuse_long_marks(marks)
                return CardLine(_bounded(count, card), card, match.ignored, marks)
    if unknown:
        card = unknown_card(game, unknown[1])
        return CardLine(_bounded(unknown[0], card), card, "", marks)
    raise LineRefused("unknown_card", _unknown(game, name_in(line)))


def refuse_long_marks(marks: Marks) -> None:
    """Raises LineRefused for marks that a deck has no room for."""
    if marks is not NO_MARKS and (sentence := wrong_with(marks)):
        raise LineRefused("bad_marks", sentence)


def with_name(line: str, name: str) -> str:
    """The line as it would name another card: ``2x Termitte #blue`` -> ``2 Termite #blue``."""
    count, _, tail = _in_parts(line)
    return f"{count} {name} {tail}".rstrip()


def with_count(game: Game, line: str, count: int, card: Card) -> str:
    """The line with so many copies of this card, which it names: ``3x Kai (ON) #blue`` -> ``2 Kai (ON)
    #blue``.
    """
    rests = [rest for _, rest in splits(visible(" ".join(line.split())))]
    rest = next(
        (rest for rest in rests if any(one.key == card.key for one in game.name_index.find(rest).cards)),
        rests[0],
    )
    return f"{count} {rest}"


def as_unknown(line: str) -> str:
    """The line as it names, on purpose, a card that is not in the catalogue: ``2x Ghost #blue`` -> ``2
    Ghost | unknown | #blue``.
    """
    count, name, tail = _in_parts(line)
    return f"{count} {name.replace('|', '¦')} | {UNKNOWN}" + (f" | {tail.lstrip('| ')}" if tail else "")


def name_in(line: str) -> str:
    """The name by which a line calls its card, known or not: ``2x Ghost #blue`` -> ``Ghost``."""
    return _in_parts(line)[1]


def _in_parts(line: str) -> tuple[int, str, str]:
    """(count, name, marks as written) of a line whose name may be anything."""
    stated, rest = likeliest(visible(" ".join(line.split())))
    begin, count = begin_of_marks(rest), 1 if stated is None else stated
    tail = rest[begin:].strip()
    return (count, rest[:begin].rstrip(), tail) if tail and read_marks(tail) else (count, rest, "")


def _named_unknown(game: Game, rest: str) -> str:
    """The name before ``| unknown``, unless the game has a type of that name; empty otherwise."""
    name, bar, kind = rest.rpartition("|")
    is_so = (
        bar
        and fold(kind) == UNKNOWN
        and UNKNOWN not in game.kinds_by_word
        and any(char.isalnum() for char in name)
    )
    return name.strip() if is_so else ""


def unknown_card(game: Game, name: str) -> Card:
    """A card of which only the name is known."""
    return Card(game.slug, written_code(name), name, "", written=True)


def covered_card(game: Game, card_type: str) -> Card:
    """The card that stands for one of this type which its owner does not show."""
    return Card(
        game.slug,
        f"secret-{card_type}",
        f"A secret {game.type_named(card_type).name}",
        card_type,
        written=True,
    )


def _covered(game: Game, rest: str) -> Card | None:
    """The card that ``X-File | secret`` stands for; None for any other line."""
    name, bar, kind = rest.rpartition("|")
    if not bar or fold(kind) != COVERED or COVERED in game.kinds_by_word:
        return None
    hidden = {slug for section in game.sections if section.secret for slug in section.types}
    for each in game.types:
        if each.slug in hidden and fold(name) in (fold(each.name), each.slug):
            return covered_card(game, each.slug)
    return None


def written_code(name: str) -> str:
    """A code for a written-in name; names that differ only in what a slug leaves out get different codes."""
    return f"written-{slugify(name)[:60]}-{crc32(fold(name).encode()):08x}"


def line_for(game: Game, entry: Entry) -> str:
    """The line of a list for this entry, of one print at most (``by_print``); with indented lines for long
    notes and many facts.
    """
    card, facts = entry.card, []
    if card.unknown:
        said = f"{card.name.replace('|', '¦')} | {UNKNOWN}"
    elif card.covered:
        said = f"{game.type_named(card.type).name} | {COVERED}"
    elif card.written:
        said, facts = f"{card.name} | {card.type}", facts_as_text(game, card)
    else:
        said = game.name_index.label(card, entry.marks.prints.label)
    lines = [f"{entry.count} {said}"]
    for fact in facts:
        _go_on(lines, fact)
    if words := marks_as_words(entry.marks):
        inline = f"{lines[0]} {' '.join(words)}"
        if not card.written and "|" not in inline and len(inline) <= WRITTEN_WIDTH:
            return inline
        for word in words:
            _go_on(lines, word)
    return "\n".join(lines)


def _go_on(lines: list[str], part: str) -> None:
    """Append one more part behind a bar, on a new line if the last one is full."""
    if len(lines[-1]) + len(part) > WRITTEN_WIDTH:
        lines.append(f"  | {part}")
    else:
        lines[-1] += f" | {part}"


def facts_as_text(game: Game, card: Card) -> list[str]:
    """The facts of a written-in card, each as a line says it."""
    return [
        f"{game.facts_by_key[key].title}: {_fact_text(value)}"
        for key, value in card.facts.items()
        if key in game.facts_by_key
    ]


def _fact_text(value: FactValue) -> str:
    """A fact as ``Fact.read`` reads it: words that hold a comma need semicolons between them."""
    if isinstance(value, tuple) and any("," in word for word in value):
        return "; ".join(value) + ";"
    return as_words(value)


def _unknown(game: Game, name: str) -> str:
    sentence = f"{game.name} has no card called “{name[:80]}”."
    if game.write_in:
        sentence += f" To write it in: {name[:40]} | {game.write_in[0]} | fact: value"
    return sentence


def _bounded(count: int | None, card: Card) -> int:
    if count is None:
        return 1
    if not 1 <= count <= MAX_COUNT:
        raise LineRefused("bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}.")
    return count


def _only(index: NameIndex, cards: tuple[Card, ...], types: tuple[str, ...]) -> Card:
    """The one card that is meant. Raises AmbiguousLine if several bear the name."""
    cards = tuple({card.key: card for card in reversed(cards)}.values())[::-1]
    if len(cards) > 1:
        cards = tuple(card for card in cards if card.type in types) or cards
    if len(cards) > 1:
        raise AmbiguousLine(cards, [index.label(card) for card in cards])
    return cards[0]


def as_a_list_has_it(game: Game, card: Card) -> Card:
    """The card as a list says it that writes it in, without what lists have no room for. Raises LineRefused
    where no list can.
    """
    line = " ".join(line_for(game, Entry(card, 1, "")).split())
    if line.count("|") != len(card.facts) + 1:
        raise LineRefused("bad_fact", "A bar (|) cannot stand in a list. Take it out.")
    return read_card_line(game, line, ()).card


def _written_in(game: Game, rest: str, also: NameIndex) -> Card | None:
    """``Name | type | fact: value | ...``: a card the list describes itself; a visitor's own that is just so
    then is that card.
    """
    name, *parts = (part.strip() for part in rest.split("|"))
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
    _refuse_what_cannot_be_written_again(game, card)
    own = (one for one in also.called(name) if one.own and one.type == card_type and dict(one.facts) == facts)
    return next(own, card)


def _refuse_what_cannot_be_written_again(game: Game, card: Card) -> None:
    """Raises LineRefused for a card whose line would be too long when written out (``a;b`` becomes ``a, b``):
    it could not be read back.
    """
    if len(f"{MAX_COUNT} {card.name} | {card.type}") > MAX_LINE:
        raise LineRefused(
            "line_too_long",
            f"The name “{card.name[:40]}…” is too long; a line has room for {MAX_LINE} characters.",
        )
    facts = [f"  | {fact}" for fact in facts_as_text(game, card)]
    for fact in facts:
        if len(fact) > MAX_LINE:
            label = fact.removeprefix("  | ").partition(":")[0]
            raise LineRefused(
                "bad_fact",
                f"{label} comes to {len(fact) - 4} characters; a line has room for {MAX_LINE}. Shorten it.",
            )
    if len(line_for(game, Entry(card, MAX_COUNT, ""))) > MAX_WRITTEN:
        raise LineRefused(
            "bad_fact",
            f"The facts of {card.name[:40]} come to more than {MAX_WRITTEN:,} characters. Shorten them.",
        )
