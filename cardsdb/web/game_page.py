"""The home page, and the pages of games and sets: what is on the table tonight, and how much the catalogue
has (``game_statistics.py``).

A game's first page is shown as one value, ``Tonight``: seats, places on the table, set-up steps, and links
("doors") to what else can be done. ``tonight_of`` makes it of what the game declares in play.toml.
Tests: ``tests/cardsdb/web/test_game_page.py``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.stats import all_stats, stats_of
from cardsdb.games.kit import CardSet, Game, entries_in_words, some
from cardsdb.games.kit.model.guides import (
    NO_EVENING,
    Door,
    Evening,
    Guide,
    SetUpError,
    SetUpGuide,
    TablePlace,
)
from cardsdb.search.query.tree import quoted
from cardsdb.search.results import parse_query, results_of
from cardsdb.site.sharing import public, public_or_own
from cardsdb.site.shortcuts import game_or_404, or_404
from cardsdb.web.card_facts import source_of
from cardsdb.web.game_statistics import (
    charts_of,
    completeness,
    coverage_of,
    kinds_of,
    sets_of,
    tallies_of,
    types_of,
)
from cardsdb.web.guide_views import page_about

# Faces that the home page draws.
FACES_AT_HOME = 2
# Charts shown at once; the rest is folded.
MAX_CHARTS = 4
# Cards of a set on one page.
PER_PAGE = 60
# Numbers of players that the page offers for a game without an upper limit; the set-up page takes any.
MAX_OFFERED = 3
# Cards of a row on the table that are drawn singly.
MAX_DRAWN = 8
# Links of a game that declares none for its evening.
USUAL_DOORS = (
    Door("Build a deck", "With its verdict as you choose", "build"),
    Door("Check a list you have", "Every fault with its rule", "check"),
)


# -- an evening -----------------------------------------------------------------------------


class PlaceShown(NamedTuple):
    """A place on the table with its number of cards."""

    place: TablePlace
    cards: int

    @property
    def words(self) -> str:
        """The label, with the number of cards before it for a row whose label begins in lower case: ``7 in
        hand``, but ``Bureau deck``.
        """
        is_counted = self.cards and self.place.shape == "row" and self.place.label[:1].islower()
        return f"{self.cards} {self.place.label}" if is_counted else self.place.label

    @property
    def drawn(self) -> range:
        """One item for each card to draw: all cards of a row, else one."""
        return range(min(self.cards, MAX_DRAWN) if self.place.shape == "row" else 1)


@dataclass(frozen=True)
class Tonight:
    """An evening for a number of players.

    ``guide`` is None for a game without a set-up. ``span``: the possible numbers of players in words.
    ``offered``: pairs of (number of players, words). ``refused``: a sentence if an impossible number was
    asked for, else "". ``evening``: what ``play.toml`` declares of it.

    SpyNet's usual evening has the ``span`` "2 to 4 players", ``offered`` ``((2, "2"), (3, "3"), (4, "4, two
    teams"))``, ``players`` "3 players" and the ``seats`` ``("You", "Player 2", "Player 3")``.
    """

    game: Game
    evening: Evening = NO_EVENING
    guide: Guide | None = None
    span: str = ""
    offered: tuple[tuple[int, str], ...] = ()
    refused: str = ""

    @property
    def players(self) -> str:
        """``3 players``; "" for a game without a set-up."""
        return some(self.guide.players, "player") if self.guide else ""

    @property
    def doors(self) -> tuple[Door, ...]:
        return self.evening.doors or USUAL_DOORS

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, beginning with the reader's."""
        return ("You", *(f"Player {seat}" for seat in range(2, self.guide.players + 1))) if self.guide else ()

    @property
    def tokens(self) -> tuple[tuple[str, str, str], ...]:
        """(name, drawing, colour) of each kind of token that every player gets."""
        colours = {**self.game.colours, "hue": self.game.hue[0]}
        return tuple(
            (marker.name, marker.symbol, colours.get(marker.colour, marker.colour))
            for marker in self.game.print_extras.markers
            if marker.each
        )

    def places(self, own: bool) -> tuple[PlaceShown, ...]:
        """The places of each player if ``own``, else those shared by all."""
        players = self.guide.players if self.guide else 0
        return tuple(
            PlaceShown(place, place.cards(players)) for place in self.evening.places if place.own == own
        )

    @property
    def without_deck(self) -> int:
        """The number of players for whom the game has no starter deck left; 0 for a game without starters."""
        decks, players = len(self.evening.decks), self.guide.players if self.guide else 0
        return max(players - decks, 0) if decks else 0


