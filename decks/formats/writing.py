"""The shared parts of the writers: parts of a deck as another tool names them, prints and faces of cards, and
clean text.

The modules of the formats call it, and ``printing/exports`` uses the faces. Functions that end with
``_losses`` return what a kind of format cannot hold; a writer adds those that concern it to its own.
``notes.py`` handles all that a list says besides its cards; ``contract.py`` defines ``Loss``.
Tests: ``tests/decks/formats/test_writing.py``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

from cardsdb.games.kit import (
    Card,
    Decklist,
    Entry,
    Game,
    Print,
    Section,
    count_of,
    fold,
    some,
)
from cardsdb.games.kit.listtext.deck import lines_of
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats.contract import Loss, settings_of


@dataclass(frozen=True)
class Part:
    """One part of the file: its name there, the sections that share it, and their entries. In Cockatrice, for
    example, the part "main" has Spycraft's leaders, deck and missions.
    """

    name: str
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]

    def count(self, section: Section) -> int:
        """Return the copies of this section's cards in the part."""
        return count_of(entry for entry in self.entries if entry.section == section.slug)


def parts_of(
    game: Game, deck: Decklist, name_of: Callable[[Section], str], empty: Iterable[str] = ()
) -> tuple[Part, ...]:
    """Return the parts of the deck, named by ``name_of``, in the order of the game's sections, then unknown
    ones. A part without cards is left out unless its name is in ``empty``.
    """
    unknown = dict.fromkeys(entry.section for entry in deck if entry.section not in game.sections_by_slug)
    by_name: dict[str, list[Section]] = {}
    for section in (*game.sections, *(Section(slug, slug, ()) for slug in unknown)):
        by_name.setdefault(name_of(section), []).append(section)
    parts = []
    for name, sections in by_name.items():
        entries = tuple(entry for section in sections for entry in deck.in_section(section.slug))
        if entries or name in set(empty):
            parts.append(Part(name, tuple(sections), entries))
    return tuple(parts)


def in_parts(reading: Reading, parts: Iterable[Part]) -> Reading:
    """Return the reading with its entries in the order in which a file with these parts has them."""
    entries = tuple(entry for part in parts for entry in part.entries)
    return replace(reading, deck=replace(reading.deck, entries=entries))


def named_by(game: Game, format: str) -> Callable[[Section], str]:
    """Return a function that names a section in this format: by the game's ``exports``, else by its own
    name.
    """
    names: dict[str, str] = settings_of(game, format).get("sections", {})
    return lambda section: names.get(section.slug, section.name)


