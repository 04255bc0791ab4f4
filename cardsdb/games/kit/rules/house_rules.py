"""House rules: a format with some of its numbers changed, written as one short text.

``AG-3.at_least=40;AG-4.limit=4``: the rule's code, the name of its number, the value. Such a text is stored
with a deck and stands in addresses, so that it can be read without Cutout. ``league=LINK`` in front of them
says by which league's format the deck is judged, and the numbers are of that.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Rule, Violation

MAX_NUMBER = 999
MAX_HOUSE_RULES = 400
LEAGUE = "league"
_LINK = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True)
class RuleNumber:
    """One whole number of a format's rules, as the rulebook has it.

    ``key`` is how a house rule names it. Where several rules have one code, the key of the second ends in
    ``:2``.
    """

    key: str
    code: str
    field: str
    value: int
    label: str


@dataclass(frozen=True)
class HouseRule:
    """A house rule: the number as the rulebook has it, its value at this table, and the changed rule."""

    number: RuleNumber
    value: int
    rule: Rule

    @property
    def words(self) -> str:
        """``AG-6: leaders, exactly 3, where the rulebook says 4``."""
        return f"{self.number.label} {self.value}, where the rulebook says {self.number.value}"


@dataclass(frozen=True)
class HouseFormat(Format):
    """A format with some numbers changed by house rules. It keeps the slug of the format."""

    house_rules: tuple[HouseRule, ...] = ()


def rule_numbers(format: Format) -> tuple[RuleNumber, ...]:
    """Every whole number of a format's rules, in the rulebook's order."""
    return tuple(number for number, _ in _placed(format))


def with_house_rules(format: Format, house: str) -> Format:
    """The format with these numbers changed; the format itself if none differs.

    Raises ValueError with a sentence that says what cannot be read or is not a number of this format.
    """
    values = parse_house_rules(house)
    placed = _placed(format)
    known = {number.key for number, _ in placed}
    for key in values:
        if key not in known:
            raise ValueError(
                f"{format.name} has no number called “{key[:40]}”. Its numbers:"
                f" {', '.join(sorted(known)) or 'none'}."
            )
    changed = [
        (number, place) for number, place in placed if values.get(number.key, number.value) != number.value
    ]
    if not changed:
        return format
    rules = list(format.rules)
    for number, place in changed:
        new: dict[str, Any] = {number.field: values[number.key]}
        rules[place] = replace(rules[place], **new)
    return HouseFormat(
        format.slug,
        f"{format.name} with house rules",
        tuple(rules),
        format.sections,
        format.help,
        format.details,
        official=False,
        league=format.league,
        house_rules=tuple(HouseRule(number, values[number.key], rules[place]) for number, place in changed),
    )


def write_house_rules(numbers: Mapping[str, int], league: str = "") -> str:
    """The link of a league's format, if there is one, and the numbers as one text, always in the same
    order.
    """
    return ";".join(
        [*([f"{LEAGUE}={league}"] if league else []), *(f"{key}={numbers[key]}" for key in sorted(numbers))]
    )


def league_in(house: str) -> str:
    """The link of the league's format that a text names; empty if it names none that can be one."""
    return next((value for key, _, value in _parts(house) if key == LEAGUE and _LINK.fullmatch(value)), "")


def _parts(house: str) -> Iterator[tuple[str, str, str]]:
    """The words before the = of each part, that sign, and the words behind it; without one both are empty."""
    for part in filter(None, map(str.strip, re.split(r"[;,\n]", house))):
        key, equals, value = part.partition("=")
        yield key.strip(), equals, value.strip()


