"""The home page, and the pages of games and sets: their table tonight, and what the catalogue has of each,
from what was counted when it was loaded. Each chart is a table first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median_low
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.stats import CatalogueStats, all_stats, stats_of
from cardsdb.games.kit import ENTRY_KINDS, Card, CardSet, CardType, Fact, Game, entries_in_words
from cardsdb.search.query.tree import quoted
from cardsdb.search.results import parse_query, results_of
from cardsdb.site.sharing import public, public_or_own
from cardsdb.site.shortcuts import game_or_404, or_404
from cardsdb.web.card_page import source_of
from cardsdb.web.evening import tonight_of
from cardsdb.web.guide_views import page_about

FACES_AT_HOME = 2
# A number fact of fewer cards than this makes no chart; one of more values is shown in steps.
MIN_CARDS = 5
MAX_VALUES = 16
MAX_STEPS = 12
# A fact with at most so many words groups the cards; one with more is a vocabulary.
MAX_WORDS = 12
# Of more cards the middle one is not looked for.
MAX_SPREAD = 10_000
# Charts that are shown at once; the rest is folded.
MAX_CHARTS = 4
# Cards of a set on a page, and ranges of missing numbers that are written out.
PER_PAGE = 60
MAX_RANGES = 60


class Bar(NamedTuple):
    """One line of a chart: how many cards have a value. ``query`` finds them, and is empty where nothing
    does.
    """

    label: str
    count: int
    query: str


# -- what a game has ------------------------------------------------------------------------


class KindCount(NamedTuple):
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


class TypeTile(NamedTuple):
    """A type with the number of its entries, of which ``stand_ins`` stand for cards that no source names, and
    one to know it by.
    """

    type: CardType
    count: int
    query: str
    card: Card | None
    stand_ins: int


def types_of(game: Game, stats: CatalogueStats) -> list[TypeTile]:
    """Every type of which the catalogue has cards. Its card is the first of the game's showcase, else the
    first by its code.
    """
    shown = [card for code in game.showcase if (card := game.card(code))]
    of_type: dict[str, Card] = {}
    for card in (*shown, *sorted(game.cards, key=lambda card: card.code)):
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
    """The share of the cards that should have a fact of which it is stated. ``note``: what may stand in its
    place.

    ``query`` finds the cards of which it is stated, and is empty where there is none.
    """

    title: str
    stated: int
    of: int
    query: str
    note: str


def coverage_of(game: Game, stats: CatalogueStats) -> list[FactCoverage]:
    """Return how much is known of every fact that all cards of its types should have, the least known
    first.
    """
    coverage, ask, stats = [], _cards_of(game, stats), stats.cards_alone
    for fact in game.facts:
        kinds = [kind.slug for kind in game.types if fact.applies_to(kind.slug)]
        of, stated = sum(stats.types.get(kind, 0) for kind in kinds), stats.facts.get(fact.key, 0)
        if of and all(fact.expected_of(kind) for kind in kinds):
            others = [game.facts_by_key[key] for key in fact.unless if key in game.facts_by_key]
            note = ", ".join(
                f"{other.title} stands in its place on {stats.facts[other.key]:,}"
                for other in others
                if stats.facts.get(other.key)
            )
            query = f"{ask} has:{fact.key}" if stated else ""
            coverage.append(FactCoverage(fact.title, stated, of, query, note))
    return sorted(coverage, key=lambda one: one.stated / one.of)


def _sets_of(game: Game) -> list[tuple[CardSet, int]]:
    """The game's sets, each with the number of its cards' known prints."""
    known = stats_of(game.slug).cards_alone.sets
    return [(card_set, known.get(card_set.code, 0)) for card_set in game.sets]


def _cards_of(game: Game, stats: CatalogueStats) -> str:
    """The query for the game's cards alone."""
    return f"game:{game.slug}{' is:card' if stats.of_cards else ''}"


# -- charts ---------------------------------------------------------------------------------


class Chart(NamedTuple):
    """The number of cards that have each value of a fact."""

    key: str
    title: str
    note: str
    bars: tuple[Bar, ...]

    @property
    def most(self) -> int:
        return max(bar.count for bar in self.bars)


def charts_of(game: Game, stats: CatalogueStats) -> list[Chart]:
    """Every chart of the game's cards, those of most cards first, and facts in words before numbers. What is
    no card is in no statistic.
    """
    ask, stats = _cards_of(game, stats), stats.cards_alone
    facts = sorted(game.facts, key=lambda fact: (-stats.facts.get(fact.key, 0), fact.kind == "number"))
    charts = (
        _number_chart(fact, f"{ask} {fact.key}", stats.distribution(fact.key))
        if fact.kind == "number"
        else _word_chart(fact, f"{ask} {fact.key}", stats)
        for fact in facts
    )
    return [chart for chart in charts if chart]


