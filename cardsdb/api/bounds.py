"""What the API reads at most: bounds checked before anything is parsed, and pages of at most 100."""

from __future__ import annotations

import json
import re
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import NotFound
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import BaseParser

from cardsdb.errors import Fault, Refused

MAX_DEPTH = 20
MAX_DIGITS = 18
# Strings and brackets. Nothing in it is ever tried a second way, so that a string of 1 MB leaves no trail of 100 MB.
_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[{]|[\]}]', re.DOTALL)


def _refuse(message: str, status: int = 400) -> Refused:
    return Refused(Fault("parse_error" if status == 400 else "too_large", message, "body"), status=status)


def read_json(body: bytes) -> Any:
    """Decode JSON strictly: UTF-8, no duplicate keys, no NaN, no NUL, no lone surrogates, 20 levels.

    Raises Refused with a sentence about what is wrong.
    """
    depth = 0
    for token in _STRUCTURE.finditer(body):
        mark = token[0][:1]
        depth += (mark in b"[{") - (mark in b"]}")
        if depth > MAX_DEPTH:
            raise _refuse(f"The JSON is nested deeper than {MAX_DEPTH} levels.")
    try:
        text = body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_number)
    except UnicodeDecodeError as error:
        raise _refuse(f"The body is not UTF-8 (byte {error.start}).") from None
    except json.JSONDecodeError as error:
        raise _refuse(f"The body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    if re.search(r"\\u0000|\\u[dD][89a-fA-F]", text) and _has_bad_text(value):
        raise _refuse("The JSON has a NUL or half a surrogate pair in a string.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _refuse("An object names the same key twice.")
    return found


def _constant(name: str) -> Any:
    raise _refuse(f"{name} is not JSON.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _refuse(f"A number has more than {MAX_DIGITS} digits.")
    return int(digits)


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _refuse("A number is too large.")
    return value


def _has_bad_text(value: Any) -> bool:
    if isinstance(value, str):
        return any(char == "\0" or "\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        return any(_has_bad_text(key) or _has_bad_text(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_has_bad_text, value))


class BoundedJSONParser(BaseParser):
    """DRF's JSON parser with the bounds that it lacks."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise _refuse(f"The body is larger than {most // 1024} KB.", status=413)
        return read_json(body)


class Pages(PageNumberPagination):
    """``?page=2&page_size=50``; 100 at most."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "page_size"

    def get_page_size(self, request: Any) -> int:
        """The size asked for, at most 100. Raises Refused for what is no size: to take 50 instead would look as if it had worked."""
        asked = request.query_params.get(self.page_size_query_param, "") or str(self.page_size)
        if not re.fullmatch(r"[1-9][0-9]*", asked):
            raise Refused(
                Fault("bad_page_size", f"page_size is a whole number from 1 to {self.max_page_size}.", self.page_size_query_param)
            )
        # Of very many digits int() would refuse to make a number.
        return min(int(asked[:9]), self.max_page_size)

    def get_page_number(self, request: Any, paginator: Any) -> str:
        """The page asked for; int() would also read 1_0 and other scripts' digits."""
        number = str(request.query_params.get(self.page_query_param, "1"))
        if not re.fullmatch(r"[0-9]{1,7}", number):
            raise NotFound
        return number
