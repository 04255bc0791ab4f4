"""The options of a print. ``read_options`` reads words from a form, URL, command line or API body into one
``Options`` value, and ``Options.query`` writes it back as words::

    read_options({"gap": "2,5", "skip": "1-3"})   ->  Options(gap=2500, skip=(1, 2, 3), ...), in micrometres
    .query()                                      ->  {"gap": "2.5", "skip": "1,2,3"}

To add an option, add a table to ``options.toml``, from which form, URL, command line, API and documents
are made, and a field of its name to ``Options``. Reading and writing must be inverse: links to prints and
saved settings depend on it. ``reading``, ``sizes`` and ``copies`` read the values of each kind.
Tests: ``tests/printing/options/test_values.py``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import table_beside
from printing.options import reading
from printing.options.copies import CardCount, NotCounted, read_counts, written
from printing.options.duplex import WHOLE, DuplexMode, Shift, duplex_mode_named
from printing.options.sizes import MM, PAPERS, TRIMS, NoSize, Size, read_length, read_paper, read_trim, shown

# The usual bleed of backs, because printers place the other side up to a millimetre away from its place.
BACK_BLEED = 2 * MM
# The last word of a header, and that for a value below 0: "backs -0.5 mm right" is "backs 0.5 mm left".
_OPPOSITE = {"right": "left", "down": "up", "clockwise": "anticlockwise"}
# Characters of a value that is not free text. The longest sensible one names all slots: 2,390 characters.
MAX_LETTERS = 2_500
# Characters of a wrong value that an error message repeats.
MAX_QUOTED = 80

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
    """The requested print is impossible. ``field`` is the form field at fault. ``sentence`` is in lower case
    and has no full stop.
    """

    code = "cannot_print"
    field = "cards"

    def __init__(self, sentence: str, field: str | None = None) -> None:
        self.field = self.field if field is None else field
        super().__init__(Fault(self.code, f"{sentence[:1].upper()}{sentence[1:]}.", self.field))


@dataclass(frozen=True, eq=False)
class Option:
    """One option of a print, as declared in ``options.toml`` (the comment at its top explains the keys).

    A new ``kind`` needs a case in ``allowed`` (unless its choices are all), ``_value`` and ``words``, and a
    control in ``printing/web/form.py`` (``_WIDGETS``) unless it is typed as text.

    ``least`` and ``most`` bound the value: micrometres for a length or margins, hundredths of a degree or of
    a per cent, characters for a text. ``choices`` maps the values of a choice to their words in a form; other
    kinds may have choices beside their usual values, such as ``auto`` for a length. ``also`` maps other
    spellings to values. ``header`` is the phrase that each sheet prints for a value other than the default,
    and ``briefly`` gives shorter words for values in it.
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
        """The allowed values in words, for messages: ``("auto", "0 to 5 mm")``."""
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
                return (f"columns x rows such as 2x5, at most {reading.MAX_SLOTS} slots",)
            case "number":
                return (*words, f"a whole number from {self.least} to {self.most}")
            case "places":
                return (*words, f"numbers of slots, 1 to {reading.MAX_SLOTS}, such as 2,5 or 1-3")
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
        """Read a value as a request states it. Absent and empty mean the default. Raises BadOption."""
        text = str(value if value is not None else "").strip() or self.default
        as_written = self.kind in ("text", "counts")
        most = self.most if as_written else MAX_LETTERS
        if len(text) > most:
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
        """Read text as this option's kind. Raises ValueError or KeyError for text that is not allowed.

        The kinds at the end are numbers, which must lie between ``least`` and ``most``.
        """
        match self.kind:
            case "text":
                return text
            case "counts":
                return read_counts(text)
            case "flag":
                return reading.FLAGS[text]
            case "choice" if (choice := self.also.get(text, text)) in self.choices:
                return choice
            case "several":
                return tuple(sorted(set(reading.parts_of(text)), key=list(self.choices).index))
            case "places":
                return reading.places(text)
            case "size" if not text:
                return None
            case "size":
                return read_paper(text) if self.name == "paper" else read_trim(text)
            case "grid":
                return reading.grid(text) if text else None
            case "margins":
                return reading.margins(text, self.least, self.most)
            # A word, such as "auto". Other choices of a length are lengths, such as "3", and are read below.
            case "length" if text in self.choices and read_length(text) is None:
                return None
            case "length":
                number = read_length(text)
            case "angle" | "percent":
                number = reading.hundredths(text)
            case "number":
                number = reading.signed_number(text)
            case _:
                # A choice that is not among ``choices``.
                raise ValueError(text)
        # ``number`` is None for text that is no number.
        if number is None or not self.least <= number <= self.most:
            raise ValueError(text)
        return number

    def words(self, value: Any) -> str:
        """Write a value so that ``read`` returns the same: ``2500`` -> ``"2.5"``, None -> the default."""
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


