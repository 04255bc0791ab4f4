"""Every option of a print job, declared once: form, address, command line, API and documents are made from
``OPTIONS``.

To add an option, add it to ``OPTIONS`` and a field of the same name to ``printing.options.values.Options``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cardsdb.faults import Fault, Refused
from printing.options.copies import NotCounted, read_counts, written
from printing.options.duplex import DUPLEX_MODES
from printing.options.sizes import MM, PAPERS, TRIMS, NoSize, read_length, read_paper, read_trim, shown

MAX_SLOTS = 500
# The most letters of a value; text has a bound of its own. All slots of a sheet with commas and spaces are
# 2,390.
MAX_LETTERS = 2_500
# An error repeats this many letters of a value that is not understood.
MAX_QUOTED = 80
# Words that a flag may be written as.
YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
FLAGS = dict.fromkeys(YES, True) | dict.fromkeys(NO, False)

Kind = Literal["choice", "several", "size", "length", "angle", "number", "places", "counts", "flag", "text"]


class CannotPrint(Refused):
    """The print that a request asks for is impossible. ``field`` is the option or part at fault."""

    code = "cannot_print"
    field = "cards"

    def __init__(self, sentence: str, field: str | None = None) -> None:
        self.field = self.field if field is None else field
        super().__init__(Fault(self.code, f"{sentence[:1].upper()}{sentence[1:]}.", self.field))


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One option. ``least`` and ``most`` are micrometres for a length, hundredths of a degree for an angle,
    plain numbers for a number.

    ``choices``: value -> its words in a form. A size, a length or a number may also be one of them: words
    with a meaning of their own. ``also``
    maps older words to values.
    """

    name: str
    kind: Kind
    default: str
    label: str
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    most: int = 0
    unit: str = ""
    also: Mapping[str, str] = field(default_factory=dict)
    group: str = ""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The allowed values in words."""
        words = tuple(filter(None, self.choices))
        match self.kind:
            case "length":
                return (*words, f"{shown(self.least)} to {shown(self.most)} mm")
            case "angle":
                return (*words, f"{self.least / 100:g} to {self.most / 100:g} degrees, such as 0.2")
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
            case "choice":
                text = self.also.get(text, text)
                if text in self.choices:
                    return text
            case "several":
                parts = dict.fromkeys(part for part in re.split(r"[\s,;]+", text) if part)
                return tuple(sorted(parts, key=list(self.choices).index))
            case "places":
                return _places(text)
            case "size":
                return (read_paper if self.name == "paper" else read_trim)(text) if text else None
            case "length" if text in self.choices:
                return None
            case "length":
                number = read_length(text)
            case "angle":
                # Hundredths of a degree, from degrees as people write them.
                turn = text.removesuffix("°").removesuffix("degrees").strip().replace(",", ".")
                if re.fullmatch(r"[+-]?[0-9]{0,3}(\.[0-9]{1,2}0*)?", turn, re.ASCII):
                    number = round(float(turn) * 100)
            case "number" if re.fullmatch(r"[+-]?[0-9]{1,6}", text, re.ASCII):
                number = int(text)
        if number is None or not self.least <= number <= self.most:
            raise ValueError(text)
        return number

    def words(self, value: Any) -> str:
        """A value as words, which ``read`` reads."""
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
            case "angle":
                return f"{value / 100:g}"
            case "length":
                return shown(value)
        return str(value)


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
    """An option has a value that is not allowed; ``allowed`` lists those that are.

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


# -- the options ------------------------------------------------------------------------


def _group(name: str, *options: Option) -> tuple[Option, ...]:
    """The options, which stand together in the form under this name."""
    return tuple(replace(option, group=name) for option in options)


