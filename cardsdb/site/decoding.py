"""Untrusted input: bytes of a file to text, and text to JSON.

``decode`` finds the encoding of a text file, declared or not. ``read_json`` parses JSON strictly and with
bounds; bodies of the API and deck files are read by it. What both return contains no NUL and no half of a
surrogate pair, which databases refuse. Their errors are sentences without a subject ("is not UTF-8."), to
which callers add one. Tests: ``tests/cardsdb/site/test_decoding.py``, ``tests/cardsdb/api/test_framework.py``
and ``tests/house/test_hostile_input.py``; of encodings ``tests/decks/formats`` and ``tests/decks/importing``.
"""

import codecs
import json
import re
from math import isinf
from typing import Any

# The encoding in the declaration of an XML file.
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
# Declarations that are ignored: files declared so often contain typographic marks of Windows (cp1252).
_LATIN = {"iso8859-1", "ascii", "utf-8"}
# Names in Python of encodings that may be declared. Others ("idna", "unicode_escape") are not for files.
_KNOWN = re.compile(
    r"utf-(?:16|32)(?:-[lb]e)?|utf-8-sig|iso8859-\d+|cp(?:125\d|437|85\d|866|874|932|936|949|950)|mac-roman"
    r"|koi8-[rtu]|shift_jis\w*|gb2312|gbk|gb18030|big5|euc_\w+"
)
# A line of western European text, as old Windows programs wrote it. The alternatives: a plain character; an
# accented letter beside a plain one; a typographic mark between plain characters. "Grün" and "Café – Élite"
# match. Text of another encoding, read as cp1252, has accented letters alone or in groups: "Ïðèâåò", which
# was Russian. No character matches two alternatives, so it takes linear time.
_WESTERN = re.compile(
    "(?:[\x00-\x7f]|[À-ÖØ-öø-ÿŠšŽžŒœŸ](?:(?=[A-Za-z])|(?<=[A-Za-z].)(?![A-Za-zÀ-ÿ]))"
    "|(?<=[\x00-\x7f])[‘’“”–—…×\xa0](?=[\x00-\x7f]|$))*"
)
# Characters that no database stores: NUL, and halves of surrogate pairs.
INVALID = re.compile("[\0\ud800-\udfff]")
_LINE_END = re.compile("\r\n|\r|\n")


class NotText(ValueError):
    """The bytes are not text. It has a code, the line at fault from 1, and a message without subject, such as
    ``holds a NUL: the file is no text.``
    """

    def __init__(self, code: str, before: str, message: str) -> None:
        super().__init__(message)
        self.code, self.line = code, len(_LINE_END.findall(before)) + 1


def decode(data: bytes, *, of_any: bool = False) -> tuple[str, str]:
    r"""Return the text and the name of its encoding. Tried are, in this order: UTF-16 by its byte order mark
    or its NULs, UTF-8, the declared encoding, and cp1252::

        b"2 Kai"                      ("2 Kai", "utf-8-sig")
        b"2\0 \0K\0a\0i\0"            ("2 Kai", "utf-16-le")
        b"Caf\xe9"                    ("Café", "cp1252")
        b"\xcf\xf0\xe8\xe2\xe5\xf2"    NotText("is not UTF-8."); as cp1252 it would be "Ïðèâåò"
        b"a\0b"                       NotText("holds a NUL: the file is no text.")

    Raises NotText if the bytes are not text, or if cp1252 gives improbable letters. ``of_any`` accepts these
    too.
    """
    text, encoding = decoded(data, of_any)
    if wrong := INVALID.search(text):
        what = "a NUL" if wrong[0] == "\0" else "half a letter"
        raise NotText("bad_character", text[: wrong.start()], f"holds {what}: the file is no text.")
    return text, encoding


