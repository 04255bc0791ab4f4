"""How a game begins: the piles of shuffled cards, what is dealt from each, what a turn draws; and draws from
a seed.

A game declares an ``Opening`` of ``Pile`` objects; ``decks/statistics/numbers.py`` works out sample hands and
odds from them. ``drawn`` and ``shuffled`` decide by a seed alone: people write seeds down and share links
with them, so the same seed must give the same result for ever.
Tests: ``tests/cardsdb/games/kit/play/test_opening.py``.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cardsdb.games.kit.model.decklist import Decklist, Entry, Section, count_of
from cardsdb.games.kit.model.format import EVERYTHING, Group


@dataclass(frozen=True)
class Deal:
    """Cards dealt from the top of a pile, such as a hand. ``cards``: a number, or a function of the deck."""

    name: str
    cards: int | Callable[[Decklist], int]

    def number(self, deck: Decklist) -> int:
        """Return the number of cards that are dealt from this deck."""
        return self.cards if isinstance(self.cards, int) else self.cards(deck)


@dataclass(frozen=True)
class Mulligan:
    """The rule for giving a hand back: at most ``times``, for a new one of ``hand`` cards. ``says``: the rule
    in our own words. ``cites``: codes of citations.
    """

    hand: int
    times: int
    says: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Pile:
    """Cards that are shuffled together (``of``), and the deals from their top.

    ``per_turn``: cards drawn at each moment that ``when`` names ("At the end of a turn"); None if no source
    states a number, and then pages draw one card at a time. ``formats``: slugs of the formats with this pile;
    empty for all. ``cites``: codes of citations. ``terms``: terms of the glossary.
    """

    slug: str
    name: str
    deals: tuple[Deal, ...]
    of: Group = EVERYTHING
    per_turn: int | None = None
    when: str = ""
    formats: tuple[str, ...] = ()
    mulligan: Mulligan | None = None
    help: str = ""
    cites: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()

    def cards(self, deck: Decklist) -> tuple[Entry, ...]:
        """Return the entries that are shuffled."""
        return self.of.pick(deck)

    def first(self, deck: Decklist) -> int:
        """Return the number of cards dealt before the first turn: all cards of the pile if it has too few."""
        return min(sum(deal.number(deck) for deal in self.deals), count_of(self.cards(deck)))


@dataclass(frozen=True)
class Opening:
    """The piles of a game, in the order in which they are laid out."""

    piles: tuple[Pile, ...]

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """Return the piles of the format with this slug that have cards in the deck."""
        of_format = [pile for pile in self.piles if not pile.formats or format in pile.formats]
        return tuple(pile for pile in of_format if pile.cards(deck))


def default_opening(sections: Iterable[Section]) -> Opening:
    """Return the opening of a game that declares none: a pile for each section that is not secret, without a
    deal.
    """
    return Opening(
        tuple(
            Pile(section.slug, section.name, (), Group(sections=(section.slug,)))
            for section in sections
            if not section.secret
        )
    )


# -- draws ------------------------------------------------------------------------

# The same seed gives the same draw, on every machine and for ever. A draw is the SHA-256 of the UTF-8 text
# ``cutout:<purpose>:<seed>``, read as a big-endian integer, modulo the number of things. A shuffle sorts the
# numbers of the things by the digest of ``cutout:<purpose>:<number>:<seed>``.


def drawn(seed: str, purpose: str, of: int) -> int:
    """Return the number of the thing drawn, from 0 to ``of`` - 1. ``purpose`` separates draws of one seed."""
    return int.from_bytes(_digest(f"cutout:{purpose}:{seed}"), "big") % of


def shuffled(seed: str, purpose: str, of: int) -> tuple[int, ...]:
    """Return the numbers from 0 to ``of`` - 1 in the order that the seed draws."""
    return tuple(sorted(range(of), key=lambda number: (_digest(f"cutout:{purpose}:{number}:{seed}"), number)))


def _digest(text: str) -> bytes:
    # A seed from a URL may have lone surrogates, which plain UTF-8 refuses.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
