"""The lines of the deck as the editor lists them: by section, grouped and ordered as the author chose, with
rows for what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote_plus

from cardsdb.games.kit import Entry, Fact, Game, Section, Severity
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.report import Lack
from cardsdb.search.query.tree import normal
from decks.core.content import by_type
from decks.core.judging import Judged
from decks.editor.arrangement import Arrangement
from decks.editor.card_results import tree_of
from decks.editor.row_facts import Column, RowFacts, columns_of, row_facts
from decks.web.deck_context import fan_of

USUAL = Arrangement()


@dataclass(frozen=True, slots=True)
class Line:
    """One line. ``key`` names its section and card in edits, ``id`` in the page. ``fan``: how its face
    overlaps with others.
    """

    game: Game
    entry: Entry
    is_open: bool
    fan: str = ""

    @property
    def facts(self) -> RowFacts:
        """What its row shows of the card. Rows are remembered: most pages never ask."""
        return row_facts(self.game, self.entry.card)

    @property
    def key(self) -> str:
        return f"{self.entry.section} {self.entry.card.code}"

    @property
    def id(self) -> str:
        return line_id(self.entry.section, self.entry.card.code)

    @property
    def prints(self) -> tuple[tuple[str, int], ...]:
        """Each print that the card has, or that the line asks for, with the line's copies of it; none if
        there is no choice.
        """
        chosen, labels = dict(self.entry.marks.prints.groups(self.entry.count)), self.entry.card.print_labels
        return tuple(
            (label, chosen.get(label, 0))
            for label in dict.fromkeys((*labels, *self.entry.marks.prints.labels))
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of a section that have something in common, such as their type. ``columns``: the headings of
    their numbers.
    """

    title: str
    lines: tuple[Line, ...]
    columns: tuple[Column, ...] = ()

    @property
    def count(self) -> int:
        return sum(line.entry.count for line in self.lines)

    @property
    def fans(self) -> list[tuple[str, list[Line]]]:
        """The lines by the way in which their faces overlap."""
        fans: dict[str, list[Line]] = {}
        for line in self.lines:
            fans.setdefault(line.fan, []).append(line)
        return list(fans.items())

    @property
    def opened(self) -> Line | None:
        """The line that is shown with its form, if it is one of these."""
        return next((line for line in self.lines if line.is_open), None)


@dataclass(frozen=True, slots=True)
class MissingRow:
    """Cards that a section lacks, in words, and the query that finds those that fit."""

    words: str
    query: str

    @property
    def href(self) -> str:
        return f"?q={quote_plus(self.query)}"


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the deck, which may be empty. ``is_foreign``: cards stand there although the format has no
    such section.
    """

    section: Section
    groups: tuple[Group, ...]
    missing: tuple[MissingRow, ...]
    is_foreign: bool

    @property
    def takes(self) -> str:
        """The types of the cards that may be put into it."""
        return "" if self.is_foreign else " ".join(self.section.types)

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)


def line_id(section: str, code: str) -> str:
    return f"line-{section}-{code}"


def parts_of(judged: Judged, opened: str = "", arrangement: Arrangement = USUAL) -> list[Part]:
    """The sections of the format, and others that have cards. ``opened``: the key of the line shown with its
    form.
    """
    game, parts = judged.game, []
    missing = dict(_missing(judged))
    fact = arrangement.grouping_fact(game)
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        if not entries and section.slug not in judged.format.sections:
            continue
        types = by_type(game, section, entries)
        if fact:
            lines = _lines(
                game, arrangement.sorted(game, (entry for _, of_type in types for entry in of_type)), opened
            )
            groups = list(_grouped_by(fact, lines))
        else:
            groups = [
                Group(
                    card_type.plural or "Unknown cards",
                    _lines(game, arrangement.sorted(game, of_type), opened),
                    columns_of(game, card_type.slug),
                )
                for card_type, of_type in types
            ]
        parts.append(
            Part(
                section,
                tuple(groups),
                tuple(missing.get(section.slug, ())),
                section.slug not in judged.format.sections,
            )
        )
    return parts


def _lines(game: Game, entries: Iterable[Entry], opened: str) -> tuple[Line, ...]:
    return tuple(
        Line(game, entry, f"{entry.section} {entry.card.code}" == opened, fan_of(game, entry.card.type))
        for entry in entries
    )


def _grouped_by(fact: Fact, lines: Iterable[Line]) -> Iterator[Group]:
    """A group for each value of the fact, numbers from the least on and words in the alphabet's order; cards
    without it come last.
    """
    groups: dict[tuple[bool, int, str], list[Line]] = {}
    for line in lines:
        value = line.entry.card.facts.get(fact.key)
        words = "" if value is None else as_words(value)
        groups.setdefault((value is None, value if isinstance(value, int) else 0, words), []).append(line)
    for (is_none, _, words), grouped in sorted(groups.items(), key=lambda pair: pair[0]):
        title = (
            f"No {fact.title.lower()}"
            if is_none
            else f"{fact.title} {words}"
            if fact.kind == "number"
            else words
        )
        yield Group(title, tuple(grouped))


def _missing(judged: Judged) -> Iterator[tuple[str, list[MissingRow]]]:
    """The sections that lack cards of certain types, each with its rows. What any of several sections could
    take is left out.
    """
    rows: dict[str, dict[str, MissingRow]] = {}
    lacks = [
        lack
        for violation in judged.report.violations
        if violation.severity == Severity.INCOMPLETE
        for lack in violation.lacks
        if lack.types and not lack.less
    ]
    exact = {lack.types for lack in lacks if lack.facts or lack.name}
    for lack in lacks:
        places = set(lack.sections[:1]) or {
            judged.game.section_for(slug, judged.format) for slug in lack.types
        }
        if len(places) == 1 and (lack.facts or lack.name or lack.types not in exact):
            words = _missing_words(judged.game, lack)
            rows.setdefault(places.pop(), {}).setdefault(words, MissingRow(words, normal(tree_of(lack))))
    for section, by_words in rows.items():
        yield section, list(by_words.values())


def _missing_words(game: Game, lack: Lack) -> str:
    if lack.name or lack.facts:
        facts = (f"{game.facts_by_key[key].title} {as_words(value)}" for key, value in lack.facts.items())
        return f"{lack.name or ', '.join(facts)} is missing"
    types = [game.type_named(slug) for slug in lack.types]
    noun = "card" if len(types) > 1 else types[0].name
    plural = "cards" if len(types) > 1 else types[0].plural
    return f"{lack.count} more {(noun if lack.count == 1 else plural).lower()}"
