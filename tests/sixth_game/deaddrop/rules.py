from dataclasses import dataclass

from cardsdb.games.kit import CopyLimit


@dataclass(frozen=True)
class FewCopies(CopyLimit):
    """A copy limit of the game's own."""
