"""The evening of a game as its first page shows it: who sits where, what lies between them, the steps, and
what else can be done tonight.
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

# Of a game for any number of players as many numbers can be chosen at once; more stand on the set-up's page.
MAX_OFFERED = 3
# Cards of a row that are drawn one by one.
MAX_DRAWN = 8
# What can be done with any game that declares nothing for its evening.
USUAL_DOORS = (
    Door("Build a deck", "With its verdict as you choose", "build"),
    Door("Check a list you have", "Every fault with its rule", "check"),
)


class PlaceShown(NamedTuple):
    """A place on the table with its number of cards; ``words`` say both."""

    place: TablePlace
    cards: int

    @property
    def words(self) -> str:
        """``7 in hand``, ``Bureau deck``."""
        is_counted = self.cards and self.place.shape == "row" and self.place.label[:1].islower()
        return f"{self.cards} {self.place.label}" if is_counted else self.place.label

    @property
    def drawn(self) -> range:
        """One for each card that is drawn: those of a row, else a single one."""
        return range(min(self.cards, MAX_DRAWN) if self.place.shape == "row" else 1)


@dataclass(frozen=True)
class Tonight:
    """An evening for so many players. ``guide`` is None for a game without a set-up; ``span`` says for how
    many the game is; ``refused``: a sentence where a number of players was asked for that cannot be.
    """

    game: Game
    evening: Evening = NO_EVENING
    guide: Guide | None = None
    span: str = ""
    offered: tuple[tuple[int, str], ...] = ()
    refused: str = ""

    @property
    def players(self) -> str:
        """``3 players``; empty for a game without a set-up."""
        return some(self.guide.players, "player") if self.guide else ""

    @property
    def doors(self) -> tuple[Door, ...]:
        return self.evening.doors or USUAL_DOORS

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats, the reader's first."""
        return ("You", *(f"Player {seat}" for seat in range(2, self.guide.players + 1))) if self.guide else ()

    @property
    def tokens(self) -> tuple[tuple[str, str, str], ...]:
        """(name, drawing, colour) of each kind of token that every player has."""
        colours, hue = self.game.colours, self.game.hue[0]
        return tuple(
            (one.name, one.symbol, hue if one.colour == "hue" else colours.get(one.colour, one.colour))
            for one in self.game.print_extras.markers
            if one.each
        )

    def places(self, own: bool) -> tuple[PlaceShown, ...]:
        """The places between all, or those that every player has."""
        players = self.guide.players if self.guide else 0
        return tuple(PlaceShown(one, one.cards(players)) for one in self.evening.places if one.own == own)

    @property
    def without_deck(self) -> int:
        """The number of players for whom no ready deck is left, of a game that has some."""
        decks, players = len(self.evening.decks), self.guide.players if self.guide else 0
        return max(players - decks, 0) if decks else 0


def tonight_of(game: Game, asked: Mapping[str, str] | None = None) -> Tonight:
    """The evening of a game for the players that the address asks for, for its usual number without any."""
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
    """The numbers of players to choose from, each in words."""
    known = declared.players.numbers
    numbers = known if declared.players.high is not None else known[:MAX_OFFERED]
    seats = declared.evening.seats
    return [(number, seats.get(str(number), str(number))) for number in sorted({*numbers, chosen})]
