"""The parameters of an address: which there are, and what their values may be.

A parameter that the address does not take is refused by name: an ignored one would look as if it had worked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from cardsdb.faults import Fault, Refused

DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE = 50, 100
MAX_SHOWN = 60
MAX_FAULTS = 10
MAX_TEXT = 1_000
MAX_NAMES = 60
# Names that a message lists.
MAX_LISTED = 60
# Names of the same parameters in other APIs.
OTHER_NAMES = {
    "limit": "page_size",
    "per_page": "page_size",
    "size": "page_size",
    "cursor": "after",
    "offset": "after",
    "query": "q",
    "search": "q",
    "select": "fields",
}


@dataclass(frozen=True, slots=True)
class Advised(Fault):
    """A fault with what may be meant instead; each suggestion may take the faulty words' place."""

    suggestions: tuple[str, ...] = ()


def fault(code: str, message: str, where: str, suggestions: Iterable[str] = ()) -> Fault:
    """A fault, with suggestions only where there are some."""
    meant = tuple(suggestions)
    return Advised(code, message, where, meant) if meant else Fault(code, message, where)


def only_known(names: Iterable[str], takes: Sequence[str]) -> None:
    """Raise Refused if a parameter is none of those that the address takes."""
    unknown = [name for name in names if name not in takes]
    if unknown:
        raise Refused(*(_unknown_parameter(name, takes) for name in unknown[:MAX_FAULTS]))


def _unknown_parameter(name: str, takes: Sequence[str]) -> Fault:
    shown = name[:MAX_SHOWN]
    if name == "page" and "after" in takes:
        return Fault(
            "no_page_numbers", "Lists of cards have no page numbers: follow the address in “next”.", name
        )
    known = f"It takes {', '.join(takes)}." if takes else "It takes none."
    near = [OTHER_NAMES[name]] if OTHER_NAMES.get(name) in takes else get_close_matches(shown, takes, 1)
    meant = f" Is {near[0]} meant?" if near else ""
    return fault("unknown_parameter", f"This address has no parameter “{shown}”.{meant} {known}", shown, near)


def page_size(text: str) -> int:
    """The size of a page, at most MAX_PAGE_SIZE. Raises Refused for what is no size: a default instead would
    look as if it had worked.
    """
    size = text or str(DEFAULT_PAGE_SIZE)
    if not re.fullmatch(r"[1-9][0-9]*", size):
        raise Refused(
            Fault("bad_page_size", f"page_size is a whole number from 1 to {MAX_PAGE_SIZE}.", "page_size")
        )
    # int() refuses text of thousands of digits.
    return min(int(size[:9]), MAX_PAGE_SIZE)


# -- ?fields=name,facts.craft and ?include=sources: which parts of an object an answer holds -------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts an object may have, in the order it gives them, and the names that may stand behind a
    point.
    """

    parts: tuple[str, ...]
    inner: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChosenParts:
    """The parts that an answer holds. ``parts``: part -> its inner names, None for the whole part."""

    parts: Mapping[str, frozenset[str] | None]

    def __contains__(self, part: str) -> bool:
        return part in self.parts

    def of(self, whole: Mapping[str, Any]) -> dict[str, Any]:
        """The chosen parts of an object, in the object's own order."""
        return {part: _inner(value, self.parts[part]) for part, value in whole.items() if part in self.parts}


def _inner(value: Any, names: frozenset[str] | None) -> Any:
    if names is None:
        return value
    if isinstance(value, list):
        return [_inner(one, names) for one in value]
    return {name: inner for name, inner in value.items() if name in names}


def choose_parts(fields: str, include: str, shape: Shape, standard: Iterable[str]) -> ChosenParts:
    """The parts that two parameters name: ``fields`` instead of the standard parts, ``include`` besides
    either.

    Raises Refused for a name the object does not have, with the names it has.
    """
    parts: dict[str, frozenset[str] | None] = {}
    for name in _names(fields, "fields") or standard:
        _choose(parts, name, "fields", shape)
    for name in _names(include, "include"):
        _choose(parts, name, "include", shape)
    return ChosenParts(parts)


def _names(text: str, where: str) -> list[str]:
    if len(text) > MAX_TEXT:
        raise Refused(Fault("too_long", f"This is longer than {MAX_TEXT} characters.", where))
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MAX_NAMES:
        raise Refused(Fault("too_many", f"These are more than {MAX_NAMES} names.", where))
    return names


def _choose(parts: dict[str, frozenset[str] | None], name: str, where: str, shape: Shape) -> None:
    """Add the part, or the inner name behind a point, to the parts."""
    part, point, inner = name.partition(".")
    if part not in shape.parts:
        raise _unknown_field(
            name,
            where,
            shape.parts,
            [f"{outer}.{name}" for outer, names in shape.inner.items() if name in names],
        )
    if not point:
        parts[part] = None
        return
    known = shape.inner.get(part, ())
    if inner not in known:
        raise _unknown_field(name, where, [f"{part}.{one}" for one in known] or shape.parts)
    if (inner_names := parts.get(part, frozenset())) is not None:
        parts[part] = inner_names | {inner}


def _unknown_field(name: str, where: str, known: Iterable[str], meant: Sequence[str] = ()) -> Refused:
    """``meant``: the parts that have such a name behind a point."""
    names = list(known)
    more = " and more" if len(names) > MAX_LISTED else ""
    perhaps = f" Is {' or '.join(meant)} meant?" if meant else ""
    message = f"There is no field “{name[:60]}”.{perhaps} There are: {', '.join(names[:MAX_LISTED])}{more}."
    return Refused(fault("unknown_field", message, where, meant))
