"""A worksheet: a form beside the cards with which a game calculates. It has a page and a printed sheet.

A game lists its worksheets in ``Game.worksheets``; each is a few fields and a function from their values to
outcomes. Everything that is filled in fits into an address: nothing is stored, and a link is the whole sheet.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.text import either, unprintable

Value = int | str | bool | None
Values = Mapping[str, Value]
FieldKind = Literal["number", "choice", "flag", "text", "seed"]
OutcomeKind = Literal["line", "total", "warning", "table", "text"]
KINDS: tuple[FieldKind, ...] = get_args(FieldKind)
MAX_TEXT = 80
# Words that the addresses of a worksheet give a meaning of their own.
RESERVED = frozenset({"deck", "card", "paper", "up", "blank", "format"})


@dataclass(frozen=True)
class Field:
    """One thing to fill in. ``group`` gathers fields under a heading, ``part`` sets some of a group beside
    the others.

    Kinds: ``number`` (a whole number from ``least`` to ``most``; empty is unknown unless ``start`` says
    otherwise), ``choice`` (one of ``choices``, key -> words), ``flag`` (yes or no, at first no), ``text``
    (one line), ``seed`` (letters from which a draw follows; the page offers a new one).
    """

    key: str
    label: str
    kind: FieldKind = "number"
    group: str = ""
    part: str = ""
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    least: int = 0
    most: int = 999
    start: int | str | None = None
    max_length: int = MAX_TEXT
    cites: str = ""

    @property
    def starts_at(self) -> Value:
        """The value of the field while nothing is filled in."""
        match self.kind:
            case "flag":
                return False
            case "number":
                return self.start
            case "choice":
                return self.start if self.start is not None else next(iter(self.choices), "")
            case _:
                return self.start or ""

    def read(self, text: str) -> Value:
        """The value of what was typed. Raises ValueError with a sentence for a reader."""
        text = " ".join(text.split()) if self.kind in ("text", "seed") else text.strip()
        match self.kind:
            case "flag":
                return text.casefold() in ("yes", "on", "true", "1")
            case "choice":
                if text in self.choices:
                    return text
                if not text:
                    return self.starts_at
                offered = either([f"“{key}”" for key in self.choices if key])
                raise ValueError(f"{self.label} can be {offered}, not “{text[:40]}”.")
            case "number":
                if not text:
                    return self.starts_at
                is_number = re.fullmatch(r"-?[0-9]{1,6}", text, re.ASCII)
                if not is_number or not self.least <= int(text) <= self.most:
                    words = f"{self.label} must be a whole number from {self.least} to {self.most:,}"
                    raise ValueError(f"{words}, not “{text[:40]}”.")
                return int(text)
        if len(text) > self.max_length:
            raise ValueError(f"{self.label} has {len(text):,} characters; {self.max_length} at most.")
        if problem := unprintable(text):
            raise ValueError(f"{self.label} {problem}.")
        if "|" in text:
            raise ValueError(
                f"{self.label} must not hold the sign |, which divides the facts of a card in a list."
            )
        return text

    def written(self, value: Value) -> str:
        """The value as text that ``read`` turns into the value again."""
        return "" if value is None else ("yes" if value else "") if self.kind == "flag" else str(value)

    def shown(self, value: Value) -> str:
        """The value for people: a choice by its words; empty if there is none."""
        if self.kind == "choice":
            return self.choices.get(str(value), str(value))
        return ("yes" if value else "no") if self.kind == "flag" else self.written(value)


@dataclass(frozen=True)
class Outcome:
    """One thing that follows from what was filled in, with the codes of the rules it rests on.

    ``total`` is the main result, ``warning`` what is wrong, ``table`` has ``columns`` and ``rows`` (``bars``:
    a length for each row), ``text`` lines to copy. ``share``: so many of so many, drawn as a bar.
    """

    label: str
    value: str = ""
    kind: OutcomeKind = "line"
    note: str = ""
    cites: tuple[str, ...] = ()
    share: tuple[int, int] | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    bars: tuple[int, ...] = ()

    @property
    def most(self) -> int:
        """The length of the longest bar, at least 1."""
        return max((*self.bars, 1))


@dataclass(frozen=True)
class Calculation:
    """A game's answer to a sheet. ``notes``: a few words beside a field, by its key; ``problems``: (field's
    key, sentence).
    """

    outcomes: tuple[Outcome, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class FieldRow:
    """Fields side by side with others of their group; ``name`` may be empty."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class FieldGroup:
    """Fields under one heading."""

    name: str
    parts: tuple[FieldRow, ...]


