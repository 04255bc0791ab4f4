"""The options of a print as values: ``read_options`` makes ``Options`` in micrometres from words, ``query``
makes an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from printing.options.copies import CardCount
from printing.options.duplex import DUPLEX_MODES, duplex_mode_named
from printing.options.sizes import MM, Size, shown
from printing.options.table import NAMED, OPTIONS, BadOption, CannotPrint, Option

# The bleed of backs unless another is chosen: a printer shifts the other side by half a millimetre or a whole
# one.
BACK_BLEED = 2 * MM

__all__ = ["NAMED", "OPTIONS", "USUAL", "BadOption", "CannotPrint", "Option", "Options", "read_options"]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a print. Lengths are micrometres.

    ``trim`` None is the game's own, ``gap_y`` None the same as ``gap``, ``bleed`` None half of the gap.
    """

    only: str
    since: str
    counts: tuple[CardCount, ...]
    copies: int
    missing: bool
    one_each: bool
    extras: tuple[str, ...]
    paper: Size
    orientation: Literal["auto", "portrait", "landscape"]
    margin: int
    trim: Size | None
    sleeves: bool
    turn: Literal["auto", "upright", "turned"]
    gap: int
    gap_y: int | None
    bleed: int | None
    bleed_where: Literal["each", "outside"]
    corner: int
    marks: Literal["corners", "edges", "registration3", "registration4", "none"]
    marks_where: Literal["below", "above"]
    backs: Literal["none", "long", "short", "gutterfold", "separate"]
    side: Literal["both", "fronts", "backs"]
    fold: Literal["auto", "vertical", "horizontal"]
    heads: Literal["from", "to"]
    back_x: int
    back_y: int
    back_turn: int
    back_read: Literal["here", "long", "short", "long-landscape", "short-landscape"]
    style: Literal["light", "full", "saver", "outline"]
    pictures: bool
    ink: Literal["colour", "grey"]
    type: Literal["normal", "large"]
    ruled: bool
    qr: Literal["none", "page", "list"]
    header: bool
    micro: bool
    start: int
    skip: tuple[int, ...]
    part: int

    @property
    def gaps(self) -> tuple[int, int]:
        """The gaps between columns and between rows."""
        return self.gap, self.gap if self.gap_y is None else self.gap_y

    @property
    def bled(self) -> int:
        """The bleed: how far colours run on beyond the cut."""
        return min(min(self.gaps) // 2, 3 * MM) if self.bleed is None else self.bleed

    @property
    def back_bled(self) -> int:
        """The bleed of backs on the other side of the paper: wider by default, because the two sides never
        meet exactly.
        """
        usual = self.bleed is None and self.flip and not self.corner
        return max(self.bled, BACK_BLEED) if usual else self.bled

    @property
    def flip(self) -> Literal["long", "short"] | None:
        """The edge over which paper is turned between fronts and backs; None where it is not turned."""
        return {"long": "long", "separate": "long", "short": "short"}.get(self.backs)  # type: ignore[return-value]

    @property
    def apart(self) -> bool:
        """True if fronts and backs are files of their own."""
        return self.backs == "separate" and self.side == "both"

    @property
    def shows_pictures(self) -> bool:
        """True if own pictures are printed: in the styles that show art."""
        return self.pictures and self.style in ("light", "full")

    def query(self) -> dict[str, str]:
        """The options that differ from their default, as words of an address; ``read_options`` reads them
        back.
        """
        words = {option.name: option.words(getattr(self, option.name)) for option in OPTIONS}
        return {name: value for name, value in words.items() if value != NAMED[name].default}

    def words(self) -> tuple[str, ...]:
        """The settings for a sheet's header: the paper, and what differs from the default."""
        backs = {"short": "short edge", "gutterfold": "to fold"}.get(self.backs, "long edge")
        styles = {"full": "full ink", "saver": "ink saver", "outline": "test print"}
        phrases = {
            "sleeves": "for sleeves",
            "gap": f"gap {' × '.join(shown(gap) for gap in dict.fromkeys(self.gaps))} mm",
            "backs": backs,
            "bleed_where": "bleed outside",
            "back_x": f"backs {shown(self.back_x)} mm right",
            "back_y": f"backs {shown(self.back_y)} mm down",
            "back_turn": f"backs turned {self.back_turn / 100:g}°",
            "back_read": f"as read over the {(duplex_mode_named(self.back_read) or DUPLEX_MODES[0]).brief}",
            "style": styles.get(self.style, ""),
            "pictures": "without own pictures",
            "ink": "greys",
            "type": "large print",
            "ruled": "room to write",
            "corner": f"corners {shown(self.corner)} mm",
        }
        words = [self.paper.name]
        for option in OPTIONS:
            value = getattr(self, option.name)
            if option.name not in _NOT_IN_HEADER and value != getattr(USUAL, option.name):
                says = f"{option.label.casefold()} {option.words(value)} {option.unit}".strip()
                words.append(phrases.get(option.name, says))
        return tuple(words)


# Options that the header says in another way, or that the sheet itself shows.
_NOT_IN_HEADER = frozenset(
    "paper trim orientation margin turn only header marks marks_where micro heads fold copies side part start skip"
    " gap_y since counts missing one_each extras qr".split()
)


def read_options(options: Mapping[str, Any]) -> Options:
    """Options of a form, an address, a command line or an API body. Absent and empty are the default.

    Raises BadOption, also for an option that does not exist.
    """
    for name in options:
        if name not in NAMED:
            raise BadOption("option", name, tuple(NAMED))
    return Options(**{name: option.read(options.get(name)) for name, option in NAMED.items()})


# Every option with its default.
USUAL = read_options({})
