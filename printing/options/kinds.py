"""One option of a print job: what it is called, what may be said, and what is wrong with something else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from printing.options.sizes import shown

MAX_SLOTS = 500
# Of a value that is not understood so much is said back.
MAX_QUOTED = 80

Kind = Literal["choice", "several", "size", "length", "angle", "number", "places", "counts", "flag", "text"]


class CannotPrint(ValueError):
    """Something asked for cannot be printed. ``field`` is the option or part at fault."""

    code = "cannot_print"
    field = "cards"


class Choice(NamedTuple):
    """One value of an option, and what a form calls it."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option. ``least`` and ``most`` are micrometres for a length, hundredths of a degree for an angle, plain numbers for a number.

    A size, a length or a number may also be one of ``choices``: words with a meaning of their own. ``also`` are older
    words for some of them.
    """

    name: str
    kind: Kind
    default: str
    label: str
    group: str
    help: str = ""
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    unit: str = ""
    also: Mapping[str, str] = field(default_factory=dict)

    @property
    def allowed(self) -> tuple[str, ...]:
        """What may be said, in words."""
        words = tuple(choice.value for choice in self.choices if choice.value)
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


class BadOption(CannotPrint):
    """An option has a value that is not allowed; ``allowed`` says which are.

    ``option`` is a name only where there is no option of it. ``value`` is cut short: it may be as long as a request.
    """

    code = "bad_option"

    def __init__(self, option: Option | str, value: object, allowed: tuple[str, ...]) -> None:
        self.field, label = (option, option) if isinstance(option, str) else (option.name, option.label)
        text = str(value)
        self.value = f"{text[:MAX_QUOTED]}…" if len(text) > MAX_QUOTED else text
        self.allowed = allowed
        super().__init__(f"{label} must be {' or '.join(allowed)}, not “{self.value}”")
