"""Why nothing is found: what each part of a query finds alone, and what is found without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.filter_form import parts_of, without
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.suggest import fields_having
from cardsdb.search.query.tree import Query, Term, Tree, Word
from cardsdb.search.query.words import in_words
from cardsdb.search.results import results_of

# Each part is a few searches more; of a longer query the first parts are looked at.
MAX_PARTS = 8


@dataclass(frozen=True, slots=True)
class Way:
    """A query that finds something: its address, how many cards, and what it leaves out or says instead."""

    typed: str
    count: int
    href: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it is typed and in words, the cards that it finds alone, the query without it, and a word that may have been meant."""

    typed: str
    words: str
    alone: int
    rest: Way
    instead: Way | None = None


@dataclass(frozen=True, slots=True)
class Emptied:
    """The parts, those first that find least; and the fewest of them to leave out where no single one is enough."""

    parts: tuple[Part, ...]
    together: Way | None = None


def emptied(read: CardQuery) -> Emptied | None:
    """Of a query that finds nothing. None of one that has a single part and no likelier word for it."""
    parts = parts_of(read.query.tree)[:MAX_PARTS]
    found = sorted(((_part(read, part), part) for part in parts), key=lambda pair: (not pair[0].rest.count, pair[0].alone))
    rows = tuple(row for row, _ in found)
    if len(rows) < 2 and not any(row.instead for row in rows):
        return None
    helps = any(row.rest.count for row in rows)
    return Emptied(rows, None if helps else _together(read, [part for _, part in found]))


def _part(read: CardQuery, part: Tree) -> Part:
    alone = _count(read, Query(part))
    return Part(normal(part), in_words(part, read.fields), alone, _without(read, [part]), None if alone else _instead(read, part))


def _together(read: CardQuery, parts: Sequence[Tree]) -> Way | None:
    """The query without the rarest parts, one more at a time until something is found."""
    ways = (_without(read, parts[:count]) for count in range(2, len(parts)))
    return next((way for way in ways if way.count), None)


def _without(read: CardQuery, parts: Sequence[Tree]) -> Way:
    rest = without(read.query, parts)
    # Without any part it would be every card there is.
    return _way(" ".join(map(normal, parts)), rest, _count(read, rest) if rest.tree else 0)


def _instead(read: CardQuery, part: Tree) -> Way | None:
    """The word without the "s" that makes it several, as words are found in the middle of others; or the field that has it as a value."""
    if not isinstance(part, Word):
        return None
    of_fields = (Term(key, ":", part.value) for key in fields_having(Term("", ":", part.value), read.fields))
    several = (Word(part.value[:-1]),) if part.value.endswith("s") and len(part.value) > 3 else ()
    others = normal(without(read.query, [part]))
    for meant in (*several, *of_fields):
        if count := _count(read, Query(meant)):
            return Way(normal(meant), count, f"?{urlencode({'q': f'{others} {normal(meant)}'.strip()})}")
    return None


def _way(typed: str, query: Query, count: int) -> Way:
    return Way(typed, count, f"?{urlencode({'q': normal(query)})}")


def _count(read: CardQuery, query: Query) -> int:
    return results_of(read.asking(Query(query.tree))).total
