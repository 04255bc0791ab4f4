"""The tables of the catalogue, of boxes, own sets, pictures, searches."""

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
