"""The tables of decks. Every look-up of a deck says who asks."""

from cardsdb.models import Visibility
from decks.models.contents import DeckLine, DeckRevision
from decks.models.deck import (
    BrowserAccess,
    ChangedElsewhere,
    Deck,
    DeckQuerySet,
    editable_deck,
    new_deck,
    today,
    visible_deck,
)
from decks.models.league import LeagueFormat, leagues_of
from decks.models.people import (
    AccountName,
    AccountSession,
    Collection,
    Comment,
    Favourite,
    Like,
    Owned,
    Review,
    account_named,
)
