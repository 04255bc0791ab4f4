"""One game as a whole: everything that Cutout knows about it, gathered from its folder.

``declared/game_file.py`` makes a ``Game`` of a folder, and the rest of the site asks it: for cards, formats,
faces and names, and for the verdict on a deck. A ``Game`` is immutable, and what it computes is cached on it;
to change one make another with ``dataclasses.replace``. Cards, sections, types and sets are fields of
``GameFolder`` (``folder/contents.py``).
Tests: ``tests/cardsdb/games/kit/test_game.py`` has those of ``deck_apart`` alone. Other methods are tested
where they are called; in ``tests/cardsdb/games``:

* ``fitting_formats``: ``kit/listtext/test_guess.py``;
* ``section_for``: ``kit/listtext/test_deck.py`` (cards of a list without headings);
* ``rules_digest``: ``test_data_games.py``; every game as a whole: ``test_games.py``;

and in ``tests/decks``: ``likely_format`` in ``core/test_used_format.py``, ``key_cards_of`` in
``public/test_listing.py``, ``is_secret`` in ``public/test_secrets.py``.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

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
    """A number shown on the page of the game, such as the size of a hand. ``cites``: code of its rule."""

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
    """A small piece to print and cut out, with a word and a drawing on it."""

    name: str
    symbol: str  # SVG path data on a grid of 24
    count: int  # our choice where no document states a number; ``note`` then says so
    cites: str  # code of the rule that asks for it
    colour: str = "hue"  # "hue" (the game's own), "#rrggbb", or a key of ``Game.colours``
    note: str = ""
    each: int = 0  # how many belong to one player; 0 if they do not depend on the number of players
    card: str = ""  # code of the token that it stands for, whose emblem is drawn behind the symbol


@dataclass(frozen=True)
class ScoreCard:
    """A table of a card's size to write scores in, with a last line for the sum."""

    name: str
    rows: tuple[str, ...]
    columns: int  # one for each game played, or for each player if ``by_player``
    total: str  # label of the line for the sum
    cites: str
    note: str = ""
    by_player: bool = False


@dataclass(frozen=True)
class CardTable:
    """A printed table of all cards of one type, to be ticked while the game is played."""

    name: str
    type: str  # slug of the card type
    facts: tuple[str, ...]  # keys of the facts that get a column
    cites: str


@dataclass(frozen=True)
class PrintExtras:
    """The pieces to be printed that a game needs on the table besides its decks."""

    markers: tuple[Marker, ...] = ()
    scores: tuple[ScoreCard, ...] = ()
    card_tables: tuple[CardTable, ...] = ()


NO_EXTRAS = PrintExtras()
# How many statistics stand beside a deck if its game marks none as ``in_brief``.
MAX_IN_BRIEF = 3


@dataclass(frozen=True)
class RowFact:
    """A fact that each row of the game's card lists shows, and the place where the row shows it.

    ``columns`` of ``game.toml`` declares them. ``column``: as text in a column of its own. ``chip``: a number
    in a frame. ``mark``: before the name, in the colour of the fact's value, as a drawing or as a letter.
    ``sign``: behind the name of each card whose flag is true.
    """

    key: str
    heading: str = ""  # short heading of the column; the fact's title if empty
    symbol: str = ""  # drawing above the heading: SVG path data on a grid of 24
    place: Literal["column", "chip", "mark", "sign"] = "column"
    symbols: tuple[tuple[str, str], ...] = ()  # (value, its drawing), for a ``mark``


class DeckApart(NamedTuple):
    """A deck without the second deck in its list, and the format in which that second deck is legal; the
    whole deck and None if there is no such second deck.
    """

    deck: Decklist
    format_of_second: Format | None = None


