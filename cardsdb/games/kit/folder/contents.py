"""A game folder as one value (``GameFolder``), the base class of ``Game``, and a digest of its cards.

It declares types, facts and sections and reads each file of the folder when it is first asked for. A reader
of this module needs no more than that: ``Statistic`` and ``Worksheet``, which a ``Game`` holds, take a
``GameFolder``, so that their modules need not import ``game.py``.
Tests in ``tests/cardsdb/games/kit``: ``folder/test_contents.py``; of ``terms_for``
``model/test_rulebook.py``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Self

from cardsdb.games.kit.folder.additions import read_effect_words
from cardsdb.games.kit.folder.cards import CardFiles
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
    """The types, facts and sections of a game, and the contents of its folder.

    Each file is read when one of its properties is first asked for, which raises FolderError if the file has
    faults; the result is cached.
    """

    slug: str
    name: str
    folder: Path
    types: tuple[CardType, ...]
    facts: tuple[Fact, ...]
    sections: tuple[Section, ...]
    # Documents and citations of rules that ``game.toml`` or the file of a format states. A game that has some
    # needs no ``rulebook.toml``.
    said_beside: Rulebook = field(default=NOTHING_SAID, kw_only=True)

    # -- the files ----------------------------------------------------------------

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of ``cards.csv`` in the file's order, with its prints, claims and effects."""
        return tuple(self.card_files.cards())

    def with_cards(self, cards: Iterable[Card]) -> Self:
        """A copy of the game with these cards in place of its folder's."""
        copy = replace(self)
        # A cached property looks here for its value before it computes one.
        vars(copy)["cards"] = tuple(cards)
        return copy

    @cached_property
    def folder_digest(self) -> str:
        """The digest of the cards in the folder, even if ``cards`` are those of an edition. It depends on
        neither their order nor the machine.
        """
        return digest_of(self.card_files.cards())

    @property
    def card_files(self) -> CardFiles:
        """The files that say what the cards are, to be read card by card."""
        return CardFiles(
            self.folder, self.slug, self.facts, tuple(self.types_by_slug), self.documents, self.effect_words
        )

    @cached_property
    def effect_words(self) -> EffectWords | None:
        """The words of the game's effects; None without an ``effects.toml``."""
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
        """Key of a document -> document."""
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
        """The terms of the game's rules in the order of the alphabet; none without a ``glossary.toml``."""
        return read_glossary(self.folder, self.rulebook)

    @cached_property
    def set_up_guide(self) -> SetUpGuide | None:
        """The guide to laying the game out for a number of players; None without a ``set_up.toml``."""
        return read_set_up(self.folder, self.rulebook, self.slug, self.name)

    @cached_property
    def play_guide(self) -> PlayGuide | None:
        """The guide to playing the game; None without a ``play.toml``."""
        return read_play_guide(self.folder, self.rulebook)

    def document_lines(self, key: str) -> tuple[str, ...]:
        """The lines of a document that is shown whole; none of any other document. Raises FolderError."""
        document = self.documents.get(key)
        if document is None or not document.file:
            return ()
        return tuple(read_text(self.folder / document.file).splitlines())

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

    # A retired card is still shown and printed, though its type or its document may have left the folder. So
    # the methods ``..._named`` make up what is no longer declared.

    def type_named(self, slug: str) -> CardType:
        """The card type of this slug. One that is not declared is named after its slug, and its cards go into
        no new deck.
        """
        if not slug:
            return CardType("", "Unknown card", "Unknown cards", in_decks=False)
        title = slug.replace("-", " ").replace("_", " ").capitalize()
        return self.types_by_slug.get(slug) or CardType(slug, title, title, in_decks=False)

    def kind_of(self, card: Card) -> EntryKind:
        """The kind of the card's entry in the catalogue: card, stand-in, component or term."""
        kind = self.type_named(card.type).kind
        return "stand-in" if kind == "card" and card.fact(STAND_IN) is True else kind

    def document_named(self, key: str) -> Document:
        """The document of this key. One that is not declared has its key as title."""
        return self.documents.get(key) or Document(key, key, kind="no longer listed")

    def address_of(self, document: str, lines: str = "") -> str:
        """The address of these lines of a document: on this site if it is shown here whole, else where the
        document is published; empty if it is nowhere.
        """
        named = self.document_named(document)
        if not named.file:
            return named.url
        first = next(iter(lines_of(lines)), 0)
        return f"/games/{self.slug}/documents/{document}/" + (f"#line-{first}" if first else "")

    def fact_named(self, word: str) -> Fact | None:
        """The fact with this key, title or alias, or None. Case does not matter; space, hyphen and underscore
        are the same.
        """
        return self._fact_words.get(_spaced(word.strip()))

    @cached_property
    def _fact_words(self) -> dict[str, Fact]:
        words: dict[str, Fact] = {}
        for fact in self.facts:
            for word in (fact.key, fact.title, *fact.aliases):
                words.setdefault(_spaced(word), fact)
        return words

    def facts_of(self, card_type: str) -> tuple[Fact, ...]:
        """The facts that a card of this type may have; all facts for ""."""
        facts = self._facts_by_type.get(card_type)
        return facts or tuple(fact for fact in self.facts if fact.applies_to(card_type))

    @cached_property
    def _facts_by_type(self) -> dict[str, tuple[Fact, ...]]:
        by_type = {
            slug: tuple(fact for fact in self.facts if fact.applies_to(slug)) for slug in self.types_by_slug
        }
        return {"": self.facts, **by_type}

    def terms_for(self, card: Card) -> tuple[GlossaryEntry, ...]:
        """The glossary entries that help to read this card, at most eight."""
        card_type = self.types_by_slug.get(card.type)
        return terms_for(card, card_type.name if card_type else "", self.facts, self._spoken_terms)

    @cached_property
    def _spoken_terms(self) -> tuple[SpokenTerm, ...]:
        return spoken_terms(self.glossary)


def _spaced(word: str) -> str:
    """The word in small letters with spaces for hyphens and underscores: "Own-Limit" -> "own limit"."""
    return word.casefold().replace("_", " ").replace("-", " ")


SIZE = 16  # bytes of a digest
# What of a card, of a claim and of a print goes into the digest.
_of_card = attrgetter("code", "name", "type", "text", "aliases", "note")
_of_claim = attrgetter("document", "section", "lines", "certainty", "value", "note")
_of_print = attrgetter("set", "number", "rarity", "code", "note")


class CardsDigest:
    """A digest of cards that are added one by one. The order in which they come changes nothing."""

    def __init__(self) -> None:
        self._sum = 0

    def add(self, card: Card) -> None:
        facts = sorted(card.facts.items())
        sources = sorted((key, list(map(_of_claim, claims))) for key, claims in card.sources.items())
        content = repr((_of_card(card), facts, sources, list(map(_of_print, card.prints))))
        # The digests are added up, because a sum does not depend on the order of the cards.
        self._sum += int.from_bytes(blake2b(content.encode(), digest_size=SIZE).digest())

    def __str__(self) -> str:
        """The sum, cut to ``SIZE`` bytes, in 32 hexadecimal digits."""
        return f"{self._sum % 256**SIZE:0{2 * SIZE}x}"


def digest_of(cards: Iterable[Card]) -> str:
    digest = CardsDigest()
    for card in cards:
        digest.add(card)
    return str(digest)
