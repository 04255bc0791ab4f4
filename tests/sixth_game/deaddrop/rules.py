"""A rule of Dead Drop's own, to test that a game may bring code."""

from dataclasses import dataclass

from cardsdb.games.kit import CopyLimit


@dataclass(frozen=True)
class FewCopies(CopyLimit):
    """A copy limit with its own class."""
