"""The deck as the editor shows it: every section of its format, every line with what can be done to it, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardsdb.games.kit import CardType, Entry, Format, Game, Section
from decks.core.content import DeckContent, by_type
from decks.core.judging import Judged, format_with, judge
from decks.models import Deck


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``key`` is its section and card as edits name them, ``id`` as the page does."""

    entry: Entry
    is_open: bool

    @property
    def key(self) -> str:
        return f"{self.entry.section} {self.entry.card.code}"

    @property
    def id(self) -> str:
        return line_id(self.entry.section, self.entry.card.code)


@dataclass(frozen=True, slots=True)
class TypeGroup:
    """The lines of one type within a section."""

    type: CardType
    lines: tuple[Line, ...]

    @property
    def title(self) -> str:
        return self.type.plural or "Unknown cards"

    @property
    def count(self) -> int:
        return sum(line.entry.count for line in self.lines)


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the deck, be it empty. ``is_foreign``: the format has no such section, yet cards stand there."""

    section: Section
    groups: tuple[TypeGroup, ...]
    is_foreign: bool

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number of the rules, drawn: ``filled`` of 100 along its bar, ``state`` short, kept or over; ``cites`` is where it stands."""

    label: str
    words: str
    state: str
    filled: int
    cites: str


def line_id(section: str, code: str) -> str:
    return f"line-{section}-{code}"


def judged_content(content: DeckContent, game: Game) -> Judged:
    """The content's verdict, by the deck's format with its house rules."""
    return judge(game, content.deck, format_with(game, content.format, content.house))


def parts_of(judged: Judged, opened: str = "") -> list[Part]:
    """The sections of the format and those besides that have cards; ``opened`` is the key of the line shown with its form."""
    game, found = judged.game, []
    for section in game.sections:
        entries = judged.deck.in_section(section.slug)
        if not entries and section.slug not in judged.format.sections:
            continue
        groups = tuple(
            TypeGroup(card_type, tuple(Line(entry, f"{section.slug} {entry.card.code}" == opened) for entry in of_type))
            for card_type, of_type in by_type(game, section, entries)
        )
        found.append(Part(section, groups, section.slug not in judged.format.sections))
    return found


def gauges_of(judged: Judged) -> Iterator[Gauge]:
    """The numbers that the format's rules count, each with how far the deck has come."""
    for meter in judged.meters():
        least, most, found = meter.least, meter.most, meter.found
        if least is None and most is None:
            continue
        full = most if most is not None else least
        state = "short" if least is not None and found < least else "over" if most is not None and found > most else "kept"
        bounds = f"{most}" if least in (None, most) else f"{least} or more" if most is None else f"{least} to {most}"
        missing = f", {least - found} to go" if state == "short" and least is not None else ""
        surplus = f", {found - most} too many" if state == "over" and most is not None else ""
        cites = next((code for code in (meter.cites, meter.code) if code in judged.game.citations), "")
        yield Gauge(meter.label, f"{found} of {bounds}{missing}{surplus}", state, 100 * min(found, full or 1) // (full or 1), cites)


def places_for(judged: Judged, entry: Entry) -> list[Section]:
    """Where a line may stand: sections of the format that take its type, and where it stands now."""
    return [
        section
        for section in judged.game.sections
        if section.slug == entry.section or (section.slug in judged.format.sections and entry.card.type in section.types)
    ]


def choices_of_place(game: Game, format: Format) -> list[Section]:
    """Sections that found cards may be put into besides the ones their types belong to, as a sideboard."""
    first = {game.section_for(card_type.slug, format) for card_type in game.types}
    return [s for s in game.sections if s.slug in format.sections and s.slug not in first and s.types]


def pane_context(deck: Deck, content: DeckContent, game: Game, opened: str = "", judged: Judged | None = None) -> dict[str, Any]:
    """What the deck's side of the editor needs in a template. ``judged``: its verdict where it is known already."""
    judged = judged or judged_content(content, game)
    parts = parts_of(judged, opened)
    open_line = next((line for part in parts for group in part.groups for line in group.lines if line.is_open), None)
    violations = judged.violation_views()
    return {
        "deck": deck,
        "game": game,
        "judged": judged,
        "violations": violations,
        "grave": [view for view in violations if view.severity != "note"],
        "parts": parts,
        "open_line": open_line,
        "places": places_for(judged, open_line.entry) if open_line else [],
        "gauges": list(gauges_of(judged)),
        "details": [(detail, judged.deck.details.get(detail.key, "")) for detail in judged.format.details],
        "content": content,
        "editable": True,
    }
