"""An evening of a game: what has to be brought, what is printed for so many players, how the table looks, and what
else can be done. ``set_up.toml`` declares it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class TablePlace:
    """A place on the table before the first turn: ``table`` cards and ``each`` more for every player, side by
    side or in one stack; a stack without a number is as high as its deck. ``own``: every player has one.
    """

    label: str
    shape: Literal["row", "stack", "space"] = "row"
    table: int = 0
    each: int = 0
    own: bool = False

    def cards(self, players: int) -> int:
        """The number of cards that lie there; 0 where it is not known, and on an empty space."""
        return self.table + self.each * players


@dataclass(frozen=True)
class Door:
    """Something to do tonight. ``to``: ``build``, ``check``, ``cards``, ``play``, or a worksheet of the game.

    ``asks`` is the query of the cards, without the game.
    """

    title: str
    says: str
    to: str
    asks: str = ""


@dataclass(frozen=True)
class Evening:
    """An evening as a game declares it. ``bring`` is the sentence with which its page begins.

    ``title`` and ``says`` stand on the link that prints everything. ``decks`` are starters, one for each player
    as far as they go; ``shared`` lie between all; ``spare`` is one whose cards stand for a box that is not there,
    with the number of players in its name. ``sheets`` are worksheets, of which each player gets one. ``words``:
    an extra of printing (or ``spare``) -> what this game calls it. ``seats``: a number of players as text -> words
    for it. ``usual``: the number of players that is shown first, that of the set-up where it is 0.
    """

    bring: str = ""
    title: str = ""
    says: str = ""
    usual: int = 0
    decks: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    spare: str = ""
    sheets: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    places: tuple[TablePlace, ...] = ()
    doors: tuple[Door, ...] = ()

    def starters(self, players: int) -> tuple[str, ...]:
        """The names of the starters that so many players need, as far as there are any."""
        return (*self.decks[:players], *self.shared)

    def spare_for(self, players: int) -> str:
        """The name of the starter that stands for the box; empty if there is none."""
        return self.spare.replace("{players}", str(players))


NO_EVENING = Evening()
