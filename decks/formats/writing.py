"""What the writers share: the parts of a deck as another tool names them, prints and faces of cards, and text
that any file can hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias

from cardsdb.games.kit import Card, Decklist, Entry, Game, Print, Section
from cardsdb.games.kit.listtext.deck import lines_of
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.text import fold, some
from decks.formats.contract import Loss, settings_of


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the file: its name there, the sections that go into it, and their entries."""

    name: str
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]


def parts_of(
    game: Game, deck: Decklist, name_of: Callable[[Section], str], empty: Iterable[str] = ()
) -> tuple[Part, ...]:
    """The deck's parts in the order of the game's sections; those named in ``empty`` stand even without
    cards.
    """
    names = {section.slug: name_of(section) for section in _sections(game, deck)}
    filled = {names[entry.section] for entry in deck} | set(empty)
    wanted = [name for name in dict.fromkeys(names.values()) if name in filled]
    return tuple(
        Part(
            name,
            tuple(section for section in _sections(game, deck) if names[section.slug] == name),
            tuple(
                entry
                for section in _sections(game, deck)
                if names[section.slug] == name
                for entry in deck.in_section(section.slug)
            ),
        )
        for name in wanted
    )


def in_parts(reading: Reading, parts: Iterable[Part]) -> Reading:
    """The reading, its entries in the order in which a file with these parts has them."""
    return replace(
        reading, deck=replace(reading.deck, entries=tuple(entry for part in parts for entry in part.entries))
    )


def named_by(game: Game, format: str) -> Callable[[Section], str]:
    """A section's name in this format: the one the game gives in ``exports``, else the section's own."""
    names: dict[str, str] = settings_of(game, format).get("sections", {})
    return lambda section: names.get(section.slug, section.name)


