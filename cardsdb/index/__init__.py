"""The read model: one file per edition that answers searches, orders and counts from bitmaps. Pure: no database, no Django."""

from cardsdb.index.build import Row
from cardsdb.index.container import IndexUnreadable
from cardsdb.index.ordering import Ordered
from cardsdb.index.reader import Index

__all__ = ["Index", "IndexUnreadable", "Ordered", "Row"]
