"""Worksheets: forms with which a game calculates, such as a character sheet. Each has a page and can be
printed.

A game declares its worksheets in ``game.toml`` and their functions in ``worksheets.py``; each is a few fields
and a function from their values to outcomes. ``decks/pages/worksheets.py`` shows them, ``printing/extras``
prints them. Nothing is stored: all values are query parameters of the page's URL, so ``Field.read`` must undo
``Field.written`` for every value. A refusal quotes only the beginning of what was typed.
Tests: ``tests/cardsdb/games/kit/play/test_worksheet.py``; sheets filled in and judged on their pages in
``tests/decks/pages/test_worksheets.py``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.cards import Card, as_words
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.text import either, unprintable

Value = int | str | bool | None
Values = Mapping[str, Value]
FieldKind = Literal["number", "choice", "flag", "text", "seed"]
OutcomeKind = Literal["line", "total", "warning", "table", "text"]
KINDS: tuple[FieldKind, ...] = get_args(FieldKind)
# Most characters of a text field, unless the field says otherwise.
MAX_TEXT = 80
# Query parameters that the pages of worksheets use themselves; no field may have such a key.
RESERVED = frozenset({"deck", "card", "paper", "up", "blank", "format"})


@dataclass(frozen=True)
class Field:
    """A field to fill in. Fields with the same ``group`` stand under that heading; within it, fields with the
    same ``part`` form a row: ``Field("stars_1", "Stars", group="Seat 1", most=60)``.

    Kinds: ``number`` (a whole number from ``least`` to ``most``; if it is empty, ``start``, where None means
    unknown), ``choice`` (one of ``choices``, key -> words), ``flag`` (yes or no, no at first), ``text`` (one
    line), ``seed`` (a text that decides a draw; the page offers a new one). ``cites``: code of a citation.
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
        """The value of the field before it is filled in."""
        match self.kind:
            case "flag":
                return False
            case "number":
                return self.start
            case "choice" if self.start is None:
                return next(iter(self.choices), "")
            case _:
                return self.start or ""

    def read(self, text: str) -> Value:
        """Return the value of a typed text. Raises ValueError with a sentence to show."""
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
        # A text or a seed.
        if len(text) > self.max_length:
            raise ValueError(f"{self.label} has {len(text):,} characters; {self.max_length} at most.")
        if problem := unprintable(text):
            raise ValueError(f"{self.label} {problem}.")
        if "|" in text:
            raise ValueError(
                f"{self.label} must not have the sign |, which separates the facts of a card in a list."
            )
        return text

    def written(self, value: Value) -> str:
        """Return the value as text that ``read`` turns into the same value."""
        if self.kind == "flag":
            return "yes" if value else ""
        return "" if value is None else str(value)

    def shown(self, value: Value) -> str:
        """Return the value for people: the words of a choice, yes or no for a flag, empty for None."""
        if self.kind == "choice":
            return self.choices.get(str(value), str(value))
        return ("yes" if value else "no") if self.kind == "flag" else self.written(value)


@dataclass(frozen=True)
class Outcome:
    """One result of a worksheet. ``cites``: codes of the rules that it follows from.

    Kinds: ``line``, ``total`` (the main result), ``warning``, ``table`` (with ``columns`` and ``rows``;
    ``bars``: a number for each row, drawn as a bar), ``text`` (lines to copy). ``share``: (part, whole),
    drawn as a bar.
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
        """The number of the longest bar, at least 1."""
        return max((*self.bars, 1))


@dataclass(frozen=True)
class Calculation:
    """All results of a worksheet. ``notes``: key of a field -> a few words beside it. ``problems``: (key of a
    field, sentence).
    """

    outcomes: tuple[Outcome, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class FieldRow:
    """Fields of one ``part`` of a group; ``name`` may be empty."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class FieldGroup:
    """Fields under one heading."""

    name: str
    parts: tuple[FieldRow, ...]


@dataclass(frozen=True)
class WorksheetResult:
    """A worksheet filled in. ``typed``: key of a field -> its text as typed, mistakes included."""

    values: Values
    typed: Mapping[str, str]
    calculation: Calculation
    problems: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Worksheet:
    """A worksheet as a game declares it.

    - ``calculate``: called with the game and a value for every field, only if all could be read; returns
      outcomes, or a ``Calculation``.
    - ``writes``: returns the sheet as the text of a list, which is judged in ``format``; empty for none.
    - ``card_type``: the type of the card that the sheet makes. ``of_card``: the values for such a card.
    - ``of_deck``: the values for a deck, if the sheet makes a whole deck.
    - ``starter``: returns the slug of a ready deck to begin from.
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
        """The fields by group and part, each in the order of its first field."""
        # Heading of a group -> name of a part -> its fields.
        groups: dict[str, dict[str, list[Field]]] = {}
        for item in self.fields:
            groups.setdefault(item.group, {}).setdefault(item.part, []).append(item)
        return tuple(
            FieldGroup(name, tuple(FieldRow(part, tuple(fields)) for part, fields in parts.items()))
            for name, parts in groups.items()
        )

    @property
    def start(self) -> dict[str, Value]:
        """The values of an empty sheet."""
        return {item.key: item.starts_at for item in self.fields}

    def fill_in(self, game: GameFolder, parameters: Mapping[str, str]) -> WorksheetResult:
        """Read the parameters and calculate. If a field cannot be read, nothing is calculated.

        A field without a parameter has its start value; parameters that are no fields are ignored.
        """
        values, problems = self.start, []
        typed = {item.key: parameters.get(item.key, item.written(item.starts_at)) for item in self.fields}
        for item in self.fields:
            try:
                values[item.key] = item.read(typed[item.key])
            except ValueError as error:
                problems.append((item.key, str(error)))
        found = Calculation() if problems else self.calculate(game, values)
        calculation = found if isinstance(found, Calculation) else Calculation(tuple(found))
        return WorksheetResult(values, typed, calculation, (*problems, *calculation.problems))

    def address(self, values: Values) -> dict[str, str]:
        """Return the shortest parameters that ``fill_in`` turns into the same values."""
        return {
            item.key: item.written(values[item.key])
            for item in self.fields
            if values[item.key] != item.starts_at
        }

    def filled_in_by(self, parameters: Mapping[str, str]) -> bool:
        """True if the parameters have any field of the sheet."""
        return any(item.key in parameters for item in self.fields)


def number_in(values: Values, key: str) -> int:
    """Return the number of the field; 0 if it is empty."""
    value = values[key]
    return value if isinstance(value, int) else 0


def written_in(name: str, card_type: str, facts: Mapping[str, Value]) -> str:
    """Return the lines of a list that write a card in. ``facts``: label -> value; those without are left out.

    ``1 Nora | character``, then a line such as ``  | body: 2`` for each fact.
    """
    lines = [f"1 {name} | {card_type}"]
    lines += [f"  | {label}: {as_words(value)}" for label, value in facts.items() if value not in (None, "")]
    return "\n".join(lines)