def decoded(data: bytes, of_any: bool) -> tuple[str, str]:
    """Decode like ``decode``, but accept invalid characters; used to guess the kind of a file."""
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
    """Return the variant of UTF-16 of these bytes, by their byte order mark or because every other byte is
    NUL; empty if they are not UTF-16.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # The mark may be missing. In "2\0 \0K\0a\0i\0", Latin text in UTF-16-LE, most bytes at odd places are
    # NUL: more than a third of all bytes looked at. Those at even places never are. UTF-16-BE is the other
    # way round.
    start = data[:200]
    for nuls_from, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        nuls, letters = start[nuls_from::2].count(0), start[1 - nuls_from :: 2]
        if nuls * 3 > len(start) and 0 not in letters:
            return encoding
    return ""


def _declared(data: bytes) -> tuple[str, ...]:
    """Return the declared encoding of an XML file if it is to be tried, in a tuple; else ()."""
    # A declaration is the first line of a file.
    match = _DECLARED.match(data[:300])
    try:
        found = codecs.lookup(match[1].decode()) if match else None
    except LookupError:
        return ()
    return (found.name,) if found and _KNOWN.fullmatch(found.name) and found.name not in _LATIN else ()


# -- JSON --------------------------------------------------------------------------------

# Levels of nesting.
MAX_LEVELS = 20
# Digits of an integer: with 18, every one fits into 64 bits.
MAX_DIGITS = 18
# Strings and brackets: '{"a[": ["\"", 1]}' has the tokens {, "a[", [, "\"", ] and }. The quantifiers are
# possessive (*+), because backtracking takes 100 times the memory.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)
# Escapes of NUL and of halves of surrogate pairs (D800 to DFFF), and such halves themselves. Two patterns are
# faster than one for both.
_ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_HALF = re.compile("[\ud800-\udfff]")


class BadJson(ValueError):
    """The text is not acceptable JSON. The message has no subject: ``is nested deeper than 20 levels.``

    ``where``: ``line 2, column 7``; empty if the place is not known.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(problem)
        self.where = where


def read_json(text: str) -> Any:
    r"""Parse strict JSON. Raises BadJson for more than 20 levels, duplicate keys, NaN and infinities, huge
    numbers, and invalid characters: ``["\u0000"]`` "has a NUL or half a character in a string at line 1,
    column 2."

    It takes memory in proportion to the text, so the caller must bound its length.
    """
    # Cheaper than looking for strings, and enough for most texts.
    if text.count("[") + text.count("{") > MAX_LEVELS:
        _refuse_deep(text)
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_number
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadJson(f"is not JSON: {error.msg} at {place}.", place) from None
    if _may_be_invalid(text) and _is_invalid(value):
        place = _place_of_invalid(text)
        raise BadJson(f"has a NUL or half a character in a string at {place}.", place)
    return value


def _refuse_deep(text: str) -> None:
    """Raise BadJson if brackets outside of strings are nested deeper than MAX_LEVELS."""
    level = 0
    for token in _STRUCTURE.finditer(text):
        # An opening bracket, a closing one, or the quotation mark of a string.
        first = token[0][0]
        if first in "[{":
            level += 1
        elif first in "]}":
            level -= 1
        if level > MAX_LEVELS:
            raise BadJson(f"is nested deeper than {MAX_LEVELS} levels.")


def _place_of_invalid(text: str) -> str:
    """Return the line and column where the first string with an invalid character begins: "line 1, column 2".
    The text must be valid JSON with such a string.
    """
    strings = (token for token in _STRUCTURE.finditer(text) if token[0][0] == '"')
    # Only a string that may be invalid is parsed, which is slower than searching it.
    start = next(
        token.start()
        for token in strings
        if _may_be_invalid(token[0]) and INVALID.search(json.loads(token[0]))
    )
    # Columns are counted from 1: from behind the last line feed, or from -1 if there is none.
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return f"line {line}, column {column}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadJson("has an object that names the same key twice.")
    return value


def _constant(name: str) -> Any:
    raise BadJson(f"is not JSON: {name} is not a number.")


def _integer(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise BadJson(f"has a number of more than {MAX_DIGITS} digits.")
    return int(digits)


def _number(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise BadJson("has a number that is too large.")
    return value


def _may_be_invalid(text: str) -> bool:
    """True if the text contains an escape of an invalid character, or half a character. Only then the parsed
    value is searched.
    """
    return bool(_ESCAPED.search(text)) or (not text.isascii() and bool(_HALF.search(text)))


def _is_invalid(value: Any) -> bool:
    if isinstance(value, str):
        return bool(INVALID.search(value))
    if isinstance(value, dict):
        return any(_is_invalid(key) or _is_invalid(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_is_invalid, value))
