"""The bytes of a file as text, in whichever encoding it was written, declared or not."""

from __future__ import annotations

import codecs
import re

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# Declared so, files hold the typographic marks of Windows all the same.
_LATIN = {"iso8859-1", "ascii", "utf-8"}
# Encodings of letters, by Python's names. Others that Python knows are none ("idna"), or take letters apart
# ("unicode_escape").
_KNOWN = re.compile(
    r"utf-(?:16|32)(?:-[lb]e)?|utf-8-sig|iso8859-\d+|cp(?:125\d|437|85\d|866|874|932|936|949|950)|mac-roman|koi8-[rtu]"
    r"|shift_jis\w*|gb2312|gbk|gb18030|big5|euc_\w+"
)
# Old Windows programs write letters of western Europe beside plain ones, and typographic marks. Text of
# another encoding would show such letters alone, or several together. No two of the choices are of the same
# letter: each that might be taken in two ways would double the time.
_WESTERN = re.compile(
    "(?:[\x00-\x7f]|[À-ÖØ-öø-ÿŠšŽžŒœŸ](?:(?=[A-Za-z])|(?<=[A-Za-z].)(?![A-Za-zÀ-ÿ]))"
    "|(?<=[\x00-\x7f])[‘’“”–—…×\xa0](?=[\x00-\x7f]|$))*"
)
# What no text has, and what it is called.
_NO_TEXT = re.compile("\0|[\ud800-\udfff]")
_LINE_END = re.compile("\r\n|\r|\n")


class NotText(ValueError):
    """Bytes that are no text: a code, the line at fault, and a sentence that lacks it: ``holds a NUL: …``"""

    def __init__(self, code: str, before: str, message: str) -> None:
        super().__init__(message)
        self.code, self.line = code, len(_LINE_END.findall(before)) + 1


def decode(data: bytes, *, of_any: bool = False) -> tuple[str, str]:
    """Return the text and the name of its encoding: by its byte order mark, as UTF-8 if it is that, as it
    declares, else as Windows writes western letters.

    Raises NotText for what is no text. Letters that are not western are refused as well, unless text
    ``of_any`` encoding is wanted.
    """
    text, encoding = decoded(data, of_any)
    if wrong := _NO_TEXT.search(text):
        what = "a NUL" if wrong[0] == "\0" else "half a letter"
        raise NotText("bad_character", text[: wrong.start()], f"holds {what}: the file is no text.")
    return text, encoding


def decoded(data: bytes, of_any: bool) -> tuple[str, str]:
    """Return the same of what may hold NULs, as the beginning of a file whose kind is asked for."""
    unicode = utf_16_of(data) or "utf-8-sig"
    try:
        return data.decode(unicode, "replace" if of_any and unicode != "utf-8-sig" else "strict"), unicode
    except UnicodeDecodeError as error:
        begin = data[: error.start].decode("latin-1")
    for encoding in (*_declared(data), "cp1252", "iso-8859-1"):
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if of_any or encoding not in ("cp1252", "iso-8859-1") or _is_western(text):
            return text, encoding
    raise NotText("bad_encoding", begin, "is not UTF-8.")


def _is_western(text: str) -> bool:
    return all(map(_WESTERN.fullmatch, text.split("\n")))


def utf_16_of(data: bytes) -> str:
    """Return the name of the UTF-16 that these bytes are, by their byte order mark or because every other one
    is NUL; empty for none.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    start = data[:200]
    for place, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if start[place::2].count(0) * 3 > len(start) and not start[1 - place :: 2].count(0):
            return encoding
    return ""


def _declared(data: bytes) -> tuple[str, ...]:
    match = _DECLARED.match(data[:300])
    try:
        found = codecs.lookup(match[1].decode()) if match else None
    except LookupError:
        return ()
    return (found.name,) if found and _KNOWN.fullmatch(found.name) and found.name not in _LATIN else ()
