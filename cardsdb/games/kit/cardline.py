"""One line of a list: how many of which card, or a card that the line describes itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from cardsdb.games.kit.cards import Card, Claim, FactValue, as_words, fold, slugify
from cardsdb.games.kit.decklist import Entry
from cardsdb.games.kit.names import NameIndex, name_index

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

MAX_COUNT = 99
MAX_LINE = 300
MAX_WRITTEN = 2_000
WRITTEN_WIDTH = 100
NOTHING_ELSE = NameIndex(())

_COUNT_FIRST = re.compile(r"(?:[*•-]\s+)?(?:\[(\d+)\]|\((\d+)\)|(\d+)\s*[xX×]?|[xX×]\s?(\d+))\s+(?P<rest>[^\s|].*)", re.ASCII)
_COUNT_LAST = re.compile(r"(?P<rest>.*\S)\s+[xX×]\s?(\d+)", re.ASCII)
# MD,4,"Name",SET and SB,1,Name
_APPRENTICE = re.compile(r'(?:MD|SB),(?P<count>[0-9]+),(?P<quote>"?)(?P<name>.+?)(?P=quote)(?:,[\w ]*)?')
_SET_FIRST = re.compile(r"\[(?P<set>[^\]:#]*)[^\]]*\]\s*(?P<rest>\S.*)")


class LineRefused(Exception):
    """Why a line was not understood: a code, a sentence, and what would be."""

    def __init__(self, code: str, message: str, suggestions: Iterable[str] = ()) -> None:
        self.code, self.message, self.suggestions = code, message, tuple(suggestions)


def read_card_line(game: Game, line: str, types: tuple[str, ...], also: NameIndex = NOTHING_ELSE) -> tuple[int, Card, str]:
    """(count, card, what was set aside) of one line.

    ``types`` are those that the heading above takes; they decide between cards of one name.
    ``also`` are cards that the game no longer lists and this list may name all the same.
    Raises LineRefused.
    """
    readings = _counted(line)
    for count, rest in readings:
        if card := _written_in(game, rest):
            return _bounded(count, card), card, ""
    for index in (name_index(game), also):
        for count, rest in readings:
            found = index.find(rest)
            if not found.cards and (match := _SET_FIRST.fullmatch(rest)):
                found = index.find(match["rest"], match["set"])
            if found.cards:
                card = _only(index, found.cards, types)
                return _bounded(count, card), card, found.ignored
    raise LineRefused("unknown_card", _unknown(game, readings[0][1]))


def with_name(line: str, name: str) -> str:
    """The line as it would name another card: ``2x Termitte`` -> ``2 Termite``."""
    return f"{_counted(' '.join(line.split()))[0][0]} {name}"


def line_for(game: Game, entry: Entry) -> str:
    """One line of a list; more, indented, for a written-in card with many facts."""
    card = entry.card
    if not card.written:
        return f"{entry.count} {name_index(game).label(card)}"
    lines = [f"{entry.count} {card.name} | {card.type}"]
    for fact in _facts_as_text(game, card):
        if len(lines[-1]) + len(fact) > WRITTEN_WIDTH:
            lines.append(f"  | {fact}")
        else:
            lines[-1] += f" | {fact}"
    return "\n".join(lines)


def _facts_as_text(game: Game, card: Card) -> list[str]:
    return [f"{game.facts_by_key[key].title}: {_fact_text(value)}" for key, value in card.facts.items() if key in game.facts_by_key]


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


def _counted(line: str) -> list[tuple[int, str]]:
    """The ways to split a line into count and name, likeliest first; (1, line) is always last but for exact names."""
    readings = []
    if match := _COUNT_FIRST.fullmatch(line):
        digits = next(group for group in match.groups()[:4] if group)
        readings.append((_number(digits), match["rest"]))
    if match := _COUNT_LAST.fullmatch(line):
        readings.append((_number(match[2]), match["rest"]))
    if match := _APPRENTICE.fullmatch(line):
        readings.append((_number(match["count"]), match["name"].replace('""', '"')))
    readings.append((1, re.sub(r"^[*•-]\s+", "", line)))
    return readings


def _number(digits: str) -> int:
    """The count; one with more digits than any count has is just too large."""
    return int(digits) if len(digits) < 4 else 1_000


def _bounded(count: int, card: Card) -> int:
    if not 1 <= count <= MAX_COUNT:
        raise LineRefused("bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}.")
    return count


def _only(index: NameIndex, cards: tuple[Card, ...], types: tuple[str, ...]) -> Card:
    """The one card meant, or refuse: a name that two cards bear must say which."""
    if len(cards) > 1:
        cards = tuple(card for card in cards if card.type in types) or cards
    if len(cards) > 1:
        labels = [index.label(card) for card in cards]
        raise LineRefused("ambiguous", f"{len(cards)} cards are called {cards[0].name}; say which.", labels)
    return cards[0]


@lru_cache(maxsize=32)
def _kinds(game: Game) -> dict[str, str]:
    """How lists may spell the types that can be written in -> the type."""
    written = [card_type for card_type in game.types if card_type.slug in game.write_in]
    return {fold(word): t.slug for t in written for word in (t.slug, t.name, t.slug.replace("-", " "))}


def _written_in(game: Game, rest: str) -> Card | None:
    """``Name | type | fact: value | ...``: a card the list describes itself."""
    name, *parts = (part.strip() for part in rest.split("|"))
    kinds = _kinds(game)
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
                "unknown_fact", f"“{part}” is not a fact of the type {game.types_by_slug[card_type].name}; write “fact: value”.", known
            )
        try:
            read = fact.read(value)
        except ValueError as error:
            raise LineRefused("bad_fact", f"{error}.") from None
        if facts.get(fact.key, read) != read:
            raise LineRefused("bad_fact", f"{fact.title} is stated twice.")
        if read is not None:
            facts[fact.key] = read
    claim = Claim("", note="written in by the author of the list")
    # Names that differ in marks or letters the slug leaves out are different cards.
    code = f"written-{slugify(name)[:60]}-{crc32(fold(name).encode()):08x}"
    card = Card(game.slug, code, name, card_type, facts, sources={"": (claim,)}, written=True)
    _refuse_what_cannot_be_written_again(game, card)
    return card


def _refuse_what_cannot_be_written_again(game: Game, card: Card) -> None:
    """Writing a list out may lengthen its lines (``a;b`` becomes ``a, b``); one that grows too long could not be read back."""
    if len(f"{MAX_COUNT} {card.name} | {card.type}") > MAX_LINE:
        raise LineRefused("line_too_long", f"The name “{card.name[:40]}…” is too long; a line has room for {MAX_LINE} characters.")
    for fact in _facts_as_text(game, card):
        if len(f"  | {fact}") > MAX_LINE:
            label = fact.partition(":")[0]
            raise LineRefused("bad_fact", f"{label} comes to {len(fact)} characters; a line has room for {MAX_LINE}. Shorten it.")
    if len(line_for(game, Entry(card, MAX_COUNT, ""))) > MAX_WRITTEN:
        raise LineRefused("bad_fact", f"The facts of {card.name[:40]} come to more than {MAX_WRITTEN:,} characters. Shorten them.")
