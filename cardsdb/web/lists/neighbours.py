"""Where a card stands in the list a visitor came from, and who stands beside it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from cardsdb.search.card_query import parse_query
from cardsdb.search.results import results_of

# As long as a query may be; what is longer was made by no list of ours.
MAX_QUERY = 1024


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Place and total from 1; addresses of the list and of the cards on either side, empty at the ends."""

    query: str
    place: int
    total: int
    list: str
    previous: str
    next: str


def neighbours(text: str, key: str) -> Neighbours | None:
    """None for an empty or broken query, and for a card that is not among its results."""
    text = text.strip()
    if not text or len(text) > MAX_QUERY:
        return None
    around = results_of(parse_query(text)).around(key)
    if around is None:
        return None
    kept = f"?{urlencode({'q': text})}"

    def address(key: str) -> str:
        return reverse("card", args=key.split("/", 1)) + kept if key else ""

    return Neighbours(text, around.place, around.total, reverse("card_list") + kept, address(around.previous), address(around.next))
