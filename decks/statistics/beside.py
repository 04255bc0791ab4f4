"""What stands beside a deck on its own page: the few tables that matter, and an opening hand that its address
names.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.play.opening import Pile
from decks.core.charts import ShownTable, shown
from decks.core.content import without_secrets
from decks.core.draws import SEED, Drawn, hand_of
from decks.statistics.views import new_seed

# The hand of an address that names none: the same for everybody, so that the page says the same each time.
FIRST_SEED = "1"
# Cards of one deal that are shown; games deal a handful.
MAX_DEALT = 20
BAD_SEED = "This address asks for no hand: a seed is 1 to 40 letters, digits, hyphens and underscores."


@dataclass(frozen=True, slots=True)
class DealtPile:
    """A pile of the game, and what is dealt from it before the first turn."""

    pile: Pile
    deals: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """What a player of the deck begins with. ``seed`` draws it, ``next_seed`` another; ``fault`` says what is
    wrong with the seed.
    """

    piles: tuple[DealtPile, ...]
    seed: str
    next_seed: str
    fault: str = ""

    @property
    def only(self) -> Drawn | None:
        """The deal, where there is just one."""
        return self.piles[0].deals[0] if len(self.piles) == 1 and len(self.piles[0].deals) == 1 else None


def opening_hand(game: Game, format: str, deck: Decklist, seed: str) -> OpeningHand | None:
    """The opening of a deck; None where no source states how many cards are dealt. A secret section is never
    shuffled in.
    """
    open_cards = without_secrets(game, deck)
    piles = [pile for pile in game.piles_for(format, open_cards) if pile.deals and pile.first(open_cards)]
    if not piles:
        return None
    if not SEED.fullmatch(seed):
        return OpeningHand((), "", new_seed(), BAD_SEED)
    dealt = (
        DealtPile(pile, tuple(_shown(drawn) for drawn in hand_of(pile, open_cards, seed).drawn))
        for pile in piles
    )
    return OpeningHand(tuple(dealt), seed, new_seed())


def tables_in_brief(game: Game, deck: Decklist, partner: Decklist | None) -> list[ShownTable]:
    """The tables that the game puts beside a deck, ready to be shown."""
    return [
        shown(table, f"in-brief-{n}")
        for n, table in enumerate(game.measure(deck, partner, in_brief=True), start=1)
    ]


def _shown(drawn: Drawn) -> Drawn:
    return Drawn(drawn.name, drawn.turn, drawn.cards[:MAX_DEALT])
