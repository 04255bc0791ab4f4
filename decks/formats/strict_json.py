"""JSON as files have it: bounded before it is parsed, and nothing in it that means two things."""

from __future__ import annotations

import json
import re
from typing import Any

from decks.formats.contract import Unreadable

MAX_LEVELS = 20
MAX_DIGITS = 18
# Strings and brackets. Nothing in it is ever tried a second way.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)


def read_json(text: str) -> Any:
    """The value: 20 levels, no key twice, no NaN, no huge number, no half character. Raises Unreadable."""
    level = 0
    for token in _STRUCTURE.finditer(text):
        level += (token[0][0] in "[{") - (token[0][0] in "]}")
        if level > MAX_LEVELS:
            raise Unreadable("bad_json", f"The JSON is nested deeper than {MAX_LEVELS} levels.")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer, parse_float=_number)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable("bad_json", f"The file is not JSON: {error.msg} at {place}.", place) from None
    if re.search(r"\\u0000|\\u[dD][89a-fA-F]", text) and re.search("[\0\ud800-\udfff]", json.dumps(value, ensure_ascii=False)):
        raise Unreadable("bad_json", "The JSON has half a character in a string.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("bad_json", "An object of the JSON names the same key twice.")
    return found


def _no_constant(name: str) -> Any:
    raise Unreadable("bad_json", f"{name} is not JSON.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise Unreadable("bad_json", f"A number of the JSON has more than {MAX_DIGITS} digits.")
    return int(digits)


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Unreadable("bad_json", "A number of the JSON is too large.")
    return value
