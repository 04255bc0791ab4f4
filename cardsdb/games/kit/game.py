"""A game: everything Cutout knows about it, gathered from one folder."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cardsdb.games.kit.folder.contents import GameFolder
from cardsdb.games.kit.folder.files import GAME_FILE
from cardsdb.games.kit.model.cards import Card, ChecklistPlace, PlaceGroup
from cardsdb.games.kit.model.decklist import Decklist, Detail, Entry
from cardsdb.games.kit.model.format import Example, Format, Report, Rule
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold
from cardsdb.games.kit.play.opening import Opening, Pile, default_opening
from cardsdb.games.kit.play.roles import Roles
from cardsdb.games.kit.play.statistics import Statistic, Table, default_statistics
from cardsdb.games.kit.play.worksheet import Worksheet
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import Back, Face
from cardsdb.games.kit.rules.construction import judge


@dataclass(frozen=True)
class SetUpNumber:
    """One number of the game's set-up, for the game page: label, value, the citation's code."""

    label: str
    value: str
    cites: str


@dataclass(frozen=True)
class Credit:
    """A credit that must stand wherever the game's material appears."""

    text: str
    licence: str
    licence_url: str
    work_url: str
    changes: str


@dataclass(frozen=True)
class Marker:
    """A small piece to cut out: its word, our drawing (SVG path data on a grid of 24), how many, and how many
    of these are ``each`` player's where the number of players is known.

    ``cites`` is the rule that asks for it. Where no document states a number, ``count`` is our choice and
    ``note`` says so. ``colour``: ``hue``, ``#rrggbb``, or a value to which ``Game.colours`` gives one. The
    emblem of the ``card`` with this code is its ground.
    """

    name: str
    symbol: str
    count: int
    cites: str
    colour: str = "hue"
    note: str = ""
    each: int = 0
    card: str = ""


@dataclass(frozen=True)
class ScoreCard:
    """A table to write in, of a card's size: a line for each of ``rows``, a column for each game, or for each
    player, a line for the sum.
    """

    name: str
    rows: tuple[str, ...]
    columns: int
    total: str
    cites: str
    note: str = ""
    by_player: bool = False


@dataclass(frozen=True)
class CardTable:
    """A table of the game's cards of one type with some of their facts, to be ticked while the game is
    played.
    """

    name: str
    type: str
    facts: tuple[str, ...]
    cites: str


@dataclass(frozen=True)
class PrintExtras:
    """Pieces that a game needs on the table besides its decks, to be printed: markers, score cards, tables of
    cards.
    """

    markers: tuple[Marker, ...] = ()
    scores: tuple[ScoreCard, ...] = ()
    card_tables: tuple[CardTable, ...] = ()


NO_EXTRAS = PrintExtras()
# Statistics beside a deck of a game that names none for it.
MAX_IN_BRIEF = 3


