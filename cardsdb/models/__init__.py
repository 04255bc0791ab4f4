"""Declare what the database stores: the catalogue, boxes of what people bring along, sets of their own,
pictures, the searches that accounts keep.
"""

from cardsdb.models.audit import AuditEntry
from cardsdb.models.box import (
    TURNS,
    Edge,
    Fit,
    OwnBox,
    OwnCard,
    OwnChoice,
    OwnSet,
    OwnText,
    Side,
    UploadedPicture,
    Use,
)
from cardsdb.models.catalogue import (
    Card,
    CardQuerySet,
    Edition,
    EditionQuerySet,
    EditionState,
    Holding,
    Print,
)
from cardsdb.models.owned import EVERYONE, Everyone, Private, Visibility, owned_by
from cardsdb.models.queued import Letter, QueuedRow, RowState
from cardsdb.models.site_secret import SiteSecret
from cardsdb.models.visitors import AccountSearch, Browser

__all__ = [
    "EVERYONE",
    "TURNS",
    "AccountSearch",
    "AuditEntry",
    "Browser",
    "Card",
    "CardQuerySet",
    "Edge",
    "Edition",
    "EditionQuerySet",
    "EditionState",
    "Everyone",
    "Fit",
    "Holding",
    "Letter",
    "OwnBox",
    "OwnCard",
    "OwnChoice",
    "OwnSet",
    "OwnText",
    "Print",
    "Private",
    "QueuedRow",
    "RowState",
    "Side",
    "SiteSecret",
    "UploadedPicture",
    "Use",
    "Visibility",
    "owned_by",
]
