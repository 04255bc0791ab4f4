"""What the database stores: the catalogue, boxes of what people bring along, sets of their own, the searches
that accounts keep.
"""

from cardsdb.models.audit import AuditEntry
from cardsdb.models.browsers import Browser
from cardsdb.models.catalogue import (
    Card,
    CardQuerySet,
    Edition,
    EditionQuerySet,
    EditionState,
    Holding,
    Print,
)
from cardsdb.models.letters import Letter
from cardsdb.models.own import OwnBox, OwnChoice, OwnText
from cardsdb.models.own_sets import OwnCard, OwnSet
from cardsdb.models.queued import QueuedRow, RowState
from cardsdb.models.searches import AccountSearch
from cardsdb.models.site_secret import SiteSecret
from cardsdb.models.visibility import Visibility

__all__ = [
    "AccountSearch",
    "AuditEntry",
    "Browser",
    "Card",
    "CardQuerySet",
    "Edition",
    "EditionQuerySet",
    "EditionState",
    "Holding",
    "Letter",
    "OwnBox",
    "OwnCard",
    "OwnChoice",
    "OwnSet",
    "OwnText",
    "Print",
    "QueuedRow",
    "RowState",
    "SiteSecret",
    "Visibility",
]
