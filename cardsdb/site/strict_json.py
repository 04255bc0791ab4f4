"""JSON from outside: bounded before it is parsed, and nothing in it that means two things or that no database
takes.

It reads bodies of the API and files of decks; each caller names in its own words what cannot be read.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_LEVELS = 20
MAX_DIGITS = 18
# Strings and brackets. Nothing in it is ever tried a second way, so that a string of 1 MB leaves no trail of
# 100 MB.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)
_INVALID = re.compile("[\0\ud800-\udfff]")
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
    at = next(token.start() for token in strings if _INVALID.search(json.loads(token[0])))
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
    if value in (float("inf"), float("-inf")):
        raise BadJson("has a number that is too large.")
    return value


def _may_be_invalid(text: str) -> bool:
    """Return whether the text has such an escape or half a character itself. Most have neither, and their
    values need no second look.
    """
    return bool(_ESCAPED.search(text)) or (not text.isascii() and bool(_HALF.search(text)))


def _is_invalid(value: Any) -> bool:
    if isinstance(value, str):
        return bool(_INVALID.search(value))
    if isinstance(value, dict):
        return any(_is_invalid(key) or _is_invalid(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_is_invalid, value))
