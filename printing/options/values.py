"""The options of a print: ``read_options`` makes ``Options`` in micrometres from words, ``query`` makes an
address.

To add an option, add a table to ``options.toml``, from which form, address, command line, API and documents
are made, and a field of its name to ``Options``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import table_beside
from printing.options.copies import CardCount, NotCounted, read_counts, written
from printing.options.duplex import DuplexMode, Shift, duplex_mode_named
from printing.options.sizes import MM, PAPERS, TRIMS, NoSize, Size, read_length, read_paper, read_trim, shown

# The bleed of backs unless another is chosen: a printer shifts the other side by half a millimetre or a whole
# one.
BACK_BLEED = 2 * MM
MAX_SLOTS = 500
# All of a length, in hundredths of a per cent.
WHOLE = 10_000
# The most letters of a value; text has a bound of its own. All slots of a sheet with commas and spaces are
# 2,390.
MAX_LETTERS = 2_500
# An error repeats this many letters of a value that is not understood.
MAX_QUOTED = 80
# Degrees and per cent as people write them, to the hundredth.
_HUNDREDTHS = re.compile(r"([+-]?[0-9]{0,3}(?:[.,][0-9]{1,2}0*)?)\s*(?:°|degrees|%|per ?cent)?")
# Words that a flag may be written as.
FLAGS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)

Kind = Literal[
    "choice",
    "several",
    "size",
    "length",
    "margins",
    "angle",
    "percent",
    "number",
    "grid",
    "places",
    "counts",
    "flag",
    "text",
]


class CannotPrint(Refused):
    """The print that a request asks for is impossible. ``field`` is the option or part at fault."""

    code = "cannot_print"
    field = "cards"

    def __init__(self, sentence: str, field: str | None = None) -> None:
        self.field = self.field if field is None else field
        super().__init__(Fault(self.code, f"{sentence[:1].upper()}{sentence[1:]}.", self.field))


@dataclass(frozen=True, eq=False)
class Option:
    """One option. ``least`` and ``most`` are micrometres for a length, hundredths of a degree for an angle
    and of a per cent, plain numbers for a number.

    ``choices``: the words in a form, by value. A size, a length or a number may also be one of them: words
    with a meaning of their own. ``also`` maps older words to values. ``header`` is the phrase on each sheet
    for a value that is not the usual one, and ``briefly`` its words there.
    """

    name: str
    kind: Kind
    label: str
    default: str = ""
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    most: int = 0
    unit: str = ""
    also: Mapping[str, str] = field(default_factory=dict)
    group: str = ""
    header: str = ""
    briefly: Mapping[str, str] = field(default_factory=dict)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The allowed values in words."""
        words = tuple(filter(None, self.choices))
        match self.kind:
            case "length":
                return (*words, f"{shown(self.least)} to {shown(self.most)} mm")
            case "margins":
                return (f"one length or four, each from {shown(self.least)} to {shown(self.most)} mm",)
            case "angle":
                return (*words, f"{self.least / 100:g} to {self.most / 100:g} degrees, such as 0.2")
            case "percent":
                return (f"{self.least / 100:g} to {self.most / 100:g} per cent",)
            case "grid":
                return (f"columns x rows such as 2x5, at most {MAX_SLOTS} slots",)
            case "number":
                return (*words, f"a whole number from {self.least} to {self.most}")
            case "places":
                return (*words, f"numbers of slots, 1 to {MAX_SLOTS}, such as 2,5 or 1-3")
            case "counts":
                return ("cards with a number each, such as Kai=3, Termite=0, Li=+1",)
            case "several":
                return (f"any of {', '.join(words)}, with commas between them",)
            case "flag":
                return ("yes", "no")
            case "text":
                return (f"at most {self.most} letters",)
        return words

    def read(self, value: object) -> Any:
        """One value in the words of a request. Absent and empty are the default. Raises BadOption."""
        text = str(value if value is not None else "").strip() or self.default
        as_written = self.kind in ("text", "counts")
        if len(text) > (most := self.most if as_written else MAX_LETTERS):
            raise BadOption(self, text, (f"at most {most:,} letters",))
        text = text if as_written else text.casefold()
        try:
            return self._value(text)
        except NoSize as error:
            raise BadOption(self, text, error.allowed) from None
        except NotCounted as error:
            raise BadOption(self, error.part, self.allowed) from None
        except (KeyError, ValueError):
            raise BadOption(self, text, self.allowed) from None

    def _value(self, text: str) -> Any:
        """The value of words of its kind. Raises ValueError or KeyError for any others."""
        number: int | None = None
        match self.kind:
            case "text":
                return text
            case "counts":
                return read_counts(text)
            case "flag":
                return FLAGS[text]
            case "choice" if (said := self.also.get(text, text)) in self.choices:
                return said
            case "several":
                parts = dict.fromkeys(part for part in re.split(r"[\s,;]+", text) if part)
                return tuple(sorted(parts, key=list(self.choices).index))
            case "places":
                return _places(text)
            case "size":
                return (read_paper if self.name == "paper" else read_trim)(text) if text else None
            case "length" if text in self.choices and read_length(text) is None:
                return None
            case "length":
                number = read_length(text)
            case "margins":
                return self._margins(text)
            case "grid":
                return _grid(text) if text else None
            case "angle" | "percent" if found := _HUNDREDTHS.fullmatch(text):
                number = round(float(found[1].replace(",", ".")) * 100)
            case "number" if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII):
                number = int(text)
        if number is None or not self.least <= number <= self.most:
            raise ValueError(text)
        return number

    def _margins(self, text: str) -> tuple[int, ...]:
        """One length for all edges, or four. Raises ValueError."""
        lengths = [read_length(part) for part in re.split(r"[;,]? +|;", re.sub(" (mm|in)", r"\1", text))]
        kept = [one for one in lengths if one is not None and self.least <= one <= self.most]
        if len(kept) != len(lengths) or len(kept) not in (1, 4):
            raise ValueError(text)
        return tuple(kept * (4 // len(kept)))

    def words(self, value: Any) -> str:
        """A value as words that ``read`` reads."""
        if value is None:
            return self.default
        match self.kind:
            case "size":
                return str(value.slug)
            case "flag":
                return "yes" if value else "no"
            case "counts":
                return written(value)
            case "several" | "places":
                return ",".join(map(str, value))
            case "angle" | "percent":
                return f"{value / 100:g}"
            case "grid":
                return "x".join(map(str, value))
            case "margins":
                return " ".join(map(shown, value if len(set(value)) > 1 else value[:1]))
            case "length":
                return shown(value)
        return str(value)


def _grid(text: str) -> tuple[int, int]:
    """The columns and rows that ``2x5`` names. Raises ValueError."""
    match = re.fullmatch(r"([0-9]{1,3}) ?[x×] ?([0-9]{1,3})", text, re.ASCII)
    if not match or not 0 < int(match[1]) * int(match[2]) <= MAX_SLOTS:
        raise ValueError(text)
    return int(match[1]), int(match[2])


def _places(text: str) -> tuple[int, ...]:
    """The numbers of slots that ``2,5, 7-9`` names. Raises ValueError."""
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


class BadOption(CannotPrint):
    """An option has a value that is not allowed; ``allowed`` lists the values that are.

    ``option`` is a mere name if there is no such option. ``value`` is cut short: it may be as long as a
    request.
    """

    code = "bad_option"

    def __init__(self, option: Option | str, value: object, allowed: tuple[str, ...]) -> None:
        name, label = (option, option) if isinstance(option, str) else (option.name, option.label)
        text = str(value)
        self.value = f"{text[:MAX_QUOTED]}…" if len(text) > MAX_QUOTED else text
        self.allowed = allowed
        super().__init__(f"{label} must be {' or '.join(allowed)}, not “{self.value}”", name)


def declared(beside: str, choices: Mapping[str, Mapping[str, str]]) -> tuple[Option, ...]:
    """The options of the file ``options.toml`` beside a module, in their order. ``choices``: choices that
    other tables hold, by the option's name.
    """
    tables = table_beside(beside, "options")
    made = tuple(
        Option(name, **said | {"choices": {**said.get("choices", {}), **choices.get(name, {})}})
        for name, said in tables.items()
    )
    for one in made:
        # The usual word of a length is read as None; another word would be read as the same.
        for word in set(one.choices) - {one.default} if one.kind == "length" else ():
            if read_length(word) is None:
                place = f"{Path(beside).parent.name}/options.toml, {one.name}.choices"
                raise ValueError(f"{place}: {word!r} is no length, nor the usual {one.default!r}")
    return made


OPTIONS = declared(
    __file__,
    {
        name: {one.slug: one.name for one in sizes.values()}
        for name, sizes in (("paper", PAPERS), ("trim", TRIMS))
    },
)
NAMED = {one.name: one for one in OPTIONS}


@dataclass(frozen=True)
class Options:
    """The options of a print. Lengths are micrometres.

    ``trim`` None is the game's own, ``gap_y`` None the same as ``gap``, ``bleed`` None half of the gap,
    ``block`` None as many as fit, ``left`` and ``top`` None the middle. ``margin``: top, right, foot and left
    of upright paper.
    """

    only: str
    since: str
    missing: bool
    one_each: bool
    counts: tuple[CardCount, ...]
    copies: int
    extras: tuple[str, ...]
    thickness: int
    paper: Size
    orientation: Literal["auto", "portrait", "landscape"]
    margin: tuple[int, int, int, int]
    scale_x: int
    scale_y: int
    front_x: int
    front_y: int
    front_turn: int
    trim: Size | None
    sleeves: bool
    turn: Literal["auto", "upright", "turned"]
    block: tuple[int, int] | None
    left: int | None
    top: int | None
    gap: int
    gap_y: int | None
    bleed: int | None
    bleed_where: Literal["each", "outside"]
    edges: Literal["each", "mirrored", "repeated", "colour"]
    corner: int
    marks: Literal["corners", "edges", "registration3", "registration4", "none"]
    marks_where: Literal["below", "above"]
    mark_length: int
    mark_width: int
    mark_colour: Literal["dark", "grey", "red", "blue"]
    cut_order: bool
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
    part: int
    skip: tuple[int, ...]

    @property
    def gaps(self) -> tuple[int, int]:
        """The gaps between columns and between rows."""
        return self.gap, self.gap if self.gap_y is None else self.gap_y

    @property
    def bled(self) -> int:
        """The bleed: the distance by which colours run on beyond the cut."""
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
        """The edge over which paper is turned between fronts and backs; None if it is not turned."""
        return {"long": "long", "separate": "long", "short": "short"}.get(self.backs)  # type: ignore[return-value]

    @property
    def apart(self) -> bool:
        """True if fronts and backs are files of their own."""
        return self.backs == "separate" and self.side == "both"

    @property
    def shift(self) -> Shift:
        """The shift of backs against fronts, as it was read."""
        return Shift(self.back_x, self.back_y, self.back_turn)

    @property
    def front_shift(self) -> Shift:
        """The shift of fronts, and of the backs behind them, as it was read, for upright paper."""
        return Shift(self.front_x, self.front_y, self.front_turn, self.scale_x - WHOLE, self.scale_y - WHOLE)

    @property
    def read_in(self) -> DuplexMode | None:
        """The mode of the sheet from which the shift was read; None if it is taken as it stands."""
        return duplex_mode_named(self.back_read)

    @property
    def shows_pictures(self) -> bool:
        """True if own pictures are printed, as in all styles that show art."""
        return self.pictures and self.style in ("light", "full")

    def query(self) -> dict[str, str]:
        """The options that differ from their default, as words of an address; ``read_options`` reads them
        back.
        """
        words = {one.name: one.words(getattr(self, one.name)) for one in OPTIONS}
        return {name: value for name, value in words.items() if value != NAMED[name].default}

    def words(self) -> tuple[str, ...]:
        """The settings for a sheet's header: the paper, and what differs from the default."""
        words = [self.paper.name]
        for one in OPTIONS:
            value = getattr(self, one.name)
            if one.header and value != getattr(USUAL, one.name):
                said = one.words(value)
                if one.name == "gap":
                    said = " × ".join(shown(gap) for gap in dict.fromkeys(self.gaps))
                words.append(one.header.format(one.briefly.get(said, said)))
        return tuple(words)


def read_options(options: Mapping[str, Any]) -> Options:
    """Options of a form, an address, a command line or an API body. Absent and empty are the default.

    Raises BadOption, also for an option that does not exist.
    """
    for name in options:
        if name not in NAMED:
            raise BadOption("option", name, tuple(NAMED))
    return Options(**{name: one.read(options.get(name)) for name, one in NAMED.items()})


# Every option with its default.
USUAL = read_options({})
