"""What a search means, read off the cards one by one: slow, plain, and without ``terms``, SQL or an index.

Every faster way to answer is compared with this. ``made_up_cards`` has cards and queries to ask it about.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import re2

from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.model.cards import FactValue, as_words
from cardsdb.games.kit.model.text import fold as slow_fold
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.vocabulary import text_lines
from tests.support.random_cards import generated_cards, random_query, with_cards

__all__ = ["catalogue_order", "generated_cards", "in_order", "matches", "random_query", "with_cards"]

fold = lru_cache(maxsize=500_000)(slow_fold)
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    ":": operator.eq,
    "!=": operator.ne,
}
OPENING_MARKS = " '\"(-.!¡¿"
STANDARD = (
    "name",
    "type",
    "set",
    "game",
    "rarity",
    "number",
    "text",
    "certainty",
    "entry",
    "source",
    "is",
    "not",
    "has",
    "prints",
    "in",
    "disputed",
)


# -- whether a card is meant ---------------------------------------------------------------


def matches(tree: Any, card: Card, game: Game, fields: Fields) -> bool:
    """Whether a checked tree means this card."""
    match type(tree).__name__:
        case "NoneType":
            return True
        case "And":
            return all(matches(part, card, game, fields) for part in tree.parts)
        case "Or":
            return any(matches(part, card, game, fields) for part in tree.parts)
        case "Not":
            return not matches(tree.part, card, game, fields)
        case "AtLeast":
            return sum(matches(part, card, game, fields) for part in tree.parts) >= tree.count
        case "Word":
            return any(fold(tree.value) in line for line in lines(card, game))
        case "Exact":
            return fold(card.name) == fold(tree.value)
        case "Regex":
            return any(pattern(tree.pattern).search(value) for value in values(card, game, tree.key, fields))
        case "Versus":
            left, right = numbers(card, game, tree.left, fields), numbers(card, game, tree.right, fields)
            return any(COMPARED[tree.op](one, other) for one in left for other in right)
        case "Term":
            return _term(tree.key, tree.op, tree.value, card, game, fields)
    raise AssertionError(f"no meaning is written down for {tree!r}")


_lines: dict[int, tuple[Card, tuple[str, ...]]] = {}


def lines(card: Card, game: Game) -> tuple[str, ...]:
    """Everything a word is looked for in. Read off once, and stored with the card, so that no other card gets
    its id.
    """
    if id(card) not in _lines:
        _lines[id(card)] = card, _lines_of(card, game)
    return _lines[id(card)][1]


def _lines_of(card: Card, game: Game) -> tuple[str, ...]:
    words = [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    kind = game.types_by_slug[card.type]
    return tuple(
        fold(line)
        for line in (
            card.name,
            *card.aliases,
            kind.name,
            kind.plural,
            game.name,
            *words,
            *text_lines(card, game),
        )
    )


@cache
def pattern(text: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile(text, options)


@lru_cache(maxsize=10_000)
def facts_called(fields: Fields, game: Game, key: str) -> tuple[Fact, ...]:
    """The game's facts that a search word means."""
    field = fields.get(key)
    keys = (
        {place.key for place in field.places if not place.games or game.slug in place.games}
        if field
        else set()
    )
    return tuple(fact for fact in game.facts if fact.key in keys)


_known: dict[tuple[int, str, int], tuple[Card, Fields, list[str]]] = {}


def values(card: Card, game: Game, key: str, fields: Fields) -> list[str]:
    """The folded values that a field of a card has; none if nobody states it. Read off once, as the lines
    are.
    """
    place = id(card), key, id(fields)
    if place not in _known:
        as_held = fold if key == "name" else folded
        _known[place] = (
            card,
            fields,
            [as_held(value) for value in _values(card, game, key, fields) if fold(value)],
        )
    return _known[place][2]


def _values(card: Card, game: Game, key: str, fields: Fields) -> Iterable[str]:
    claims = [claim for claims in card.sources.values() for claim in claims]
    match key:
        case "name":
            return (card.name,)
        case "type":
            return (card.type, game.types_by_slug[card.type].name)
        case "game":
            return (game.slug, game.name)
        case "text":
            return (card.text,)
        case "set":
            return [text for p in card.prints for text in (p.set, game.sets_by_code[p.set].name)]
        case "in":
            return [text for p in card.prints for text in (p.set, game.sets_by_code[p.set].name, p.rarity)]
        case "rarity":
            return [print_.rarity for print_ in card.prints]
        case "number":
            return [text for print_ in card.prints for text in (print_.number, print_.code)]
        case "entry":
            return (game.kind_of(card),)
        case "certainty":
            return [claim.certainty for claim in claims]
        case "source":
            return [
                text for claim in claims for text in (claim.document, game.documents[claim.document].title)
            ]
        case "prints":
            return (str(len(card.prints)),)
        case "disputed":
            return card.disagreements()
    stated = ((fact, card.fact(fact.key)) for fact in facts_called(fields, game, key))
    return [word for fact, value in stated if value is not None for word in _words(card, fact, value)]


def _words(card: Card, fact: Fact, value: FactValue) -> tuple[str, ...]:
    return (as_words(value),) if fact.kind in ("number", "flag") else card.words(fact.key)


def numbers(card: Card, game: Game, key: str, fields: Fields) -> list[int]:
    """The numbers that a field of a card has."""
    if key == "prints":
        return [len(card.prints)]
    if key == "number":
        written = [text for print_ in card.prints for text in (print_.number, print_.code)]
        return [int(text) for text in written if text.isascii() and text.isdigit()]
    found = (card.number(fact.key) for fact in facts_called(fields, game, key) if fact.kind == "number")
    return [number for number in found if number is not None]