def fold_losses(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """Return a loss for each section whose cards cannot be told from those of another section in the same
    part.

    One section of a part is no loss: the one with the part's name, else the one with most cards.
    """
    losses = []
    for part in parts:
        counts = {section: count for section in part.sections if (count := part.count(section))}
        part_name = part.name.casefold()
        home = max(counts, key=lambda s: (s.name.casefold() == part_name, counts[s]), default=None)
        for section, count in counts.items():
            if section is not home:
                message = f"{some(count, 'card')} of {section.name} put among those of {part.name}."
                losses.append(Loss("section_folded", message, section.slug))
    return tuple(losses)


# Stands for the print of a card without a known one.
NO_PRINT = Print("")


def first_print(card: Card) -> Print:
    """Return the card's first print, blank if none is known."""
    return card.prints[0] if card.prints else NO_PRINT


def print_of(entry: Entry) -> Print:
    """Return the print that all copies of the line have, or the card's only print, else a blank one."""
    chosen = entry.card.print_called(entry.marks.prints.label)
    return chosen or (entry.card.prints[0] if len(entry.card.prints) == 1 else NO_PRINT)


def print_losses(deck: Decklist) -> tuple[Loss, ...]:
    """Return the loss of formats that must name a set: lines without a chosen print get the first one."""
    without_choice = (entry.card for entry in deck if not entry.marks.prints)
    names = {card.name for card in without_choice if len({printed.set for printed in card.prints}) > 1}
    if not names:
        return ()
    cards = some(len(names), "card")
    message = f"{cards} printed in several sets, none of them asked for: the first is written."
    return (Loss("print_chosen", message),)


def number_losses(deck: Decklist) -> tuple[Loss, ...]:
    """Return the losses of formats that name only the set, for prints that the set does not determine."""
    losses = []
    for entry in deck:
        card, label = entry.card, entry.marks.prints.label
        chosen = card.print_called(label)
        # Readers take the print that the set alone means: no loss if that is the chosen one.
        if chosen and card.print_meant(chosen.set, "") != label:
            message = f"{card.name}: the file names the set, not the number of {entry.marks.prints}."
            losses.append(Loss("print_number", message, card.name))
    return tuple(losses)


def alike_losses(game: Game, deck: Iterable[Entry]) -> tuple[Loss, ...]:
    """Return the losses of formats that know a card only by its name, for names that several cards have."""
    by_name: dict[str, list[Card]] = {}
    for entry in deck:
        by_name.setdefault(fold(entry.card.name), []).append(entry.card)
    losses = []
    for name, cards in by_name.items():
        bearers = {card.code for card in (*cards, *game.name_index.called(name)) if fold(card.name) == name}
        if len(bearers) > 1:
            shown = cards[0].name
            message = f"{len(bearers)} cards are called {shown}; the file does not say which is meant."
            losses.append(Loss("name_ambiguous", message, shown))
    return tuple(losses)


def name_in(game: Game, card: Card) -> str:
    """Return the name of the card in a file, with its set where several cards have that name."""
    return card.name if card.written else game.name_index.label(card)


# (code, type, facts or print): see ``face_of``.
Face: TypeAlias = tuple[str, str, str]


def face_of(card: Card) -> Face:
    """Return a key that is equal for cards that look the same. Written-in cards of one name may differ in
    facts, other cards in their print.
    """
    return card.code, card.type, str(sorted(card.facts.items())) if card.written else first_print(card).label


def faces_of(entries: Iterable[Entry]) -> dict[Face, Card]:
    """Return face -> card for the different faces of these entries, in order."""
    faces: dict[Face, Card] = {}
    for entry in entries:
        faces.setdefault(face_of(entry.card), entry.card)
    return faces


# Copies in a file of a format that writes every copy by itself.
MAX_COPIES = 1_000


def bounded(deck: Decklist) -> tuple[Decklist, tuple[Loss, ...]]:
    """Return the deck cut to its first ``MAX_COPIES`` copies, and the loss if it had more."""
    if deck.size <= MAX_COPIES:
        return deck, ()
    # ``left``: the copies for which there is still room.
    entries, left = [], MAX_COPIES
    for entry in deck:
        if count := min(entry.count, left):
            entries.append(replace(entry, count=count))
        left -= count
    message = f"{deck.size:,} cards: this format writes every copy, so the file has the first {MAX_COPIES:,}."
    return replace(deck, entries=tuple(entries)), (Loss("too_many_cards", message),)


# -- free text -------------------------------------------------------------------

# Characters that XML forbids, lone surrogates, and marks that change the direction of text.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """Return the text as one line that every format can hold, with � for characters that none can."""
    return _UNFIT.sub("\ufffd", re.sub(r"[\r\n]+", " ", text))


def fit_lines(text: str) -> str:
    """Return the text with each of its lines made to ``fit``."""
    return "\n".join(map(fit, lines_of(text)))


def cleaned(value: Any, name: str = "") -> Any:
    """Return a reading with every free text in it made to ``fit``, equal to the given one if all of it did.
    Notes and unread lines keep their line ends; the catalogue's cards are clean already.

    It calls itself for every value inside of the reading. ``name``: the field that holds the value.
    """
    if isinstance(value, str):
        return (fit_lines if name in ("notes", "text") else fit)(value)
    if type(value) is tuple:
        return tuple(map(cleaned, value))
    if isinstance(value, Mapping):
        return {key: cleaned(part) for key, part in value.items()}
    if is_dataclass(value) and not (isinstance(value, Card) and not value.written):
        values = {field.name: getattr(value, field.name) for field in fields(value)}
        fitted = {key: cleaned(part, key) for key, part in values.items()}
        return replace(value, **fitted) if fitted != values else value  # type: ignore[type-var]
    return value
