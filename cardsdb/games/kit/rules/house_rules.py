"""House rules: a format with some of its numbers changed, written as one short text.

``AG-3.at_least=40;AG-4.limit=4``: the rule's code, the name of its number, the value. Such a
text is stored with a deck and stands in addresses, so that it can be read without Cutout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.report import Violation
from cardsdb.games.kit.model.rule import Rule

HIGHEST = 999
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Knob:
    """One whole number of a format's rules, as the rulebook has it.

    ``key`` is how a house rule names it. Of several rules with one code the second's key ends in ``:2``.
    """

    key: str
    code: str
    field: str
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class Change:
    """A number that a house rule changed: the knob as the rulebook has it, and what holds at this table."""

    knob: Knob
    value: int
    rule: Rule

    @property
    def words(self) -> str:
        """``AG-6: leaders, exactly 3, where the rulebook says 4``."""
        return f"{self.knob.label} {self.value}, where the rulebook says {self.knob.value}"


@dataclass(frozen=True, slots=True)
class HouseFormat(Format):
    """A format of which some numbers are the table's own. Its slug is still the format's."""

    changes: tuple[Change, ...] = ()


def knobs(format: Format) -> tuple[Knob, ...]:
    """Every whole number of a format's rules, in the rulebook's order."""
    return tuple(knob for knob, _ in _placed(format))


def with_house(format: Format, house: str) -> Format:
    """The format with these numbers changed; the format itself if none differs.

    Raises ValueError with a sentence that says what cannot be read or is not a number of this format.
    """
    numbers = numbers_of(house)
    placed = _placed(format)
    known = {knob.key for knob, _ in placed}
    for key in numbers:
        if key not in known:
            raise ValueError(f"{format.name} has no number called “{key[:40]}”. Its numbers: {', '.join(sorted(known)) or 'none'}.")
    changed: dict[int, dict[str, int]] = {}
    for knob, place in placed:
        if numbers.get(knob.key, knob.value) != knob.value:
            changed.setdefault(place, {})[knob.field] = numbers[knob.key]
    if not changed:
        return format
    rules = tuple(_with(rule, changed.get(place, {})) for place, rule in enumerate(format.rules))
    changes = tuple(
        Change(knob, numbers[knob.key], rules[place]) for knob, place in placed if numbers.get(knob.key, knob.value) != knob.value
    )
    return HouseFormat(
        format.slug,
        f"{format.name} with house rules",
        rules,
        format.sections,
        format.help,
        format.details,
        official=False,
        changes=changes,
    )


def house_text(numbers: Mapping[str, int]) -> str:
    """The numbers as one text, always in the same order."""
    return ";".join(f"{key}={numbers[key]}" for key in sorted(numbers))


def numbers_of(house: str) -> dict[str, int]:
    """The numbers that a text states. Raises ValueError with a sentence about what is not one."""
    if len(house) > LONGEST:
        raise ValueError(f"House rules are at most {LONGEST} characters long; these are {len(house)}.")
    numbers: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in re.split(r"[;,\n]", house))):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ValueError(f"“{part[:60]}” is no house rule; write the rule's number, = and the value, for example AG-3.at_least=40.")
        if key in numbers:
            raise ValueError(f"“{key[:40]}” is changed twice; leave one of the two.")
        numbers[key] = checked(key, value)
    return numbers


def checked(key: str, value: str) -> int:
    """The value as a number. Raises ValueError with a sentence if it is none from 0 to 999."""
    if not re.fullmatch(r"[0-9]{1,9}", value.strip(), re.ASCII) or int(value) > HIGHEST:
        raise ValueError(f"{key[:40]} must be a whole number from 0 to {HIGHEST}, not “{value.strip()[:20]}”.")
    return int(value)


def still_known(format: Format, house: str) -> str:
    """The part of a text that changes numbers this format has, for a deck whose format or rules have changed since."""
    known = {knob.key for knob in knobs(format)}
    numbers: dict[str, int] = {}
    for part in re.split(r"[;,\n]", house[:LONGEST]):
        try:
            numbers |= {key: value for key, value in numbers_of(part).items() if key in known}
        except ValueError:
            continue
    return house_text(numbers)


def changes_of(format: Format) -> tuple[Change, ...]:
    """What of this format are house rules; nothing of a format as the rulebook has it."""
    return format.changes if isinstance(format, HouseFormat) else ()


def house_rules_broken(format: Format, deck: Decklist, violation: Violation) -> tuple[Change, ...]:
    """The changes of the rule that this violation is of, if a house rule changed it.

    Several rules may share a code: the changed ones are asked again.
    """

    def told(other: Violation) -> tuple[object, ...]:
        return (other.code, other.problem, other.what, other.found, other.wanted)

    of_code = tuple(change for change in changes_of(format) if change.knob.code == violation.code)
    return tuple(change for change in of_code if any(told(other) == told(violation) for other in change.rule.judge(deck)))


def _with(rule: Rule, numbers: Mapping[str, Any]) -> Rule:
    return replace(rule, **numbers) if numbers else rule


def _placed(format: Format) -> tuple[tuple[Knob, int], ...]:
    """Every knob with the place of its rule among the format's."""
    seen: Counter[str] = Counter()
    found = []
    for place, rule in enumerate(format.rules):
        for name, value in _whole_numbers(rule):
            key = f"{rule.code}.{name}"
            seen[key] += 1
            number = f":{seen[key]}" if seen[key] > 1 else ""
            found.append((Knob(f"{key}{number}", rule.code, name, value, _label(rule, name)), place))
    return tuple(found)


def _whole_numbers(rule: Rule) -> Iterator[tuple[str, int]]:
    for field in fields(rule):
        value = getattr(rule, field.name)
        # Neither yes and no nor a severity, which Python counts as numbers too.
        if type(value) is int:
            yield field.name, value


def _label(rule: Rule, name: str) -> str:
    """``AG-6: leaders, exactly``."""
    group = getattr(rule, "of", None)
    what = getattr(group, "what", "") or getattr(rule, "what", "") or "cards"
    words = rule.numbers.get(name) or name.replace("_", " ")
    values = {field.name: getattr(rule, field.name) for field in fields(rule)}
    return f"{rule.code}: {words.format(**(values | {'what': what}))}".replace("_", " ")
