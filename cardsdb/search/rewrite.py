"""A query that finds nothing, and the query that was meant: only where nothing else can be meant.

Somebody asked a question, "what can cancel an action": its small words are left out. Or there is one slip of the pen. Then one part
alone must be to blame: a word, a value or a name that no card has, and that one letter more, less, other or swapped makes into one
that cards have. Where two are as near, nobody knows which is meant, and nothing is rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from cardsdb.games import games
from cardsdb.games.kit.model.text import fold
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.engine.snapshot import Snapshot
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import instead_of, parts_of, without
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import Exact, Query, Term, Tree, Word
from cardsdb.search.query.values import folded
from cardsdb.search.results import Results, results_of
from cardsdb.search.snapshots import cards_named_like, current_snapshot

# A shorter word is one letter away from too much; of a longer query nothing is rewritten.
MIN_LENGTH, MAX_PARTS = 4, 8
# What a question has besides what it asks for.
SMALL_WORDS = frozenset(
    "a an any can card cards could do does for from how i in is are my of on that the there to we what which who you".split()
)
# Names like the one typed that are compared letter by letter.
MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The query that was meant and what it finds, the part that nothing was found for, and what stands in its place."""

    query: CardQuery
    results: Results
    typed: str
    meant: str


def sure_rewrite(query: CardQuery) -> Rewrite | None:
    """What was meant by a query that finds nothing. None unless there is one likely slip in it and one way to mend it."""
    parts = parts_of(query.query.tree)
    if query.query.faults or len(parts) > MAX_PARTS:
        return None
    if asked := _without_small_words(query, parts):
        return asked
    to_blame = [part for part in parts if not results_of(query.asking(Query(part))).total]
    if len(to_blame) != 1:
        return None
    meant = _meant(to_blame[0], query.fields, current_snapshot(query.state))
    if meant is None:
        return None
    other = parse_query(normal(instead_of(query.query, to_blame, meant)))
    results = results_of(other)
    return Rewrite(other, results, normal(to_blame[0]), normal(meant)) if results.total else None


def _without_small_words(query: CardQuery, parts: Sequence[Tree]) -> Rewrite | None:
    """What the question finds without the words that every question has."""
    small = [part for part in parts if isinstance(part, Word) and fold(part.value) in SMALL_WORDS]
    if not 0 < len(small) < len(parts):
        return None
    other = parse_query(normal(without(query.query, small)))
    results = results_of(other)
    return Rewrite(other, results, " ".join(map(normal, small)), normal(other.query)) if results.total else None


def _meant(part: Tree, fields: Fields, snapshot: Snapshot) -> Tree | None:
    match part:
        case Word(value) if fold(value) in games():
            return Term("game", ":", fold(value))
        case Word(value):
            word = _nearest(fold(value), snapshot.words.words.values)
            return Word(word) if word else None
        case Exact(value):
            name = _name(value)
            return Exact(name) if name else None
        case Term(key="name", op="=", value=value):
            name = _name(value)
            return replace(part, value=name) if name else None
        case Term(op=":" | "="):
            value = _value(part, fields)
            return replace(part, value=value) if value else None
    return None


def _value(term: Term, fields: Fields) -> str:
    """The value that a term means: a whole one as it is shown, or a word of some; empty if that is not sure."""
    field = fields.get(term.key)
    known = fields.values(field) if field and field.kind in ("word", "words", "exact") else {}
    words = {word for value in known for word in value.split()} if term.op == ":" else set()
    nearest = _nearest(folded(term.value), {*known, *words})
    return known.get(nearest, nearest)


def _name(typed: str) -> str:
    """The one name a letter away; empty if there is none, or more than one."""
    names = {fold(card.name): card.name for card in cards_named_like(typed, MAX_NAMES)}
    return names.get(_nearest(fold(typed), names), "")


def _nearest(typed: str, known: Iterable[str]) -> str:
    """The one word of these a letter away; of several, one that is part of all the others, so that it finds what they find.

    Another number is another thing: digits are no slips.
    """
    if len(typed) < MIN_LENGTH:
        return ""
    words = [word for word in known if abs(len(word) - len(typed)) <= 1]
    alike = process.extract(typed, words, scorer=OSA.distance, score_cutoff=1, limit=None)
    near = [word for word, _, _ in alike if _digits(word) == _digits(typed)]
    shortest = min(near, key=len, default="")
    return shortest if all(shortest in word for word in near) else ""


def _digits(word: str) -> str:
    return "".join(character for character in word if character.isdigit())
