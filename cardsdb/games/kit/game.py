"""A game: everything Cutout knows about it, gathered from one folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder import files as folders
from cardsdb.games.kit.folder.set_up_file import read_set_up
from cardsdb.games.kit.model.cards import Card, CardSet, CardType, Fact
from cardsdb.games.kit.model.citation import Citation, Document, Ruling
from cardsdb.games.kit.model.decklist import Decklist, Detail, Section
from cardsdb.games.kit.model.report import Report, Verdict, Violation
from cardsdb.games.kit.model.rule import Rule
from cardsdb.games.kit.play.glossary import GlossaryEntry, read_glossary, terms_for
from cardsdb.games.kit.play.opening import Opening
from cardsdb.games.kit.play.set_up import SetUpGuide
from cardsdb.games.kit.play.statistics import Statistic
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.games.kit.print.back import Back
from cardsdb.games.kit.print.face import Face, dossier
from cardsdb.games.kit.print.print_extras import NO_EXTRAS, PrintExtras
from cardsdb.games.kit.rules.unknown import known_part, without_those_cured_by


@dataclass(frozen=True, slots=True)
class SetUp:
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


@dataclass(frozen=True, slots=True)
class Format:
    """A way to build a deck: its sections, the details a list must state, and its rules in order."""

    slug: str
    name: str
    rules: tuple[Rule, ...]
    sections: tuple[str, ...]
    help: str = ""
    details: tuple[Detail, ...] = ()
    official: bool = True


@dataclass(frozen=True, slots=True)
class Starter:
    """A ready deck, kept as the text a person would paste."""

    slug: str
    name: str
    format: str
    text: str
    source: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A deck and the verdict it must get: specification and test at once.

    ``codes`` are the rules broken more gravely than a note, ``notes`` those that only note
    something (None: not looked at).
    """

    name: str
    format: str
    text: str
    verdict: Verdict
    codes: tuple[str, ...] = ()
    notes: tuple[str, ...] | None = None


@dataclass(frozen=True, eq=False)
class Game:
    """One game. ``folder`` holds its data files; the rest is declared beside them.

    Sizes are whole micrometres (width, height). ``hue`` is the game's colour on light and on
    dark paper. ``colours`` gives a colour to a fact's value (a faction, a branch). ``write_in``
    are the card types a list may describe itself, for games whose card lists are lost.
    ``exports`` tells a deck file format what other people's tools call this game: format
    name -> what that format's module asks for (``decks/formats``). Without ``statistics`` and ``opening`` a deck has the usual ones.
    """

    slug: str
    name: str
    publisher: str
    year: str
    summary: str
    folder: Path
    types: tuple[CardType, ...]
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    formats: tuple[Format, ...]
    faces: Mapping[str, Face]
    hue: tuple[str, str]
    backs: tuple[Back, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    rights: str = ""
    credit: Credit | None = None
    set_up: tuple[SetUp, ...] = ()
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

    # -- what the folder holds ------------------------------------------------

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of ``cards.csv``, prints merged, claims attached, in the file's order."""
        return folders.read_cards(self)

    @cached_property
    def sets(self) -> tuple[CardSet, ...]:
        return folders.read_sets(self.folder)

    @cached_property
    def documents(self) -> dict[str, Document]:
        return {key: Document(key=key, **entry) for key, entry in folders.rulebook(self.folder)["documents"].items()}

    @cached_property
    def citations(self) -> dict[str, Citation]:
        """Rule code -> citation, in the order of ``rulebook.toml``."""
        entries = folders.rulebook(self.folder)["rules"]
        default = next(iter(self.documents), "")
        return {code: Citation(**{"code": code, "document": default, "section": "", **entry}) for code, entry in entries.items()}

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        entries = folders.rulebook(self.folder).get("rulings", {})
        return tuple(Ruling(id=id, **{**entry, "rules": tuple(entry.get("rules", ()))}) for id, entry in entries.items())

    @cached_property
    def starters(self) -> tuple[Starter, ...]:
        return tuple(Starter(**values) for values in folders.read_starters(self.folder))

    @cached_property
    def glossary(self) -> tuple[GlossaryEntry, ...]:
        """The game's terms in the order of the alphabet; none without a ``glossary.toml``."""
        return read_glossary(self)

    @cached_property
    def set_up_guide(self) -> SetUpGuide | None:
        """What to lay out for so many players; None without a ``set_up.toml``."""
        return read_set_up(self)

    # -- looking things up ----------------------------------------------------

    @cached_property
    def _cards(self) -> dict[str, Card]:
        return {card.code: card for card in self.cards}

    @cached_property
    def facts_by_key(self) -> dict[str, Fact]:
        return {fact.key: fact for fact in self.facts}

    @cached_property
    def types_by_slug(self) -> dict[str, CardType]:
        return {card_type.slug: card_type for card_type in self.types}

    @cached_property
    def formats_by_slug(self) -> dict[str, Format]:
        return {format.slug: format for format in self.formats}

    @cached_property
    def sections_by_slug(self) -> dict[str, Section]:
        return {section.slug: section for section in self.sections}

    @cached_property
    def sets_by_code(self) -> dict[str, CardSet]:
        return {card_set.code: card_set for card_set in self.sets}

    def card(self, code: str) -> Card | None:
        return self._cards.get(code)

    # A retired card may be of a type, and cite a document, that has left the folder since. It is still shown and printed.

    def type_named(self, slug: str) -> CardType:
        """The type; for one that is no longer declared the bare slug as a name, never to be put into new decks."""
        if not slug:
            return CardType("", "Unknown card", "Unknown cards", in_decks=False)
        title = slug.replace("-", " ").replace("_", " ").capitalize()
        return self.types_by_slug.get(slug) or CardType(slug, title, title, in_decks=False)

    def document_named(self, key: str) -> Document:
        """The document; for one that is no longer declared its bare key as a title."""
        return self.documents.get(key) or Document(key, key, kind="no longer listed")

    def face_named(self, card_type: str) -> Face:
        """The type's face; without one a plain face with the facts that are known."""
        return self.faces.get(card_type) or dossier(lines=tuple(fact.key for fact in self.facts if fact.kind != "text")[:8])

    def terms_for(self, card: Card) -> tuple[GlossaryEntry, ...]:
        """At most eight glossary entries that help to read this card."""
        return terms_for(self, card)

    def fact_named(self, word: str) -> Fact | None:
        """The fact with this key or alias, however it is written."""
        return self._fact_words.get(word.strip().casefold().replace("_", " ").replace("-", " "))

    @cached_property
    def _fact_words(self) -> dict[str, Fact]:
        words: dict[str, Fact] = {}
        for fact in self.facts:
            for word in (fact.key, fact.title, *fact.aliases):
                words.setdefault(word.casefold().replace("_", " ").replace("-", " "), fact)
        return words

    def facts_of(self, card_type: str) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.facts if fact.applies_to(card_type))

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

    # -- judging --------------------------------------------------------------

    def judge(self, deck: Decklist, format: Format, unread: int = 0) -> Report:
        """Judge a deck by every rule of a format."""
        known, missed = known_part(deck)
        violations = (violation for rule in format.rules for violation in rule.judge(known))
        return Report((*missed, *without_those_cured_by(missed, violations)), unread)

    def likely_format(self, deck: Decklist) -> Format:
        """The format a list is most likely meant for, when it does not say.

        Of the formats that have a place for every card and detail of the list the one with the
        fewest sections, the earliest of equals; the game's first format if none has.
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
