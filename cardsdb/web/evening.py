"""A game's first page as one value, ``Tonight``: seats, places on the table, set-up steps, and links
("doors") to what else can be done. Built by ``tonight_of`` from what the game declares in play.toml;
``web/game_page.py`` shows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cardsdb.games.kit import Game, some
from cardsdb.games.kit.model.guides import (
    NO_EVENING,
    Door,
    Evening,
    Guide,
    SetUpError,
    SetUpGuide,
    TablePlace,
)

# Numbers of players that the page offers for a game without an upper limit; the set-up page takes any.
MAX_OFFERED = 3
# Cards of a row on the table that are drawn singly.
MAX_DRAWN = 8
# Links of a game that declares none for its evening.
USUAL_DOORS = (
    Door("Build a deck", "With its verdict as you choose", "build"),
    Door("Check a list you have", "Every fault with its rule", "check"),
)


class PlaceShown(NamedTuple):
    """A place on the table with its number of cards."""

    place: TablePlace
    cards: int

    @property
    def words(self) -> str:
        """The label, with the number of cards if it begins in lower case: ``7 in hand``, ``Bureau deck``."""
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
    asked for, else "".
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
        colours, hue = self.game.colours, self.game.hue[0]
        return tuple(
            (
                marker.name,
                marker.symbol,
                hue if marker.colour == "hue" else colours.get(marker.colour, marker.colour),
            )
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
    """Return (number of players, words) of each number to choose from, including the chosen one."""
    known = declared.players.numbers
    numbers = known if declared.players.high is not None else known[:MAX_OFFERED]
    seats = declared.evening.seats
    return [(number, seats.get(str(number), str(number))) for number in sorted({*numbers, chosen})]
