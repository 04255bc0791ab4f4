"""The counts of the set page: how much of a set is known, and which collector numbers nobody has stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from cardsdb.catalogue.stats import CatalogueStats, all_stats
from cardsdb.games import games
from cardsdb.games.kit import CardSet, CardType, Game
from cardsdb.games.kit.model.cards import STAND_IN, entries_in_words
from cardsdb.models import Card, Print
from cardsdb.search.card_query import parse_query
from cardsdb.search.query.normal_form import quoted
from cardsdb.search.results import results_of
from cardsdb.web.pages.game_page import SetSize, sets_of

PER_PAGE = 60
# Ranges of missing numbers that are written out.
MAX_RANGES = 60


@dataclass(frozen=True, slots=True)
class Tally:
    """A value and how many prints of the set have it; ``name`` is empty where nobody states it. ``query``
    finds their cards.
    """

    name: str
    count: int
    query: str


@dataclass(frozen=True, slots=True)
class Completeness:
    """``size`` is the stated number of cards, None if nobody states it; ``numbers`` how many collector
    numbers are known.
    """

    known: int
    size: int | None
    numbers: int
    missing: tuple[str, ...]
    missing_count: int
    cut: bool

    @property
    def shown(self) -> int:
        return min(self.known, self.size or 0)


def completeness(card_set: CardSet, stats: CatalogueStats) -> Completeness:
    """How much is known of the cards of the set, not of what else is in it.

    Without a stated size the gaps below the highest known number are missing.
    """
    stats = stats.cards_alone
    known, numbers = stats.sets.get(card_set.code, 0), stats.numbers.get(card_set.code, ())
    last = card_set.size or (numbers[-1][1] if numbers else 0)
    gaps = stats.missing_numbers(card_set.code, last) if numbers else ()
    count = sum(end - start + 1 for start, end in gaps)
    spelt = tuple(str(start) if start == end else f"{start}–{end}" for start, end in gaps)
    return Completeness(
        known,
        card_set.size,
        stats.known_numbers(card_set.code),
        spelt[:MAX_RANGES],
        count,
        len(spelt) > MAX_RANGES,
    )


def tallies(game: Game, card_set: CardSet, stats: CatalogueStats) -> tuple[Sequence[Tally], Sequence[Tally]]:
    """The set's prints by rarity and by type."""
    code = card_set.code
    rows = Print.objects.filter(set_code=code, card__game=game.slug, card__retired=False)
    counted = rows.order_by().values_list("rarity", "card__type").annotate(prints=Count("pk"))
    rarities: dict[str, int] = {}
    types: dict[str, int] = {}
    for rarity, kind, count in counted:
        rarities[rarity] = rarities.get(rarity, 0) + count
        types[kind] = types.get(kind, 0) + count
    ask = f"game:{game.slug} set:{quoted(code)}"
    by_type = [
        Tally(kind.plural, types[kind.slug], f"{ask} type={kind.slug}")
        for kind in game.types
        if kind.slug in types
    ]
    # The most frequent rarity first; prints of no stated rarity last and without a query, for a card's other
    # prints may state one.
    by_rarity = [
        Tally(name, count, f"{ask} rarity:{quoted(name)}" if name else "") for name, count in rarities.items()
    ]
    return sorted(by_rarity, key=lambda one: (not one.name, -one.count, one.name)), by_type


@dataclass(frozen=True, slots=True)
class GameSets:
    """A game's sets as one list, with how many cards of each are known."""

    game: Game
    sets: Sequence[SetSize]


def all_sets() -> list[GameSets]:
    """The sets of every game that has any, as the games list them."""
    stats = all_stats()
    return [GameSets(game, sets_of(game, stats[game.slug])) for game in games().values() if game.sets]


@dataclass(frozen=True, slots=True)
class SetCards:
    """One page of what is in a set: (card, its type and kind, its prints in this set) and the keys that name
    the pages before and after it.

    ``counted`` says how many cards, stand-ins, components and terms there are; ``cards`` is the query for the
    cards alone.
    """

    rows: Sequence[tuple[Card, str, str]]
    first: int
    total: int
    counted: str
    before: str
    after: str
    query: str
    cards: str

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def cards_of_set(game: Game, card_set: CardSet, after: str, before: str) -> SetCards:
    """The cards after or before the one with this key, by name; the first of them without either."""
    query = f"game:{game.slug} set:{quoted(card_set.code)}"
    results = results_of(parse_query(query))
    page = results.page(PER_PAGE, after=after, before=before)
    cards = Card.objects.prefetch_related("prints").in_bulk(page.pks)
    rows = []
    for card in (cards[pk] for pk in page.pks if pk in cards):
        printed = ", ".join(
            f"{one.number} {one.rarity}".strip() for one in card.prints.all() if one.set_code == card_set.code
        )
        rows.append((card, _named(game.type_named(card.type), card), printed))
    first, last = (rows[0][0].key, rows[-1][0].key) if rows else ("", "")
    kinds = dict(results.facet("entry"))
    keys = (first if page.before else "", last if page.after else "")
    return SetCards(
        rows,
        page.first,
        results.total,
        entries_in_words(kinds),
        *keys,
        query,
        f"{query} is:card" if len(kinds) > 1 else query,
    )


def _named(card_type: CardType, card: Card) -> str:
    """The name of the type, and of the kind of entry where that is no card."""
    kind = (
        STAND_IN.replace("_", "-")
        if card_type.kind == "card" and card.facts.get(STAND_IN) is True
        else card_type.kind
    )
    return card_type.name if kind == "card" else f"{card_type.name}, {kind}"
