"""All cards that a query finds, for a file of them: of one game, and no more than a file is for."""

from __future__ import annotations

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game
from cardsdb.search.card_query import CardQuery
from cardsdb.search.results import results_of

MAX_CARDS = 5_000
SEVERAL = "A file has the cards of one game, and these are of several. Choose a game first."
NONE = "No card is found, so there is nothing to write."
TOO_MANY = (
    f"More than {MAX_CARDS:,} cards are found, which no file is for. Ask for fewer, or take the whole"
    " catalogue along from /bulk/."
)


def cards_found(query: CardQuery) -> tuple[Game, list[Card]]:
    """The one game of the cards that a query finds, and these cards. Raises Refused for none, for too many,
    and for several games.
    """
    results = results_of(query)
    slugs = [slug for slug, _ in results.facet("game")]
    if not slugs:
        raise Refused(Fault("no_cards", NONE, "q"))
    if len(slugs) > 1:
        raise Refused(Fault("several_games", SEVERAL, "q"))
    if results.total > MAX_CARDS:
        raise Refused(Fault("too_many", TOO_MANY, "q"))
    return games()[slugs[0]], [card for card in results.cards if not card.own]
