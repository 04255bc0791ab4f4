"""One short text for all cards of a game: two machines whose texts are the same judge by the same cards."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from operator import attrgetter

from cardsdb.games.kit.model.cards import Card

SIZE = 16
_values = attrgetter("code", "name", "type", "text", "aliases", "note")
_of_claim = attrgetter("document", "section", "lines", "certainty", "value", "note")
_of_print = attrgetter("set", "number", "rarity", "code", "note")


class CardsDigest:
    """The digest of cards that come one by one, in any order."""

    def __init__(self) -> None:
        self._sum = 0

    def add(self, card: Card) -> None:
        facts = sorted(card.facts.items())
        sources = sorted(
            (key, [_of_claim(claim) for claim in claims]) for key, claims in card.sources.items()
        )
        known = repr((_values(card), facts, sources, [_of_print(one) for one in card.prints]))
        # A sum, so that lines of a folder may change places.
        self._sum += int.from_bytes(blake2b(known.encode(), digest_size=SIZE).digest())

    def __str__(self) -> str:
        return f"{self._sum % 256**SIZE:0{2 * SIZE}x}"


def digest_of(cards: Iterable[Card]) -> str:
    digest = CardsDigest()
    for card in cards:
        digest.add(card)
    return str(digest)
