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
    EditionState,
    Holding,
    Print,
)
from cardsdb.models.owned import EVERYONE, Everyone, Private, Visibility, owned_by
from cardsdb.models.site import Browser, Letter, OwnSearch, QueuedRow, RowState, SiteSecret
