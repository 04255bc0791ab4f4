"""Cards for the deck being edited: the catalogue's search within one game, and ``in:deck`` for what the deck holds.

``in:deck`` may stand anywhere in a query. The search knows no decks, so a query with it is asked twice,
once as if every card were in the deck and once as if none were: the first answer counts for the
deck's cards, the second for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import quote_plus, urlencode

from django.db.models import Case, Q, When
from pyroaring import BitMap

from cardsdb.games.kit import Game
from cardsdb.models import Card, CardQuerySet
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.compile import to_q
from cardsdb.search.index import Index
from cardsdb.search.listed import Listed, from_brief, from_rows
from cardsdb.search.open_index import index_of
from cardsdb.search.order import is_by_name, ordering, relevance_words
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import and_also, term, without
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import And, Not, Or, Problem, Query, Term, Tree, all_of, any_of, leaves, none_of
from cardsdb.web.lists.browsing import Advice
from decks.editor.likely import Likely

PER_PAGE = 36
LONGEST = 1024
MOST_PAGES = 10_000
# Facets beside the type: so many, of so many values at most.
MOST_FACETS, MOST_VALUES = 4, 12


@dataclass(frozen=True, slots=True)
class Choice:
    """One value to narrow by: how it is shown, how many cards have it, the address that picks or drops it."""

    shown: str
    count: int
    href: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Facet:
    title: str
    choices: tuple[Choice, ...]

    @property
    def picked(self) -> bool:
        return any(choice.picked for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Finding:
    """One page of what a query finds in a game."""

    query: str
    total: int
    page: int
    pages: int
    cards: tuple[Listed, ...]
    types: Facet | None
    facets: tuple[Facet, ...]
    advice: tuple[Advice, ...]
    # The facts that the query asks about: rows show them first.
    keys: tuple[str, ...] = ()
    # Whether what the deck is likeliest to want comes first.
    is_by_deck: bool = False

    @property
    def first(self) -> int:
        return (self.page - 1) * PER_PAGE + 1

    @property
    def last(self) -> int:
        return self.first + len(self.cards) - 1

    def address(self, page: int) -> str:
        """The address of another page of it, from the question mark on."""
        return "?" + urlencode({"q": self.query} | ({"page": page} if page > 1 else {}))

    @property
    def before(self) -> str:
        return self.address(self.page - 1) if self.page > 1 else ""

    @property
    def after(self) -> str:
        return self.address(self.page + 1) if self.page < self.pages else ""


def find(
    text: str, game: Game, types: Collection[str], deck: Collection[int], page: int = 1, likely: Callable[[], Likely] = Likely
) -> Finding:
    """What a query finds among the game's cards. ``deck`` are the rows of the deck's cards, for ``in:deck``.

    ``types`` are those that the deck has room for: others are found when the query names their type.
    ``likely``: what comes first where the query asks for no order and looks for no word.
    Never raises for a bad query: what was understood is asked, the rest is advice.
    """
    text = text.strip()[:LONGEST]
    read = parse_query(text, game)
    among = _Among(game, frozenset(types), _FromIndex(index, deck) if (index := index_of(read.now)) else _FromDatabase(deck), read)
    problems = (problem for problem in read.query.problems if not _is_about_the_deck(problem, read.query.tree))
    advice = tuple(_advice(text, problem) for problem in problems)
    if read.query.tree is None and read.query.faults:
        return Finding(text, 0, 1, 1, (), None, (), advice)
    answer = among.ask(read.query)
    pages = max(-(-answer.total // PER_PAGE), 1)
    page = min(max(page, 1), pages)
    likeliest = likely() if is_by_name(read.query) else Likely()
    cards = tuple(answer.cards((page - 1) * PER_PAGE, PER_PAGE, likeliest))
    keys = tuple(dict.fromkeys(leaf.key for leaf in leaves(read.query.tree) if isinstance(leaf, Term)))
    facets = tuple(islice(among.facets(), MOST_FACETS))
    return Finding(text, answer.total, page, pages, cards, among.types(), facets, advice, keys, bool(likeliest.first))


def _advice(text: str, problem: Problem) -> Advice:
    before, wrong, after = text[: problem.start], text[problem.start : problem.end], text[problem.end :]
    fixes = tuple((word or "leave it out", "?" + urlencode({"q": f"{before}{word}{after}".strip()})) for word in problem.suggestions)
    return Advice(problem.message, before, wrong, after, fixes, problem.advice)


# -- in:deck ----------------------------------------------------------------------


def _is_deck(tree: Tree) -> bool:
    return isinstance(tree, Term) and tree.key == "in" and tree.op in (":", "=") and tree.value.casefold() == "deck"


def _is_about_the_deck(problem: Problem, tree: Tree | None) -> bool:
    """Whether a problem is the search's surprise at ``in:deck``, which no set is called."""
    return any(_is_deck(leaf) and leaf.span.start <= problem.start and problem.end <= leaf.span.end for leaf in leaves(tree))