@dataclass(frozen=True)
class RowFact:
    """A fact that a row of the game's lists shows, in a column of its own.

    ``heading`` is short where the fact's title is not; ``symbol``, our drawing (SVG path data on a grid of
    24), stands above it. ``place``: a ``mark`` stands before the name, in the colour of the fact's value, as
    its drawing in ``symbols`` (pairs of value and drawing) or as a letter; a ``sign`` stands behind the names
    of cards of which a flag is true; a ``chip`` is a number in a frame.
    """

    key: str
    heading: str = ""
    symbol: str = ""
    place: Literal["column", "chip", "mark", "sign"] = "column"
    symbols: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Game(GameFolder):
    """One game: its folder, and what is declared beside it.

    Sizes are whole micrometres (width, height). ``hue`` is the game's colour on light and on dark paper.
    ``colours`` gives a colour to a fact's value (a faction, a branch). ``sentences`` are what verdicts say by
    problem, for those that only this game's rules report. ``write_in`` are the card types a list may describe
    itself, for games whose card lists are lost. ``exports`` tells a deck file format what other people's
    tools call this game: format name -> what that format's module asks for (``decks/formats``). ``showcase``
    are the codes of cards that show what the game is: the first and the last stand on the home page, the
    first of each type on the game's own. ``showcase_list`` is a list as text to try the check with, which
    stands there until another is pasted. ``key_cards`` says which cards stand for a deck: types, each with
    the number fact by which its cards are ordered, highest first; ``deck_mark`` is the fact, such as a
    faction, whose mark a deck bears when they share its value. ``player_words`` are phrases of players, each
    with what it means: another phrase, a field, or a query. ``line_symbols`` are words in the headers of the
    cards' lines, each with the drawing that a face sets before it. ``checklist`` counts the cards whose names
    no source states. Without ``statistics`` and ``opening`` a deck has the usual ones, and without
    ``row_facts`` a list shows the usual facts, numbers first. ``to_begin`` tells beginners which format is
    for them. Without ``roles`` no deck is completed.
    """

    publisher: str
    year: str
    summary: str
    formats: tuple[Format, ...]
    faces: Mapping[str, Face]
    hue: tuple[str, str]
    backs: tuple[Back, ...] = ()
    line_symbols: tuple[tuple[str, str], ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    rights: str = ""
    credit: Credit | None = None
    set_up: tuple[SetUpNumber, ...] = ()
    to_begin: tuple[SetUpNumber, ...] = ()
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
    row_facts: tuple[RowFact, ...] = ()
    showcase: tuple[str, ...] = ()
    showcase_list: str = ""
    key_cards: tuple[tuple[str, str], ...] = ()
    player_words: Mapping[str, str] = field(default_factory=dict)
    deck_mark: str = ""
    checklist: tuple[PlaceGroup, ...] = ()
    roles: Roles | None = None

    # -- looking things up --------------------------------------------------------

    @property
    def imprint(self) -> str:
        """Publisher, year and number of players, as far as they are known."""
        return " · ".join(filter(None, (self.publisher, self.year, self.players)))

    @property
    def is_data(self) -> bool:
        """True for a game that is declared as data, without code of its own: its formats stand in its
        ``game.toml``.
        """
        return any(
            format.declared_in is not None and format.declared_in.name == GAME_FILE
            for format in self.formats[:1]
        )

    @cached_property
    def row_facts_by_key(self) -> dict[str, RowFact]:
        return {row_fact.key: row_fact for row_fact in self.row_facts}

    @cached_property
    def places(self) -> dict[str, ChecklistPlace]:
        """Every place of the checklist by its code, in order."""
        return {place.code: place for group in self.checklist for place in group.places}

    @cached_property
    def formats_by_slug(self) -> dict[str, Format]:
        return {format.slug: format for format in self.formats}

    def format_called(self, words: str) -> Format | None:
        """The format that a list names by its slug or its name; None for any other words."""
        return self._formats_by_words.get(fold(words))

    # -- how lists and people name what the game has

    @cached_property
    def name_index(self) -> NameIndex:
        """Its cards by their names."""
        return NameIndex(self.cards, {one.code: one.name for one in self.sets})

    @cached_property
    def headings(self) -> dict[str, tuple[str, str]]:
        """Folded heading -> (section, type): sections by all their words, then types by theirs."""
        words: dict[str, tuple[str, str]] = {}
        for section in self.sections:
            for word in (section.slug, section.name, *section.headings):
                words.setdefault(fold(word), (section.slug, ""))
        for card_type in self.types:
            if card_type.in_decks:
                for word in (card_type.plural, card_type.name):
                    words.setdefault(fold(word), ("", card_type.slug))
        return words

    @cached_property
    def details_by_word(self) -> dict[str, Detail]:
        """Folded label or key -> detail, of all formats of the game."""
        details = [detail for format in self.formats for detail in format.details]
        return {fold(word): detail for detail in details for word in (detail.label, detail.key)}

    @cached_property
    def kinds_by_word(self) -> dict[str, str]:
        """A spelling of a type that can be written in -> the type."""
        written = [one for one in self.types if one.slug in self.write_in or one.in_decks]
        return {
            fold(word): one.slug
            for one in written
            for word in (one.slug, one.name, one.slug.replace("-", " "))
        }

    @cached_property
    def rules_digest(self) -> str:
        """A digest of the game's rules as this process runs them: of its folder, of the kit, and of formats
        from files of their own.
        """
        digest = hashlib.sha256()
        for folder in (self.folder, Path(__file__).parent):
            for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
                digest.update(path.read_bytes())
        for path in (format.declared_in for format in self.formats if format.declared_in):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    @cached_property
    def _formats_by_words(self) -> dict[str, Format]:
        words = [
            (word, format)
            for format in reversed(self.formats)
            for word in (format.slug, fold(format.name))
            if word
        ]
        return dict(words)

    def face_named(self, card_type: str) -> Face:
        """The face that the game declares for the type, else a plain one with the first facts."""
        return self.faces.get(card_type) or dossier(
            lines=tuple(fact.key for fact in self.facts if fact.kind != "text")[:8]
        )

    def section_for(self, card_type: str, format: Format | None = None) -> str:
        """The section for a card of this type whose line names none: the first of the format that takes the
        type.
        """
        wanted = format.sections if format else ()
        ordered = sorted(self.sections, key=lambda section: section.slug not in wanted)
        if (
            not card_type
        ):  # The card's type is not known: most likely it belongs to the section that takes most types.
            return max(ordered[: len(wanted)] or ordered, key=lambda section: len(section.types)).slug
        for section in ordered:
            if card_type in section.types:
                return section.slug
        return wanted[0] if wanted else self.sections[0].slug

    def is_secret(self, section: str, card_type: str) -> bool:
        """True for a card that only its owner may see: it stands in a secret section, or its type goes only
        into those.
        """
        known = self.sections_by_slug.get(section)
        return (known is not None and known.secret) or card_type in self._secret_types

    @cached_property
    def _secret_types(self) -> frozenset[str]:
        secret, other = (
            frozenset(t for s in self.sections if s.secret is kind for t in s.types) for kind in (True, False)
        )
        return secret - other

    # -- judging and counting -----------------------------------------------------

    def judge(self, deck: Decklist, format: Format, unread: int = 0) -> Report:
        """The verdict on a deck by every rule of a format; ``unread`` lines of its list could not be read. A
        deck apart does not count.
        """
        return judge(self.deck_apart(deck, format)[0], format, unread)

    def deck_apart(self, deck: Decklist, format: Format) -> tuple[Decklist, Format | None]:
        """The deck without the cards whose types the format has no place for, if these are a deck of their
        own, and the format in which they are legal, an official one before a fan format; else the whole deck,
        and None.
        """
        taken = {"", *(kind for section in format.sections for kind in self.sections_by_slug[section].types)}
        rest = tuple(one for one in deck if one.card.type in taken)
        if not rest or len(rest) == len(deck.entries):
            return deck, None
        out = [replace(one, section=self.section_for(one.card.type)) for one in deck if one not in rest]
        formats = sorted(self.fitting_formats(Decklist(tuple(out))), key=lambda one: not one.official)
        legal = [one for one in formats if judge(Decklist(tuple(out)), one).verdict == "legal"]
        return (replace(deck, entries=rest), legal[0]) if legal else (deck, None)

    def measure(
        self, deck: Decklist, partner: Decklist | None = None, in_brief: bool = False
    ) -> tuple[Table, ...]:
        """Every table that the game's statistics find for the deck, in the order in which the game declares
        them.

        ``in_brief``: only those of the statistics that the game says stand beside a deck, else of its first
        few.
        """
        statistics = self.statistics or default_statistics(self.facts)
        if in_brief:
            statistics = (
                tuple(statistic for statistic in statistics if statistic.in_brief)
                or statistics[:MAX_IN_BRIEF]
            )
        return tuple(table for statistic in statistics if (table := statistic.measure(self, deck, partner)))

    def key_cards_of(self, entries: Iterable[Entry], most: int) -> tuple[Card, ...]:
        """At most so many cards that stand for a deck, the most telling first: by type, by its number, by
        copies.
        """
        types = dict.fromkeys((*(name for name, _ in self.key_cards), *self.types_by_slug))
        places, numbers = {name: place for place, name in enumerate(types)}, dict(self.key_cards)

        def key(entry: Entry) -> tuple[int, int, int, str]:
            number = entry.card.number(numbers.get(entry.card.type, ""))
            return places.get(entry.card.type, len(places)), -(number or 0), -entry.count, entry.card.name

        return tuple(dict.fromkeys(entry.card for entry in sorted(entries, key=key)))[:most]

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """The piles in which a deck of this format begins, as the game declares them or as is usual."""
        return (self.opening or default_opening(self.sections)).piles_for(format, deck)

    def fitting_formats(self, deck: Decklist) -> tuple[Format, ...]:
        """The formats that have a place for every card and detail of the list, likeliest first; none for a
        list without either.

        Those with the fewest sections come first; of equals those whose rules like the details best
        (``Players: 2``), else as declared.
        """

        used = {entry.section for entry in deck.entries}

        def takes_all(format: Format) -> bool:
            return used.issubset(format.sections) and deck.details.keys() <= {
                detail.key for detail in format.details
            }

        fitting = (
            [format for format in self.formats if takes_all(format)] if deck.entries or deck.details else []
        )
        stated = Decklist(details=deck.details)

        def faults(format: Format) -> int:
            return len(self.judge(stated, format).codes()) if deck.details and len(fitting) > 1 else 0

        return tuple(sorted(fitting, key=lambda format: (len(format.sections), faults(format))))

    def likely_format(self, deck: Decklist) -> Format:
        """The format that cards are most likely meant for whose places are still open: the first that fits,
        else the game's first.
        """
        return next(iter(self.fitting_formats(deck)), self.formats[0])

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of every format, each code once."""
        return tuple({rule.code: rule for format in self.formats for rule in format.rules}.values())

    def formats_with(self, code: str) -> tuple[Format, ...]:
        """The formats that check the rule with this code."""
        return tuple(format for format in self.formats if any(rule.code == code for rule in format.rules))
