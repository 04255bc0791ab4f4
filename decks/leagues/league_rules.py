"""What the file of a league's format says, as a value: the rules that the form knows are changed one by one,
others are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit import Citation, Format, Game
from cardsdb.games.kit.model.text import fold

Declared = Mapping[str, Any]

USUAL_POINTS = 10
# So many cards are banned, and so many have points: what a file of a format may list.
MAX_CARDS = 500
# The keys that a rule of this kind has where the form knows it.
SIMPLE = {
    "copies": {"rule", "limit"},
    "size": {"rule", "at_least", "at_most", "exactly"},
    "only_sets": {"rule", "sets"},
    "banned": {"rule", "cards"},
    "points": {"rule", "cards", "limit"},
}


def begun(game: str, base: str, name: str) -> dict[str, Any]:
    """A format that is as yet the one that it builds on, under another name."""
    return {"game": game, "name": name, "based_on": base}


def rules_of(declared: Declared) -> list[dict[str, Any]]:
    """The rules that it adds. Whatever else a file may have put there is passed over."""
    rules = declared.get("rules", [])
    return [rule for rule in rules if isinstance(rule, dict)] if isinstance(rules, list) else []


def simple_rule(declared: Declared, kind: str) -> dict[str, Any]:
    """The first rule of this kind that looks at all cards and says nothing of its own; empty without one."""
    return next(
        (rule for rule in rules_of(declared) if rule.get("rule") == kind and set(rule) <= SIMPLE[kind]), {}
    )


def other_rules(declared: Declared) -> list[tuple[int, dict[str, Any]]]:
    """The rules that the form does not know, each with its place from 0."""
    known = [id(simple_rule(declared, kind)) for kind in SIMPLE]
    return [(place, rule) for place, rule in enumerate(rules_of(declared)) if id(rule) not in known]


def with_rule(declared: Declared, kind: str, **keys: Any) -> dict[str, Any]:
    """With these keys in the simple rule of this kind, which stays where it is; without any key the rule
    goes.
    """
    before, rules = simple_rule(declared, kind), rules_of(declared)
    given = {key: value for key, value in keys.items() if value not in (None, [], {}, ())}
    new = [{"rule": kind, **given}] if given else []
    place = next((place for place, rule in enumerate(rules) if rule is before), len(rules))
    return _with_rules(declared, [*rules[:place], *new, *rules[place + 1 :]])


def without_rule(declared: Declared, place: int) -> dict[str, Any]:
    """Without the rule at this place."""
    return _with_rules(declared, [rule for number, rule in enumerate(rules_of(declared)) if number != place])


def _with_rules(declared: Declared, rules: list[dict[str, Any]]) -> dict[str, Any]:
    rest = {key: value for key, value in declared.items() if key != "rules"}
    return rest | ({"rules": rules} if rules else {})


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule as it is shown. ``is_own``: the league says it, not the game."""

    code: str
    citation: Citation | None
    is_own: bool


def shown_rules(game: Game, format: Format) -> list[ShownRule]:
    """The rules of a league's format, each code once."""
    own = format.league.citations if format.league else {}
    codes = dict.fromkeys(getattr(rule, "cites", "") or rule.code for rule in format.rules)
    return [ShownRule(code, own.get(code) or game.citations.get(code), code in own) for code in codes]


# -- lists of cards -----------------------------------------------------------------------


def banned(declared: Declared) -> list[str]:
    """The names or codes of the cards that it bans."""
    cards = simple_rule(declared, "banned").get("cards", [])
    return [cards] if isinstance(cards, str) else list(map(str, cards))


def points(declared: Declared) -> dict[str, int]:
    """What cards cost on its points list, by name or code."""
    cards = simple_rule(declared, "points").get("cards", {})
    return dict(cards) if isinstance(cards, dict) else {}


def points_limit(declared: Declared) -> int | None:
    """What the cards of its points list may cost together, where it says so."""
    limit = simple_rule(declared, "points").get("limit")
    return limit if isinstance(limit, int) else None


def with_banned(declared: Declared, called: str) -> dict[str, Any]:
    return with_rule(declared, "banned", cards=[*without(banned(declared), called), called])


def with_points(declared: Declared, called: str, cost: int) -> dict[str, Any]:
    listed = points(declared)
    cards = {name: listed[name] for name in without(listed, called)} | {called: cost}
    limit = points_limit(declared)
    return with_rule(declared, "points", cards=cards, limit=USUAL_POINTS if limit is None else limit)


def without_card(declared: Declared, kind: str, called: str) -> dict[str, Any]:
    """Without this card in its list; an empty list is none."""
    if kind == "banned":
        return with_rule(declared, "banned", cards=without(banned(declared), called))
    listed = points(declared)
    cards = {name: listed[name] for name in without(listed, called)}
    return with_rule(
        declared, "points", **({"cards": cards, "limit": points_limit(declared)} if cards else {})
    )


def without(names: Any, called: str) -> list[str]:
    """The names but for this one, however it is written."""
    return [name for name in names if fold(name) != fold(called)]