def decided(tree: Tree | None, is_held: bool) -> tuple[bool, Tree | None]:
    """The query once it is known whether a card is in the deck: (whether any card can still meet it, what is left to ask)."""
    match tree:
        case None:
            return True, None
        case Not(part):
            possible, left = decided(part, is_held)
            if not possible:
                return True, None
            return (True, none_of(left)) if left is not None else (False, None)
        case And(parts):
            found = [decided(part, is_held) for part in parts]
            return (True, all_of(left for _, left in found)) if all(possible for possible, _ in found) else (False, None)
        case Or(parts):
            found = [pair for part in parts if (pair := decided(part, is_held))[0]]
            if any(left is None for _, left in found):
                return True, None
            return (True, any_of(left for _, left in found)) if found else (False, None)
        case _:
            return (is_held, None) if _is_deck(tree) else (True, tree)


# -- asking the index, or the database where there is none ---------------------------


class _FromIndex:
    def __init__(self, index: Index, deck: Iterable[int]) -> None:
        self._index = index
        self._deck = BitMap(position for pk in deck if (position := index.position(pk)) is not None)

    def ask(self, query: Query, fields: Fields) -> _IndexAnswer:
        if not any(_is_deck(leaf) for leaf in leaves(query.tree)):
            return _IndexAnswer(self._index, self._index.matching(query.tree, fields), query, fields)
        found = BitMap()
        for is_held in (True, False):
            possible, tree = decided(query.tree, is_held)
            if possible:
                cards = self._index.matching(tree, fields)
                found |= cards & self._deck if is_held else cards - self._deck
        return _IndexAnswer(self._index, found, query, fields)


class _IndexAnswer:
    def __init__(self, index: Index, found: BitMap, query: Query, fields: Fields) -> None:
        self._index, self._found, self._query, self._fields = index, found, query, fields
        self.total = len(found)

    def cards(self, start: int, size: int, likely: Likely) -> list[Listed]:
        # Whether a card is in the deck is no measure of how like it is to another.
        tree = decided(self._query.tree, True)[1]
        positions: list[int] = []
        for group in self._groups(likely):
            if len(positions) < size:
                order = self._query.order or likely.order
                ordered = self._index.in_order(group, order, relevance_words(tree), self._fields, tree)
                positions += ordered.slice(start, size - len(positions))
                start = max(start - len(group), 0)
        return [from_brief(line) for line in self._index.briefs(positions)]

    def _groups(self, likely: Likely) -> Iterator[BitMap]:
        """The cards found, those first that the deck is likeliest to want."""
        rest = self._found
        for tree in likely.first:
            group = rest & self._index.matching(tree, self._fields)
            yield group
            rest = rest - group
        yield rest

    def facet(self, key: str) -> list[tuple[str, int]]:
        return self._index.facet(self._found, key, most=MOST_VALUES + 1)


