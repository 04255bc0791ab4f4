"""The form of the print page, made from the declared options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from cardsdb.site.faults import Fault
from printing.options.sizes import MAX_PAPER, MAX_TRIM, MIN_PAPER, MIN_TRIM, shown
from printing.options.table import GROUPS, NAMED, OPTIONS, BadOption, Choice, Option
from printing.request.card_fields import CopyRow, Sections
from printing.request.print_request import OTHER

NO_SECTIONS = Sections()
# What nearly everybody chooses; the rest opens by groups.
COMMON = ("paper", "trim", "marks", "backs", "style")


@dataclass(frozen=True, slots=True)
class Field:
    """One option in the form, with what was chosen and what is wrong with it."""

    option: Option
    said: str
    problem: str = ""
    # What can be picked here in place of words to be typed.
    offered: tuple[Choice, ...] = ()
    # Of the option that says which cards: boxes to tick beside what is typed.
    sections: Sections = NO_SECTIONS
    # Choices that can do nothing here: of those of which several may be ticked.
    useless: tuple[str, ...] = ()
    # Of the option that counts single cards: a row for each.
    rows: tuple[CopyRow, ...] = ()

    @property
    def name(self) -> str:
        return self.option.name

    @property
    def custom(self) -> str:
        """A size that is none of the named ones, or the word for it."""
        return self.value if self.is_size and self.value not in {one.value for one in self.option.choices} else ""

    @property
    def value(self) -> str:
        """What was chosen, in today's words."""
        said = self.said.strip()
        return self.option.also.get(said.casefold(), said)

    @property
    def is_size(self) -> bool:
        """Whether another size may be written."""
        return self.option.kind == "size"

    @property
    def selected(self) -> str:
        """The choice that is marked."""
        return OTHER if self.custom else self.value

    @property
    def typed(self) -> str:
        """The size to be seen in the field for others."""
        return "" if self.custom == OTHER else self.custom

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be picked, and what was said although it is not among that."""
        if self.option.kind == "several":
            return tuple(one for one in self.option.choices if one.value in self.ticked or one.value not in self.useless)
        if self.offered:
            return self.offered if self.value in {one.value for one in self.offered} else (*self.offered, Choice(self.value, self.value))
        return (*self.option.choices, Choice(OTHER, "Another size")) if self.is_size else self.option.choices

    @property
    def widget(self) -> str:
        """How it is asked: a list to pick from, a box to tick, a number, words."""
        if self.offered:
            return "select"
        if self.sections.boxes:
            return "sections"
        if self.rows:
            return "by_card"
        return {"choice": "select", "size": "select", "flag": "checkbox", "several": "checkboxes", "number": "number"}.get(
            self.option.kind, "text"
        )

    @property
    def checked(self) -> bool:
        return self.value.casefold() in ("yes", "true", "on", "1")

    @property
    def ticked(self) -> frozenset[str]:
        """Which of several are chosen."""
        return frozenset(part.strip() for part in self.value.split(","))

    @property
    def longest(self) -> int:
        """So many letters may be typed."""
        return max(400, self.option.most) if self.option.kind in ("text", "counts") else 400

    @property
    def words(self) -> str:
        """The words that may stand in place of a number."""
        named = [
            f"“{one.value}”: {one.words[:1].lower()}{one.words[1:]}"
            for one in self.option.choices
            if one.value and one.value not in self.option.help
        ]
        return f"Or {'; '.join(named)}." if named and self.widget == "text" else ""

    @property
    def changed(self) -> bool:
        return self.value != self.option.default


@dataclass(frozen=True, slots=True)
class Group:
    """Some fields under a heading."""

    title: str
    fields: tuple[Field, ...]

    @property
    def changed(self) -> int:
        """How many are not as usual."""
        return sum(field.changed for field in self.fields)

    @property
    def problem(self) -> bool:
        return any(field.problem for field in self.fields)


@dataclass(frozen=True, slots=True)
class Form:
    """``common`` stands open, ``groups`` open when they are wanted."""

    common: tuple[Field, ...]
    groups: tuple[Group, ...]
    names = frozenset(NAMED)


def form_of(
    words: Mapping[str, str],
    faults: Iterable[Fault] = (),
    offered: Mapping[str, tuple[Choice, ...]] | None = None,
    sections: Sections = NO_SECTIONS,
    rows: tuple[CopyRow, ...] = (),
    idle: Collection[str] = (),
) -> Form:
    """The form with these words chosen; a fault about an option stands at its field.

    ``offered``: what may be picked, by option. ``sections`` may be ticked, and ``rows`` have a number each. ``idle``: options,
    and choices of them as ``extras=tokens``, that can do nothing here, which show only where something is said in them.
    """
    picks = offered or {}
    wrong = {fault.where: fault.message for fault in faults}
    found = {name: Field(one, words.get(name) or one.default, wrong.get(name, ""), picks.get(name, ())) for name, one in NAMED.items()}
    for name, _, choice in (one.partition("=") for one in idle if "=" in one):
        found[name] = replace(found[name], useless=(*found[name].useless, choice))
    found["only"] = replace(found["only"], sections=sections)
    found["counts"] = replace(found["counts"], rows=rows)
    shown = [one for one in found.values() if one.name not in COMMON and (one.name not in idle or one.changed or one.problem)]
    rest = {group: tuple(one for one in shown if one.option.group == group) for group in _groups()}
    return Form(tuple(found[name] for name in COMMON), tuple(Group(group, fields) for group, fields in rest.items() if fields))


def told(fault: Fault) -> Fault:
    """The fault as the page says it: for a size, how one is written."""
    option = NAMED.get(fault.where)
    # The list of all sizes there are is no help; that of the few that a service takes is.
    if option is None or option.kind != "size" or fault.code != BadOption.code or "width x height" not in fault.message:
        return fault
    least, most = (MIN_PAPER, MAX_PAPER) if option.name == "paper" else (MIN_TRIM, MAX_TRIM)
    return Fault(fault.code, f"{option.label}: write width x height in mm, {shown(least)} to {shown(most)} each.", fault.where)


def _groups() -> tuple[str, ...]:
    """All headings there are, the known ones in their order."""
    return tuple(dict.fromkeys((*GROUPS, *(option.group for option in OPTIONS))))
