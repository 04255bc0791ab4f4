"""The deck as the editor shows it: every section of its format, every line with what can be done to it, the
verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cardsdb.games.kit import Detail, Entry, Section
from cardsdb.games.kit.model.text import plural
from decks.core.content import DeckContent
from decks.core.judging import Judged
from decks.core.violation_view import ViolationView
from decks.editor.arrangement import Arrangement, Option
from decks.editor.parts import USUAL, Part, parts_of
from decks.history.timeline import Steps, steps_of
from decks.models import Deck


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number that the rules count, as a bar. ``filled``: percent; ``state``: short, kept or over;
    ``cites``: the code of its rule.
    """

    label: str
    words: str
    state: str
    filled: int
    cites: str


def gauges_of(judged: Judged) -> Iterator[Gauge]:
    """The numbers that the format's rules count, each with what the deck has of it."""
    for meter in judged.meters():
        least, most, count = meter.least, meter.most, meter.found
        if least is None and most is None:
            continue
        full = most if most is not None else least
        state = (
            "short"
            if least is not None and count < least
            else "over"
            if most is not None and count > most
            else "kept"
        )
        bounds = (
            f"{most}"
            if least in (None, most)
            else f"{least} or more"
            if most is None
            else f"{least} to {most}"
        )
        missing = f", {least - count} to go" if state == "short" and least is not None else ""
        surplus = f", {count - most} too many" if state == "over" and most is not None else ""
        cites = next((code for code in (meter.cites, meter.code) if judged.cited(code)[0]), "")
        yield Gauge(
            meter.label,
            f"{count} of {bounds}{missing}{surplus}",
            state,
            100 * min(count, full or 1) // (full or 1),
            cites,
        )


def places_for(judged: Judged, entry: Entry) -> list[Section]:
    """The sections that a line may stand in: those of the format that take its type, and its own."""
    return [
        section
        for section in judged.game.sections
        if section.slug == entry.section
        or (section.slug in judged.format.sections and entry.card.type in section.types)
    ]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the page says about the last change: what was done, or why nothing was.

    ``elsewhere``: what others changed meanwhile. ``note``: how a misspelt name was read. ``lines``: lines to
    add instead of one that was not understood; ``unknown``: the line that keeps ``name``, which no card has.
    ``typed`` and ``typed_lines`` stand in their fields again.
    """

    done: str = ""
    elsewhere: str = ""
    note: str = ""
    problems: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    name: str = ""
    unknown: str = ""
    typed: str = ""
    typed_lines: str = ""


@dataclass(frozen=True)
class DeckPane:
    """The deck and its verdict in the editor, as ``editor_deck.html`` and ``editor_verdict.html`` read them.

    ``place``: the address that its forms send to. ``opened``: the key of the line that is shown with its
    form. ``arrangement``: how its lines are laid out, as the author chose.
    """

    deck: Deck
    content: DeckContent
    judged: Judged
    place: str
    opened: str = ""
    feedback: Feedback = Feedback()
    arrangement: Arrangement = USUAL

    @cached_property
    def violations(self) -> list[ViolationView]:
        return self.judged.violation_views()

    @property
    def violations_in_short(self) -> str:
        """How many violations there are: ``1 thing to do, 1 note``."""
        notes = sum(view.severity == "note" for view in self.violations)
        grave = len(self.violations) - notes
        counts = [
            f"{grave} {plural(grave, 'thing')} to do" if grave else "",
            f"{notes} {plural(notes, 'note')}" if notes else "",
        ]
        return ", ".join(filter(None, counts)) or "House rules"

    @property
    def groupings(self) -> tuple[Option, ...]:
        return self.arrangement.groupings(self.judged.game)

    @property
    def sortings(self) -> tuple[Option, ...]:
        return self.arrangement.sortings(self.judged.game, self.judged.deck.entries)

    @property
    def views(self) -> tuple[Option, ...]:
        return self.arrangement.views()

    @property
    def joined(self) -> str:
        """The address up to where one more parameter stands."""
        return f"{self.place}{'&' if '?' in self.place else '?'}"

    @cached_property
    def parts(self) -> list[Part]:
        return parts_of(self.judged, self.opened, self.arrangement)

    @property
    def places(self) -> list[Section]:
        """Where the line that is shown with its form may stand."""
        lines = (line for part in self.parts for group in part.groups for line in group.lines)
        opened = next((line for line in lines if line.is_open), None)
        return places_for(self.judged, opened.entry) if opened else []

    @cached_property
    def gauges(self) -> list[Gauge]:
        return list(gauges_of(self.judged))

    @property
    def details(self) -> list[tuple[Detail, Any]]:
        """What the format asks for besides cards, each with the deck's answer."""
        return [
            (detail, self.judged.deck.details.get(detail.key, "")) for detail in self.judged.format.details
        ]

    @cached_property
    def steps(self) -> Steps:
        return steps_of(self.deck, self.content, self.judged.game)