def _word_chart(fact: Fact, ask: str, stats: CatalogueStats) -> Chart | None:
    """The chart of a fact with a few words as values, the most frequent first; None of any other. Values that
    only a card or two have each group nothing.
    """
    values = stats.vocabulary.get(fact.key, {})
    enough = stats.facts.get(fact.key, 0) >= max(MIN_CARDS, 2 * len(values))
    if fact.kind not in ("word", "words") or not 2 <= len(values) <= MAX_WORDS or not enough:
        return None
    shown = sorted(values.values(), key=lambda pair: (-pair[1], pair[0]))
    bars = tuple(Bar(value, count, f"{ask}={quoted(value)}") for value, count in shown if count)
    return Chart(fact.key, fact.title, "A card may have several." if fact.kind == "words" else "", bars)


def _number_chart(fact: Fact, ask: str, counts: Mapping[int, int]) -> Chart | None:
    """The chart of a number fact in the order of its values; None of too few cards, or of one value."""
    total = sum(counts.values())
    if len(counts) < 2 or total < MIN_CARDS:
        return None
    note = f"{min(counts):,} to {max(counts):,}"
    if total <= MAX_SPREAD:
        note += f", half of them {median_low(Counter(counts).elements()):,} or less"
    return Chart(fact.key, fact.title, note, tuple(_number_bars(fact, ask, counts)))


