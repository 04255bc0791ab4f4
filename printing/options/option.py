"""One option of a print: how its values are read and written. ``option`` declares one in a dataclass, whose field has
its name and, by its type, says of which kind it is; form, address, command line, API and documents are made of that.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from cardsdb.faults import Fault, Refused
from printing.options.copies import CardCount, NotCounted, read_counts, written
from printing.options.sizes import NoSize, Size, read_length, read_paper, read_trim, shown

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
_KINDS: Mapping[Any, Kind] = {
    bool: "flag",
    str: "text",
    Size: "size",
    Size | None: "size",
    tuple[int, ...]: "places",
    tuple[str, ...]: "several",
    tuple[CardCount, ...]: "counts",
}
_MEASURED: Mapping[str, Kind] = {"mm": "length", "degrees": "angle"}
_USUAL = {"flag": "no", "length": "0", "angle": "0", "number": "0"}


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
    label: str
    default: str = ""
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


def option(
    label: str,
    help: str = "",
    choices: Mapping[str, str] | Sequence[str] = MappingProxyType({}),
    default: str = "",
    **more: Any,
) -> Any:
    """A field of a dataclass that declares an option. ``choices`` are the words of a Literal's values, or words by
    value. Without a ``default`` that is the first choice, no, or nothing.
    """
    return field(metadata={"label": label, "help": help, "choices": choices, "default": default, **more})


def declared(options: type, groups: Mapping[str, str] = {}) -> tuple[Option, ...]:
    """The options that a dataclass declares, in their order. ``groups``: the name of each group by its first
    option.
    """
    types, found, group = get_type_hints(options), [], ""
    for one in fields(options):
        group, given, type_ = groups.get(one.name, group), dict(one.metadata), types[one.name]
        if get_origin(type_) is Literal:
            type_, given["choices"] = str, dict(zip(get_args(type_), given["choices"], strict=True))
        kind = _KINDS.get(type_) or _MEASURED.get(given.get("unit", ""), "number")
        kind = "choice" if kind == "text" and given["choices"] else kind
        usual = next(iter(given["choices"])) if kind == "choice" else _USUAL.get(kind, "")
        found.append(Option(one.name, kind, group=group, **given | {"default": given["default"] or usual}))
    return tuple(found)