@dataclass(frozen=True)
class WorksheetResult:
    """A worksheet filled in. ``typed`` is the text of every field as it was typed, mistakes included."""

    values: Values
    typed: Mapping[str, str]
    calculation: Calculation
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Worksheet:
    """A sheet that a game calculates with. ``calculate`` gets the game and whole values, one for every field,
    and gives outcomes, or a ``Calculation`` where there is more to say.

    ``writes`` gives the list that the sheet stands for, as a person would paste it, to be judged in
    ``format``; an empty text is no list. A sheet of one card says which ``card_type`` it makes and, by
    ``of_card``, what to fill in for a card that stands in a deck; one of a whole deck says that by
    ``of_deck``. ``starter`` names a ready deck to begin from.
    """

    slug: str
    name: str
    help: str
    fields: tuple[Field, ...]
    calculate: Callable[[GameFolder, Values], Calculation | Iterable[Outcome]]
    format: str = ""
    writes: Callable[[Values], str] | None = None
    card_type: str = ""
    of_card: Callable[[Card], Values] | None = None
    of_deck: Callable[[Decklist], Values] | None = None
    starter: Callable[[Values], str] | None = None

    @cached_property
    def groups(self) -> tuple[FieldGroup, ...]:
        """The fields under their headings, in the order in which each heading first comes."""
        groups: dict[str, dict[str, list[Field]]] = {}
        for one in self.fields:
            groups.setdefault(one.group, {}).setdefault(one.part, []).append(one)
        return tuple(
            FieldGroup(name, tuple(FieldRow(part, tuple(fields)) for part, fields in parts.items()))
            for name, parts in groups.items()
        )

    @property
    def start(self) -> dict[str, Value]:
        """The values of an empty sheet."""
        return {one.key: one.starts_at for one in self.fields}

    def fill_in(self, game: GameFolder, parameters: Mapping[str, str]) -> WorksheetResult:
        """Read what was typed and calculate with it; with a field that cannot be read nothing is calculated.

        A field without a parameter is at its start; parameters that are no field are ignored.
        """
        values, problems = self.start, []
        typed = {one.key: parameters.get(one.key, one.written(one.starts_at)) for one in self.fields}
        for one in self.fields:
            try:
                values[one.key] = one.read(typed[one.key])
            except ValueError as error:
                problems.append((one.key, str(error)))
        found = Calculation() if problems else self.calculate(game, values)
        calculation = found if isinstance(found, Calculation) else Calculation(tuple(found))
        return WorksheetResult(values, typed, calculation, (*problems, *calculation.problems))

    def address(self, values: Values) -> dict[str, str]:
        """The shortest parameters that ``fill_in`` turns into these values again."""
        return {
            one.key: one.written(values[one.key]) for one in self.fields if values[one.key] != one.starts_at
        }

    def filled_in_by(self, parameters: Mapping[str, str]) -> bool:
        """True if any field of the sheet is among the parameters."""
        return any(one.key in parameters for one in self.fields)


def number_in(values: Values, key: str) -> int:
    """The number that is filled in; 0 without one."""
    value = values[key]
    return value if isinstance(value, int) else 0


def written_in(name: str, card_type: str, facts: Mapping[str, Value]) -> str:
    """The lines of a list that write a card in; facts without a value are left out."""
    lines = [f"1 {name} | {card_type}"]
    lines += [
        f"  | {label}: {('yes' if value else 'no') if isinstance(value, bool) else value}"
        for label, value in facts.items()
        if value not in (None, "")
    ]
    return "\n".join(lines)
