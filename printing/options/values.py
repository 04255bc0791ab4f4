"""The options of a print as values: ``read_options`` makes ``Options`` in micrometres from words, ``query``
makes an address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from printing.options.copies import CardCount, NotCounted, read_counts, written
from printing.options.duplex import DUPLEX_MODES, duplex_mode_named
from printing.options.sizes import MM, NoSize, Size, read_length, read_paper, read_trim, shown
from printing.options.table import MAX_SLOTS, NAMED, NO, OPTIONS, YES, BadOption, CannotPrint, Kind, Option

# The bleed of backs unless another is chosen: a printer shifts the other side by half a millimetre or a whole
# one.
BACK_BLEED = 2 * MM

# The most letters of a value; text has a bound of its own. All slots of a sheet with commas and spaces are
# 2,390.
MAX_LETTERS = 2_500

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
        words = {option.name: _words_of(getattr(self, option.name), option) for option in OPTIONS}
        return {name: value for name, value in words.items() if value != NAMED[name].default}

    def words(self) -> tuple[str, ...]:
        """The settings for a sheet's header: the paper, and what differs from the default."""
        words = [self.paper.name]
        for option in OPTIONS:
            if option.name in _NOT_IN_HEADER or getattr(self, option.name) == getattr(USUAL, option.name):
                continue
            words.append(_PHRASES[option.name](self) if option.name in _PHRASES else _phrase(self, option))
        return tuple(words)


# Options that the header says in another way, or that the sheet itself shows.
_NOT_IN_HEADER = frozenset(
    "paper trim orientation margin turn only header marks marks_where micro heads fold copies side part start skip"
    " gap_y since counts missing one_each extras qr".split()
)

_PHRASES: dict[str, Callable[[Options], str]] = {
    "sleeves": lambda options: "for sleeves",
    "gap": lambda options: "gap " + " × ".join(shown(gap) for gap in dict.fromkeys(options.gaps)) + " mm",
    "backs": lambda options: {
        "long": "long edge",
        "short": "short edge",
        "gutterfold": "to fold",
        "separate": "long edge",
    }[options.backs],
    "bleed_where": lambda options: "bleed outside",
    "back_x": lambda options: f"backs {shown(options.back_x)} mm right",
    "back_y": lambda options: f"backs {shown(options.back_y)} mm down",
    "back_turn": lambda options: f"backs turned {options.back_turn / 100:g}°",
    "back_read": lambda options: (
        f"as read over the {(duplex_mode_named(options.back_read) or DUPLEX_MODES[0]).brief}"
    ),
    "style": lambda options: {"full": "full ink", "saver": "ink saver", "outline": "test print"}[
        options.style
    ],
    "pictures": lambda options: "without own pictures",
    "ink": lambda options: "greys",
    "type": lambda options: "large print",
    "ruled": lambda options: "room to write",
    "corner": lambda options: f"corners {shown(options.corner)} mm",
}


def _phrase(options: Options, option: Option) -> str:
    return (
        f"{option.label.casefold()}"
        f" {_words_of(getattr(options, option.name), option)}{f' {option.unit}' if option.unit else ''}"
    )


def read_options(options: Mapping[str, Any]) -> Options:
    """Options of a form, an address, a command line or an API body. Absent and empty are the default.

    Raises BadOption, also for an option that does not exist.
    """
    for name in options:
        if name not in NAMED:
            raise BadOption("option", name, tuple(NAMED))
    return Options(**{name: read_option(option, options.get(name)) for name, option in NAMED.items()})


def read_option(option: Option, value: object) -> Any:
    """One value. Absent and empty are the default. Raises BadOption."""
    text = str(value if value is not None else "").strip() or option.default
    as_written = option.kind in ("text", "counts")
    if len(text) > (most := option.most if as_written else MAX_LETTERS):
        raise BadOption(option, text, (f"at most {most:,} letters",))
    text = text if as_written else text.casefold()
    try:
        return _READERS[option.kind](text, option)
    except NoSize as error:
        raise BadOption(option, text, error.allowed) from None
    except NotCounted as error:
        raise BadOption(option, error.part, option.allowed) from None
    except ValueError:
        raise BadOption(option, text, option.allowed) from None


def _words_of(value: Any, option: Option) -> str:
    """A value as words."""
    if value is None:
        return option.default
    if isinstance(value, Size):
        return value.slug
    if isinstance(value, bool):
        return "yes" if value else "no"
    if option.kind == "counts":
        return written(value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if option.kind == "angle":
        return f"{value / 100:g}"
    return shown(value) if option.kind == "length" else str(value)


# Each reads one kind of option, and raises ValueError for words that are none.


def _among(text: str, allowed: Iterable[str]) -> str:
    if text not in allowed:
        raise ValueError(text)
    return text


def _within(number: int | None, option: Option) -> int:
    if number is None or not option.least <= number <= option.most:
        raise ValueError(number)
    return number


def _choice(text: str, option: Option) -> str:
    return _among(option.also.get(text, text), option.choices)


def _size(text: str, option: Option) -> Size | None:
    return (read_paper if option.name == "paper" else read_trim)(text) if text else None


def _length(text: str, option: Option) -> int | None:
    if text in option.choices:
        return None
    return _within(read_length(text), option)


def _angle(text: str, option: Option) -> int:
    """Hundredths of a degree, from degrees as people write them."""
    number = text.removesuffix("°").removesuffix("degrees").strip().replace(",", ".")
    if not re.fullmatch(r"[+-]?[0-9]{0,3}(\.[0-9]{1,2}0*)?", number, re.ASCII):
        raise ValueError(text)
    return _within(round(float(number) * 100), option)


def _number(text: str, option: Option) -> int:
    return _within(int(text) if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII) else None, option)


def _places(text: str, option: Option) -> tuple[int, ...]:
    # Space is made single first: to look for a dash behind each space of many takes the square of them.
    parts = [part for part in re.split(r"[\s,;]+", re.sub(" ?[-–] ?", "-", " ".join(text.split()))) if part]
    places: set[int] = set()
    for part in parts if len(parts) <= MAX_SLOTS else [text]:
        match = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MAX_SLOTS:
            raise ValueError(part)
        places.update(range(first, last + 1))
    return tuple(sorted(places))


def _several(text: str, option: Option) -> tuple[str, ...]:
    parts = {part for part in re.split(r"[\s,;]+", text) if part}
    if not parts <= option.choices.keys():
        raise ValueError(text)
    return tuple(value for value in option.choices if value in parts)


_READERS: dict[Kind, Callable[[str, Option], Any]] = {
    "choice": _choice,
    "size": _size,
    "length": _length,
    "angle": _angle,
    "number": _number,
    "places": _places,
    "counts": lambda text, option: read_counts(text),
    "several": _several,
    "flag": lambda text, option: _among(text, (*YES, *NO)) in YES,
    "text": lambda text, option: text,
}

# Every option with its default.
USUAL = read_options({})
