"""What reading a list gives: its deck, the lines that were not understood, and what was set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from cardsdb.games.kit.model.decklist import Decklist, Entry


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that was not understood: its number as an editor counts, its text, and why.

    ``readings``: of a line that names several cards what it says for each; ``outcomes``: the verdict by each,
    in words, once judged. ``likely``: the one suggestion that is surely meant. ``may_be_title``: it stands
    above the cards, and may be what the deck is called. ``where``: its place in the file that the list was
    in, where another program's file is not counted in our lines.
    """

    line: int
    text: str
    code: str
    message: str
    suggestions: tuple[str, ...] = ()
    section: str = ""
    likely: str = ""
    may_be_title: bool = False
    readings: tuple[Entry, ...] = ()
    outcomes: tuple[str, ...] = ()
    where: str = ""

    @property
    def place(self) -> str:
        """Where it stands in what was sent, in words."""
        return self.where or f"line {self.line}"

    @property
    def offered(self) -> tuple[tuple[str, str], ...]:
        """The suggestions, each with the verdict by it if that is known."""
        return tuple(zip_longest(self.suggestions, self.outcomes[: len(self.suggestions)], fillvalue=""))

    @property
    def may_stay_unknown(self) -> bool:
        """Whether the line may stay as a card that is not in the catalogue (``KEEP_UNKNOWN``)."""
        return self.code == "unknown_card"

    @property
    def correctable(self) -> bool:
        """Whether a suggestion can stand in the line as it is, so that ``with_correction`` may put it
        there.
        """
        return self.code in ("unknown_card", "ambiguous", "unknown_section")


@dataclass(frozen=True, slots=True)
class Notice:
    """What was set aside of a line that was otherwise understood. ``where``: as in ``Unread``."""

    line: int
    message: str
    where: str = ""

    @property
    def place(self) -> str:
        """Where the line stands in what was sent, in words."""
        return self.where or f"line {self.line}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: the deck, the lines that could not be read, what was set aside, and what else the
    text says of the deck.

    ``title`` is the number of the line that was taken for the deck's name, 0 for none. ``places``: the
    section and code of a card -> the lines that name it, each with its number and its copies.
    """

    deck: Decklist
    unread: tuple[Unread, ...] = ()
    notices: tuple[Notice, ...] = ()
    format: str = ""
    comments: tuple[str, ...] = ()
    notes: str = ""
    tags: tuple[str, ...] = ()
    house: str = ""
    game: str = ""
    title: int = 0
    places: Mapping[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)