def _number_bars(fact: Fact, ask: str, counts: Mapping[int, int]) -> Iterator[Bar]:
    low, high = min(counts), max(counts)
    if len(counts) <= MAX_VALUES:
        yield from (Bar(f"{value:,}", count, f"{ask}={value}") for value, count in counts.items())
        return
    step = -(-(high - low + 1) // MAX_STEPS)
    for start in range(low, high + 1, step):
        end = min(start + step - 1, high)
        if count := sum(number for value, number in counts.items() if start <= value <= end):
            label = f"{start:,}" if start == end else f"{start:,} to {end:,}"
            yield Bar(label, count, f"{ask}>={start} {fact.key}<={end}")


# -- what a set has ---------------------------------------------------------------------------


class Completeness(NamedTuple):
    """``known`` prints of ``size``, None if no source states it; ``numbers``: how many collector numbers."""

    known: int
    size: int | None
    numbers: int
    missing: tuple[str, ...]
    missing_count: int
    cut: bool

    @property
    def shown(self) -> int:
        """Return how much of the bar is filled: never more than all of it."""
        return min(self.known, self.size or 0)


def completeness(card_set: CardSet, stats: CatalogueStats) -> Completeness:
    """Return how much is known of the cards of the set, not of what else is in it.

    Without a stated size the gaps below the highest known number are missing.
    """
    stats, code = stats.cards_alone, card_set.code
    numbers = stats.numbers.get(code, ())
    gaps = stats.missing_numbers(code, card_set.size or numbers[-1][1]) if numbers else ()
    spelt = tuple(str(start) if start == end else f"{start}–{end}" for start, end in gaps)
    return Completeness(
        stats.sets.get(code, 0),
        card_set.size,
        stats.known_numbers(code),
        spelt[:MAX_RANGES],
        sum(end - start + 1 for start, end in gaps),
        len(spelt) > MAX_RANGES,
    )


def _tallies(game: Game, card_set: CardSet) -> dict[str, list[Bar]]:
    """The set's prints by rarity and by type. The most frequent rarity comes first; prints of no stated
    rarity last and without a query, for a card's other prints may state one.
    """
    code, ask = card_set.code, f"game:{game.slug} set:{quoted(card_set.code)}"
    printed = [(one.rarity, card.type) for card in game.cards for one in card.prints if one.set == code]
    rarities, types = (Counter(values) for values in zip(*printed, strict=True)) if printed else ({}, {})
    by_rarity = [
        Bar(name, count, f"{ask} rarity:{quoted(name)}" if name else "") for name, count in rarities.items()
    ]
    return {
        "rarities": sorted(by_rarity, key=lambda one: (not one.label, -one.count, one.label)),
        "types": [
            Bar(kind.plural, types[kind.slug], f"{ask} type={kind.slug}")
            for kind in game.types
            if kind.slug in types
        ],
    }


def cards_of_set(game: Game, card_set: CardSet, after: str, before: str) -> dict[str, Any]:
    """The cards after or before the one with this key, by name; the first of them without either.

    ``rows`` has each with its type and kind, and its prints in this set; ``before`` and ``after`` the keys
    that name the pages beside this one. ``counted`` says how many cards, stand-ins, components and terms
    there are; ``cards`` is the query for the cards alone.
    """
    query = f"game:{game.slug} set:{quoted(card_set.code)}"
    results = results_of(parse_query(query))
    page, kinds, rows = results.page(PER_PAGE, after=after, before=before), dict(results.facet("entry")), []
    for card in page.cards:
        printed = [f"{one.number} {one.rarity}".strip() for one in card.prints if one.set == card_set.code]
        kind, name = game.kind_of(card), game.type_named(card.type).name
        rows.append((card, name if kind == "card" else f"{name}, {kind}", ", ".join(printed)))
    return {
        "rows": rows,
        "first": page.first,
        "last": page.first + len(rows) - 1,
        "total": results.total,
        "counted": entries_in_words(kinds),
        "before": page.cards[0].key if rows and page.before else "",
        "after": page.cards[-1].key if rows and page.after else "",
        "query": query,
        "cards": f"{query} is:card" if len(kinds) > 1 else query,
    }


# -- the pages --------------------------------------------------------------------------------


@require_safe
@public
def home(request: HttpRequest) -> HttpResponse:
    """Show what can be played tonight: every game, the one with most cards first, and what it takes."""
    stats = all_stats()
    shown = {slug: list(catalogue().listed(slug, game.showcase).values()) for slug, game in games().items()}
    largest = sorted(games().values(), key=lambda game: -stats[game.slug].cards)
    context = {
        "faces": [(game, shown[game.slug][0]) for game in largest if shown[game.slug]][:FACES_AT_HOME],
        "tiles": [
            (
                tonight_of(game),
                f"{entries_in_words({'card': stats[game.slug].cards})} known by name",
                shown[game.slug],
            )
            for game in largest
        ],
        "example": next((game for game in games().values() if game.showcase_list), None),
    }
    return render(request, "cardsdb/pages/home.html", context)


@require_safe
@public
def game_list(request: HttpRequest) -> HttpResponse:
    counted = [(game, kinds_of(game, stats_of(game.slug))) for game in games().values()]
    return page_about(request, "game_list", None, games=counted)


@require_safe
@public
def game_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table tonight, for the number of players that the address asks for: 400 with the reason for
    one that cannot be.
    """
    game, stats = game_or_404(slug), stats_of(slug)
    tonight = tonight_of(game, request.GET)
    return page_about(
        request,
        "game",
        game,
        400 if tonight.refused else 200,
        tonight=tonight,
        cards=stats.cards,
        tiles=[one for one in types_of(game, stats) if one.type.kind == "card" and one.count > one.stand_ins],
    )


@require_safe
@public
def game_about(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the catalogue holds of a game, counted when it was loaded, and who made it."""
    game, stats = game_or_404(slug), stats_of(slug)
    charts = charts_of(game, stats)
    return page_about(
        request,
        "game_about",
        game,
        stats=stats,
        kinds=kinds_of(game, stats),
        imprint=[
            (line, [source_of(game, cited.claim) for cited in line.sources])
            for line in (game.play_guide.imprint if game.play_guide else ())
        ],
        charts=charts,
        open_charts=MAX_CHARTS,
        folded_charts=max(len(charts) - MAX_CHARTS, 0),
        known=coverage_of(game, stats),
        sets=_sets_of(game),
        set_up=[(number, game.citations[number.cites]) for number in game.set_up],
    )


@require_safe
@public
def set_list(request: HttpRequest) -> HttpResponse:
    """The sets of every game, with how much of each is known."""
    return page_about(
        request,
        "sets",
        None,
        listed=[(game, _sets_of(game)) for game in games().values() if game.sets],
        without=[game for game in games().values() if not game.sets],
    )


@require_safe
@public_or_own
def set_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """One set: how much of it is known, and its cards. ``after``, ``before``: the key of the card that a page
    stands beside.
    """
    game = game_or_404(game_slug)
    card_set = or_404(game.sets_by_code.get(code))
    return page_about(
        request,
        "set",
        game,
        **_tallies(game, card_set),
        set=card_set,
        completeness=completeness(card_set, stats_of(game_slug)),
        listed=cards_of_set(game, card_set, request.GET.get("after", ""), request.GET.get("before", "")),
        source=game.documents.get(card_set.source),
    )
