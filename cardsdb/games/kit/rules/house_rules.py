"""House rules: numbers of a format that one table changes, read from and written as one short text.

``AG-3.at_least=40;AG-4.limit=4``: for each number the rule's code, the name of its field and the value. With
``league=LINK`` in front, the numbers are of that league's format. Such texts are stored with decks and are
part of URLs: keys must never change, and a number that a format no longer has is dropped (``still_known``).
``decks/core/used_format.py`` finds the format of a deck with them, ``decks/check/house_rules.py`` has the
form. A refusal quotes only the beginning of what was typed.
Tests: ``tests/cardsdb/games/kit/rules/test_house_rules.py``.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Format, Rule, Violation
from cardsdb.games.kit.model.text import whole_number

# The largest value of a house rule: more cards than any deck has.
MAX_NUMBER = 999
# Most characters of a text: room for 25 numbers such as AG-3.at_least=40, more than any format has.
MAX_HOUSE_RULES = 400
# The key that names a league's format.
LEAGUE = "league"
# The random part of that format's URL: ``secrets.token_urlsafe(16)`` is 22 characters of base64.
_LINK = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True)
class RuleNumber:
    """One whole number of a format's rules, as the rulebook has it.

    ``key``: its name in house rules, ``AG-3.at_least``; of a second rule with the same code
    ``AG-3.at_least:2``. ``code``: the rule's. ``field``: name of the rule's attribute. ``label``: words for
    people.
    """

    key: str
    code: str
    field: str
    value: int
    label: str


@dataclass(frozen=True)
class HouseRule:
    """One changed number: the number as the rulebook has it, its value at this table, and the
    changed rule.
    """

    number: RuleNumber
    value: int
    rule: Rule

    @property
    def words(self) -> str:
        """``AG-6: leaders, exactly 3, where the rulebook says 4``."""
        return f"{self.number.label} {self.value}, where the rulebook says {self.number.value}"


@dataclass(frozen=True)
class HouseFormat(Format):
    """A format with house rules. It has the slug of the format that they change."""

    house_rules: tuple[HouseRule, ...] = ()


def rule_numbers(format: Format) -> tuple[RuleNumber, ...]:
    """Return every whole number of a format's rules, in the rules' order."""
    return tuple(number for number, _ in _placed(format))


def with_house_rules(format: Format, house: str) -> Format:
    """Return the format with the numbers of this text changed; the format itself if none differs.

    Raises ValueError with a sentence to show if a part cannot be read or is no number of this format.
    """
    values = parse_house_rules(house)
    placed = _placed(format)  # (number, index of its rule)
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
    # Two numbers may be of one rule, so each changes the rule that the one before has left.
    for number, place in changed:
        new: dict[str, Any] = {number.field: values[number.key]}
        rules[place] = replace(rules[place], **new)
    return HouseFormat(
        slug=format.slug,
        name=f"{format.name} with house rules",
        rules=tuple(rules),
        sections=format.sections,
        help=format.help,
        details=format.details,
        official=False,
        league=format.league,
        house_rules=tuple(HouseRule(number, values[number.key], rules[place]) for number, place in changed),
    )


def write_house_rules(numbers: Mapping[str, int], league: str = "") -> str:
    """Return house rules as text: the league's link if there is one, then the numbers sorted by key."""
    parts = [f"{LEAGUE}={league}"] if league else []
    return ";".join([*parts, *(f"{key}={numbers[key]}" for key in sorted(numbers))])


def league_in(house: str) -> str:
    """Return the link of the league's format in a text; empty if it has no well-formed one."""
    return next((value for key, _, value in _parts(house) if key == LEAGUE and _LINK.fullmatch(value)), "")


def _parts(house: str) -> Iterator[tuple[str, str, str]]:
    """Yield (key, "=", value) for each part of a text; ("the part", "", "") for one without the sign. Parts
    end at a semicolon, a comma or a line's end, since people type them too.
    """
    for part in filter(None, map(str.strip, re.split(r"[;,\n]", house))):
        key, equals, value = part.partition("=")
        yield key.strip(), equals, value.strip()


