"""Writers that add cards to decks through the API, and count what the site acknowledged. A drill compares
this with the decks afterwards. Used by the drills of this folder and by ``tests/many/drill.py``.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

from tests.drill.outcome import Outcome
from tests.drill.site import DECK, Asked

# Cards that are added to a deck before the next deck is begun.
ADDED = 30


@dataclass(slots=True)
class Deck:
    """A deck: how many added cards were acknowledged, and how many requests got another answer or none."""

    address: str
    key: str
    acknowledged: int = 0
    unanswered: int = 0


class Writers:
    """A number of writing threads, which work while the ``with`` block runs."""

    def __init__(self, site: Asked, number: int) -> None:
        self.site = site
        self.decks: list[Deck] = []
        self.answers = Counter[int]()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._write) for _ in range(number)]

    def __enter__(self) -> Writers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    @property
    def saved(self) -> int:
        """The number of new decks and changes that were acknowledged."""
        return self.answers[200] + self.answers[201]

    def add_to(self, outcome: Outcome) -> None:
        """Add what the writers were answered, and what was lost."""
        lost = self.lost()
        outcome.asked += self.answers.total()
        outcome.answered += self.saved
        outcome.refused += self.answers[429] + self.answers[503]
        outcome.lost += len(lost)
        outcome.wrong += lost

    def lost(self) -> list[str]:
        """Return a sentence for each deck that lacks an acknowledged card, or has more than was ever sent."""
        found = []
        for deck in self.decks:
            answer = self.site.ask(deck.address, headers={"X-Deck-Key": deck.key})
            lines = answer.json["lines"] if answer.status == 200 else []
            kai = sum(line["count"] for line in lines if line["card"].endswith("kai"))
            others = sum(line["count"] for line in lines) - kai
            # DECK has one Kai and two other cards. A change without an answer may be stored or not.
            least = 1 + deck.acknowledged
            most = least + deck.unanswered
            if others != 2 or kai < least or kai > most:
                added = f"{deck.acknowledged} were acknowledged, {deck.unanswered} were not"
                found.append(f"{deck.address} ({answer.status}) has {kai} Kai and {others} others: {added}")
        return found

    def _write(self) -> None:
        while not self._over.is_set():
            made = self.site.ask("/api/v1/decks/", "POST", DECK)
            self.answers[made.status] += 1
            if made.status != 201:
                self._over.wait(0.2)
                continue
            deck = Deck(f"/api/v1{made.json['url']}", made.json["edit_key"])
            self.decks.append(deck)
            while not self._over.is_set() and deck.acknowledged + deck.unanswered < ADDED:
                sent = {"add": {"card": "kai", "count": 1}}
                status = self.site.ask(deck.address, "PATCH", sent, headers={"X-Deck-Key": deck.key}).status
                self.answers[status] += 1
                if status == 200:
                    deck.acknowledged += 1
                else:
                    deck.unanswered += 1
                # A pause, as real writers make; more requests would tell no more.
                self._over.wait(0.02 if status == 200 else 0.2)
