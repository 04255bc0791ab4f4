"""How a game begins from shuffled cards: which are shuffled together, what is dealt from them, and what a turn draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardsdb.games.kit.model.decklist import Decklist, Entry, count_of
from cardsdb.games.kit.model.rule import EVERYTHING, Group

if TYPE_CHECKING:
    from cardsdb.games.kit.game import Game


@dataclass(frozen=True, slots=True)
class Deal:
    """Some cards from the top: a hand, a queue, a line. ``cards`` may depend on the deck."""

    name: str
    cards: int | Callable[[Decklist], int]

    def number(self, deck: Decklist) -> int:
        """How many cards this deals, for this deck."""
        return self.cards if isinstance(self.cards, int) else self.cards(deck)


@dataclass(frozen=True, slots=True)
class Mulligan:
    """A hand that may be given back: so many cards the next time, at most ``times``. ``says`` is the rule in our words."""

    hand: int
    times: int
    says: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards shuffled together, and what is dealt from their top.

    ``per_turn`` is how many are drawn each time ``when``; None where no source states a number, and then one
    after the other. ``formats`` are those in which it is laid out so, all if none is named. ``cites`` are codes
    of the rulebook, ``terms`` of the glossary.
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
        """How many cards are dealt before the first turn, never more than there are."""
        return min(sum(deal.number(deck) for deal in self.deals), count_of(self.cards(deck)))


@dataclass(frozen=True, slots=True)
class Opening:
    """The piles of a game, in the order in which they are laid out."""

    piles: tuple[Pile, ...]

    def piles_for(self, format: str, deck: Decklist) -> tuple[Pile, ...]:
        """The piles of a deck of this format that have cards."""
        return tuple(pile for pile in self.piles if (not pile.formats or format in pile.formats) and pile.cards(deck))


def usual_opening(game: Game) -> Opening:
    """For a game that declares none: every section is shuffled by itself, and cards are turned up one by one."""
    sections = [section for section in game.sections if not section.secret]
    return Opening(tuple(Pile(section.slug, section.name, (), Group(sections=(section.slug,))) for section in sections))