def parse_house_rules(house: str) -> dict[str, int]:
    """Return key -> value of the numbers in a text. Raises ValueError with a sentence about a wrong part."""
    if len(house) > MAX_HOUSE_RULES:
        raise ValueError(
            f"House rules are at most {MAX_HOUSE_RULES} characters long; these are {len(house)}."
        )
    numbers: dict[str, int] = {}
    for key, equals, value in _parts(house):
        if not equals:
            raise ValueError(
                f"“{key[:60]}” is no house rule; write the name of the number, = and the value, for example"
                " AG-3.at_least=40."
            )
        if key == LEAGUE:
            if not _LINK.fullmatch(value):
                raise ValueError(
                    f"“{value[:40]}” is no league's format; copy the last part of its address, which has 22"
                    " characters."
                )
        elif key in numbers:
            raise ValueError(f"“{key[:40]}” is changed twice; leave one of the two.")
        else:
            numbers[key] = parse_number(key, value)
    return numbers


def parse_number(key: str, value: str) -> int:
    """Return the value as a number. Raises ValueError with a sentence unless it is from 0 to MAX_NUMBER."""
    number = whole_number(value.strip(), MAX_NUMBER)
    if number is None:
        raise ValueError(
            f"{key[:40]} must be a whole number from 0 to {MAX_NUMBER}, not “{value.strip()[:20]}”."
        )
    return number


def still_known(format: Format, house: str) -> str:
    """Return the text without numbers that this format does not have. It is for stored decks whose format or
    rules have changed; parts that cannot be read are dropped too.
    """
    known = {number.key for number in rule_numbers(format)}
    numbers: dict[str, int] = {}
    for key, _, value in _parts(house[:MAX_HOUSE_RULES]):
        number = whole_number(value, MAX_NUMBER)
        if key in known and number is not None:
            numbers[key] = number
    return write_house_rules(numbers, league_in(house))


def without_league(house: str) -> str:
    """Return the text without the link of a league's format."""
    return ";".join(f"{key}={value}" for key, _, value in _parts(house) if key != LEAGUE)


def house_rules_of(format: Format) -> tuple[HouseRule, ...]:
    """Return the house rules of this format; empty for a format as the rulebook has it."""
    return format.house_rules if isinstance(format, HouseFormat) else ()


def house_rules_broken(format: Format, deck: Decklist, violation: Violation) -> tuple[HouseRule, ...]:
    """Return the house rules that changed the rule which this violation broke.

    Several rules may share a code (a size and the allowed types are both MD-1), so each changed rule of that
    code judges the deck again, and counts if it finds the same violation.
    """

    def key(of: Violation) -> tuple[object, ...]:
        return of.code, of.problem, of.what, of.found, of.wanted

    return tuple(
        changed
        for changed in house_rules_of(format)
        if changed.number.code == violation.code
        and any(key(other) == key(violation) for other in changed.rule.judge(deck))
    )


def _placed(format: Format) -> tuple[tuple[RuleNumber, int], ...]:
    """Return (number, index of its rule in ``format.rules``) for every whole number of the rules. The keys of
    an Agency Deck begin with AG-3.at_least, AG-3.leaders, AG-4.limit.
    """
    seen: Counter[str] = Counter()  # rules that have a number with this key
    numbers = []
    for place, rule in enumerate(format.rules):
        for name, value in _whole_numbers(rule):
            key = f"{rule.code}.{name}"
            seen[key] += 1
            ordinal = f":{seen[key]}" if seen[key] > 1 else ""
            numbers.append((RuleNumber(f"{key}{ordinal}", rule.code, name, value, _label(rule, name)), place))
    return tuple(numbers)


def _whole_numbers(rule: Rule) -> Iterator[tuple[str, int]]:
    """Yield (name, value) of the rule's fields that hold a whole number."""
    for field in fields(rule):
        value = getattr(rule, field.name)
        # Not isinstance: bool and Severity are subclasses of int.
        if type(value) is int:
            yield field.name, value


def _label(rule: Rule, name: str) -> str:
    """Return the words for a number of a rule: ``AG-6: leaders, exactly``."""
    group = getattr(rule, "of", None)
    what = getattr(group, "what", "") or getattr(rule, "what", "") or "cards"
    words = rule.numbers.get(name) or name.replace("_", " ")
    values = {field.name: getattr(rule, field.name) for field in fields(rule)}
    return f"{rule.code}: {words.format(**(values | {'what': what}))}".replace("_", " ")