def fold_losses(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """A loss for each section that shares a part of the file with another one and cannot be told from it
    there.

    One section is at home in the part and no loss: the one that has the part's name, else the largest.
    """
    losses = []
    for part in parts:
        counts = {
            section.slug: count
            for section in part.sections
            if (count := count_of(e for e in part.entries if e.section == section.slug))
        }
        present = [section for section in part.sections if section.slug in counts]
        home = max(
            present, key=lambda s: (s.name.casefold() == part.name.casefold(), counts[s.slug]), default=None
        )
        losses += [
            Loss(
                "section_folded",
                f"{some(counts[s.slug], 'card')} of {s.name} folded into {part.name}.",
                s.slug,
            )
            for s in present
            if s is not home
        ]
    return tuple(losses)


def _sections(game: Game, deck: Decklist) -> tuple[Section, ...]:
    """The game's sections, then any other that the deck names."""
    unknown = dict.fromkeys(entry.section for entry in deck if entry.section not in game.sections_by_slug)
    return (*game.sections, *(Section(slug, slug, ()) for slug in unknown))


NO_PRINT = Print("")


def only_print(card: Card) -> Print:
    """The card's print when it has just one, else a blank one."""
    return card.prints[0] if len(card.prints) == 1 else NO_PRINT


def first_print(card: Card) -> Print:
    """The card's first print, blank if none is known."""
    return card.prints[0] if card.prints else NO_PRINT


def print_of(entry: Entry) -> Print:
    """The print that all of the line is, or the only one there is; else a blank one."""
    return entry.card.print_called(entry.marks.prints.label) or only_print(entry.card)


def print_losses(deck: Decklist) -> tuple[Loss, ...]:
    """The loss of formats that must name a set: a line that does not say which print is meant gets the first
    one.
    """
    names = {
        entry.card.name
        for entry in deck
        if not entry.marks.prints and len({p.set for p in entry.card.prints}) > 1
    }
    if not names:
        return ()
    return (
        Loss(
            "print_chosen",
            f"{some(len(names), 'card')} printed in several sets, none of them asked for: the first is"
            " written.",
        ),
    )


def number_losses(deck: Decklist) -> tuple[Loss, ...]:
    """The losses of formats that name the set alone: prints of which the set has another of the same card."""
    for_losses = [
        entry
        for entry in deck
        if (chosen := entry.card.print_called(entry.marks.prints.label)) and not _tells(entry, chosen)
    ]
    return tuple(
        Loss(
            "print_number",
            f"{entry.card.name}: the file names the set, not the number of {entry.marks.prints}.",
            entry.card.name,
        )
        for entry in for_losses
    )


def _tells(entry: Entry, chosen: Print) -> bool:
    """Whether the set alone says which print the line asks for."""
    return entry.card.print_meant(chosen.set, "") == entry.marks.prints.label


def alike_losses(game: Game, deck: Decklist) -> tuple[Loss, ...]:
    """The losses of formats that know a card by its name alone: the names that several cards bear."""
    by_name: dict[str, list[Card]] = {}
    for entry in deck:
        by_name.setdefault(fold(entry.card.name), []).append(entry.card)
    losses = []
    for name, cards in by_name.items():
        bearers = {card.code for card in (*cards, *game.name_index.called(name)) if fold(card.name) == name}
        if len(bearers) > 1:
            shown = cards[0].name
            losses.append(
                Loss(
                    "name_ambiguous",
                    f"{len(bearers)} cards are called {shown}; the file does not say which is meant.",
                    shown,
                )
            )
    return tuple(losses)


Face: TypeAlias = tuple[str, str, str]


def face_of(card: Card) -> Face:
    """A key that is equal for cards that look alike; cards written in by one name may differ in their facts,
    others in their print.
    """
    return card.code, card.type, str(sorted(card.facts.items())) if card.written else first_print(card).label


def faces_of(entries: Iterable[Entry]) -> dict[Face, Card]:
    """The different cards of these entries, in their order."""
    faces: dict[Face, Card] = {}
    for entry in entries:
        faces.setdefault(face_of(entry.card), entry.card)
    return faces


MAX_COPIES = 1_000


def bounded(deck: Decklist) -> tuple[Decklist, tuple[Loss, ...]]:
    """The deck with its first ``MAX_COPIES`` copies, and the loss if there were more."""
    if deck.size <= MAX_COPIES:
        return deck, ()
    entries, left = [], MAX_COPIES
    for entry in deck:
        count = min(entry.count, left)
        left -= count
        if count:
            entries.append(replace(entry, count=count))
    message = (
        f"{deck.size:,} cards: this format writes every copy, so only the first {MAX_COPIES:,} are in the"
        " file."
    )
    return replace(deck, entries=tuple(entries)), (Loss("too_many_cards", message),)


# -- free text -------------------------------------------------------------------

# Characters that XML forbids, lone surrogates, and marks that reverse or isolate text.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """The text as one line that every format can hold; � replaces characters that none can."""
    return _UNFIT.sub("\ufffd", re.sub(r"[\r\n]+", " ", text))


def fit_lines(text: str) -> str:
    """The text in its lines, each as every format can hold it."""
    return "\n".join(map(fit, lines_of(text)))


def cleaned(reading: Reading) -> Reading:
    """The reading with every free text made fit for files; equal to the reading if all of it was."""
    clean: Reading = _cleaned(reading)
    return clean


def _cleaned(value: Any, name: str = "") -> Any:
    """The value with every text within made fit; cards of the catalogue are. Notes and unread lines keep
    their lines.
    """
    if isinstance(value, str):
        return (fit_lines if name in ("notes", "text") else fit)(value)
    if type(value) is tuple:
        return tuple(map(_cleaned, value))
    if isinstance(value, Mapping):
        return {key: _cleaned(one) for key, one in value.items()}
    if is_dataclass(value) and not (isinstance(value, Card) and not value.written):
        values = {one.name: getattr(value, one.name) for one in fields(value)}
        fitted = {key: _cleaned(one, key) for key, one in values.items()}
        return replace(value, **fitted) if fitted != values else value  # type: ignore[type-var]
    return value