def parse_house_rules(house: str) -> dict[str, int]:
    """The numbers that a text states. Raises ValueError with a sentence about a part that is no house
    rule.
    """
    if len(house) > MAX_HOUSE_RULES:
        raise ValueError(
            f"House rules are at most {MAX_HOUSE_RULES} characters long; these are {len(house)}."
        )
    numbers: dict[str, int] = {}
    for key, equals, value in _parts(house):
        if not equals:
            raise ValueError(
                f"“{key[:60]}” is no house rule; write the rule's number, = and the value, for example"
                " AG-3.at_least=40."
            )
        if key == LEAGUE:
            if not _LINK.fullmatch(value):
                raise ValueError(
                    f"“{value[:40]}” is no league's format; copy the last part of its address, 22 letters and"
                    " digits."
                )
        elif key in numbers:
            raise ValueError(f"“{key[:40]}” is changed twice; leave one of the two.")
        else:
            numbers[key] = parse_number(key, value)
    return numbers


def parse_number(key: str, value: str) -> int:
    """The value as a number. Raises ValueError with a sentence if it is none from 0 to 999."""
    if not re.fullmatch(r"[0-9]{1,9}", value.strip(), re.ASCII) or int(value) > MAX_NUMBER:
        raise ValueError(
            f"{key[:40]} must be a whole number from 0 to {MAX_NUMBER}, not “{value.strip()[:20]}”."
        )
    return int(value)


def still_known(format: Format, house: str) -> str:
    """The part of a text that changes numbers this format has, for a deck whose format or rules have changed
    since.
    """
    known = {number.key for number in rule_numbers(format)}
    numbers: dict[str, int] = {}
    for part in re.split(r"[;,\n]", house[:MAX_HOUSE_RULES]):
        try:
            numbers |= {key: value for key, value in parse_house_rules(part).items() if key in known}
        except ValueError:
            continue
    return write_house_rules(numbers, league_in(house))


def without_league(house: str) -> str:
    """The text without the league's format that it names."""
    return ";".join(f"{key}={value}" for key, _, value in _parts(house) if key != LEAGUE)


def house_rules_of(format: Format) -> tuple[HouseRule, ...]:
    """The house rules of this format; none for a format as the rulebook has it."""
    return format.house_rules if isinstance(format, HouseFormat) else ()


def house_rules_broken(format: Format, deck: Decklist, violation: Violation) -> tuple[HouseRule, ...]:
    """The house rules that changed the rule of this violation.

    Several rules may share a code, so the changed ones judge the deck once more.
    """

    def key(other: Violation) -> tuple[object, ...]:
        return (other.code, other.problem, other.what, other.found, other.wanted)

    of_code = tuple(changed for changed in house_rules_of(format) if changed.number.code == violation.code)
    return tuple(
        changed
        for changed in of_code
        if any(key(other) == key(violation) for other in changed.rule.judge(deck))
    )


def _placed(format: Format) -> tuple[tuple[RuleNumber, int], ...]:
    """Every number with the place of its rule among the format's."""
    seen: Counter[str] = Counter()
    numbers = []
    for place, rule in enumerate(format.rules):
        for name, value in _whole_numbers(rule):
            key = f"{rule.code}.{name}"
            seen[key] += 1
            ordinal = f":{seen[key]}" if seen[key] > 1 else ""
            numbers.append((RuleNumber(f"{key}{ordinal}", rule.code, name, value, _label(rule, name)), place))
    return tuple(numbers)


def _whole_numbers(rule: Rule) -> Iterator[tuple[str, int]]:
    for field in fields(rule):
        value = getattr(rule, field.name)
        # Flags and severities are whole numbers to Python too, but no numbers of a rule.
        if type(value) is int:
            yield field.name, value


def _label(rule: Rule, name: str) -> str:
    """``AG-6: leaders, exactly``."""
    group = getattr(rule, "of", None)
    what = getattr(group, "what", "") or getattr(rule, "what", "") or "cards"
    words = rule.numbers.get(name) or name.replace("_", " ")
    values = {field.name: getattr(rule, field.name) for field in fields(rule)}
    return f"{rule.code}: {words.format(**(values | {'what': what}))}".replace("_", " ")
