"""The bytes of a file decoded as text or JSON, or refused with the line where they go wrong."""

from __future__ import annotations

import re
from typing import Any

from cardsdb.box.reading.decoding import utf_16_of
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.site.strict_json import BadJson, read_json
from decks.formats.contract import Loss, Unreadable

MAX_JSON_BYTES = 1024 * 1024
# Old Windows programs write letters of western Europe beside plain ones, and typographic marks. Text of
# another encoding would show such letters alone, or several together.
_WESTERN = re.compile(
    "(?:[A-Za-z][À-ÖØ-öø-ÿŠšŽžŒœŸ](?![À-ÿ])|[À-ÖØ-öø-ÿŠšŽžŒœŸ](?=[A-Za-z])|(?<=[\x00-\x7f])[‘’“”–—…×\xa0](?=[\x00-\x7f]|$)|[\x00-\x7f])*"
)


def text_of_bytes(data: bytes, most: int = MAX_BYTES) -> tuple[str, tuple[Loss, ...]]:
    """The text, with a loss if the encoding was not UTF-8. Raises Unreadable for more than ``most`` bytes,
    and for what is no text.
    """
    if len(data) > most:
        raise Unreadable("too_large", f"The file is larger than {most // 1024:,} KB.")
    text, losses = _decoded(data)
    _refuse_nul(text)
    return text, losses


def _refuse_nul(text: str) -> None:
    before, nul, _ = text.partition("\0")
    if nul:
        line = _line(before)
        raise Unreadable(
            "bad_character",
            f"L{line[1:]} holds a NUL: the file is no text. Save the deck as text and try again.",
            line,
        )


def json_of_text(text: str) -> Any:
    """The value of the text of a JSON file. Raises Unreadable."""
    try:
        return read_json(text)
    except BadJson as error:
        raise Unreadable("bad_json", f"The file {error}", error.where or "file") from None


def latin_text_of(data: bytes) -> str:
    """The text of a file that should be ISO-8859-1 but may be UTF-8 or CP1252, which its bytes show."""
    if len(data) > MAX_BYTES:
        raise Unreadable("too_large", f"The file is larger than {MAX_BYTES // 1024:,} KB.")
    for encoding in (utf_16_of(data) or "utf-8-sig", "cp1252", "iso-8859-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        _refuse_nul(text)
        return text
    return ""


def _decoded(data: bytes) -> tuple[str, tuple[Loss, ...]]:
    encoding = utf_16_of(data) or "utf-8-sig"
    try:
        return data.decode(encoding), ()
    except UnicodeDecodeError as error:
        if encoding == "utf-8-sig" and (text := _western(data)) is not None:
            return text, (
                Loss(
                    "encoding_taken",
                    "The file is not UTF-8; it was read as Windows-1252. Look at letters with accents.",
                ),
            )
        line = _line(data[: error.start].decode("latin-1"))
        raise Unreadable(
            "bad_encoding", f"L{line[1:]} is not UTF-8. Save the file as UTF-8 and try again.", line
        ) from None


def _western(data: bytes) -> str | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return text if all(_WESTERN.fullmatch(line) for line in text.split("\n")) else None


def _line(before: str) -> str:
    return f"line {len(re.findall(chr(13) + chr(10) + '|' + chr(13) + '|' + chr(10), before)) + 1}"


def text_or_refuse(data: bytes, most: int = MAX_BYTES) -> str:
    """The text of a list of at most so many bytes. Raises Refused if it is larger or cannot be decoded."""
    if len(data) > most:
        raise Refused(Fault("too_large", f"The list is larger than {most // 1024} KB.", "text"), status=413)
    try:
        return text_of_bytes(data, most)[0]
    except Unreadable as error:
        raise Refused(Fault(error.code, error.message, error.where)) from None
