"""The documents of a game: where its rules stand, what they leave open, and its own words, each explained
with its source.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cardsdb.games.kit.model.cards import Card, Certainty, Claim, Fact
from cardsdb.games.kit.model.text import fold, slugify

MAX_TERMS = 8


@dataclass(frozen=True)
class Document:
    """Something that facts and rules are cited from. ``kind``: rulebook, card picture, list ... ``url``:
    where all may read it.

    ``file`` names its whole text, line for line, in the game's folder, where its licence lets us show it.
    ``pages`` are the lines that its pages begin with, the first page first, where they were compared.
    """

    key: str
    title: str
    kind: str = "rulebook"
    by: str = ""
    note: str = ""
    url: str = ""
    file: str = ""
    pages: tuple[int, ...] = ()

    def pages_of(self, lines: str) -> tuple[int, ...]:
        """The pages on which these lines begin, each once; none where the document's pages are not known."""
        return tuple(
            dict.fromkeys(filter(None, (bisect_right(self.pages, line) for line in lines_of(lines))))
        )

    def pages_in_words(self, lines: str) -> str:
        """``p. 12``, ``pp. 8, 12``; empty where the pages are not known."""
        pages = self.pages_of(lines)
        return f"{'p.' if len(pages) == 1 else 'pp.'} {', '.join(map(str, pages))}" if pages else ""

    def claim(self, locator: str, certainty: Certainty | None = None, note: str = "") -> Claim:
        """Its claim at a place: line numbers if the locator is digits, else a section. What no rulebook
        says stands outside the game.
        """
        is_lines = bool(re.fullmatch(r"[0-9, -]+", locator))
        section, lines = ("", locator) if is_lines else (locator, "")
        return Claim(
            self.key,
            section,
            lines,
            certainty or ("stated" if self.kind == "rulebook" else "outside"),
            note=note,
        )


def lines_of(lines: str) -> tuple[int, ...]:
    """The numbers that ``30, 53-55`` names first: where each place begins, in the order in which they are
    cited.
    """
    return tuple(int(part.split("-")[0]) for part in lines.split(",") if part.strip())


@dataclass(frozen=True)
class Citation:
    """The place of a rule in a document, its words in ours, and how certain they are.

    ``about``: deck, set-up, card, play or licence; only deck and set-up rules are checked.
    """

    code: str
    document: str
    section: str
    lines: str
    certainty: Certainty
    says: str
    about: str = "deck"
    note: str = ""

    @property
    def place(self) -> str:
        """Section and lines: ``Game Setup, line 430``."""
        lines = f"{'line' if self.lines.isdigit() else 'lines'} {self.lines}" if self.lines else ""
        return ", ".join(part for part in (self.section, lines) if part)


@dataclass(frozen=True)
class CitedClaim:
    """A source of a step: the code of a rule, or empty where the file names a place of its own."""

    code: str
    claim: Claim


@dataclass(frozen=True)
class Ruling:
    """A question the documents leave open, and how Cutout treats it until someone knows better."""

    id: str
    question: str
    treatment: str
    lines: str = ""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
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
        """The key that orders the terms: their letters, without case, marks or an article at the front."""
        return re.sub(r"^the |[^a-z0-9 ]", "", fold(self.term))


# -- which terms a card meets ---------------------------------------------------


class SpokenTerm(NamedTuple):
    """A term as it is looked for on cards: ``phrases``, its names and their plain plurals, folded; ``facts``,
    those that it explains.
    """

    entry: GlossaryEntry
    phrases: tuple[str, ...]
    facts: frozenset[str]


def spoken_terms(glossary: Iterable[GlossaryEntry]) -> tuple[SpokenTerm, ...]:
    """The glossary, ready to be looked for on one card after another."""
    return tuple(SpokenTerm(entry, _phrases(entry), frozenset(entry.facts)) for entry in glossary)


def terms_for(
    card: Card, type_name: str, facts: Iterable[Fact], glossary: Iterable[SpokenTerm]
) -> tuple[GlossaryEntry, ...]:
    """At most eight terms that help to read a card; ``type_name`` is the name of its type.

    First its type and the values that are terms themselves, then terms named within a value, then those that
    explain the most of its facts, then those in our text of the card. A flag that is "no" asks for no
    explanation.
    """
    words = [type_name] if type_name else []
    words += [
        value
        for fact in facts
        if fact.kind in ("word", "words") and not fact.is_aside
        for value in card.words(fact.key)
    ]
    # The nearer to the card, the earlier a term comes; one that stands in several places counts by the first
    # of them.
    values, within = frozenset(map(_spoken, words)), _spoken(" / ".join(words))
    everywhere = within + _spoken(card.text)
    carried = {key for key, value in card.facts.items() if value is not False}
    ranked = []
    for number, term in enumerate(glossary):
        explained = len(carried & term.facts)
        found = [phrase for phrase in term.phrases if phrase in everywhere]
        if found and not values.isdisjoint(found):
            near = 0
        elif any(phrase in within for phrase in found):
            near = 1
        elif explained:
            near = 2
        elif found:
            near = 3
        else:
            continue
        ranked.append((near, -explained, number, term.entry))
    return tuple(entry for *_, entry in sorted(ranked)[:MAX_TERMS])


def _spoken(text: str) -> str:
    """Folded words with single spaces around each; a mark between two phrases keeps them apart."""
    return f" {' '.join(re.findall(r'[^ /.,;:()]+|[/.;:]', fold(text)))} "


def _phrases(entry: GlossaryEntry) -> tuple[str, ...]:
    """The ways in which the term may be written on a card: its names and their plain plurals."""
    names = [fold(name) for name in (entry.term, *entry.aliases)]
    return tuple(f" {name}{plural} " for name in names for plural in ("", "s"))
