"""Help with a query: what is wrong in it, shown in its place; why it finds nothing, and which names may be
meant.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, fold
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.check import fields_having
from cardsdb.search.query.tree import Exact, Problem, Query, Term, Tree, Word, normal, parts_of, without
from cardsdb.search.query.words import in_words
from cardsdb.search.results import count_of

# Names offered where nothing is found, and characters of a query that may be a name.
MAX_ALIKE, MAX_ALIKE_LENGTH = 6, 60
# Each part is a few searches more; of a longer query the first parts are looked at.
MAX_PARTS = 8
# What of a part of a query stands before its value, and behind its field.
_BEFORE_IT = re.compile(r"[^\s()\"]*\Z")
_AFTER_IT = re.compile(r'[^\s()"]*(?:"[^"]*")?')


class Advice(NamedTuple):
    """A problem with a query, shown in its place: what stands before, what is wrong, what follows, and whole
    queries that would do.

    ``corrections`` are (label, query). ``is_note`` marks what was understood and perhaps not meant: nothing
    is wrong with it.
    """

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]
    is_note: bool = False


def advice_on(query: str, problem: Problem) -> Advice:
    """The problem as it is shown in its place in the query."""
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    left = right = ""
    # A field or a value is shown within the whole part that it would make.
    if problem.code in ("unknown-field", "unknown-value"):
        start, end = _BEFORE_IT.search(before), _AFTER_IT.match(after)
        left, right = start[0] if start else "", end[0] if end else ""
    corrections = tuple(
        (f"{left}{word}{right}" if word else "leave it out", f"{before}{word}{after}".strip())
        for word in problem.suggestions
    )
    return Advice(problem.message, before, wrong, after, corrections, problem.advice)


# -- nothing found --------------------------------------------------------------------


class OtherQuery(NamedTuple):
    """A query that finds something: its address, how many cards, and what it leaves out or has instead
    (``typed``).
    """

    typed: str
    count: int
    href: str


class Part(NamedTuple):
    """A part as it is typed and in words, the cards that it finds alone, the query without it, and a word
    that may have been meant.
    """

    typed: str
    words: str
    alone: int
    rest: OtherQuery
    instead: OtherQuery | None


class NoResults(NamedTuple):
    """The parts, those first that find least; ``together`` leaves out the fewest of them where no single one
    is enough.
    """

    parts: tuple[Part, ...]
    together: OtherQuery | None


def cards_meant(query: CardQuery) -> list[Card]:
    """A few cards whose names are like the words that were typed; none where nothing but fields were asked
    for.
    """
    name = " ".join(
        part.value
        for part in parts_of(query.query.tree)
        if isinstance(part, Word | Exact)
        or (isinstance(part, Term) and part.key == "name" and part.op in (":", "="))
    )
    return catalogue().named_like(name, MAX_ALIKE) if name and len(fold(name)) <= MAX_ALIKE_LENGTH else []


def no_results(query: CardQuery) -> NoResults | None:
    """Why a query finds nothing. None if it has a single part and no likelier word for it."""
    pairs = []
    for tree in parts_of(query.query.tree)[:MAX_PARTS]:
        alone, rest = count_of(query, tree), without_parts(query, [tree])
        instead = None if alone else _instead(query, tree)
        pairs.append((Part(normal(tree), in_words(tree, query.fields), alone, rest, instead), tree))
    pairs.sort(key=lambda pair: (not pair[0].rest.count, pair[0].alone))
    parts, trees = tuple(part for part, _ in pairs), [tree for _, tree in pairs]
    if len(parts) < 2 and not any(part.instead for part in parts):
        return None
    if any(part.rest.count for part in parts):
        return NoResults(parts, None)
    # Without the rarest parts, one more at a time until something is found.
    others = (without_parts(query, trees[:count]) for count in range(2, len(trees)))
    return NoResults(parts, next((other for other in others if other.count), None))


def without_parts(query: CardQuery, parts: Sequence[Tree]) -> OtherQuery:
    """Return what the query finds without some of its parts; nothing without any part, for that would be
    every card there is.
    """
    rest = without(query.query, parts)
    count = count_of(query, rest.tree) if rest.tree else 0
    return OtherQuery(" ".join(map(normal, parts)), count, list_address(rest))


def list_address(query: Query | str) -> str:
    """The list of a query, as what follows its address."""
    return f"?{urlencode({'q': query if isinstance(query, str) else normal(query)})}"


def _instead(query: CardQuery, part: Tree) -> OtherQuery | None:
    """A query that has another word for this part: the word without its plural "s", or the field that has it
    as a value.
    """
    if not isinstance(part, Word):
        return None
    of_fields = (Term(key, ":", part.value) for key in fields_having(Term("", ":", part.value), query.fields))
    singular = (Word(part.value[:-1]),) if part.value.endswith("s") and len(part.value) > 3 else ()
    others = normal(without(query.query, [part]))
    for meant in (*singular, *of_fields):
        if count := count_of(query, meant):
            return OtherQuery(normal(meant), count, list_address(f"{others} {normal(meant)}".strip()))
    return None
