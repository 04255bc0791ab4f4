"""``Game.name_index`` under the names by which the search still asks for it."""

from operator import attrgetter

from cardsdb.games.kit.model.names import NameIndex

__all__ = ["NameIndex", "name_index"]

name_index = attrgetter("name_index")