def tonight_of(game: Game, asked: Mapping[str, str] | None = None) -> Tonight:
    """Return the evening for the number of players in the address (``asked``) or the usual number."""
    declared = game.set_up_guide
    if declared is None:
        return Tonight(game)
    usual, refused = declared.guide(declared.tonight), ""
    try:
        guide = declared.guide_for({"players": (asked or {}).get("players") or declared.tonight})
    except SetUpError as error:
        guide, refused = usual, str(error)
    span = "Alone" if declared.players.high == 1 else f"{declared.players} players"
    return Tonight(game, declared.evening, guide, span, tuple(_offered(declared, guide.players)), refused)


def _offered(declared: SetUpGuide, chosen: int) -> list[tuple[int, str]]:
    """Return (number of players, words) of each number to choose from, including the chosen one: ``[(2, "2"),
    (3, "3"), (4, "4, two teams")]`` for SpyNet.
    """
    known = declared.players.numbers
    numbers = known if declared.players.high is not None else known[:MAX_OFFERED]
    seats = declared.evening.seats
    return [(number, seats.get(str(number), str(number))) for number in sorted({*numbers, chosen})]


# -- a set ----------------------------------------------------------------------------------


def cards_of_set(game: Game, card_set: CardSet, after: str, before: str) -> dict[str, Any]:
    """Return one page of a set's cards by name: after or before the card with this key, else the first page.

    ``rows``: (card, type and kind in words, its prints in this set). ``first``, ``last``: numbers of the
    first and last row, from 1, of ``total``. ``before``, ``after``: keys for the pages beside this one, "" at
    the ends. ``counted``: the number of entries by kind, in words. ``query`` finds them all, ``cards`` the
    cards alone.
    """
    query = f"game:{game.slug} set:{quoted(card_set.code)}"
    results = results_of(parse_query(query))
    page = results.page(PER_PAGE, after=after, before=before)
    # Kind of entry -> number.
    kinds = dict(results.facet("entry"))
    rows = []
    for card in page.cards:
        printed = [
            f"{print_.number} {print_.rarity}".strip()
            for print_ in card.prints
            if print_.set == card_set.code
        ]
        kind, type_name = game.kind_of(card), game.type_named(card.type).name
        words = type_name if kind == "card" else f"{type_name}, {kind}"
        rows.append((card, words, ", ".join(printed)))
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
    """The home page: every game, the one with most cards first, with what an evening of it takes.

    ``faces``: (game, card) of the first games with cards to show; ``tiles``: (evening, number of cards in
    words, cards to show) of each game; ``example``: a game that has a list to try.
    """
    stats = all_stats()
    # Slug of a game -> the cards of its showcase.
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
    """A game's first page: the table for the number of players in the address; 400 with the reason if that
    number is not possible.
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
        tiles=[
            tile for tile in types_of(game, stats) if tile.type.kind == "card" and tile.count > tile.stand_ins
        ],
    )


@require_safe
@public
def game_about(request: HttpRequest, slug: str) -> HttpResponse:
    """The page about a game: what the catalogue has of it, and who made it."""
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
        sets=sets_of(game),
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
        listed=[(game, sets_of(game)) for game in games().values() if game.sets],
        without=[game for game in games().values() if not game.sets],
    )


@require_safe
@public_or_own
def set_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """One set: the known part of it, and its cards. ``after`` and ``before`` are keys that choose the
    page.
    """
    game = game_or_404(game_slug)
    card_set = or_404(game.sets_by_code.get(code))
    return page_about(
        request,
        "set",
        game,
        **tallies_of(game, card_set),
        set=card_set,
        completeness=completeness(card_set, stats_of(game_slug)),
        listed=cards_of_set(game, card_set, request.GET.get("after", ""), request.GET.get("before", "")),
        source=game.documents.get(card_set.source),
    )
