"""A game: everything Cutout knows about it, gathered from one folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.model.citation import Citation
from cardsdb.games.kit.model.decklist import Decklist
from cardsdb.games.kit.model.format import Example, Format
from cardsdb.games.kit.model.report import Report, Violation
from cardsdb.games.kit.model.rule import Rule
from cardsdb.games.kit.play.figures import Table
from cardsdb.games.kit.play.opening import Opening, Pile, default_opening
from cardsdb.games.kit.play.statistics import Statistic, default_statistics
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.games.kit.print.extras import NO_EXTRAS, PrintExtras
from cardsdb.games.kit.print.face import Back, Face, dossier
from cardsdb.games.kit.rules.judging import judge


@dataclass(frozen=True, slots=True)
class SetUpNumber:
    """One number of the game's set-up, for the game page: label, value, the citation's code."""

    label: str
    value: str
    cites: str


@dataclass(frozen=True, slots=True)
class Credit:
    """A credit that must stand wherever the game's material appears."""

    text: str
    licence: str
    licence_url: str
    work_url: str
    changes: str


@dataclass(frozen=True, eq=False)
class Game(GameFolder):
    """One game: its folder, and what is declared beside it.

    Sizes are whole micrometres (width, height). ``hue`` is the game's colour on light and on
    dark paper. ``colours`` gives a colour to a fact's value (a faction, a branch). ``write_in``
    are the card types a list may describe itself, for games whose card lists are lost.
    ``exports`` tells a deck file format what other people's tools call this game: format
    name -> what that format's module asks for (``decks/formats``). Without ``statistics`` and ``opening`` a deck has the usual ones.
    """

    publisher: str
    year: str
    summary: str
    formats: tuple[Format, ...]
    faces: Mapping[str, Face]
    hue: tuple[str, str]
    backs: tuple[Back, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    rights: str = ""
    credit: Credit | None = None
    set_up: tuple[SetUpNumber, ...] = ()
    not_known: tuple[str, ...] = ()
    write_in: tuple[str, ...] = ()
    trim: tuple[int, int] = (63_500, 88_900)
    trim_source: str = "No document states a card size: the usual poker size is assumed."
    exports: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    worksheets: tuple[Worksheet, ...] = ()
    print_extras: PrintExtras = NO_EXTRAS
    examples: Callable[[], tuple[Example, ...]] = tuple
    statistics: tuple[Statistic, ...] = ()
    opening: Opening | None = None

    # -- looking things up --------------------------------------------------------

    @cached_property
    def formats_by_slug(self) -> dict[str, Format]:
        return {format.slug: format for format in self.formats}

    def face_named(self, card_type: str) -> Face:
        """The type's face; without one a plain face with the facts that are known."""
        return self.faces.get(card_type) or dossier(lines=tuple(fact.key for fact in self.facts if fact.kind != "text")[:8])

    def section_for(self, card_type: str, format: Format | None = None) -> str:
        """Where a card of this type goes when its line names no section: the format's first that takes it."""
        wanted = format.sections if format else ()
        ordered = sorted(self.sections, key=lambda section: section.slug not in wanted)
        if not card_type:  # Nobody knows what it is: most likely it is of the part that takes most.
            return max(ordered[: len(wanted)] or ordered, key=lambda section: len(section.types)).slug
        for section in ordered:
            if card_type in section.types:
                return section.slug
        return wanted[0] if wanted else self.sections[0].slug

    def is_secret(self, section: str, card_type: str) -> bool:
        """Whether what stands there is its owner's alone: in a secret section, or of a type that only those take."""
        known = self.sections_by_slug.get(section)
        return (known is not None and known.secret) or card_type in self._secret_types

    @cached_property
    def _secret_types(self) -> frozenset[str]:
        secret, other = (frozenset(t for s in self.sections if s.secret is kind for t in s.types) for kind in (True, False))
        return secret - other

    # -- judging and counting -----------------------------------------------------

    def judge(self, deck: Decklist, format: Format, unread: int = 0) -> Report:
        """The verdict on a deck by every rule of a format; ``unread`` lines of its list could not be read."""
        return judge(deck, format, unread)

    def measure(self, deck: Decklist, partner: Decklist | None = None) -> tuple[Table, ...]:
        """Every table that the game's statistics find for the deck, in the order in which the game declares them."""
        statistics = self.statistics or default_statistics(self.facts)
        return tuple(table for statistic in statistics if (table := statistic.measure(self, deck, partner)))

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """The piles in which a deck of this format begins, as the game declares them or as is usual."""
        return (self.opening or default_opening(self.sections)).piles_for(format, deck)

    def likely_format(self, deck: Decklist) -> Format:
        """The format a list is most likely meant for, when it does not say.

        It has a place for every card and detail of the list, and the fewest sections of all that do; the earlier of equals.
        If no format has such a place, it is the game's first.
        """

        def takes_all(format: Format) -> bool:
            details = {detail.key for detail in format.details}
            return set(deck.details) <= details and all(entry.section in format.sections for entry in deck)

        fitting = [format for format in self.formats if takes_all(format)] if deck.entries or deck.details else []
        return min(fitting, key=lambda format: len(format.sections), default=self.formats[0])

    @cached_property
    def sentences(self) -> dict[str, str]:
        """Problem -> sentence, of the problems that only this game's rules report."""
        return {problem: text for format in self.formats for rule in format.rules for problem, text in rule.words.items()}

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of every format, each code once."""
        return tuple({rule.code: rule for format in self.formats for rule in format.rules}.values())

    def formats_with(self, code: str) -> tuple[Format, ...]:
        """The formats that check the rule with this code."""
        return tuple(format for format in self.formats if any(rule.code == code for rule in format.rules))

    def citation_of(self, violation: Violation) -> Citation | None:
        return self.citations.get(violation.cites or violation.code)
