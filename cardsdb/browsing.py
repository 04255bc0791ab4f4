"""The card list: what the address asks for, as one query and one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.core.paginator import Page, Paginator
from django.db.models import Case, Q, When
from django.http import Http404
from rapidfuzz import process

from cardsdb.errors import Fault, Refused
from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.cards import FactValue, as_words, fold
from cardsdb.games.kit.names import name_index
from cardsdb.models import Card, CardQuerySet
from cardsdb.search.compile import Fields, check, fields_of, in_words, to_q
from cardsdb.search.grammar import parse
from cardsdb.search.tree import And, Not, Or, Problem, Term, Tree, Word, all_of, quoted

PER_PAGE = 50
MAX_PAGE = 1_000_000
# A table wider than this is read by nobody.
MOST_COLUMNS = 9
MOST_FILTERS = 8


@dataclass(frozen=True, slots=True)
class Filter:
    """One control of the filter form, as the address sets it."""

    fact: Fact
    choices: tuple[str, ...] = ()
    value: str = ""
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem with a query, shown in its place: what stands before, what is wrong, what follows, and whole queries that would do."""

    message: str
    before: str
    wrong: str
    after: str
    corrections: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Browse:
    """What a card list shows. ``query`` is the search text as typed."""

    query: str
    game: Game | None
    type: str
    set: str
    filters: tuple[Filter, ...]
    cards: CardQuerySet
    advice: tuple[Advice, ...] = ()
    words: str = ""
    columns: tuple[Fact, ...] = ()
    asked: tuple[str, ...] = ()


def fields_for(game: Game | None) -> Fields:
    """The search words of one game, or of all of them."""
    return fields_of((game,) if game else tuple(games().values()))


@lru_cache(maxsize=512)
def vocabulary(game: Game, key: str) -> tuple[str, ...]:
    """The distinct values of a word fact, sorted."""
    return tuple(sorted({word for card in game.cards for word in card.words(key)}, key=str.casefold))


@lru_cache(maxsize=512)
def numbers(game: Game, key: str) -> frozenset[int]:
    """The distinct values of a number fact."""
    return frozenset(value for card in game.cards if (value := card.number(key)) is not None)


def browse(params: Mapping[str, str]) -> Browse:
    """Read the address of a card list. Unknown games, types and sets are 404; a bad query has problems."""
    game = _known(params.get("game", ""), games())
    card_type = params.get("type", "")
    card_set = params.get("set", "")
    asked = (game,) if game else tuple(games().values())
    if card_type and not any(card_type in of.types_by_slug for of in asked):
        raise Http404
    if card_set and not any(card_set in of.sets_by_code for of in asked):
        raise Http404
    filters = _filters(game, card_type, params) if game else ()
    query = params.get("q", "")
    fields = fields_for(game)
    typed = check(parse(query), fields)
    chosen = " ".join(_terms(filters))
    filtered = check(parse(chosen), fields)
    tree = all_of([typed.tree, filtered.tree])
    cards = Card.objects.current()
    if game:
        cards = cards.in_game(game.slug)
    if card_type:
        cards = cards.filter(type=card_type)
    if card_set:
        cards = cards.filter(prints__set_code=card_set).distinct()
    if tree is not None:
        cards = cards.filter(to_q(tree, fields))
    elif typed.problems:
        # Of a query of which nothing was understood nothing is shown, rather than everything.
        cards = cards.none()
    words = in_words(tree, fields) if tree is not None else ""
    columns = _columns(game, card_type) if game and card_type else ()
    return Browse(
        query,
        game,
        card_type,
        card_set,
        filters,
        _likeliest_first(cards, tree),
        tuple(_advice(query, problem) for problem in typed.problems)
        + tuple(replace(_advice(chosen, problem), corrections=()) for problem in filtered.problems),
        words,
        columns,
        tuple(dict.fromkeys(node.key for node in _leaves(tree) if isinstance(node, Term))),
    )


def _leaves(tree: Tree | None) -> Iterator[Tree]:
    """The words and terms of a query, wherever they stand in it."""
    match tree:
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _leaves(part)
        case Not(part=part):
            yield from _leaves(part)
        case None:
            return
        case _:
            yield tree


def _likeliest_first(cards: CardQuerySet, tree: Tree | None) -> CardQuerySet:
    """By name; where words were typed the card of that name first, then names that begin with them, then names that hold them."""
    words = fold(" ".join(node.value for node in _leaves(tree) if isinstance(node, Word)))
    if not words:
        return cards.by_name()
    closeness = Case(
        When(name_folded=words, then=0),
        When(name_folded__startswith=words, then=1),
        When(name_folded__contains=f" {words}", then=2),
        When(name_folded__contains=words, then=3),
        default=4,
    )
    return cards.order_by(closeness, "sort_name", "game", "code")


