"""The documents of a game, citations of rules from them, rulings on what they leave open, and the glossary.

``folder/rulebook.py`` reads these values from ``rulebook.toml`` and ``glossary.toml``. Verdicts, guides and
pages cite them. ``terms_for``, at the end, chooses the glossary terms that a card's page explains.
Tests: terms in ``tests/cardsdb/games/kit/model/test_rulebook.py``; pages of documents in
``tests/cardsdb/web/test_guide_views.py``; citations of leagues in
``tests/cardsdb/games/kit/declared/test_formats.py``.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cardsdb.games.kit.model.cards import Card, Certainty, Claim, Fact
from cardsdb.games.kit.model.text import fold, slugify

# Most glossary terms shown for one card.
MAX_TERMS = 8


@dataclass(frozen=True)
class Document:
    """A document that facts and rules are cited from.

    ``kind``: rulebook, card picture, list and so on. ``url``: its public address. ``file``: name of the file
    with its full text in the game's folder, if its licence allows that. ``pages``: number of the first line
    of each page, page 1 first; empty if unknown.
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
        """Return the numbers of the pages on which these lines begin, each once; empty if unknown. With pages
        that begin at the lines 1, 40 and 80: "30, 53-55" -> (1, 2)
        """
        # As many pages begin at or before a line as its page's number says; 0 if no page is known.
        pages = (bisect_right(self.pages, line) for line in lines_of(lines))
        return tuple(dict.fromkeys(filter(None, pages)))

    def pages_in_words(self, lines: str) -> str:
        """Return the pages as ``p. 12`` or ``pp. 8, 12``; empty if unknown."""
        pages = self.pages_of(lines)
        return f"{'p.' if len(pages) == 1 else 'pp.'} {', '.join(map(str, pages))}" if pages else ""

    def claim(self, locator: str, certainty: Certainty | None = None, note: str = "") -> Claim:
        """Return a claim of this document. ``locator``: line numbers such as ``30, 53-55``, or a section.

        Without ``certainty``, a claim of a rulebook is "stated", one of any other document "outside".
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
    """Return the first line of each range, in the order of the text: ``30, 53-55`` -> (30, 53)."""
    return tuple(int(part.split("-")[0]) for part in lines.split(",") if part.strip())


@dataclass(frozen=True)
class Citation:
    """A rule of a document: its place, what it says in our own words (``says``), and how certain that is.

    ``about``: deck, set-up, card, play or licence. Only deck and set-up rules are checked by code.
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
    """A source of a statement of a guide. ``code``: code of the citation it refers to, or empty if the file
    of the guide cites a place directly.
    """

    code: str
    claim: Claim


@dataclass(frozen=True)
class Ruling:
    """A question that the documents leave open, and how Cutout treats it until there is an answer. ``rules``:
    codes of the citations concerned.
    """

    id: str
    question: str
    treatment: str
    lines: str = ""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class GlossaryEntry:
    """One term of a game's glossary. ``meaning``: in our own words. ``facts``: keys of the facts that it
    explains. ``see``: related terms.
    """

    term: str
    meaning: str
    source: Claim
    aliases: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    see: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The anchor of the entry on the glossary page."""
        return slugify(self.term)

    @property
    def letter(self) -> str:
        """The letter under which the glossary lists the term, without the article: "The Krypt" -> K."""
        return self.sorted_by[:1].upper()

    @property
    def sorted_by(self) -> str:
        """The sort key of the term: lowercase letters, digits and spaces, without an article at the front."""
        return re.sub(r"^the |[^a-z0-9 ]", "", fold(self.term))


# -- the terms that explain a card ----------------------------------------------


class SpokenTerm(NamedTuple):
    """A glossary entry prepared for comparing with cards. ``phrases``: its names and their plurals, folded,
    with a space around each. ``facts``: keys of the facts that it explains.
    """

    entry: GlossaryEntry
    phrases: tuple[str, ...]
    facts: frozenset[str]


def spoken_terms(glossary: Iterable[GlossaryEntry]) -> tuple[SpokenTerm, ...]:
    """Return the glossary prepared for ``terms_for``; done once per game, because there are many cards."""
    return tuple(SpokenTerm(entry, _phrases(entry), frozenset(entry.facts)) for entry in glossary)


def terms_for(
    card: Card, type_name: str, facts: Iterable[Fact], glossary: Iterable[SpokenTerm]
) -> tuple[GlossaryEntry, ...]:
    """Return at most ``MAX_TERMS`` terms that help to read a card. ``type_name``: name of the card's type.

    Order: (0) its type and values that are terms themselves, (1) terms within a longer value, (2) terms that
    explain its facts, those that explain most facts first, (3) terms in our text of the card. Flags that are
    "no" are not explained.
    """
    words = [type_name] if type_name else []
    words += [
        value
        for fact in facts
        if fact.kind in ("word", "words") and not fact.is_aside
        for value in card.words(fact.key)
    ]
    # Three texts of the card, each within the next. For Acrobatic Escape of Spycraft:
    #
    #     values        {" action ", " react combat 8 "}
    #     in_values     " action / react combat 8 "
    #     everywhere    " action / react combat 8  react combat 8 after agent declares combat action : ..."
    #
    # Phrases have a space on each side as well: " action " (0), " combat " (1), " agent " (3).
    values, in_values = frozenset(map(_spoken, words)), _spoken(" / ".join(words))
    everywhere = in_values + _spoken(card.text)
    carried = {key for key, value in card.facts.items() if value is not False}
    # (place in the order, minus the facts explained, place in the glossary, entry).
    ranked = []
    for number, term in enumerate(glossary):
        explained = len(carried & term.facts)
        # A phrase that is not found here is in neither of the narrower texts.
        found = [phrase for phrase in term.phrases if phrase in everywhere]
        if not values.isdisjoint(found):
            rank = 0
        elif any(phrase in in_values for phrase in found):
            rank = 1
        elif explained:
            rank = 2
        elif found:
            rank = 3
        else:
            continue
        ranked.append((rank, -explained, number, term.entry))
    return tuple(entry for *_, entry in sorted(ranked)[:MAX_TERMS])


def _spoken(text: str) -> str:
    """Return the folded words of a text with a space around each, so that whole words can be found with
    ``in``. Punctuation except commas and brackets counts as a word, so that no phrase reaches across it.
    "Wound agent. Draw" -> " wound agent . draw "
    """
    return f" {' '.join(re.findall(r'[^ /.,;:()]+|[/.;:]', fold(text)))} "


def _phrases(entry: GlossaryEntry) -> tuple[str, ...]:
    """Return the names of a term and their plurals in s, as ``_spoken`` writes them."""
    names = [fold(name) for name in (entry.term, *entry.aliases)]
    return tuple(f" {name}{plural} " for name in names for plural in ("", "s"))
