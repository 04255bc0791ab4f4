"""A game's own words, each explained in ours with its source: read from ``glossary.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cardsdb.games.kit.folder.files import FolderError, optional_toml
from cardsdb.games.kit.model.cards import CERTAINTIES, Card, Claim, fold, slugify

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game

LONGEST_MEANING = 240
MOST_TERMS = 8
_ENTRY_KEYS = {"meaning", "aliases", "facts", "see"}
_CLAIM_KEYS = {"document", "section", "lines", "certainty", "note"}
_LINES = re.compile(r"[0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*")


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
        return _sorted_by(self)[:1].upper()


def read_glossary(game: Game) -> tuple[GlossaryEntry, ...]:
    """The entries of ``glossary.toml`` in the order of the alphabet; none if there is no such file.

    Raises FolderError for a key that means nothing.
    """
    terms = optional_toml(game.folder, "glossary.toml").get("terms", {})
    return tuple(sorted((_entry(game, term, values) for term, values in terms.items()), key=_sorted_by))


def _entry(game: Game, term: str, values: dict[str, Any]) -> GlossaryEntry:
    place = f"{game.folder.name}/glossary.toml, {term}"
    if unknown := set(values) - _ENTRY_KEYS - _CLAIM_KEYS:
        raise FolderError(f"{place}: {sorted(unknown)[0]!r} is no key of a term")
    if not values.get("meaning"):
        raise FolderError(f"{place}: the meaning is missing")
    lists = {key: tuple(values.get(key, ())) for key in ("aliases", "facts", "see")}
    return GlossaryEntry(term, values["meaning"], claim_of(game, values), **lists)


def claim_of(game: Game, values: dict[str, Any]) -> Claim:
    """The document, section, lines and certainty of an entry; the game's first document where none is named."""
    claimed = {key: values[key] for key in _CLAIM_KEYS & set(values)}
    return Claim(**{"document": next(iter(game.documents), ""), **claimed})


def _sorted_by(entry: GlossaryEntry) -> str:
    return re.sub(r"^the |[^a-z0-9 ]", "", fold(entry.term))


# -- which terms a card meets ---------------------------------------------------


def terms_for(game: Game, card: Card) -> tuple[GlossaryEntry, ...]:
    """At most eight terms that help to read a card.

    First its type and the values that are terms themselves, then terms named within a value, then those in
    our text of the card, then those that explain the most of its facts. A flag that is "no" asks for no explanation.
    """
    said = [game.types_by_slug[card.type].name] if card.type in game.types_by_slug else []
    said += [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    # The nearer to the card, the earlier; a term that stands in several places counts for the first.
    places = [frozenset(map(_spoken, said)), _spoken(" / ".join(said)), _spoken(card.text)]
    carried = {key for key, value in card.facts.items() if value is not False}

    def place(entry: GlossaryEntry) -> tuple[int, int]:
        explained = len(carried.intersection(entry.facts))
        near = (number for number, where in enumerate(places) if any(phrase in where for phrase in _phrases(entry)))
        return next(near, len(places) if explained else len(places) + 1), -explained

    ranked = sorted((place(entry), number) for number, entry in enumerate(game.glossary))
    return tuple(game.glossary[number] for (near, _), number in ranked if near <= len(places))[:MOST_TERMS]


def _spoken(text: str) -> str:
    """Folded words with single spaces around each; a mark between two phrases keeps them apart."""
    return f" {' '.join(re.findall(r'[^ /.,;:()]+|[/.;:]', fold(text)))} "


@lru_cache(maxsize=1024)
def _phrases(entry: GlossaryEntry) -> tuple[str, ...]:
    """The ways in which the term may be written on a card: its names and their plain plurals."""
    names = [fold(name) for name in (entry.term, *entry.aliases)]
    return tuple(f" {name}{plural} " for name in names for plural in ("", "s"))


# -- what the file must keep ----------------------------------------------------


def glossary_problems(game: Game) -> Iterator[str]:
    """Every way in which the glossary breaks its promises."""
    named: set[str] = set()
    for entry in game.glossary:
        for name in (entry.term, *entry.aliases):
            if fold(name) in named:
                yield f"glossary: {name!r} is explained twice"
            named.add(fold(name))
        if not entry.meaning.endswith(".") or len(entry.meaning) > LONGEST_MEANING:
            yield f"glossary: {entry.term!r} must mean a sentence of at most {LONGEST_MEANING} characters"
        for key in entry.facts:
            if key not in game.facts_by_key:
                yield f"glossary: {entry.term!r} explains {key!r}, which is no fact"
        for other in entry.see:
            if other not in {known.term for known in game.glossary}:
                yield f"glossary: {entry.term!r} sends the reader to {other!r}, which is no term"
        yield from (f"glossary: {entry.term!r} {problem}" for problem in claim_problems(game, entry.source))


def claim_problems(game: Game, claim: Claim) -> Iterator[str]:
    """What a source lacks: a known document, a place in it, lines that are numbers, a certainty."""
    if claim.document not in game.documents:
        yield f"cites {claim.document!r}, which is no document"
    if not claim.section:
        yield "names no section"
    if claim.lines and not _LINES.fullmatch(claim.lines):
        yield f"cites lines {claim.lines!r}; write them like 3, 7-9"
    if claim.certainty not in CERTAINTIES:
        yield f"is {claim.certainty!r}, which is no certainty"