def _term(key: str, op: str, value: str, card: Card, game: Game, fields: Fields) -> bool:
    if key == "not":
        return not _term("is", op, value, card, game, fields)
    if key == "is":
        if value in ("disputed", "reprint"):
            return bool(card.disagreements()) if value == "disputed" else len(card.prints) > 1
        return any(card.fact(fact.key) is True for fact in facts_called(fields, game, value))
    if key == "has":
        return bool(values(card, game, value, fields))
    if op == "!=":
        return bool(values(card, game, key, fields)) and not _term(key, "=", value, card, game, fields)
    known = values(card, game, key, fields)
    if op in ("<", "<=", ">", ">="):
        return any(COMPARED[op](number, int(value)) for number in numbers(card, game, key, fields))
    wanted = fold(value) if key == "name" else folded(value)
    if key in ("set", "in"):
        return _printed_in(wanted, op, key == "in", card, game, fields)
    if key in ("rarity", "number"):
        return wanted in known
    if key == "prints":
        return int(value) == len(card.prints)
    if key not in STANDARD:
        return any(_is(fact, card, op, value) for fact in facts_called(fields, game, key))
    return wanted in known if op == "=" else any(wanted in one for one in known)


def _printed_in(wanted: str, op: str, or_rarity: bool, card: Card, game: Game, fields: Fields) -> bool:
    """A known code or rarity is looked for as such; anything else also in the names of sets."""
    codes = {folded(print_.set) for print_ in card.prints}
    rarities = {folded(print_.rarity) for print_ in card.prints} if or_rarity else set()
    is_code = wanted in _codes(fields)
    if is_code or (or_rarity and wanted in _rarities(fields)):
        return (is_code and wanted in codes) or wanted in rarities
    named = [folded(game.sets_by_code[print_.set].name) for print_ in card.prints]
    return wanted in named or (op == ":" and any(wanted in name for name in named))


@lru_cache(maxsize=8)
def _codes(fields: Fields) -> set[str]:
    return {folded(card_set.code) for game in fields.games for card_set in game.sets}


@lru_cache(maxsize=8)
def _rarities(fields: Fields) -> set[str]:
    return {folded(print_.rarity) for game in fields.games for card in game.cards for print_ in card.prints}


def _is(fact: Fact, card: Card, op: str, value: str) -> bool:
    found = card.fact(fact.key)
    if found is None:
        return False
    wanted = folded(value)
    match fact.kind:
        case "number":
            return value.lstrip("-").isdecimal() and found == int(value)
        case "flag":
            return wanted in ("yes", "true", "y", "no", "false", "n") and found is (
                wanted in ("yes", "true", "y")
            )
        case "text" if op == "=":
            return False
    known = [folded(word) for word in card.words(fact.key)]
    return wanted in known if op == "=" else any(wanted in word for word in known)


# -- in which order --------------------------------------------------------------------------


def folded(value: str) -> str:
    """A value as fields compare it: a bar is no different from a slash."""
    return fold(value).replace("|", "/")


def catalogue_order(card: Card) -> tuple[str, str, str]:
    return fold(card.name).lstrip(OPENING_MARKS), card.game, card.code


def in_order(
    cards: Sequence[tuple[Card, Game]],
    order: Iterable[Any],
    fields: Fields,
    relevance: str = "",
    tree: Any = None,
) -> list[Card]:
    """The cards as a query's ``order`` wants them; at last the catalogue's order.

    Without one those come first that share most with the ``similar:`` of the tree, then the likest names.
    """
    found = sorted(cards, key=lambda pair: catalogue_order(pair[0]))
    order = tuple(order)
    if relevance and not order:
        found.sort(key=lambda pair: _relevance(fold(pair[0].name), fold(relevance)))
    if (shared := _shared_parts(tree)) and not order:
        found.sort(key=lambda pair: -sum(matches(part, *pair, fields) for part in shared))
    for one in reversed(order):
        known = [(_sortable(card, game, one.key, fields), (card, game)) for card, game in found]
        with_value = sorted(
            (pair for pair in known if pair[0] is not None), key=lambda pair: pair[0], reverse=one.descending
        )
        # ``reverse`` keeps equal ones in their order, which is what is wanted.
        found = [pair for _, pair in with_value] + [pair for value, pair in known if value is None]
    return [card for card, _ in found]


def _shared_parts(tree: Any) -> Sequence[Any]:
    """The facts that the first ``similar:`` of a query, outside of brackets and without a minus, compares
    by.
    """
    parts = tree.parts if type(tree).__name__ == "And" else (tree,)
    for part in parts:
        if getattr(part, "like", ""):
            (all_of_them,) = part.parts
            return next(one.parts for one in all_of_them.parts if type(one).__name__ == "AtLeast")
    return ()


def _relevance(name: str, wanted: str) -> int:
    places = (name == wanted, name.startswith(wanted), f" {wanted}" in name, wanted in name)
    return next((place for place, holds in enumerate(places) if holds), len(places))


def _sortable(card: Card, game: Game, key: str, fields: Fields) -> Any:
    match key:
        case "name":
            return catalogue_order(card)[0]
        case "type":
            return card.type
        case "game":
            return card.game
        case "prints":
            return len(card.prints)
    stated = [
        (fact, card.facts[fact.key]) for fact in facts_called(fields, game, key) if fact.key in card.facts
    ]
    found = [(0, value, "") for fact, value in stated if fact.kind == "number"]
    found += [(1, 0, folded(as_words(value))) for fact, value in stated if fact.kind in ("word", "flag")]
    return min(found, default=None)