_CHOOSING = _group(
    "Choosing cards",
    Option(
        "only",
        "text",
        "all",
        "Which cards",
        "all, none, changed, missing, names of sections with commas between them, a query as in the card"
        " search, or sections; query for what of the sections it finds.",
        most=200,
    ),
    Option(
        "since",
        "text",
        "",
        "Only what changed since",
        "A version of the deck: its number or its name; of several decks each must have it. For its owner.",
        most=80,
    ),
    Option("missing", "flag", "no", "Only what your collection lacks"),
    Option("one_each", "flag", "no", "One of each card"),
    Option(
        "counts",
        "counts",
        "",
        "Copies of single cards",
        "Cards by name or code: Kai=3 prints three, Termite=0 none, Li=+1 one more, whatever is chosen"
        " otherwise. A name with a comma or = in it stands in quotes.",
        most=2_000,
    ),
    Option("copies", "number", "1", "Copies of everything", least=1, most=20),
    Option(
        "extras",
        "several",
        "",
        "Besides the cards",
        "They fill the slots that are left; the register has a page of its own.",
        {
            "tokens": "Tokens and markers of the game",
            "scores": "Score sheets and notebooks of the game",
            "reference": "Reference cards: set-up, turn, charts and terms in our words",
            "labels": "Labels for the box",
            "register": "Deck register to sign",
        },
    ),
)

_PAPER = _group(
    "Paper",
    Option(
        "paper",
        "size",
        "a4",
        "Paper",
        "What lies in the printer; any other paper as width x height in millimetres.",
        {size.slug: size.name for size in PAPERS.values()},
    ),
    Option(
        "orientation",
        "choice",
        "auto",
        "Orientation",
        choices={"auto": "Whichever holds more cards", "portrait": "Portrait", "landscape": "Landscape"},
    ),
    Option(
        "margin",
        "length",
        "5",
        "Printer margin",
        "Cards keep so far from the paper's edge.",
        most=30 * MM,
        unit="mm",
    ),
)

_CARDS = _group(
    "Cards",
    Option(
        "trim",
        "size",
        "",
        "Card size",
        "Any other size as width x height in millimetres.",
        {"": "As the game's own cards", **{size.slug: size.name for size in TRIMS.values()}},
    ),
    Option("sleeves", "flag", "no", "Slightly smaller, for sleeves", "1 mm less wide and 1 mm less high."),
    Option(
        "turn",
        "choice",
        "auto",
        "Cards lie",
        choices={"auto": "Whichever way holds more", "upright": "Upright", "turned": "On their side"},
    ),
)

_CUTTING = _group(
    "Cutting",
    Option(
        "gap",
        "length",
        "0",
        "Gap between cards",
        "Without a gap one cut serves two cards.",
        most=20 * MM,
        unit="mm",
    ),
    Option(
        "gap_y",
        "length",
        "same",
        "Gap between rows",
        "Where it is not that between columns.",
        {"same": "The same"},
        most=20 * MM,
        unit="mm",
    ),
    Option(
        "bleed",
        "length",
        "auto",
        "Bleed",
        "Colours run on so far beyond the cut. auto: half of the gap, at most 3 mm.",
        {"auto": "Half of the gap"},
        most=5 * MM,
        unit="mm",
    ),
    Option(
        "bleed_where",
        "choice",
        "each",
        "Bleed is",
        choices={"each": "Round each card", "outside": "On the outside of the block only"},
    ),
    Option(
        "corner",
        "length",
        "0",
        "Rounded corners",
        "Their radius; 3 mm suits most cards.",
        most=10 * MM,
        unit="mm",
    ),
    Option(
        "marks",
        "choice",
        "corners",
        "Cut marks",
        choices={
            "corners": "At the corners",
            "edges": "Lines from edge to edge",
            "registration3": "For Silhouette cutters: a square and two corners",
            "registration4": "For Silhouette cutters: four corners",
            "none": "None",
        },
        also=dict.fromkeys(YES, "corners") | dict.fromkeys(NO, "none"),
    ),
    Option(
        "marks_where",
        "choice",
        "below",
        "Marks lie",
        "Above, they show on the cards as well.",
        {"below": "Below the cards", "above": "Above the cards"},
    ),
)

