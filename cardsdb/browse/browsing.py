"""The card list: what the address asks for, as one query, one sentence and one page of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from urllib.parse import quote_plus

from cardsdb import holdings
from cardsdb.browse.facets import Facet, Range, bounded_facts, facets_of, ranges_of
from cardsdb.browse.filter_form import OWN, Controls, composed, controls_of, is_form
from cardsdb.browse.listed import Listed, from_rows
from cardsdb.browse.results import Results, Slice, results_of
from cardsdb.errors import Fault, Refused
from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.cards import as_words, fold
from cardsdb.open_index import index_of
from cardsdb.search.compile import check
from cardsdb.search.fields import Fields
from cardsdb.search.grammar import parse
from cardsdb.search.tree import And, AtLeast, Not, Or, Problem, Query, Regex, Term, Tree, all_of, normal
from cardsdb.search.words import in_words

PER_PAGE = 48
VIEWS = ("list", "grid", "table", "checklist")
# A table wider than this is read by nobody.
MOST_COLUMNS = 9


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem with a query, shown in its place: what stands before, what is wrong, what follows, and whole queries that would do."""

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks: the text as typed, the query read from it, and the game if it asks for one."""

    text: str
    query: Query
    fields: Fields
    game: Game | None
    controls: Controls
    now: holdings.State

    @property
    def type(self) -> str:
        """The slug of the one type asked for; empty without one."""
        value = self.controls.only("type")
        known = self.game.types if self.game else ()
        return next((t.slug for t in known if value in (t.slug, fold(t.name))), "")

    @property
    def address(self) -> str:
        """The query as an address holds it."""
        return quote_plus(normal(self.query))


def asked(text: str, game: Game | None = None) -> Asked:
    """Read a query; within a game, where one is given.

    A word means the same whether or not the query names a game, so that one more condition always
    narrows: a fact that a game does not have is one that nobody states there.
    """
    now = holdings.state()
    fields = holdings.fields_for(None, now)
    query = check(parse(text), fields)
    controls = controls_of(query, fields)
    if slug := controls.only("game"):
        game = next((g for g in games().values() if slug in (g.slug, fold(g.name))), game)
    if game:
        query = replace(query, problems=(*query.problems, *_foreign(query.tree, game, fields)))
    read = Asked(text, query, fields, game, controls, now)
    return replace(read, controls=controls_of(query, fields, {fact.key for fact in bounded_facts(game, read.type, fields)}, game))


def _foreign(tree: Tree | None, game: Game, fields: Fields) -> Iterator[Problem]:
    """Advice for every fact that is asked for and that the game does not have."""
    for leaf in leaves(tree):
        field = fields.get(leaf.key) if isinstance(leaf, Term | Regex) else None
        if field and all(place.key not in game.facts_by_key and place.key in _fact_keys() for place in field.places):
            start, end = leaf.key_span or leaf.span
            message = f"{game.name} has no {field.title.lower()}: nothing states one of any of its cards."
            yield Problem("not-of-this-game", message, start, end, (), True)


def _fact_keys() -> set[str]:
    return {key for game in games().values() for key in game.facts_by_key}


@dataclass(frozen=True)
class Browse:
    """What a card list shows."""

    asked: Asked
    view: str
    results: Results | None
    page: Slice
    cards: tuple[Listed, ...]
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
        return self.results.total if self.results else 0

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


def rewritten(params: Mapping[str, str]) -> str | None:
    """The query that the filter form's controls amount to, None if the address is a query already.

    A query that has faults stays as it was typed, so that nothing is lost while it is being mended.
    """
    if all(name in OWN for name in params):
        return None
    fields = holdings.fields_for(None)
    if not is_form(params, fields):
        return None
    text = composed(params, fields)
    read = asked(text)
    return text if read.query.faults else normal(read.query)


def browse(params: Mapping[str, str]) -> Browse:
    """Read the address of a card list and find its page. A bad query has advice, never an error."""
    read = asked(params.get("q", ""))
    view = params.get("view", "")
    view = view if view in VIEWS else "table" if read.game and read.type else "list"
    advice = tuple(_advice(read.text, problem) for problem in read.query.problems)
    if read.query.tree is None and read.query.faults:
        # Of a query of which nothing was understood nothing is shown, rather than everything.
        return Browse(read, view, None, Slice((), 1, False, False), (), (), (), (), advice)
    results = results_of(read.query, read.fields, read.now)
    page = results.page(PER_PAGE, params.get("after", ""), params.get("before", ""))
    rest = f"&view={view}" if params.get("view") in VIEWS else ""
    faulty = read.text if read.query.faults else ""
    game = read.game or _only_game(results)

    def narrowed(query: Query) -> Results:
        return results_of(query, read.fields, read.now)

    facets = facets_of(read.query, read.controls, game, read.type, results, read.fields, narrowed, rest, faulty)
    columns = columns_of(game, read.type) if view == "table" and game else ()
    ranges = ranges_of(Controls() if faulty else read.controls, bounded_facts(read.game, read.type, read.fields))
    return Browse(read, view, results, page, tuple(results.listed(page)), facets, ranges, columns, advice, game)


def _only_game(results: Results) -> Game | None:
    """The game of all cards found, if it is one: then its facts can be told apart though the query does not name it."""
    counts = results.facet("game")
    return games().get(counts[0][0]) if len(counts) == 1 else None


def leaves(tree: Tree | None) -> Iterator[Tree]:
    """The words and terms of a query, wherever they stand in it."""
    match tree:
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from leaves(part)
        case Not(part=part):
            yield from leaves(part)
        case None:
            return
        case _:
            yield tree


def results_for(text: str) -> Results | None:
    """The results of a query as typed, None if nothing of it is understood."""
    read = asked(text)
    return None if read.query.tree is None and read.query.faults else results_of(read.query, read.fields, read.now)


def names_like(query: str) -> list[Listed]:
    """A few cards whose names look like what was typed; for a search that found nothing. None without an index."""
    index = index_of(holdings.state())
    words = fold(query)
    if not index or not words or len(words) > 60:
        return []
    return from_rows(index.pks(index.names_like(words, 6)))


def strict(text: str, game: Game | None) -> tuple[Query, Fields]:
    """The checked query, within the game if one is given, and its fields. Raises Refused with every problem and its columns."""
    read = asked(text, game)
    if read.query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in read.query.faults))
    within = Term("game", "=", game.slug) if game else None
    return replace(read.query, tree=all_of([within, read.query.tree])), read.fields


def _advice(query: str, problem: Problem) -> Advice:
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    corrections = tuple((word or "leave it out", f"{before}{word}{after}".strip()) for word in problem.suggestions)
    return Advice(problem.message, before, wrong, after, corrections)


@lru_cache(maxsize=256)
def columns_of(game: Game, card_type: str) -> tuple[Fact, ...]:
    """The facts that every card of the type, or the game, should have: short ones first, lists of words last."""
    facts = game.facts_of(card_type) if card_type else game.facts
    shown = [f for f in facts if f.kind in ("word", "number", "words") and (f.expected_of(card_type) if card_type else not f.optional)]
    return tuple(sorted(shown, key=lambda fact: fact.kind == "words")[:MOST_COLUMNS])


def short_facts(game: Game, card: KitCard | Listed, asked: tuple[str, ...] = (), most: int = 5) -> str:
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
