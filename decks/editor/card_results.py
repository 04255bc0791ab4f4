"""Cards for the deck being edited: the catalogue's search within one game, and ``in:deck`` for what the deck holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import quote_plus, urlencode

from cardsdb.games.kit import Game
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.query.filter_form import and_also, term, without
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import Problem, Query, Term, Tree, all_of, any_of, leaves
from cardsdb.search.results import Results, results_of
from cardsdb.web.lists.browsing import Advice
from decks.editor.likely import Likely

PER_PAGE = 36
MAX_QUERY = 1024
# Facets beside the type: so many, of so many values at most.
MAX_FACETS, MAX_VALUES = 4, 12


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
class CardResults:
    """One page of what a query finds in a game."""

    query: str
    total: int
    page: int
    pages: int
    cards: tuple[ListedCard, ...]
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
) -> CardResults:
    """What a query finds among the game's cards. ``deck`` are the rows of the deck's cards, for ``in:deck``.

    ``types`` are those that the deck has room for: others are found when the query names their type.
    ``likely``: what comes first where the query asks for no order and looks for no word.
    Never raises for a bad query: what was understood is asked, the rest is advice.
    """
    text = text.strip()[:MAX_QUERY]
    read = parse_query(text, game, lists={"deck": deck})
    advice = tuple(_advice(text, problem) for problem in read.query.problems)
    if read.is_lost:
        return CardResults(text, 0, 1, 1, (), None, (), advice)
    choices = _Choices(game, frozenset(types), read)
    results = choices.results(read.query)
    pages = max(-(-results.total // PER_PAGE), 1)
    page = min(max(page, 1), pages)
    likeliest = likely() if results.is_by_name else Likely()
    cards = results.preferring(likeliest.first, likeliest.order).slice((page - 1) * PER_PAGE, PER_PAGE)
    keys = tuple(dict.fromkeys(leaf.key for leaf in leaves(read.query.tree) if isinstance(leaf, Term)))
    facets = tuple(islice(choices.facets(), MAX_FACETS))
    return CardResults(text, results.total, page, pages, tuple(cards), choices.types(), facets, advice, keys, bool(likeliest.first))


def _advice(text: str, problem: Problem) -> Advice:
    before, wrong, after = text[: problem.start], text[problem.start : problem.end], text[problem.end :]
    fixes = tuple((word or "leave it out", "?" + urlencode({"q": f"{before}{word}{after}".strip()})) for word in problem.suggestions)
    return Advice(problem.message, before, wrong, after, fixes, problem.advice)


# -- what to narrow by ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choices:
    """The cards of a game, and what a query may be narrowed by."""

    game: Game
    open_to: frozenset[str]
    read: CardQuery

    def results(self, query: Query) -> Results:
        """What a query finds; only types that the deck has room for, unless it says which."""
        names_type = any(isinstance(leaf, Term) and leaf.key == "type" for leaf in leaves(query.tree))
        room = None if names_type else any_of(Term("type", "=", slug) for slug in sorted(self.open_to))
        return results_of(self.read.asking(replace(query, tree=all_of([room, query.tree]))).within(self.game))

    def types(self) -> Facet:
        """The types that the deck has room for and of which a card is left, and what the query picks besides."""
        key, picked, wider = self._without("type")
        counts = dict(results_of(self.read.asking(wider).within(self.game)).facet(key))
        slugs = [card_type.slug for card_type in self.game.types if card_type.slug in self.open_to or card_type.slug in picked]
        slugs = [slug for slug in slugs if counts.get(slug) or slug in picked]
        return Facet("Type", tuple(self._choice(key, slug, counts.get(slug, 0), picked, wider) for slug in slugs))

    def facets(self) -> Iterator[Facet]:
        """The words of the game that tell the cards found apart and are few enough to be read."""
        for fact in self.game.facts_of(self.read.type) if self.read.type else self.game.facts:
            if fact.kind not in ("word", "words"):
                continue
            key, picked, wider = self._without(fact.key)
            counts = self.results(wider).facet(key, MAX_VALUES + 1)
            if picked or 2 <= len(counts) <= MAX_VALUES:
                yield Facet(fact.title, tuple(self._choice(key, value, count, picked, wider) for value, count in counts))

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
