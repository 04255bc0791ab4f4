"""Statistics of what the catalogue has of a game or a set, counted when it was loaded; ``game_page.py`` shows
them.

``CatalogueStats`` (``cardsdb/catalogue/stats.py``), here ``stats``, has the counts of all entries. Its
``cards_alone``, here ``alone``, has those of cards, without stand-ins, components and terms; its ``of_cards``
is None if the game has no such other entries. All statistics count cards alone, except ``kinds_of`` and
``types_of``. A chart is a plain table of bars, each with the query for its cards.
Tests: ``tests/cardsdb/web/test_game_statistics.py``; of the counts of a set ``test_game_page.py`` there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import ceil
from statistics import median_low
from typing import NamedTuple

from cardsdb.catalogue.stats import CatalogueStats, stats_of
from cardsdb.games.kit import ENTRY_KINDS, Card, CardSet, CardType, Fact, Game, entries_in_words
from cardsdb.search.query.tree import quoted

# A number fact of fewer cards gets no chart. One with more than MAX_VALUES values is shown in MAX_STEPS
# ranges.
MIN_CARDS = 5
MAX_VALUES = 16
MAX_STEPS = 12
# A word fact with more values is a vocabulary rather than a grouping, and gets no chart.
MAX_WORDS = 12
# With more cards than this the median is not computed.
MAX_SPREAD = 10_000
# Ranges of missing numbers that are written out.
MAX_RANGES = 60


class Bar(NamedTuple):
    """A line of a chart: the number of cards with a value. ``query`` finds them; "" if no query can.

    ``Bar("Freelancer", 72, 'game:spycraft faction="Freelancer"')``
    """

    label: str
    count: int
    query: str


# -- statistics of a game -------------------------------------------------------------------


class KindCount(NamedTuple):
    """The number of a game's entries of one kind, in words and as a number, and the query for them."""

    words: str
    query: str
    count: int


def kinds_of(game: Game, stats: CatalogueStats) -> list[KindCount]:
    """Return the kinds of entry that the game has in the catalogue. Cards come first, even if none."""
    counts = stats.kinds or {"card": stats.entries}
    found = []
    for kind in ENTRY_KINDS:
        count = counts.get(kind, 0)
        if count or (kind == "card" and stats.entries):
            words = entries_in_words({kind: count}) if count else "no card known"
            only = f" is:{kind}" if count < stats.entries else ""
            found.append(KindCount(words, f"game:{game.slug}{only}", count))
    return found


class TypeTile(NamedTuple):
    """A type of card: its number of entries, ``stand_ins`` among them, and one card as its picture."""

    type: CardType
    count: int
    query: str
    card: Card | None
    stand_ins: int


def types_of(game: Game, stats: CatalogueStats) -> list[TypeTile]:
    """Return every type that has entries. Its card is the first of the showcase, else the first by code."""
    of_type: dict[str, Card] = {}
    for card in (*map(game.card, game.showcase), *sorted(game.cards, key=lambda card: card.code)):
        if card:
            of_type.setdefault(card.type, card)
    counts, alone = stats.types, stats.cards_alone.types
    return [
        TypeTile(
            kind,
            counts[kind.slug],
            f"game:{game.slug} type={kind.slug}",
            of_type.get(kind.slug),
            counts[kind.slug] - alone.get(kind.slug, 0) if kind.kind == "card" else 0,
        )
        for kind in game.types
        if counts.get(kind.slug)
    ]


class FactCoverage(NamedTuple):
    """The number of cards that state a fact, ``of`` the cards that should. ``note`` names the fact that
    stands in its place. ``query`` finds the cards that state it; "" if there are none.
    """

    title: str
    stated: int
    of: int
    query: str
    note: str


def coverage_of(game: Game, stats: CatalogueStats) -> list[FactCoverage]:
    """Return the coverage of every fact that all cards of its types should have, the least known first. A
    fact that only some of its types must have is left out, because its share would say nothing.

    Of the 43 missions of Spycraft 5 state their number: ``FactCoverage("Mission number", 5, 43,
    "game:spycraft has:mission_number", "")``.
    """
    every_card, alone = _cards_of(game, stats), stats.cards_alone
    coverage = []
    for fact in game.facts:
        types = [card_type.slug for card_type in game.types if fact.applies_to(card_type.slug)]
        should_state = sum(alone.types.get(slug, 0) for slug in types)
        if not should_state or not all(map(fact.expected_of, types)):
            continue
        note = ", ".join(
            f"{game.facts_by_key[key].title} stands in its place on {alone.facts[key]:,}"
            for key in fact.unless
            if key in game.facts_by_key and alone.facts.get(key)
        )
        stated = alone.facts.get(fact.key, 0)
        query = f"{every_card} has:{fact.key}" if stated else ""
        coverage.append(FactCoverage(fact.title, stated, should_state, query, note))
    return sorted(coverage, key=lambda row: row.stated / row.of)


def sets_of(game: Game) -> list[tuple[CardSet, int]]:
    """Return the game's sets, each with the number of its known prints."""
    known = stats_of(game.slug).cards_alone.sets
    return [(card_set, known.get(card_set.code, 0)) for card_set in game.sets]


def _cards_of(game: Game, stats: CatalogueStats) -> str:
    """Return the query for the game's cards: ``game:spycraft is:card``, or ``game:x`` if it has no other
    entries.
    """
    return f"game:{game.slug}{' is:card' if stats.of_cards else ''}"


# -- charts ---------------------------------------------------------------------------------


