"""One line of a list: how many of which card, or a card that the line describes itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from cardsdb.games.kit.cards import Card, Claim, FactValue, fold, slugify
from cardsdb.games.kit.names import name_index

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

MAX_COUNT = 99

_COUNT_FIRST = re.compile(r"(?:[*•-]\s+)?(?:\[(\d+)\]|\((\d+)\)|(\d+)\s*[xX×]?|[xX×]\s?(\d+))\s+(?P<rest>[^\s|].*)", re.ASCII)
_COUNT_LAST = re.compile(r"(?P<rest>.*\S)\s+[xX×]\s?(\d+)", re.ASCII)
# MD,4,"Name",SET and SB,1,Name
_APPRENTICE = re.compile(r'(?:MD|SB),(?P<count>[0-9]+),(?P<quote>"?)(?P<name>.+?)(?P=quote)(?:,[\w ]*)?')
_SET_FIRST = re.compile(r"\[(?P<set>[^\]:#]*)[^\]]*\]\s*(?P<rest>\S.*)")


class LineRefused(Exception):
    """Why a line was not understood: a code, a sentence, and what would be."""

    def __init__(self, code: str, message: str, suggestions: Iterable[str] = ()) -> None:
        self.code, self.message, self.suggestions = code, message, tuple(suggestions)


def read_card_line(game: Game, line: str, types: tuple[str, ...]) -> tuple[int, Card, str]:
    """(count, card, what was set aside) of one line.

    ``types`` are those that the heading above takes; they decide between cards of one name.
    Raises LineRefused.
    """
    readings = _counted(line)
    for count, rest in readings:
        if card := _written_in(game, rest):
            return _bounded(count, card), card, ""
    for count, rest in readings:
        found = name_index(game).find(rest)
        if not found.cards and (match := _SET_FIRST.fullmatch(rest)):
            found = name_index(game).find(match["rest"], match["set"])
        if found.cards:
            card = _only(game, found.cards, types)
            return _bounded(count, card), card, found.ignored
    raise LineRefused("unknown_card", _unknown(game, readings[0][1]))


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


def _only(game: Game, cards: tuple[Card, ...], types: tuple[str, ...]) -> Card:
    """The one card meant, or refuse: a name that two cards bear must say which."""
    if len(cards) > 1:
        cards = tuple(card for card in cards if card.type in types) or cards
    if len(cards) > 1:
        labels = [name_index(game).label(card) for card in cards]
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
    return Card(game.slug, code, name, card_type, facts, sources={"": (claim,)}, written=True)
