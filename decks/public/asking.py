"""Who asks about decks, and what the asking costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardsdb.search.query.fields import Fields
from decks.core.viewer import Viewer


@dataclass(slots=True)
class Asking:
    """Who asks, in which edition of the catalogue; and how much of what is dear was asked for already."""

    viewer: Viewer
    edition: int
    cards: Fields
    spent: dict[str, int] = field(default_factory=dict)

    @property
    def looks_into_decks(self) -> bool:
        """Whether the lines of every deck have to be looked at."""
        return "uses" in self.spent or "deck" in self.spent

    def spend(self, what: str, most: int, by: int = 1) -> bool:
        """Whether there may be so many more."""
        self.spent[what] = self.spent.get(what, 0) + by
        return self.spent[what] <= most
