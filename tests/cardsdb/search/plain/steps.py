"""The steps of reading plain words, as tests call them: in Spycraft's vocabulary, without a database."""

from collections.abc import Sequence
from functools import cache

from cardsdb.catalogue.current import Catalogue, of_folders
from cardsdb.games import games
from cardsdb.search.candidates import vocabulary_of
from cardsdb.search.plain.items import Item, items_of
from cardsdb.search.plain.patterns import Cutter
from cardsdb.search.plain.pieces import Piece
from cardsdb.search.plain.reading import Reading, read
from cardsdb.search.query.tree import normal

SPYCRAFT = games()["spycraft"]


@cache
def cards() -> Catalogue:
    return of_folders({"spycraft": SPYCRAFT}, searched=True)


def items(text: str) -> list[Item]:
    return items_of(text, cards().fields())


def pieces(text: str) -> Sequence[Piece]:
    return Cutter(items(text), cards().derived(vocabulary_of, SPYCRAFT)).pieces()


def read_pieces(cut: Sequence[Piece], **how: bool) -> Reading:
    return read(cut, cards().derived(vocabulary_of, SPYCRAFT), **how)


def reading(text: str, **how: bool) -> Reading:
    return read_pieces(pieces(text), **how)


def meant(text: str, **how: bool) -> str:
    """Return the conditions of a reading in the search language."""
    return normal(reading(text, **how).tree)
