"""The read model: one file per edition that answers searches, orders and counts from bitmaps. Pure: no database, no Django."""

from cardsdb.search.index.build import Row
from cardsdb.search.index.container import IndexUnreadable
from cardsdb.search.index.ordering import Ordered
from cardsdb.search.index.reader import Index

__all__ = ["Index", "IndexUnreadable", "Ordered", "Row"]
