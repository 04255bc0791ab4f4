"""The copies that decks want beside the copies that are owned. Cards go by their key (``spycraft/kai``); no
database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardsdb.games.kit import Decklist

Copies: TypeAlias = Mapping[str, int]

# Every selection of so many decks is tried; more decks would have too many selections.
MAX_TRIED = 12


@dataclass(frozen=True, slots=True)
class Shortage:
    """A card of which a deck wants more copies than are owned."""

    key: str
    wanted: int
    owned: int

    @property
    def missing(self) -> int:
        return self.wanted - self.owned


@dataclass(frozen=True, slots=True)
class Scarce:
    """A card of which some decks together want more copies than are owned. ``wants``: (deck, copies)."""

    key: str
    owned: int
    wants: tuple[tuple[str, int], ...]

    @property
    def missing(self) -> int:
        return sum(count for _, count in self.wants) - self.owned

    @property
    def is_contested(self) -> bool:
        """Whether several decks compete for the card."""
        return len(self.wants) > 1


def wanted(deck: Decklist) -> dict[str, int]:
    """Key -> copies of the cards that a deck needs from the catalogue; nobody can own a written-in card."""
    counts: Counter[str] = Counter()
    for entry in deck:
        if not entry.card.written:
            counts[entry.card.key] += entry.count
    return dict(counts)


def shortages(wants: Copies, owned: Copies) -> tuple[Shortage, ...]:
    """The cards that a deck lacks, in the deck's order."""
    return tuple(
        Shortage(key, count, owned.get(key, 0)) for key, count in wants.items() if count > owned.get(key, 0)
    )


def scarce(decks: Mapping[str, Copies], owned: Copies) -> tuple[Scarce, ...]:
    """The cards that keep these decks from being built all at once; those that lack most copies come
    first.
    """
    claims: dict[str, list[tuple[str, int]]] = {}
    for deck, wants in decks.items():
        for key, count in wants.items():
            claims.setdefault(key, []).append((deck, count))
    cards = [Scarce(key, owned.get(key, 0), tuple(wants)) for key, wants in claims.items()]
    return tuple(sorted((one for one in cards if one.missing > 0), key=lambda one: (-one.missing, one.key)))


def most_together(decks: Mapping[str, Copies], owned: Copies) -> tuple[str, ...]:
    """The largest selection of these decks that can be built at once; of equally large ones the one with the
    earlier decks.

    Raises ValueError for more than ``MAX_TRIED`` decks.
    """
    if len(decks) > MAX_TRIED:
        raise ValueError(f"At most {MAX_TRIED} decks are weighed against each other.")
    # Cards of which there are enough for all decks do not matter.
    deciding = {one.key for one in scarce(decks, owned)}
    claims = [
        (deck, {key: count for key, count in wants.items() if key in deciding})
        for deck, wants in decks.items()
    ]
    return _most(claims, {key: owned.get(key, 0) for key in deciding}, ())


def _most(
    decks: Sequence[tuple[str, Copies]], left: dict[str, int], chosen: tuple[str, ...]
) -> tuple[str, ...]:
    """The best selection with ``chosen``. ``left`` is changed on the way down and restored on the way up."""
    if not decks:
        return chosen
    (deck, wants), *rest = decks
    best: tuple[str, ...] = ()
    if all(left[key] >= count for key, count in wants.items()):
        for key, count in wants.items():
            left[key] -= count
        best = _most(rest, left, (*chosen, deck))
        for key, count in wants.items():
            left[key] += count
        if len(best) == len(chosen) + len(decks):
            return best
    without = _most(rest, left, chosen)
    return without if len(without) > len(best) else best