def names_like(query: str, game: Game | None) -> list[Card]:
    """A few cards whose names look like what was typed; for a search that found nothing."""
    words = fold(query)
    if not words or len(words) > 60:
        return []
    names = {name: (of.slug, name) for of in ([game] if game else games().values()) for name in name_index(of).names}
    close = [names[name] for name, _, _ in process.extract(words, names.keys(), limit=3, score_cutoff=75)]
    codes = {(of, card.code) for of, name in close for card in name_index(games()[of]).called(name)}
    found = Card.objects.current().filter(code__in=[code for _, code in codes]).by_name()
    return [card for card in found if (card.game, card.code) in codes][:6]


def strict(text: str, game: Game | None) -> Q:
    """The query as a filter. Raises Refused with every problem and its columns."""
    fields = fields_for(game)
    query = check(parse(text), fields)
    if query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in query.faults))
    return to_q(query.tree, fields) if query.tree is not None else Q()


def _advice(query: str, problem: Problem) -> Advice:
    before, wrong, after = query[: problem.start], query[problem.start : problem.end], query[problem.end :]
    corrections = tuple((word or "leave it out", f"{before}{word}{after}".strip()) for word in problem.suggestions)
    return Advice(problem.message, before, wrong, after, corrections)


def _known(slug: str, known: Mapping[str, Game]) -> Game | None:
    if slug and slug not in known:
        raise Http404
    return known.get(slug)


def _filters(game: Game, card_type: str, params: Mapping[str, str]) -> tuple[Filter, ...]:
    """A control for every fact that the chosen type may have; without a type, for the game's first few."""
    found = []
    for fact in game.facts_of(card_type) if card_type else game.facts[:MOST_FILTERS]:
        match fact.kind:
            case "word" | "words":
                choices = vocabulary(game, fact.key)
                if 1 < len(choices) <= 120:
                    found.append(Filter(fact, choices, params.get(fact.key, "")))
            case "number" if len(numbers(game, fact.key)) > 1:
                found.append(Filter(fact, low=params.get(f"{fact.key}_from", ""), high=params.get(f"{fact.key}_to", "")))
            case "flag":
                found.append(Filter(fact, ("yes", "no"), params.get(fact.key, "")))
    return tuple(found)


def _terms(filters: tuple[Filter, ...]) -> list[str]:
    """The filters in the query language: one meaning, one implementation."""
    terms = []
    for control in filters:
        if control.value:
            terms.append(f"{control.fact.key}={quoted(control.value)}")
        if control.low:
            terms.append(f"{control.fact.key}>={quoted(control.low)}")
        if control.high:
            terms.append(f"{control.fact.key}<={quoted(control.high)}")
    return terms


@lru_cache(maxsize=256)
def _columns(game: Game, card_type: str) -> tuple[Fact, ...]:
    """The facts that every card of the type should have: short ones first, lists of words last."""
    shown = [fact for fact in game.facts_of(card_type) if fact.kind in ("word", "number", "words") and fact.expected_of(card_type)]
    return tuple(sorted(shown, key=lambda fact: fact.kind == "words")[:MOST_COLUMNS])


def page_of(cards: CardQuerySet, text: str) -> Page[Card]:
    """One page of cards with their prints: three queries. A page that is no page is 404."""
    if not (text.isascii() and text.isdigit() and 1 <= len(text) <= 7 and 1 <= int(text) <= MAX_PAGE):
        raise Http404
    paginator = Paginator(cards.prefetch_related("prints"), PER_PAGE)
    if int(text) > paginator.num_pages:
        raise Http404
    return paginator.page(int(text))


def short_facts(game: Game, card: KitCard | Card, asked: tuple[str, ...] = (), most: int = 5) -> str:
    """The card's facts in a few words, for a row of a list: those asked for, then the first of the others."""
    shown = [fact for fact in game.facts_of(card.type) if fact.kind != "text" and card.facts.get(fact.key) not in (None, False)]
    first = [fact for fact in shown if fact.key in asked]
    rest = [fact for fact in shown if fact.key not in asked and not fact.optional]
    return " · ".join(_in_short(fact, card.facts[fact.key]) for fact in (first + rest)[:most])


def _in_short(fact: Fact, value: FactValue) -> str:
    if value is True:
        return fact.title.lower()
    return as_words(value) if fact.kind in ("word", "words") else f"{fact.title.lower()} {as_words(value)}"
