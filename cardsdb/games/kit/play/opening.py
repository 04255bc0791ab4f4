"""The opening of a game: which cards are shuffled together, what is dealt from them, what a turn draws; and
how a seed draws.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cardsdb.games.kit.model.decklist import Decklist, Entry, Section, count_of
from cardsdb.games.kit.model.format import EVERYTHING, Group


@dataclass(frozen=True)
class Deal:
    """Some cards from the top: a hand, a queue, a line. ``cards`` may depend on the deck."""

    name: str
    cards: int | Callable[[Decklist], int]

    def number(self, deck: Decklist) -> int:
        """The number of cards that are dealt of this deck."""
        return self.cards if isinstance(self.cards, int) else self.cards(deck)


@dataclass(frozen=True)
class Mulligan:
    """A hand may be given back at most ``times``; the next one has ``hand`` cards. ``says`` is the rule in
    our words.
    """

    hand: int
    times: int
    says: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Pile:
    """Cards shuffled together, and what is dealt from their top.

    ``per_turn`` is how many cards are drawn each time ``when``; None where no source states a number, and
    then one card after the other. ``formats`` are those in which it is laid out so, all if none is named.
    ``cites`` are codes of the rulebook, ``terms`` of the glossary.
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
        """The entries that are shuffled."""
        return self.of.pick(deck)

    def first(self, deck: Decklist) -> int:
        """The number of cards that are dealt before the first turn, never more than there are."""
        return min(sum(deal.number(deck) for deal in self.deals), count_of(self.cards(deck)))


@dataclass(frozen=True)
class Opening:
    """The piles of a game, in the order in which they are laid out."""

    piles: tuple[Pile, ...]

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """The piles of a deck of this format that have cards."""
        return tuple(
            pile for pile in self.piles if (not pile.formats or format in pile.formats) and pile.cards(deck)
        )


def default_opening(sections: Iterable[Section]) -> Opening:
    """The opening of a game that declares none: every section that is not secret is shuffled, and its cards
    are turned up one by one.
    """
    return Opening(
        tuple(
            Pile(part.slug, part.name, (), Group(sections=(part.slug,)))
            for part in sections
            if not part.secret
        )
    )


# -- draws ------------------------------------------------------------------------

# The same seed gives the same draw, on every machine and for ever. A draw is the SHA-256 of
# ``cutout:<purpose>:<seed>`` in UTF-8, read as one big number. The remainder by the number of things drawn
# from is the one drawn; a shuffle sorts the things' numbers by the digest of
# ``cutout:<purpose>:<number>:<seed>``.


def drawn(seed: str, purpose: str, of: int) -> int:
    """One of ``of`` things, counted from 0."""
    return int.from_bytes(_digest(f"cutout:{purpose}:{seed}"), "big") % of


def shuffled(seed: str, purpose: str, of: int) -> tuple[int, ...]:
    """The numbers from 0 up to ``of``, in a drawn order."""
    return tuple(sorted(range(of), key=lambda number: (_digest(f"cutout:{purpose}:{number}:{seed}"), number)))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