class Chart(NamedTuple):
    """The number of cards with each value of a fact."""

    key: str
    title: str
    note: str
    bars: tuple[Bar, ...]

    @property
    def most(self) -> int:
        return max(bar.count for bar in self.bars)


def charts_of(game: Game, stats: CatalogueStats) -> list[Chart]:
    """Return the charts of the game's cards: those of most cards first, words before numbers."""
    ask, alone = _cards_of(game, stats), stats.cards_alone
    facts = sorted(game.facts, key=lambda fact: (-alone.facts.get(fact.key, 0), fact.kind == "number"))
    charts = (
        _number_chart(fact, f"{ask} {fact.key}", alone.distribution(fact.key))
        if fact.kind == "number"
        else _word_chart(fact, f"{ask} {fact.key}", alone)
        for fact in facts
    )
    return [chart for chart in charts if chart]


def _word_chart(fact: Fact, ask: str, alone: CatalogueStats) -> Chart | None:
    """Return the chart of a fact with few set words, most frequent first; None for any other fact."""
    values = alone.vocabulary.get(fact.key, {})
    # With fewer than two cards for each value, the values group nothing.
    min_cards = max(MIN_CARDS, 2 * len(values))
    is_grouping = 2 <= len(values) <= MAX_WORDS and alone.facts.get(fact.key, 0) >= min_cards
    if fact.kind not in ("word", "words") or not is_grouping:
        return None
    shown = sorted(values.values(), key=lambda pair: (-pair[1], pair[0]))
    bars = tuple(Bar(value, count, f"{ask}={quoted(value)}") for value, count in shown if count)
    return Chart(fact.key, fact.title, "A card may have several." if fact.kind == "words" else "", bars)


def _number_chart(fact: Fact, ask: str, counts: Mapping[int, int]) -> Chart | None:
    """Return the chart of a number fact by its values; None for too few cards or a single value."""
    total = sum(counts.values())
    if len(counts) < 2 or total < MIN_CARDS:
        return None
    note = f"{min(counts):,} to {max(counts):,}"
    if total <= MAX_SPREAD:
        note += f", half of them {median_low(Counter(counts).elements()):,} or less"
    return Chart(fact.key, fact.title, note, tuple(_number_bars(fact, ask, counts)))


def _number_bars(fact: Fact, ask: str, counts: Mapping[int, int]) -> Iterator[Bar]:
    """Yield a bar for each value, or for each range of values if there are many: Spycraft's Expense from 0 to
    26 gets the bars ``0 to 2`` (``expense>=0 expense<=2``), ``3 to 5`` and so on.
    """
    low, high = min(counts), max(counts)
    if len(counts) <= MAX_VALUES:
        yield from (Bar(f"{value:,}", count, f"{ask}={value}") for value, count in counts.items())
        return
    # Rounded up, so that MAX_STEPS ranges cover all values.
    step = ceil((high - low + 1) / MAX_STEPS)
    for start in range(low, high + 1, step):
        end = min(start + step - 1, high)
        if count := sum(number for value, number in counts.items() if start <= value <= end):
            label = f"{start:,}" if start == end else f"{start:,} to {end:,}"
            yield Bar(label, count, f"{ask}>={start} {fact.key}<={end}")


# -- statistics of a set ----------------------------------------------------------------------


class Completeness(NamedTuple):
    """The known part of a set.

    ``known``: prints; ``size``: prints that the set has, None if no source states it; ``numbers``: known
    collector numbers; ``missing``: ranges of missing numbers in words; ``missing_count``: how many numbers
    are missing; ``cut``: there are more ranges than ``missing`` has.
    """

    known: int
    size: int | None
    numbers: int
    missing: tuple[str, ...]
    missing_count: int
    cut: bool

    @property
    def shown(self) -> int:
        """The filled part of the bar, which is at most the whole."""
        return min(self.known, self.size or 0)


def completeness(card_set: CardSet, stats: CatalogueStats) -> Completeness:
    """Return the known part of the cards of a set.

    Without a stated size, only gaps below the highest known number count as missing.
    """
    alone, code = stats.cards_alone, card_set.code
    # Ascending ranges (first, last) of known numbers.
    numbers = alone.numbers.get(code, ())
    highest_known = numbers[-1][1] if numbers else 0
    gaps = alone.missing_numbers(code, card_set.size or highest_known) if numbers else ()
    spelt = tuple(str(start) if start == end else f"{start}–{end}" for start, end in gaps)
    return Completeness(
        alone.sets.get(code, 0),
        card_set.size,
        alone.known_numbers(code),
        spelt[:MAX_RANGES],
        sum(end - start + 1 for start, end in gaps),
        len(spelt) > MAX_RANGES,
    )


def tallies_of(game: Game, card_set: CardSet) -> dict[str, list[Bar]]:
    """Return the bars of a set's prints by rarity and by type.

    The most frequent rarity comes first. Prints without a stated rarity come last and without a query, since
    other prints of their cards may state one.
    """
    code, ask = card_set.code, f"game:{game.slug} set:{quoted(card_set.code)}"
    rarities, types = Counter[str](), Counter[str]()
    for card in game.cards:
        for print_ in card.prints:
            if print_.set == code:
                rarities[print_.rarity] += 1
                types[card.type] += 1
    by_rarity = [
        Bar(name, count, f"{ask} rarity:{quoted(name)}" if name else "") for name, count in rarities.items()
    ]
    return {
        "rarities": sorted(by_rarity, key=lambda bar: (not bar.label, -bar.count, bar.label)),
        "types": [
            Bar(kind.plural, types[kind.slug], f"{ask} type={kind.slug}")
            for kind in game.types
            if kind.slug in types
        ],
    }
