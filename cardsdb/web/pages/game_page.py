"""The charts and counts of the game page, from what was counted when the catalogue was loaded. Each chart is
a table first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low

from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.stats import CatalogueStats, all_stats
from cardsdb.games.kit import Card, CardSet, CardType, Fact, Game
from cardsdb.games.kit.model.cards import ENTRY_KINDS, STAND_IN, entries_in_words
from cardsdb.search.card_query import parse_query
from cardsdb.search.query.tree import quoted
from cardsdb.search.results import results_of

# A number fact of fewer cards than this makes no chart; one of more values is shown in steps.
MIN_CARDS = 5
MAX_VALUES = 16
MAX_STEPS = 12
# A fact with at most so many words groups the cards; one with more is a vocabulary.
MAX_WORDS = 12
# Charts that are shown at once; the rest is folded.
MAX_CHARTS = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart. ``query`` finds its cards."""

    label: str
    count: int
    query: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The number of cards that have each value."""

    key: str
    title: str
    note: str
    bars: tuple[Bar, ...]

    @property
    def most(self) -> int:
        return max(bar.count for bar in self.bars)


@dataclass(frozen=True, slots=True)
class FactCoverage:
    """The share of the cards that should have a fact of which it is stated. ``note``: what may stand in its
    place.

    ``query`` finds the cards of which it is stated, and is empty where there is none.
    """

    title: str
    stated: int
    of: int
    query: str
    note: str = ""

    @property
    def percent(self) -> int:
        """Rounded down, so that only all is 100."""
        return self.stated * 100 // self.of


@dataclass(frozen=True, slots=True)
class SetSize:
    """A set with the number of its known cards."""

    set: CardSet
    known: int

    @property
    def shown(self) -> int:
        """Return how much of the bar is filled: never more than all of it."""
        return min(self.known, self.set.size or 0)


def charts_of(game: Game, stats: CatalogueStats) -> list[Chart]:
    """Every chart of the game's cards, those of most cards first. What is no card is in no statistic."""
    known = stats.cards_alone.facts
    return sorted(
        [*word_charts(game, stats), *number_charts(game, stats)], key=lambda chart: -known.get(chart.key, 0)
    )


def _cards_of(game: Game, stats: CatalogueStats) -> str:
    """The query for the game's cards alone."""
    return f"game:{game.slug} is:card" if stats.of_cards else f"game:{game.slug}"


@dataclass(frozen=True, slots=True)
class KindCount:
    """The number of entries of a kind that a game has, in words, and the query that finds them. ``is_card``:
    cards or what stands for them.
    """

    words: str
    query: str
    count: int
    is_card: bool


def kinds_of(game: Game, stats: CatalogueStats) -> list[KindCount]:
    """The kinds of entry that the catalogue has of the game, cards first, even if there are none."""
    kinds = stats.kinds or {"card": stats.entries}
    return [
        KindCount(
            entries_in_words({kind: kinds[kind]}) if kinds[kind] else "no card known",
            f"game:{game.slug}" + (f" is:{kind}" if kinds[kind] < stats.entries else ""),
            kinds[kind],
            kind in ("card", "stand-in"),
        )
        for kind in ENTRY_KINDS
        if kinds.get(kind) or (kind == "card" and stats.entries)
    ]


@dataclass(frozen=True, slots=True)
class TypeTile:
    """A type with the number of its entries, of which ``stand_ins`` stand for cards that nobody names, and
    one to know it by.
    """

    type: CardType
    count: int
    query: str
    card: Card | None
    stand_ins: int = 0


def types_of(game: Game, stats: CatalogueStats) -> list[TypeTile]:
    """Every type of which the catalogue has cards. Its card is the first of the game's showcase, else the
    first by its code.
    """
    shown = [card for code in game.showcase if (card := game.card(code))]
    of_type: dict[str, Card] = {}
    for card in (*shown, *sorted(game.cards, key=lambda card: card.code)):
        of_type.setdefault(card.type, card)
    return [
        TypeTile(
            kind,
            stats.types[kind.slug],
            f"game:{game.slug} type={kind.slug}",
            of_type.get(kind.slug),
            stats.types[kind.slug] - stats.cards_alone.types.get(kind.slug, 0) if kind.kind == "card" else 0,
        )
        for kind in game.types
        if stats.types.get(kind.slug)
    ]