class BadOption(CannotPrint):
    """An option has a value that is not allowed, or does not exist; then ``option`` is only its name.

    ``allowed`` lists the allowed values. ``value`` is cut to MAX_QUOTED, because it may be as long as a
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
    """The options declared in ``options.toml`` beside the module file ``beside``, in the file's order.

    ``choices``: by option name, choices to add from other tables. Raises ValueError for a faulty file.
    """
    tables = table_beside(beside, "options")
    options = tuple(
        Option(name, **table | {"choices": {**table.get("choices", {}), **choices.get(name, {})}})
        for name, table in tables.items()
    )
    for option in options:
        if option.kind != "length":
            continue
        # All words of a length are read as None, so it may have one only: its default.
        for word in set(option.choices) - {option.default}:
            if read_length(word) is None:
                place = f"{Path(beside).parent.name}/options.toml, {option.name}.choices"
                raise ValueError(f"{place}: {word!r} is no length, nor the usual {option.default!r}")
    return options


OPTIONS = declared(
    __file__,
    {
        name: {size.slug: size.name for size in sizes.values()}
        for name, sizes in (("paper", PAPERS), ("trim", TRIMS))
    },
)
NAMED = {option.name: option for option in OPTIONS}


@dataclass(frozen=True)
class Options:
    """The options of one print, a field for each table of ``options.toml``, where their meaning is explained.

    Lengths are micrometres, angles and scales hundredths. None means: ``trim`` the game's own, ``block`` as
    many as fit, ``left`` and ``top`` centred, ``gap_y`` the same as ``gap``, ``bleed`` half of the gap.
    ``margin`` is top, right, foot and left of upright paper.
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
        """(gap between columns, gap between rows)."""
        return self.gap, self.gap if self.gap_y is None else self.gap_y

    @property
    def bled(self) -> int:
        """The bleed, how far colours extend beyond the cut: as chosen, else half of the gap, at most 3 mm."""
        return min(min(self.gaps) // 2, 3 * MM) if self.bleed is None else self.bleed

    @property
    def back_bled(self) -> int:
        """The bleed of backs. By default it is at least BACK_BLEED on the other side of the paper, because
        the two sides never align exactly.
        """
        by_default = self.bleed is None and self.flip and not self.corner
        return max(self.bled, BACK_BLEED) if by_default else self.bled

    @property
    def flip(self) -> Literal["long", "short"] | None:
        """The edge over which paper is turned to print the backs; None if only one side is printed."""
        edges: dict[str, Literal["long", "short"]] = {"long": "long", "separate": "long", "short": "short"}
        return edges.get(self.backs)

    @property
    def apart(self) -> bool:
        """True if fronts and backs are two separate files."""
        return self.backs == "separate" and self.side == "both"

    @property
    def shift(self) -> Shift:
        """The shift of backs against fronts, as read from the calibration sheet in the mode ``read_in``."""
        return Shift(self.back_x, self.back_y, self.back_turn)

    @property
    def front_shift(self) -> Shift:
        """The shift of fronts and backs together, as read from the calibration sheet, for upright paper."""
        return Shift(self.front_x, self.front_y, self.front_turn, self.scale_x - WHOLE, self.scale_y - WHOLE)

    @property
    def read_in(self) -> DuplexMode | None:
        """The duplex mode of the sheet from which the shift was read; None if it is applied unchanged."""
        return duplex_mode_named(self.back_read)

    @property
    def shows_pictures(self) -> bool:
        """True if own pictures are printed: they are wanted, and the style shows art."""
        return self.pictures and self.style in ("light", "full")

    def query(self) -> dict[str, str]:
        """The options that differ from their default, as words for a URL: ``{"gap": "2"}``. ``read_options``
        reads them back.
        """
        words = {option.name: option.words(getattr(self, option.name)) for option in OPTIONS}
        return {name: value for name, value in words.items() if value != NAMED[name].default}

    def words(self) -> tuple[str, ...]:
        """Phrases for the line on each sheet: the paper, and each option with a ``header`` that differs from
        its default, as in ``("A4", "gap 2 × 3 mm", "ink saver")``.
        """
        phrases = [self.paper.name]
        for option in OPTIONS:
            value = getattr(self, option.name)
            if option.header and value != getattr(USUAL, option.name):
                words = option.words(value)
                if option.name == "gap":
                    words = " × ".join(shown(gap) for gap in dict.fromkeys(self.gaps))
                header = option.header
                if words.startswith("-"):
                    begin, _, way = header.rpartition(" ")
                    header, words = f"{begin} {_OPPOSITE[way]}", words[1:]
                phrases.append(header.format(option.briefly.get(words, words)))
        return tuple(phrases)


def read_options(options: Mapping[str, Any]) -> Options:
    """Read options by name from a form, URL, command line or API body. Absent and empty mean the default.

    Raises BadOption for a value that is not allowed, and for a name that is no option.
    """
    for name in options:
        if name not in NAMED:
            raise BadOption("option", name, tuple(NAMED))
    return Options(**{name: option.read(options.get(name)) for name, option in NAMED.items()})


# The default of every option.
USUAL = read_options({})
