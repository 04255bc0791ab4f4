"""Input from outside. The bytes of a file as text, in whichever encoding it was written, declared or not.
JSON: bounded before it is parsed, and nothing in it that means two things or that no database takes; bodies
of the API and files of decks are read so, and each caller names in its own words what cannot be read.
"""

import codecs
import json
import re
from math import isinf
from typing import Any

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
# What no text has, and no database takes: NUL characters, and halves of surrogate pairs.
INVALID = re.compile("[\0\ud800-\udfff]")
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
    if wrong := INVALID.search(text):
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


# -- JSON --------------------------------------------------------------------------------

MAX_LEVELS = 20
MAX_DIGITS = 18
# Strings and brackets. Nothing in it is ever tried a second way, so that a string of 1 MB leaves no trail of
# 100 MB.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)
# Apart, because each is found quickly only by itself.
_ESCAPED, _HALF = re.compile(r"\\u(?:0000|[dD][89a-fA-F])"), re.compile("[\ud800-\udfff]")


class BadJson(ValueError):
    """The fault of a text, as a sentence that lacks its subject: ``is nested deeper than 20 levels.``

    ``where``: ``line 2, column 7``; empty where the place is not known.
    """

    def __init__(self, problem: str, where: str = "") -> None:
        super().__init__(problem)
        self.where = where


def read_json(text: str) -> Any:
    """The value: 20 levels, no key twice, no NaN, no huge number, no NUL, no half character. Raises BadJson.

    Takes memory in proportion to the text, whose length the caller bounds.
    """
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
    level = 0
    for token in _STRUCTURE.finditer(text):
        level += (token[0][0] in "[{") - (token[0][0] in "]}")
        if level > MAX_LEVELS:
            raise BadJson(f"is nested deeper than {MAX_LEVELS} levels.")


def _place_of_invalid(text: str) -> str:
    """Return where the first string begins that no database takes."""
    strings = (
        token for token in _STRUCTURE.finditer(text) if token[0][0] == '"' and _may_be_invalid(token[0])
    )
    at = next(token.start() for token in strings if INVALID.search(json.loads(token[0])))
    before = text[:at]
    return f"line {before.count(chr(10)) + 1}, column {at - before.rfind(chr(10))}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadJson("has an object that names the same key twice.")
    return value


def _constant(name: str) -> Any:
    raise BadJson(f"is not JSON: {name} is no number.")


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
    """Return whether the text has such an escape or half a character itself. Most have neither, and their
    values need no second look.
    """
    return bool(_ESCAPED.search(text)) or (not text.isascii() and bool(_HALF.search(text)))


def _is_invalid(value: Any) -> bool:
    if isinstance(value, str):
        return bool(INVALID.search(value))
    if isinstance(value, dict):
        return any(_is_invalid(key) or _is_invalid(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_is_invalid, value))
