"""Formats as data: those of a ``game.toml``, and those that a file of their own adds to a game, such as a
league's.

name = "Tuesday league"
help = "The Agency Deck with a points list."
based_on = "agency"                      the format whose sections and rules it begins with
leave_out = ["PR-1"]                     rules of that format that it does not have
numbers = { "AG-3.at_least" = 40 }       numbers of its rules that are others here
sections = ["leaders", "deck"]           its parts of a deck, else those of that format, else all of the game
[[rules]]                                ``rules.py``
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cardsdb.games.kit.declared.rules import read_rule
from cardsdb.games.kit.declared.table import Table
from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.format import Format, Rule
from cardsdb.games.kit.model.rulebook import Citation
from cardsdb.games.kit.rules.house_rules import house_rules_of, with_house_rules, write_house_rules

RULE_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class DeclaredFormat:
    """A format, and what its rules say that no rulebook says."""

    format: Format
    citations: Mapping[str, Citation]


class FormatReader:
    """Reads formats of one game. ``document`` is the key under which what they say themselves is cited."""

    def __init__(self, game: GameFolder, known: Mapping[str, Format], document: str, official: bool) -> None:
        self._game, self._document, self._official = game, document, official
        self._known = dict(known)
        self._cited = dict(game.citations)

    def read(self, slug: str, table: Table) -> DeclaredFormat:
        """The format; what is wrong with it becomes a fault of the table."""
        if slug in self._known:
            table.fault("name", f"the format {slug!r} is declared already; call this one otherwise")
        name = table.text("name", needed=True, most=80)
        help = table.text("help")
        base = self._known.get(table.choice("based_on", self._known, ""))
        new: dict[str, Citation] = {}
        rules = self._taken_over(table, base, slug, name, new) if base else []
        usual = base.sections if base else tuple(self._game.sections_by_slug)
        sections = table.known("sections", self._game.sections_by_slug, "section", usual) or usual
        for number, rule_table in enumerate(table.listed_tables("rules"), start=1):
            if rule := self._rule(rule_table, f"{slug.upper()}-{number}", name, new):
                rules.append(rule)
        if not rules:
            table.fault(
                "rules", "has no rule; a format needs one at least, as in [[rules]] with rule = 'size'"
            )
        official = table.flag("official", self._official)
        table.close()
        format = Format(slug, name, tuple(rules), sections, help, base.details if base else (), official)
        self._known[slug] = format
        self._cited |= new
        return DeclaredFormat(format, new)

    def _rule(self, table: Table, usual_code: str, format: str, new: dict[str, Citation]) -> Rule | None:
        code, says = table.text("code", usual_code), table.text("says")
        if not RULE_CODE.fullmatch(code):
            table.fault("code", f"{code[:60]!r} must be at most 40 letters, digits and hyphens")
        made = read_rule(table, self._game, code)
        if code in self._cited or code in new:
            if says:
                table.fault(
                    "says",
                    f"the rule {code!r} says something already; leave this out or give the rule another code",
                )
        elif made:
            new[code] = self._citation(code, format, says or made[1])
        return made[0] if made else None

    def _taken_over(
        self, table: Table, base: Format, slug: str, name: str, new: dict[str, Citation]
    ) -> list[Rule]:
        """The rules of the format that this one is based on: some left out, some with other numbers, which
        are then cited from here.
        """
        left_out = table.known("leave_out", {rule.code: rule for rule in base.rules}, "rule of that format")
        try:
            changed = with_house_rules(base, write_house_rules(dict(table.numbers("numbers"))))
        except ValueError as error:
            table.fault("numbers", str(error))
            changed = base
        rules = []
        for before, rule in zip(base.rules, changed.rules, strict=True):
            if before.code in left_out:
                continue
            if rule is not before:
                words = "; ".join(house.words for house in house_rules_of(changed) if house.rule is rule)
                rule = replace(rule, code=f"{slug.upper()}-{rule.code}")
                said = f"{new[rule.code].says} " if rule.code in new else ""
                new[rule.code] = self._citation(rule.code, name, f"{said}{words}.")
            rules.append(rule)
        return rules

    def _citation(self, code: str, section: str, says: str) -> Citation:
        return Citation(code, self._document, section, "", "stated", says)
