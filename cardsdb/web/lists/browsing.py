"""The card list: what the address asks for, as one query, one sentence and one page of cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.text import fold
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import Controls, Range, bounded_facts, parts_of, ranges_of
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import AtLeast, Problem, Regex, Term, Versus, leaves
from cardsdb.search.query.words import in_words
from cardsdb.search.results import CardPage, Results, results_of
from cardsdb.search.snapshots import cards_named_like
from cardsdb.web.lists.facets import Facet, facets_of

PER_PAGE = 48
VIEWS = ("list", "grid", "table", "checklist")
# A table wider than this is read by nobody.
MAX_COLUMNS = 9
# Names offered where nothing is found, and characters of a query that may be a name.
MAX_ALIKE, MAX_ALIKE_LENGTH = 6, 60
# What of a part of a query stands before its value, and behind its field.
_BEFORE_IT = re.compile(r"[^\s()\"]*\Z")
_AFTER_IT = re.compile(r'[^\s()"]*(?:"[^"]*")?')


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem with a query, shown in its place: what stands before, what is wrong, what follows, and whole queries that would do.

    ``is_note`` marks what was understood and perhaps not meant: nothing is wrong with it.
    """

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]
    is_note: bool = False


@dataclass(frozen=True)
class Browse:
    """What a card list shows."""

    asked: CardQuery
    view: str
    results: Results
    page: CardPage
    cards: tuple[ListedCard, ...]
    facets: tuple[Facet, ...]
    ranges: tuple[Range, ...]
    columns: tuple[Fact, ...]
    advice: tuple[Advice, ...]
    game: Game | None = None

    @cached_property
    def text(self) -> str:
        """The query in its normal form: what links carry."""
        return normal(self.asked.query)

    @property
    def total(self) -> int:
        return self.results.total

    @property
    def understood(self) -> str:
        """What is left of a query of which some part was not understood; empty if all of it was."""
        return normal(self.asked.query.tree) if self.asked.query.faults else ""

    @property
    def words(self) -> str:
        query = self.asked.query
        return in_words(query, self.asked.fields) if query.tree is not None or query.order else ""

    @property
    def has_bounds(self) -> bool:
        """Whether a number fact is bounded by the filter form."""
        return any(bounds.low or bounds.high for bounds in self.ranges)

    @cached_property
    def like(self) -> KitCard | None:
        """The card that a ``similar:`` asks for others of."""
        name = next((node.like for node in leaves(self.asked.query.tree) if isinstance(node, AtLeast) and node.like), "")
        return self.asked.fields.cards(name) if name and self.asked.fields.cards else None

    @property
    def keys(self) -> tuple[str, ...]:
        """The facts that the query asks about."""
        return tuple(dict.fromkeys(node.key for node in leaves(self.asked.query.tree) if isinstance(node, Term)))


def browse(params: Mapping[str, str]) -> Browse:
    """Read the address of a card list and find its page. A bad query has advice, never an error."""
    read = parse_query(params.get("q", ""))
    view = params.get("view", "")
    view = view if view in VIEWS else "table" if read.game and read.type else "list"
    advice = tuple(advice_on(read.text, problem) for problem in read.query.problems)
    results = results_of(read)
    if read.is_lost:
        return Browse(read, view, results, CardPage((), 1, False, False), (), (), (), (), advice)
    page = results.page(PER_PAGE, params.get("after", ""), params.get("before", ""))
    rest = f"&view={view}" if params.get("view") in VIEWS else ""
    game = read.game or _only_game(results)
    facets = facets_of(read, game, results, rest)
    columns = columns_of(game, read.type, *_asked_about(read)) if view == "table" and game else ()
    ranges = ranges_of(Controls() if read.query.faults else read.controls, bounded_facts(read.game, read.type, read.fields))
    return Browse(read, view, results, page, tuple(results.listed(page)), facets, ranges, columns, advice, game)


def _only_game(results: Results) -> Game | None:
    """The game of all cards found, if it is one: then its facts can be told apart though the query does not name it."""
    counts = results.facet("game")
    return games().get(counts[0][0]) if len(counts) == 1 else None


