"""Turn the bytes of a list into text, or refuse them with the line where they are no text."""

from __future__ import annotations

from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.site.faults import Fault, Refused
from decks.formats import Unreadable
from decks.formats.decoding import text_of_bytes


def text_of(data: bytes, most: int = MAX_BYTES) -> str:
    """Decode a list of at most so many bytes. Raises Refused when it is too large or not decodable."""
    if len(data) > most:
        raise Refused(Fault("too_large", f"The list is larger than {most // 1024} KB.", "text"), status=413)
    try:
        return text_of_bytes(data, most)[0]
    except Unreadable as error:
        raise Refused(Fault(error.code, error.message, error.where)) from None
