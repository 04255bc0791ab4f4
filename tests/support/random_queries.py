"""Random search queries, all legal, for tests that compare two ways to answer a query."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache

from cardsdb.games.kit import fold
from cardsdb.search.query.check import MAX_PATTERNS
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.search.query.similar import comparable
from cardsdb.search.query.standard import COMPARISONS, Field
from cardsdb.search.query.tree import quoted


def random_query(rng: random.Random, fields: Fields) -> str:
    """Return a legal query about these fields, with up to three levels of brackets and sometimes an order."""
    order = _order(rng, fields) if rng.random() < 0.4 else ""
    while (
        len(query := f"{_query(rng, fields, 0)}{order}") > MAX_CHARACTERS or query.count(":/") > MAX_PATTERNS
    ):
        pass
    return query


def _order(rng: random.Random, fields: Fields) -> str:
    """Return an ``order:`` part with one to three fields."""
    words = [field.word for field in fields if field.sortable]
    chosen = rng.sample(words, rng.choice((1, 1, 2, 3)))
    if rng.random() < 0.3:
        chosen = [*chosen[:2], "name"]
    return f" order:{','.join(rng.choice(('', '-')) + word for word in dict.fromkeys(chosen))}"


def _query(rng: random.Random, fields: Fields, depth: int) -> str:
    """Return a query or part of one; ``depth`` counts the brackets around it."""
    shape = rng.random()
    if depth == 3 or shape < 0.45:
        return _leaf(rng, fields)
    parts = [_query(rng, fields, depth + 1) for _ in range(rng.randint(2, 3))]
    if shape < 0.75:
        return " ".join(f"({part})" if " " in part else part for part in parts)
    if shape < 0.9:
        return f"({' or '.join(f'({part})' for part in parts)})"
    return f"-({parts[0]})"


def _leaf(rng: random.Random, fields: Fields) -> str:
    """Return one condition: a word, a name, a pattern, a comparison of two fields, or a term of one field."""
    minus = "-" if rng.random() < 0.15 else ""
    kind = rng.random()
    names = _names(fields)
    if kind < 0.2:
        word = rng.choice(rng.choice(names).split())
        return minus + quoted(word if rng.random() < 0.6 else word[: rng.randint(1, len(word))])
    if kind < 0.25:
        return minus + quoted(rng.choice(names)[rng.randrange(4) :].strip() or "a")
    if kind < 0.3:
        return f"{minus}!{quoted(rng.choice(names))}"
    if kind < 0.35:
        return f"{minus}{rng.choice(_matched(fields))}:/{_pattern(rng, rng.choice(names))}/"
    if kind < 0.4:
        left, right = rng.choices([field.word for field in fields if field.kind == "number"], k=2)
        return f"{minus}{left}{rng.choice(('=', '!=', *COMPARISONS))}{right}"
    return minus + _term(rng, rng.choice([*fields]), fields, names)


@lru_cache(maxsize=8)
def _names(fields: Fields) -> list[str]:
    """Return the names of all cards."""
    return [_plain(card.name) for game in fields.games for card in game.cards if card.name.strip("“” ")]


@lru_cache(maxsize=8)
def _matched(fields: Fields) -> list[str]:
    """Return the fields that accept a regular expression."""
    return ["name", "text", "type", *(field.word for field in fields if field.kind in ("word", "words"))]


@lru_cache(maxsize=8)
def _comparable(fields: Fields) -> list[str]:
    """Return the keys of the cards that ``similar:`` accepts."""
    cards = ((card, game) for game in fields.games for card in game.cards)
    return [card.key for card, game in cards if any(comparable(card.facts, game))]


def _pattern(rng: random.Random, name: str) -> str:
    """Return a regular expression that matches some names."""
    part = re.escape(fold(name)[: rng.randint(1, 6)]).replace("/", r"\/")
    return rng.choice(
        (
            "^{}",
            "{}$",
            "{}",
            "{}.*e",
            "({}|an)",
            "[^{}]$" if part.isalnum() else "{}",
            "{}?s",
            ".",
            "^.{{3,8}}$",
            "\\b{}",
        )
    ).format(part)


def _plain(text: str) -> str:
    """Return the text without curly quotes, which the search language would read as its own quotes."""
    return " ".join(text.translate(dict.fromkeys(map(ord, "“”„"), '"')).split())


def _term(rng: random.Random, field: Field, fields: Fields, names: Sequence[str]) -> str:
    """Return a condition on this field, with a value that it knows most of the time."""
    if field.kind == "similar":
        return f"similar:{quoted(rng.choice(_comparable(fields)))}"
    if field.kind in ("is", "has"):
        return f"{field.word}:{quoted(rng.choice(fields.askable(field.kind)))}"
    kinds = {place.kind for place in field.places}
    if "number" in kinds and rng.random() < 0.8:
        operator = rng.choice((":", "=", "!=", *COMPARISONS))
        return f"{field.word}{operator}{rng.choice((0, 1, 2, 3, 4, 5, 8, 12, -2, 1500))}"
    if "flag" in kinds:
        return f"{field.word}{rng.choice((':', '=', '!='))}{rng.choice(('yes', 'no'))}"
    known = sorted(map(_plain, field.values))
    value = rng.choice(known) if known and rng.random() < 0.9 else rng.choice(rng.choice(names).split())
    op = ":" if field.kind == "text" else rng.choice((":", ":", "=", "!="))
    if op == ":" and rng.random() < 0.3:
        value = value[: rng.randint(1, len(value))].strip() or value
    if "number" in kinds and len(kinds) == 1:
        value = "3"
    return f"{field.word}{op}{quoted(value)}"