@dataclass(frozen=True, eq=False)
class Game(GameFolder):
    """One game: the contents of its folder, and what its ``game.toml`` and code declare besides."""

    publisher: str
    year: str
    summary: str
    formats: tuple[Format, ...]  # the first is the one taken where nothing says more
    faces: Mapping[str, Face]  # slug of a card type -> its face
    hue: tuple[str, str]  # the game's colour on light and on dark paper
    backs: tuple[Back, ...] = ()
    line_symbols: tuple[tuple[str, str], ...] = ()  # (word in the header of a card's line, drawing before it)
    colours: Mapping[str, str] = field(default_factory=dict)  # value of a fact, such as a faction -> colour
    # Problem -> the sentence of the verdict, for problems that only this game's rules report.
    sentences: Mapping[str, str] = field(default_factory=dict)
    players: str = ""
    rights: str = ""
    credit: Credit | None = None
    set_up: tuple[SetUpNumber, ...] = ()
    to_begin: tuple[SetUpNumber, ...] = ()  # the formats for beginners
    not_known: tuple[str, ...] = ()
    write_in: tuple[str, ...] = ()  # card types that a list may describe itself, where the card list is lost
    trim: tuple[int, int] = (63_500, 88_900)  # width and height of a card in micrometres
    trim_source: str = "No document states a card size: the usual poker size is assumed."
    # Name of a deck file format -> what its module in ``decks/formats`` must know of the game, such as the
    # game's name in the other program.
    exports: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    worksheets: tuple[Worksheet, ...] = ()
    print_extras: PrintExtras = NO_EXTRAS
    examples: Callable[[], tuple[Example, ...]] = tuple
    statistics: tuple[Statistic, ...] = ()  # the usual ones if empty
    opening: Opening | None = None  # the usual one if None
    row_facts: tuple[RowFact, ...] = ()  # the usual facts if empty, numbers first
    # Codes of typical cards. The home page shows the first and the last, the game's page one of each type.
    showcase: tuple[str, ...] = ()
    showcase_list: str = ""  # the list that stands in the form of the check until another is pasted
    # The cards that represent a deck: (card type, number fact that orders its cards, highest first).
    key_cards: tuple[tuple[str, str], ...] = ()
    player_words: Mapping[str, str] = field(default_factory=dict)  # players' phrase -> phrase, field or query
    deck_mark: str = ""  # fact, such as a faction, whose mark a deck bears if its key cards share the value
    checklist: tuple[PlaceGroup, ...] = ()  # cards that a document counts but no source names
    roles: Roles | None = None  # without roles no deck of the game is completed

    # -- looking things up --------------------------------------------------------

    @property
    def imprint(self) -> str:
        """Publisher, year and number of players, as far as they are known."""
        return " · ".join(filter(None, (self.publisher, self.year, self.players)))

    @property
    def is_data(self) -> bool:
        """True for a game declared as data alone, without code: its first format stands in ``game.toml``."""
        declared_in = self.formats[0].declared_in
        return declared_in is not None and declared_in.name == GAME_FILE

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
        """The format with this slug or name; None if there is none."""
        return self._formats_by_words.get(fold(words))

    @cached_property
    def _formats_by_words(self) -> dict[str, Format]:
        """Slug or folded name -> its format. Of two formats with one name the first declared wins, which is
        the last of the reversed.
        """
        return {
            word: format
            for format in reversed(self.formats)
            for word in (format.slug, fold(format.name))
            if word
        }

    # -- the names that lists and people use for cards, sections, details and types

    @cached_property
    def name_index(self) -> NameIndex:
        return NameIndex(self.cards, {card_set.code: card_set.name for card_set in self.sets})

    @cached_property
    def headings(self) -> dict[str, tuple[str, str]]:
        """Folded heading -> (section, card type), one of which is empty: "mission deck" -> ("missions", ""),
        "agents" -> ("", "agent"). A word that is both means the section.
        """
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
        """Folded label or key of a detail -> the detail, for all formats of the game."""
        details = [detail for format in self.formats for detail in format.details]
        return {fold(word): detail for detail in details for word in (detail.label, detail.key)}

    @cached_property
    def kinds_by_word(self) -> dict[str, str]:
        """Folded spelling of a card type -> its slug, for the types that a list may write in."""
        return {
            fold(word): kind.slug
            for kind in self.types
            if kind.in_decks or kind.slug in self.write_in
            for word in (kind.slug, kind.name, kind.slug.replace("-", " "))
        }

    @cached_property
    def rules_digest(self) -> str:
        """A digest that changes when a verdict may change: of the code and TOML files of the game and of the
        kit, and of the files that add formats to the game. Stored verdicts are kept as long as it stays.
        """
        digest = hashlib.sha256()
        for folder in (self.folder, Path(__file__).parent):
            for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
                digest.update(path.read_bytes())
        for path in (format.declared_in for format in self.formats if format.declared_in):
            digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    def face_named(self, card_type: str) -> Face:
        """The declared face of this card type; a plain one with the first eight facts if there is none."""
        if face := self.faces.get(card_type):
            return face
        shown = [fact.key for fact in self.facts if fact.kind != "text"]
        return dossier(lines=tuple(shown[:8]))

    def section_for(self, card_type: str, format: Format | None = None) -> str:
        """The slug of the section for a card of this type whose line names no section: the first that takes
        the type, among the format's sections before all others. An empty type stands for a card that is not
        known. In The X-Files "agent" -> "agents", "site" and "" -> "bureau".
        """
        of_format = format.sections if format else ()
        inside = [section for section in self.sections if section.slug in of_format]
        outside = [section for section in self.sections if section.slug not in of_format]
        if not card_type:
            # A card that is not known is most likely of the section that takes the most types.
            return max(inside or outside, key=lambda section: len(section.types)).slug
        for section in inside + outside:
            if card_type in section.types:
                return section.slug
        return of_format[0] if of_format else self.sections[0].slug

    def is_secret(self, section: str, card_type: str) -> bool:
        """True if only the owner of the deck may see the card: it stands in a secret section, or its type
        goes into no other.
        """
        known = self.sections_by_slug.get(section)
        return (known is not None and known.secret) or card_type in self._secret_types

    @cached_property
    def _secret_types(self) -> frozenset[str]:
        secret = {slug for section in self.sections if section.secret for slug in section.types}
        other = {slug for section in self.sections if not section.secret for slug in section.types}
        return frozenset(secret - other)

    # -- judging and counting -----------------------------------------------------

    def judge(self, deck: Decklist, format: Format, unread: int = 0) -> Report:
        """Judge a deck by every rule of a format. ``unread``: the number of lines of its list that could not
        be read. Cards of a second deck in the list are left out first (``deck_apart``).
        """
        return judge(self.deck_apart(deck, format).deck, format, unread)

    def deck_apart(self, deck: Decklist, format: Format) -> "DeckApart":
        """Separate a second deck that stands in the same list, such as a mission deck below an agency deck:
        the cards whose types this format has no place for, if exactly they are a legal deck.
        """
        sections = [self.sections_by_slug[slug] for slug in format.sections]
        # A card that is not known has the type "", and stays.
        types_here = {""}.union(*(section.types for section in sections))
        staying = tuple(entry for entry in deck if entry.card.type in types_here)
        if not staying or len(staying) == len(deck.entries):
            return DeckApart(deck)
        others = [entry for entry in deck if entry.card.type not in types_here]
        second = Decklist(
            tuple(replace(entry, section=self.section_for(entry.card.type)) for entry in others)
        )
        official_first = sorted(self.fitting_formats(second), key=lambda fitting: not fitting.official)
        for fitting in official_first:
            if judge(second, fitting).verdict == "legal":
                return DeckApart(replace(deck, entries=staying), fitting)
        return DeckApart(deck)

    def measure(
        self, deck: Decklist, partner: Decklist | None = None, in_brief: bool = False
    ) -> tuple[Table, ...]:
        """The tables of the game's statistics for a deck, in the order in which the game declares them.

        ``partner``: the deck that it is played with. ``in_brief``: only the statistics that the game marks to
        stand beside a deck, or its first ``MAX_IN_BRIEF`` if it marks none.
        """
        statistics = self.statistics or default_statistics(self.facts)
        if in_brief:
            brief = tuple(statistic for statistic in statistics if statistic.in_brief)
            statistics = brief or statistics[:MAX_IN_BRIEF]
        return tuple(table for statistic in statistics if (table := statistic.measure(self, deck, partner)))

    def key_cards_of(self, entries: Iterable[Entry], most: int) -> tuple[Card, ...]:
        """The cards that represent a deck, at most ``most``: types in the order of ``key_cards``, then of
        declaration; within a type the highest number first, then the most copies. In Spycraft leaders by
        level, agents by expense, missions by victory points, then actions and gear.
        """
        orders = dict(self.key_cards)  # card type -> the number fact that orders its cards
        types = list(dict.fromkeys((*orders, *self.types_by_slug)))

        def rank(entry: Entry) -> tuple[int, int, int, str]:
            card = entry.card
            place = types.index(card.type) if card.type in types else len(types)
            number = card.number(orders.get(card.type, "")) or 0
            return place, -number, -entry.count, card.name

        cards = [entry.card for entry in sorted(entries, key=rank)]
        return tuple(dict.fromkeys(cards))[:most]

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """The piles into which a deck of this format is laid out when a game begins, as the game declares
        them or as is usual.
        """
        return (self.opening or default_opening(self.sections)).piles_for(format, deck)

    def fitting_formats(self, deck: Decklist) -> tuple[Format, ...]:
        """The formats that have a place for every card and every detail of the deck, likeliest first; empty
        for a deck without cards and details.

        Formats with the fewest sections come first; among those, formats whose rules object least to the
        details; else the order of declaration. A list of SpyNet with ``Players: 2`` fits draw-2 best, then
        draw-4 and draw-3.
        """
        if not deck.entries and not deck.details:
            return ()
        used = {entry.section for entry in deck.entries}
        fitting = [
            format
            for format in self.formats
            if used.issubset(format.sections)
            and deck.details.keys() <= {detail.key for detail in format.details}
        ]
        # Judged without cards, a rule can only object to the details.
        if deck.details and len(fitting) > 1:
            details_alone = Decklist(details=deck.details)
            fitting.sort(key=lambda format: len(self.judge(details_alone, format).codes()))
        # Formats with as many sections stay in the order of their objections.
        return tuple(sorted(fitting, key=lambda format: len(format.sections)))

    def likely_format(self, deck: Decklist) -> Format:
        """The first of the fitting formats; the game's first format if none fits."""
        return next(iter(self.fitting_formats(deck)), self.formats[0])

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all formats. Of several with one code the last is kept."""
        return tuple({rule.code: rule for format in self.formats for rule in format.rules}.values())

    def formats_with(self, code: str) -> tuple[Format, ...]:
        """The formats that check the rule with this code."""
        return tuple(format for format in self.formats if any(rule.code == code for rule in format.rules))
