"""What the database stores: the catalogue, an index over what the game folders say; and the boxes of what people bring along."""

from cardsdb.models.catalogue import (
    Card,
    CardQuerySet,
    Edition,
    EditionQuerySet,
    EditionState,
    Holding,
    Print,
)
from cardsdb.models.own import OwnBox, OwnChoice, OwnText

__all__ = [
    "Card",
    "CardQuerySet",
    "Edition",
    "EditionQuerySet",
    "EditionState",
    "Holding",
    "OwnBox",
    "OwnChoice",
    "OwnText",
    "Print",
]
