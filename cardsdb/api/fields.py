"""``?fields=name,facts.craft`` and ``?include=sources``: which parts of an object an answer holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardsdb.api.parameters import fault
from cardsdb.site.faults import Fault, Refused

MAX_TEXT = 1_000
MAX_NAMES = 60
# A message that lists what there is lists no more than this.
MAX_LISTED = 60


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts an object may have, in the order it gives them, and the names that may stand behind a point."""

    parts: tuple[str, ...]
    inner: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Part -> the inner names that were asked for, None for the whole part."""

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
    return {name: found for name, found in value.items() if name in names}


def chosen(fields: str, include: str, shape: Shape, standard: Iterable[str]) -> Chosen:
    """What two parameters ask for: ``fields`` instead of the standard parts, ``include`` on top of either.

    Raises Refused for a name the object does not have, telling what it has.
    """
    found: dict[str, frozenset[str] | None] = {}
    for name in _names(fields, "fields") or standard:
        _choose(found, name, "fields", shape)
    for name in _names(include, "include"):
        _choose(found, name, "include", shape)
    return Chosen(found)


def _names(text: str, where: str) -> list[str]:
    if len(text) > MAX_TEXT:
        raise Refused(Fault("too_long", f"This is longer than {MAX_TEXT} characters.", where))
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MAX_NAMES:
        raise Refused(Fault("too_many", f"These are more than {MAX_NAMES} names.", where))
    return names


def _choose(found: dict[str, frozenset[str] | None], name: str, where: str, shape: Shape) -> None:
    part, point, inner = name.partition(".")
    if part not in shape.parts:
        raise _unknown(name, where, shape.parts, [f"{outer}.{name}" for outer, names in shape.inner.items() if name in names])
    if not point:
        found[part] = None
        return
    known = shape.inner.get(part, ())
    if inner not in known:
        raise _unknown(name, where, [f"{part}.{one}" for one in known] or shape.parts)
    if found.get(part, frozenset()) is not None:
        found[part] = (found.get(part) or frozenset()) | {inner}


def _unknown(name: str, where: str, known: Iterable[str], meant: Sequence[str] = ()) -> Refused:
    """``meant``: the parts that have such a name behind a point."""
    names = list(known)
    more = " and more" if len(names) > MAX_LISTED else ""
    perhaps = f" Is {' or '.join(meant)} meant?" if meant else ""
    message = f"There is no field “{name[:60]}”.{perhaps} There are: {', '.join(names[:MAX_LISTED])}{more}."
    return Refused(fault("unknown_field", message, where, meant))