_BACKS = _group(
    "Backs",
    Option(
        "backs",
        "choice",
        "none",
        "Backs",
        choices={
            "none": "No backs",
            "long": "Both sides, turned over the long edge",
            "short": "Both sides, turned over the short edge",
            "gutterfold": "Beside the fronts, to fold and glue",
            "separate": "As a file of their own",
        },
    ),
    Option(
        "side",
        "choice",
        "both",
        "Print",
        choices={"both": "Fronts and backs", "fronts": "Fronts only", "backs": "Backs only"},
    ),
    Option(
        "fold",
        "choice",
        "auto",
        "Fold",
        choices={
            "auto": "Whichever holds more cards",
            "vertical": "Up the middle",
            "horizontal": "Across the middle",
        },
    ),
    Option(
        "heads",
        "choice",
        "from",
        "Heads at the fold",
        "Where the fold runs along the cards' upper edges.",
        {"from": "Away from the fold", "to": "Towards the fold"},
    ),
    Option(
        "back_x",
        "length",
        "0",
        "Move backs right by",
        "As measured with the calibration sheet.",
        {},
        -10 * MM,
        10 * MM,
        "mm",
    ),
    Option("back_y", "length", "0", "Move backs down by", "", {}, -10 * MM, 10 * MM, "mm"),
    Option("back_turn", "angle", "0", "Turn backs clockwise by", "", {}, -300, 300, "degrees"),
    Option(
        "back_read",
        "choice",
        "here",
        "Read from a calibration sheet",
        "Over the other edge backs are moved the other way.",
        {"here": "Of this kind: move them just so", **{way.slug: f"In {way.words}" for way in DUPLEX_MODES}},
    ),
)

_INK = _group(
    "Ink and type",
    Option(
        "style",
        "choice",
        "light",
        "Style",
        choices={
            "light": "Light ink: bands in outline, thin emblems",
            "full": "Full ink, as on the card page",
            "saver": "Ink saver: words and lines, no fills and no art",
            "outline": "Test print: outlines only",
        },
    ),
    Option("pictures", "flag", "yes", "Your own pictures where you have some"),
    Option("ink", "choice", "colour", "Ink", choices={"colour": "Colour", "grey": "Greys only"}),
    Option("type", "choice", "normal", "Type", choices={"normal": "Normal", "large": "Large print"}),
    Option("ruled", "flag", "no", "Leave room to write", "Ruled lines in place of the emblem."),
    Option(
        "qr",
        "choice",
        "none",
        "QR code in the margin",
        "Leads back from the paper to the list. It is printed where there is room, else on the register.",
        {"none": "None", "page": "To the deck's page", "list": "With the whole list in it"},
    ),
    Option("header", "flag", "yes", "A line on each sheet that says what it is"),
    Option(
        "micro",
        "flag",
        "no",
        "The deck's name in tiny type on each card",
        "2 pt at the foot: tells a proxy from a card.",
    ),
)

_PLACES = _group(
    "Places",
    Option(
        "start",
        "number",
        "1",
        "First slot used",
        "On the first sheet, for paper that is used in part.",
        {},
        1,
        MAX_SLOTS,
    ),
    Option(
        "skip",
        "places",
        "",
        "Slots left empty",
        "On every sheet, counted along the rows from 1, such as 2,5 or 1-3.",
    ),
)

_FILE = _group(
    "File",
    Option(
        "part",
        "number",
        "0",
        "Files of at most",
        "For mail, and for shops that take no larger ones: a ZIP of several PDFs, split between sheets. 0:"
        " one file.",
        {},
        0,
        500,
        "MB",
    ),
)

OPTIONS = (*_CHOOSING, *_PAPER, *_CARDS, *_CUTTING, *_BACKS, *_INK, _PLACES[0], *_FILE, _PLACES[1])
NAMED = {option.name: option for option in OPTIONS}
