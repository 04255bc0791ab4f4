"""The parts of a deck under the names that another tool has for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Entry, Game, Section
from cardsdb.games.kit.model.decklist import count_of
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Loss, settings_of


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the file: its name there, the sections that go into it, and their entries."""

    name: str
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]


def parts_of(game: Game, deck: Decklist, name_of: Callable[[Section], str], empty: Iterable[str] = ()) -> tuple[Part, ...]:
    """The deck's parts in the order of the game's sections; those named in ``empty`` stand even without cards."""
    names = {section.slug: name_of(section) for section in _sections(game, deck)}
    filled = {names[entry.section] for entry in deck} | set(empty)
    wanted = [name for name in dict.fromkeys(names.values()) if name in filled]
    return tuple(
        Part(
            name,
            tuple(section for section in _sections(game, deck) if names[section.slug] == name),
            tuple(entry for section in _sections(game, deck) if names[section.slug] == name for entry in deck.in_section(section.slug)),
        )
        for name in wanted
    )


def named_by(game: Game, format: str) -> Callable[[Section], str]:
    """A section's name in this format: the one the game gives in ``exports``, else the section's own."""
    given: dict[str, str] = settings_of(game, format).get("sections", {})
    return lambda section: given.get(section.slug, section.name)


def fold_losses(parts: Iterable[Part]) -> tuple[Loss, ...]:
    """Which sections lost themselves in a part that holds another as well.

    The section of the part's own name is at home there; where none is, the largest is.
    """
    losses = []
    for part in parts:
        counts = {
            section.slug: count for section in part.sections if (count := count_of(e for e in part.entries if e.section == section.slug))
        }
        present = [section for section in part.sections if section.slug in counts]
        home = max(present, key=lambda s: (s.name.casefold() == part.name.casefold(), counts[s.slug]), default=None)
        losses += [
            Loss("section_folded", f"{some(counts[s.slug], 'card')} of {s.name} folded into {part.name}.", s.slug)
            for s in present
            if s is not home
        ]
    return tuple(losses)


def _sections(game: Game, deck: Decklist) -> tuple[Section, ...]:
    """The game's sections, then any other that the deck names."""
    unknown = dict.fromkeys(entry.section for entry in deck if entry.section not in game.sections_by_slug)
    return (*game.sections, *(Section(slug, slug, ()) for slug in unknown))
