"""A game folder: the types, facts and sections of a game, what the folder's files say of them, and one digest
of all its cards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Self

from cardsdb.games.kit.folder.cards import CardFiles
from cardsdb.games.kit.folder.effects import read_effect_words
from cardsdb.games.kit.folder.files import read_sets, read_starters, read_text
from cardsdb.games.kit.folder.guides import read_play_guide, read_set_up
from cardsdb.games.kit.folder.rulebook import NOTHING_SAID, RULEBOOK, Rulebook, read_glossary, read_rulebook
from cardsdb.games.kit.model.cards import STAND_IN, Card, CardSet, CardType, EntryKind, Fact
from cardsdb.games.kit.model.decklist import Section
from cardsdb.games.kit.model.effects import EffectWords
from cardsdb.games.kit.model.format import Starter
from cardsdb.games.kit.model.guides import SetUpGuide
from cardsdb.games.kit.model.play_guide import PlayGuide
from cardsdb.games.kit.model.rulebook import (
    Citation,
    Document,
    GlossaryEntry,
    Ruling,
    SpokenTerm,
    lines_of,
    spoken_terms,
    terms_for,
)


@dataclass(frozen=True, eq=False)
class GameFolder:
    """The types, facts and sections that a game declares, and the files of its folder, each read when it is
    first asked for.

    ``Statistic`` and ``Worksheet``, which count and calculate with a game, need only this much of it. Each of
    the files' properties raises FolderError if its file says what cannot be true. ``said_beside`` is what
    formats that are declared as data say themselves; a game that says something there may have no
    ``rulebook.toml``.
    """

    slug: str
    name: str
    folder: Path
    types: tuple[CardType, ...]
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    said_beside: Rulebook = field(default=NOTHING_SAID, kw_only=True)

    # -- the files ----------------------------------------------------------------

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of ``cards.csv``, prints merged, claims attached, in the file's order."""
        return tuple(self.card_files.cards())

    def with_cards(self, cards: Iterable[Card]) -> Self:
        """The same game with these cards in place of its folder's."""
        same = replace(self)
        # Where a cached property keeps what it was asked for.
        vars(same)["cards"] = tuple(cards)
        return same

    @cached_property
    def folder_digest(self) -> str:
        """The digest of the cards that the folder held when this was first asked for, the same for the same
        cards in whatever order, of another machine's folder too; ``cards`` may be those of an edition that
        stand in for them.
        """
        return digest_of(self.card_files.cards())

    @property
    def card_files(self) -> CardFiles:
        """``cards.csv``, ``claims.csv`` and ``effects.csv``, to be read card by card."""
        return CardFiles(
            self.folder, self.slug, self.facts, tuple(self.types_by_slug), self.documents, self.effect_words
        )

    @cached_property
    def effect_words(self) -> EffectWords | None:
        """The words in which the effects of cards are told; None without an ``effects.toml``."""
        return read_effect_words(self.folder)

    @cached_property
    def sets(self) -> tuple[CardSet, ...]:
        return read_sets(self.folder)

    @cached_property
    def rulebook(self) -> Rulebook:
        if self.said_beside.documents and not (self.folder / RULEBOOK).exists():
            return self.said_beside
        return read_rulebook(self.folder).followed_by(self.said_beside)

    @property
    def documents(self) -> Mapping[str, Document]:
        """Key -> document."""
        return self.rulebook.documents

    @property
    def citations(self) -> Mapping[str, Citation]:
        """Rule code -> citation, in the order of ``rulebook.toml``."""
        return self.rulebook.citations

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return self.rulebook.rulings

    @cached_property
    def starters(self) -> tuple[Starter, ...]:
        return read_starters(self.folder)

    @cached_property
    def glossary(self) -> tuple[GlossaryEntry, ...]:
        """The game's terms in the order of the alphabet; none without a ``glossary.toml``."""
        return read_glossary(self.folder, self.rulebook)

    @cached_property
    def set_up_guide(self) -> SetUpGuide | None:
        """The guide to laying the game out for so many players; None without a ``set_up.toml``."""
        return read_set_up(self.folder, self.rulebook, self.slug, self.name)

    @cached_property
    def play_guide(self) -> PlayGuide | None:
        """The guide to playing the game: its parts, who made it, and how far it can be played from here; None
        without a ``play.toml``.
        """
        return read_play_guide(self.folder, self.rulebook)

    def document_lines(self, key: str) -> tuple[str, ...]:
        """The document's text line by line, from line 1; none of a document that is not shown here. Raises
        FolderError.
        """
        document = self.documents.get(key)
        return (
            tuple(read_text(self.folder / document.file).splitlines()) if document and document.file else ()
        )

    # -- looking things up --------------------------------------------------------

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
    def sections_by_slug(self) -> dict[str, Section]:
        return {section.slug: section for section in self.sections}

    @cached_property
    def sets_by_code(self) -> dict[str, CardSet]:
        return {card_set.code: card_set for card_set in self.sets}

    def card(self, code: str) -> Card | None:
        return self._cards.get(code)

    # A retired card may be of a type, and cite a document, that has left the folder since. It is still shown
    # and printed.

    def type_named(self, slug: str) -> CardType:
        """The type. One that is no longer declared is named by its slug and never goes into new decks."""
        if not slug:
            return CardType("", "Unknown card", "Unknown cards", in_decks=False)
        title = slug.replace("-", " ").replace("_", " ").capitalize()
        return self.types_by_slug.get(slug) or CardType(slug, title, title, in_decks=False)

    def kind_of(self, card: Card) -> EntryKind:
        """The kind of the entry: a card of the game, a stand-in, a component or a term."""
        kind = self.type_named(card.type).kind
        return "stand-in" if kind == "card" and card.fact(STAND_IN) is True else kind

    def document_named(self, key: str) -> Document:
        """The document. One that is no longer declared has its key as a title."""
        return self.documents.get(key) or Document(key, key, kind="no longer listed")

    def address_of(self, document: str, lines: str = "") -> str:
        """The address where all may read these lines: on this site if the document is shown here whole, else
        its own address; empty if nowhere.
        """
        named = self.document_named(document)
        if not named.file:
            return named.url
        first = next(iter(lines_of(lines)), 0)
        return f"/games/{self.slug}/documents/{document}/" + (f"#line-{first}" if first else "")

    def fact_named(self, word: str) -> Fact | None:
        """The fact with this key, title or alias, in any case and with any of space, hyphen and
        underscore.
        """
        return self._fact_words.get(word.strip().casefold().replace("_", " ").replace("-", " "))

    @cached_property
    def _fact_words(self) -> dict[str, Fact]:
        words: dict[str, Fact] = {}
        for fact in self.facts:
            for word in (fact.key, fact.title, *fact.aliases):
                words.setdefault(word.casefold().replace("_", " ").replace("-", " "), fact)
        return words

    def facts_of(self, card_type: str) -> tuple[Fact, ...]:
        """The facts that a card of this type may carry."""
        if card_type in self._facts_by_type:
            return self._facts_by_type[card_type]
        return tuple(fact for fact in self.facts if fact.applies_to(card_type))

    @cached_property
    def _facts_by_type(self) -> dict[str, tuple[Fact, ...]]:
        return {
            slug: tuple(fact for fact in self.facts if fact.applies_to(slug)) for slug in self.types_by_slug
        }

    def terms_for(self, card: Card) -> tuple[GlossaryEntry, ...]:
        """At most eight glossary entries that help to read this card."""
        card_type = self.types_by_slug.get(card.type)
        return terms_for(card, card_type.name if card_type else "", self.facts, self._spoken_terms)

    @cached_property
    def _spoken_terms(self) -> tuple[SpokenTerm, ...]:
        return spoken_terms(self.glossary)


SIZE = 16
_values = attrgetter("code", "name", "type", "text", "aliases", "note")
_of_claim = attrgetter("document", "section", "lines", "certainty", "value", "note")
_of_print = attrgetter("set", "number", "rarity", "code", "note")


class CardsDigest:
    """The digest of cards that come one by one, in any order."""

    def __init__(self) -> None:
        self._sum = 0

    def add(self, card: Card) -> None:
        facts = sorted(card.facts.items())
        sources = sorted(
            (key, [_of_claim(claim) for claim in claims]) for key, claims in card.sources.items()
        )
        known = repr((_values(card), facts, sources, [_of_print(one) for one in card.prints]))
        # A sum, so that lines of a folder may change places.
        self._sum += int.from_bytes(blake2b(known.encode(), digest_size=SIZE).digest())

    def __str__(self) -> str:
        return f"{self._sum % 256**SIZE:0{2 * SIZE}x}"


def digest_of(cards: Iterable[Card]) -> str:
    digest = CardsDigest()
    for card in cards:
        digest.add(card)
    return str(digest)
