"""The numbers beside a deck on its own page: the few tables that matter, an opening hand that its address
names, and what the visitor's own texts say of its cards in the words of its game.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from cardsdb.box.texts import texts_of
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.play.figures import NONE, Table, TableRow, tally
from cardsdb.games.kit.play.opening import Pile
from cardsdb.identity.viewer import Viewer
from decks.core.charts import ShownTable, shown
from decks.core.draws import SEED, Drawn, hand_of
from decks.core.judging import without_secrets

# The hand of an address that names none: the same for everybody, so that the page says the same each time.
FIRST_SEED = "1"
# Cards of one deal that are shown; games deal a handful.
MAX_DEALT = 20
BAD_SEED = "This address asks for no hand: a seed is 1 to 40 letters, digits, hyphens and underscores."


def new_seed() -> str:
    """A short random seed, to stand in a link."""
    return secrets.token_hex(4)


@dataclass(frozen=True, slots=True)
class DealtPile:
    """A pile of the game, and what is dealt from it before the first turn."""

    pile: Pile
    deals: tuple[Drawn, ...]


@dataclass(frozen=True, slots=True)
class OpeningHand:
    """The cards that a player of the deck begins with. ``seed`` draws it, ``next_seed`` another; ``fault``
    says what is wrong with the seed.
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


TITLE = "What your own texts say"
NOTE = (
    "For you alone, out of texts that were brought and not out of our summaries: on how many cards a verb of"
    " the game stands in any form. A word such as “turn” or “end” may be a noun there."
)
# Verbs that are shown, the most frequent first.
MAX_VERBS = 24


def own_table(viewer: Viewer, game: Game, deck: Decklist) -> Table | None:
    """The table of the texts that this visitor sees as their own, or everyone's on a private site; None
    without one. One query or two.
    """
    return table_of_texts(game, deck, texts_of(viewer, game, list({entry.card.code for entry in deck})))


def table_of_texts(game: Game, deck: Decklist, texts: Mapping[str, str]) -> Table | None:
    """The table of the deck's cards that have each verb in their text, copies counted. ``texts``: card code
    -> text.
    """
    told = [entry for entry in deck if entry.card.code in texts]
    if not told:
        return None
    words = game.effect_words
    verbs = {code: (words.verbs_in(text) if words else ()) or (NONE,) for code, text in texts.items()}
    counts = tally(told, lambda entry: verbs[entry.card.code])
    ordered = sorted(counts, key=lambda verb: (verb == NONE, -counts[verb], verb))
    rows = [
        TableRow("none of these" if verb == NONE else verb, (counts[verb],)) for verb in ordered[:MAX_VERBS]
    ]
    feet = (
        TableRow("Cards with a text", (sum(entry.count for entry in told),)),
        TableRow("All cards", (deck.size,)),
    )
    return Table(TITLE, "Verb", ("Cards",), tuple(rows), feet, note=NOTE)
