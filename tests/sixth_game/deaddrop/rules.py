from cardsdb.games.kit import CopyLimit, Format, Size

FORMATS = (Format("street", "Street", (Size("DD-1", at_least=3), CopyLimit("DD-2", limit=2)), ("deck",)),)
