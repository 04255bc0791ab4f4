"""Advice on a query: its problems marked in its text, and why it finds nothing.

``card_list.py`` shows it beside the cards; decks use ``advice_on`` too. Tests:
``tests/cardsdb/web/lists/test_advice.py``.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, fold
from cardsdb.search.query.check import fields_having
from cardsdb.search.query.tree import (
    Exact,
    Problem,
    Query,
    Term,
    Tree,
    Word,
    normal,
    parts_of,
    without,
)
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardQuery, count_of

# Cards of similar names that are offered if nothing is found.
MAX_ALIKE = 6
# Characters of a query that may be a name.
MAX_ALIKE_LENGTH = 60
# Parts of a query that are tried singly if nothing is found; each costs a few searches.
MAX_PARTS = 8
# The rest of a query's part around a faulty value or field. In ``type=agent craf:"4"`` the fault ``craf`` has
# nothing of its part before it, and ``:"4"`` after it. A part ends at a space or bracket outside of quotes.
_PART_BEFORE = re.compile(r"[^\s()\"]*\Z")
_PART_AFTER = re.compile(r'[^\s()"]*(?:"[^"]*")?')


class Advice(NamedTuple):
    """A problem with a query, and the query's text cut at its place: before, wrong, after.

    ``corrections``: pairs of (label, whole corrected query). ``is_note``: nothing is wrong, but the visitor
    may have meant something else.
    """

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]
    is_note: bool = False


def advice_on(query: str, problem: Problem) -> Advice:
    """Return the advice on one problem of this query. In ``type=agent craf:"4"`` the wrong part is ``craf``,
    with ``type=agent `` before and ``:"4"`` after it; one correction has the label ``craft:"4"`` and the
    query ``type=agent craft:"4"``.
    """
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    # A correction of a field or value is labelled with its whole part: "craft:5", not "5".
    left = right = ""
    if problem.code in ("unknown-field", "unknown-value"):
        start, end = _PART_BEFORE.search(before), _PART_AFTER.match(after)
        left, right = start[0] if start else "", end[0] if end else ""
    corrections = tuple(
        (f"{left}{word}{right}" if word else "leave it out", f"{before}{word}{after}".strip())
        for word in problem.suggestions
    )
    return Advice(problem.message, before, wrong, after, corrections, problem.advice)


# -- nothing found --------------------------------------------------------------------


class OtherQuery(NamedTuple):
    """Another query that finds something: the changed part as typed, number of cards, and list address."""

    typed: str
    count: int
    href: str


class Part(NamedTuple):
    """One part of a query that finds nothing.

    ``typed`` and ``words``: the part as typed and in English. ``alone``: the number of cards that it finds by
    itself. ``rest``: the query without it. ``instead``: the query with a likelier word in its place, or None.
    """

    typed: str
    words: str
    alone: int
    rest: OtherQuery
    instead: OtherQuery | None


class NoResults(NamedTuple):
    """The parts of a query that finds nothing, most suspicious first. If leaving out no single part helps,
    ``together`` leaves out as few as are needed.
    """

    parts: tuple[Part, ...]
    together: OtherQuery | None


def cards_meant(query: CardQuery) -> list[Card]:
    """Return a few cards with names like the words that were typed; [] if only fields were typed."""
    name = " ".join(
        part.value
        for part in parts_of(query.query.tree)
        if isinstance(part, Word | Exact)
        or (isinstance(part, Term) and part.key == "name" and part.op in (":", "="))
    )
    return catalogue().named_like(name, MAX_ALIKE) if name and len(fold(name)) <= MAX_ALIKE_LENGTH else []


def no_results(query: CardQuery) -> NoResults | None:
    """Return why a query finds nothing; None if it has a single part and no likelier word for it."""
    pairs = []
    for tree in parts_of(query.query.tree)[:MAX_PARTS]:
        alone, rest = count_of(query, tree), without_parts(query, [tree])
        instead = None if alone else _instead(query, tree)
        pairs.append((Part(normal(tree), in_words(tree, query.fields), alone, rest, instead), tree))
    # Most suspicious first: those without which something is found, then those that find least themselves.
    pairs.sort(key=lambda pair: (not pair[0].rest.count, pair[0].alone))
    # In ``kai craft>9 type=agent`` that is ``craft>9``.
    parts = tuple(part for part, _ in pairs)
    if len(parts) < 2 and not any(part.instead for part in parts):
        return None
    if any(part.rest.count for part in parts):
        return NoResults(parts, None)
    # Leave out the two most suspicious parts, then three, until something is found.
    others = (without_parts(query, [tree for _, tree in pairs[:count]]) for count in range(2, len(pairs)))
    return NoResults(parts, next((other for other in others if other.count), None))


def without_parts(query: CardQuery, parts: Sequence[Tree]) -> OtherQuery:
    """Return the query without these parts. It counts 0 if no part is left, as that would find all."""
    rest = without(query.query, parts)
    count = count_of(query, rest.tree) if rest.tree else 0
    return OtherQuery(" ".join(map(normal, parts)), count, list_address(rest))


def list_address(query: Query | str) -> str:
    """Return the address of a query's list, as what follows the path."""
    return f"?{urlencode({'q': query if isinstance(query, str) else normal(query)})}"


def _instead(query: CardQuery, part: Tree) -> OtherQuery | None:
    """Return a query with another word for this part: without a plural "s", or as the value of a field that
    has it. None if neither finds a card.
    """
    if not isinstance(part, Word):
        return None
    of_fields = (Term(key, ":", part.value) for key in fields_having(Term("", ":", part.value), query.fields))
    # Words of up to three letters, such as "gas" or "bus", are no plurals.
    singular = (Word(part.value[:-1]),) if part.value.endswith("s") and len(part.value) > 3 else ()
    others = normal(without(query.query, [part]))
    for candidate in (*singular, *of_fields):
        if count := count_of(query, candidate):
            return OtherQuery(normal(candidate), count, list_address(f"{others} {normal(candidate)}".strip()))
    return None
