"""A game's own words, each explained in ours with its source, and which of them a card meets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from cardsdb.games.kit.model.cards import Card, Claim, Fact
from cardsdb.games.kit.model.text import fold, slugify

MAX_TERMS = 8


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """One term: what it means in our words, who says so, the fact keys it explains, and related terms."""

    term: str
    meaning: str
    source: Claim
    aliases: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    see: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The entry's anchor on the glossary page."""
        return slugify(self.term)

    @property
    def letter(self) -> str:
        """The letter under which the term stands; an article at its front does not count."""
        return self.sorted_by[:1].upper()

    @property
    def sorted_by(self) -> str:
        """By what the terms are put in order: their letters, without case, marks or an article at the front."""
        return re.sub(r"^the |[^a-z0-9 ]", "", fold(self.term))


# -- which terms a card meets ---------------------------------------------------


def terms_for(card: Card, type_name: str, facts: Iterable[Fact], glossary: tuple[GlossaryEntry, ...]) -> tuple[GlossaryEntry, ...]:
    """At most eight terms that help to read a card; ``type_name`` is the name of its type.

    First its type and the values that are terms themselves, then terms named within a value, then those in
    our text of the card, then those that explain the most of its facts. A flag that is "no" asks for no explanation.
    """
    words = [type_name] if type_name else []
    words += [value for fact in facts if fact.kind in ("word", "words") for value in card.words(fact.key)]
    # The nearer to the card, the earlier; a term that stands in several places counts for the first.
    places = [frozenset(map(_spoken, words)), _spoken(" / ".join(words)), _spoken(card.text)]
    carried = {key for key, value in card.facts.items() if value is not False}

    def place(entry: GlossaryEntry) -> tuple[int, int]:
        explained = len(carried.intersection(entry.facts))
        near = (number for number, where in enumerate(places) if any(phrase in where for phrase in _phrases(entry)))
        return next(near, len(places) if explained else len(places) + 1), -explained

    ranked = sorted((place(entry), number) for number, entry in enumerate(glossary))
    return tuple(glossary[number] for (near, _), number in ranked if near <= len(places))[:MAX_TERMS]


def _spoken(text: str) -> str:
    """Folded words with single spaces around each; a mark between two phrases keeps them apart."""
    return f" {' '.join(re.findall(r'[^ /.,;:()]+|[/.;:]', fold(text)))} "


@lru_cache(maxsize=1024)
def _phrases(entry: GlossaryEntry) -> tuple[str, ...]:
    """The ways in which the term may be written on a card: its names and their plain plurals."""
    names = [fold(name) for name in (entry.term, *entry.aliases)]
    return tuple(f" {name}{plural} " for name in names for plural in ("", "s"))