class _FromDatabase:
    def __init__(self, deck: Collection[int]) -> None:
        self._deck = deck

    def ask(self, query: Query, fields: Fields) -> _DatabaseAnswer:
        condition = Q(pk__in=())
        for is_held in (True, False):
            possible, tree = decided(query.tree, is_held)
            if possible:
                held = Q(pk__in=self._deck)
                condition |= (held if is_held else ~held) & to_q(tree, fields)
        return _DatabaseAnswer(Card.objects.current().filter(condition), query, fields)


class _DatabaseAnswer:
    def __init__(self, rows: CardQuerySet, query: Query, fields: Fields) -> None:
        self._rows, self._query, self._fields = rows, query, fields
        self.total = rows.count()

    def cards(self, start: int, size: int, likely: Likely) -> list[Listed]:
        order = ordering(self._query.order or likely.order, decided(self._query.tree, True)[1], self._fields)
        if likely.first:
            groups = (When(to_q(tree, self._fields), then=place) for place, tree in enumerate(likely.first))
            order = [Case(*groups, default=len(likely.first)), *order]
        return from_rows(self._rows.order_by(*order).values_list("pk", flat=True)[start : start + size])

    def facet(self, key: str) -> list[tuple[str, int]]:
        """Types alone: without an index nothing else is quickly counted."""
        if key != "type":
            return []
        counts: dict[str, int] = {}
        for slug in self._rows.order_by().values_list("type", flat=True):
            counts[slug] = counts.get(slug, 0) + 1
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


# -- what to narrow by ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Among:
    """The cards of a game, and what a query may be narrowed by."""

    game: Game
    open_to: frozenset[str]
    catalogue: _FromIndex | _FromDatabase
    read: CardQuery

    def ask(self, query: Query) -> _IndexAnswer | _DatabaseAnswer:
        """What a query finds; only types that the deck has room for, unless it says which."""
        room = None if self._names_type(query) else any_of(Term("type", "=", slug) for slug in sorted(self.open_to))
        return self.catalogue.ask(replace(query, tree=all_of([Term("game", "=", self.game.slug), room, query.tree])), self.read.fields)

    def types(self) -> Facet:
        """The types that the deck has room for and of which a card is left, and what the query picks besides."""
        key, picked, wider = self._without("type")
        counts = dict(
            self.catalogue.ask(replace(wider, tree=all_of([Term("game", "=", self.game.slug), wider.tree])), self.read.fields).facet(key)
        )
        slugs = [card_type.slug for card_type in self.game.types if card_type.slug in self.open_to or card_type.slug in picked]
        slugs = [slug for slug in slugs if counts.get(slug) or slug in picked]
        return Facet("Type", tuple(self._choice(key, slug, counts.get(slug, 0), picked, wider) for slug in slugs))

    def facets(self) -> Iterator[Facet]:
        """The words of the game that tell the cards found apart and are few enough to be read."""
        for fact in self.game.facts_of(self.read.type) if self.read.type else self.game.facts:
            if fact.kind not in ("word", "words"):
                continue
            key, picked, wider = self._without(fact.key)
            counts = self.ask(wider).facet(key)
            if picked or 2 <= len(counts) <= MOST_VALUES:
                yield Facet(fact.title, tuple(self._choice(key, value, count, picked, wider) for value, count in counts))

    def _names_type(self, query: Query) -> bool:
        return any(isinstance(leaf, Term) and leaf.key == "type" for leaf in leaves(query.tree))

    def _without(self, key: str) -> tuple[str, Mapping[str, Tree], Query]:
        picked = self.read.controls.chosen.get(key, {})
        return key, picked, without(self.read.query, picked.values())

    def _choice(self, key: str, value: str, count: int, picked: Mapping[str, Tree], wider: Query) -> Choice:
        field = self.read.fields.get(key)
        shown = (
            self.game.type_named(value).plural if key == "type" else self.read.fields.values(field).get(value, value) if field else value
        )
        if value in picked:
            return Choice(shown, count, f"?q={quote_plus(normal(wider))}", True)
        first, last = and_also(wider)
        return Choice(shown, count, f"?q={first}{quote_plus(term(key, value if key == 'type' else shown))}{last}", False)
