"""Turn the bytes of a list into text: UTF-8 or marked UTF-16, or a refusal that names the line."""

from __future__ import annotations

import codecs

from cardsdb.errors import Fault, Refused
from cardsdb.games.kit.decktext import MAX_BYTES


def text_of(data: bytes) -> str:
    """Decode a list. Raises Refused when it is too large or not decodable."""
    if len(data) > MAX_BYTES:
        raise Refused(Fault("too_large", f"The list is larger than {MAX_BYTES // 1024} KB.", "text"), status=413)
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = before.count(b"\n") + 1
        raise Refused(Fault("bad_encoding", f"Line {line} is not UTF-8. Save the file as UTF-8 and try again.", f"line {line}")) from None