def word_charts(game: Game, stats: CatalogueStats) -> list[Chart]:
    """Facts with a few words as values, the most frequent first."""
    charts, ask, stats = [], _cards_of(game, stats), stats.cards_alone
    for fact in game.facts:
        values = stats.vocabulary.get(fact.key, {})
        # Values that only a card or two have each group nothing.
        enough = stats.facts.get(fact.key, 0) >= max(MIN_CARDS, 2 * len(values))
        if fact.kind in ("word", "words") and 2 <= len(values) <= MAX_WORDS and enough:
            ordered = sorted(values.values(), key=lambda pair: (-pair[1], pair[0]))
            bars = tuple(
                Bar(shown, count, f"{ask} {fact.key}={quoted(shown)}") for shown, count in ordered if count
            )
            note = "A card may have several." if fact.kind == "words" else ""
            charts.append(Chart(fact.key, fact.title, note, bars))
    return charts


def number_charts(game: Game, stats: CatalogueStats) -> list[Chart]:
    """Number facts in the order of their values."""
    charts, ask, stats = [], _cards_of(game, stats), stats.cards_alone
    for fact in game.facts:
        counts = stats.distribution(fact.key) if fact.kind == "number" else {}
        if len(counts) > 1 and sum(counts.values()) >= MIN_CARDS:
            charts.append(
                Chart(
                    fact.key,
                    fact.title,
                    _summary(counts),
                    tuple(_number_bars(f"{ask} {fact.key}", fact, counts)),
                )
            )
    return charts


def _summary(counts: Mapping[int, int]) -> str:
    values = (
        [value for value, count in counts.items() for _ in range(count)]
        if sum(counts.values()) <= 10_000
        else []
    )
    spread = f"{min(counts):,} to {max(counts):,}"
    return f"{spread}, half of them {median_low(values):,} or less" if values else spread


def _number_bars(ask: str, fact: Fact, counts: Mapping[int, int]) -> Iterable[Bar]:
    low, high = min(counts), max(counts)
    if len(counts) <= MAX_VALUES:
        for value, count in counts.items():
            yield Bar(f"{value:,}", count, f"{ask}={value}")
        return
    step = -(-(high - low + 1) // MAX_STEPS)
    for start in range(low, high + 1, step):
        end = min(start + step - 1, high)
        count = sum(number for value, number in counts.items() if start <= value <= end)
        if count:
            label = f"{start:,}" if start == end else f"{start:,} to {end:,}"
            yield Bar(label, count, f"{ask}>={start} {fact.key}<={end}")


def coverage_of(game: Game, stats: CatalogueStats) -> list[FactCoverage]:
    """Return how much is known of every fact that all cards of its types should have, the least known first."""
    coverage, ask, stats = [], _cards_of(game, stats), stats.cards_alone
    for fact in game.facts:
        kinds = [kind.slug for kind in game.types if fact.applies_to(kind.slug)]
        of = sum(stats.types.get(kind, 0) for kind in kinds)
        if of and all(fact.expected_of(kind) for kind in kinds):
            others = [
                other for key in fact.unless if (other := game.facts_by_key.get(key)) and stats.facts.get(key)
            ]
            note = ", ".join(
                f"{other.title} stands in its place on {stats.facts[other.key]:,}" for other in others
            )
            stated = stats.facts.get(fact.key, 0)
            coverage.append(
                FactCoverage(fact.title, stated, of, f"{ask} has:{fact.key}" if stated else "", note)
            )
    return sorted(coverage, key=lambda one: one.stated / one.of)


def sets_of(game: Game, stats: CatalogueStats) -> list[SetSize]:
    known = stats.cards_alone.sets
    return [SetSize(card_set, known.get(card_set.code, 0)) for card_set in game.sets]


def showcases() -> dict[str, list[Card]]:
    """Game's slug -> the cards that it shows of itself, in its order, as far as the catalogue lists them."""
    whole = catalogue()
    return {slug: list(whole.listed(slug, game.showcase).values()) for slug, game in whole.games.items()}


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
    """Return how much is known of the cards of the set, not of what else is in it.

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


def tallies(game: Game, card_set: CardSet) -> tuple[Sequence[Tally], Sequence[Tally]]:
    """The set's prints by rarity and by type."""
    code = card_set.code
    printed = [(one.rarity, card.type) for card in game.cards for one in card.prints if one.set == code]
    rarities, types = Counter(rarity for rarity, _ in printed), Counter(kind for _, kind in printed)
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
    rows = []
    for card in page.cards:
        printed = ", ".join(
            f"{one.number} {one.rarity}".strip() for one in card.prints if one.set == card_set.code
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