def names_like(query: str) -> list[ListedCard]:
    """A few cards whose names look like what was typed; for a search that found nothing."""
    return cards_named_like(query, MAX_ALIKE) if len(fold(query)) <= MAX_ALIKE_LENGTH else []


def advice_on(query: str, problem: Problem) -> Advice:
    """The problem as it is shown in its place in the query."""
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    # A field or a value is shown within the whole part that it would make.
    start, end = (_BEFORE_IT.search(before), _AFTER_IT.match(after)) if problem.code in ("unknown-field", "unknown-value") else (None, None)
    left, right = start[0] if start else "", end[0] if end else ""
    corrections = tuple(
        (f"{left}{word}{right}" if word else "leave it out", f"{before}{word}{after}".strip()) for word in problem.suggestions
    )
    return Advice(problem.message, before, wrong, after, corrections, problem.advice)


def _asked_about(read: CardQuery) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts that the query sorts or tells cards by, and those that are the same in every row because one value was picked."""
    picked = tuple(
        dict.fromkeys(part.key for part in parts_of(read.query.tree) if isinstance(part, Term) and _picks_one(part, read.fields))
    )
    leaves_asked = (node for node in leaves(read.query.tree) if isinstance(node, Term | Regex | Versus))
    keys = (key for node in leaves_asked for key in ((node.left, node.right) if isinstance(node, Versus) else (node.key,)))
    fields = (read.fields.get(key) for key in dict.fromkeys((*(one.key for one in read.query.order), *keys)))
    asked_about = dict.fromkeys(place.key for field in fields if field for place in field.places)
    return tuple(key for key in asked_about if key not in picked), picked


def _picks_one(term: Term, fields: Fields) -> bool:
    """Whether all cards that it finds have the same in this field."""
    field = fields.get(term.key) if term.op in (":", "=") else None
    places = fields.places(field, term.op, term.value) if field else ()
    return len(places) == 1 and (
        places[0].kind in ("number", "flag") or (places[0].kind == "word" and len(fields.meant(places[0], term.op, term.value)) == 1)
    )


@lru_cache(maxsize=256)
def columns_of(game: Game, card_type: str, first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> tuple[Fact, ...]:
    """The facts that a table shows: those asked about, then what every card of the type, or the game, should have.

    Of these short ones come first, then lists of words, then what was picked and is the same in every row (``last``).
    """
    facts = game.facts_of(card_type) if card_type else game.facts
    fitting = [fact for fact in facts if fact.kind in ("word", "number", "words", "flag")]
    about = [fact for key in first for fact in fitting if fact.key == key]
    rest = [f for f in fitting if f.kind != "flag" and f not in about and (f.expected_of(card_type) if card_type else not f.optional)]
    return (*about, *sorted(rest, key=lambda fact: (fact.key in last, fact.kind == "words")))[:MAX_COLUMNS]


def short_facts(game: Game, card: KitCard | ListedCard, asked: tuple[str, ...] = (), most: int = 5) -> str:
    """The card's facts in a few words, for a row of a list: those asked for, then the first of the others."""
    shown = []
    for fact, before in _facts_in_short(game, card.type, asked):
        value = card.facts.get(fact.key)
        if value is not None and value is not False:
            shown.append(fact.title.lower() if value is True else f"{before}{as_words(value)}")
            if len(shown) == most:
                break
    return " · ".join(shown)


@lru_cache(maxsize=1_000)
def _facts_in_short(game: Game, card_type: str, asked: tuple[str, ...]) -> tuple[tuple[Fact, str], ...]:
    """The facts that a row may show, and what stands before the value."""
    facts = [fact for fact in game.facts_of(card_type) if fact.kind != "text"]
    first = [fact for fact in facts if fact.key in asked]
    rest = [fact for fact in facts if fact.key not in asked and not fact.optional]
    return tuple((fact, "" if fact.kind in ("word", "words") else f"{fact.title.lower()} ") for fact in first + rest)
