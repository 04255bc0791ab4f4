"""What a deck needs by role, and the one sentence that is said of it."""

from dataclasses import dataclass

from cardsdb.games.kit import Decklist, Format, Game
from cardsdb.games.kit.complete.needs import Need, needs
from cardsdb.games.kit.repair.steps import FEW


@dataclass(frozen=True)
class Needed:
    """The roles of a deck, and how many cards a completion would add. ``advice``: the sentence about the lack that
    decides games most, empty if no check of playability speaks.
    """

    roles: tuple[Need, ...]
    add: int
    advice: str

    @property
    def is_far(self) -> bool:
        """True where completing the deck helps more than a repair."""
        return self.add > FEW


def needed(game: Game, deck: Decklist, format: Format, verdict: str) -> Needed | None:
    """What the deck needs; None for a game or a format without roles. Of a role that has no card yet nothing is said
    until the deck is legal.
    """
    found = needs(game, deck, format)
    if found is None or game.roles is None:
        return None
    early = [said for need in found.roles if not need.have and verdict != "legal" for said in need.findings]
    advice = next((game.roles.in_words(said) for said in found.findings if said not in early), "")
    return Needed(found.roles, found.add, advice)
