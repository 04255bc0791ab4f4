"""What the API reads at most: bounds checked before anything is parsed, and pages of at most 100."""

from __future__ import annotations

import re
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import NotFound
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import BaseParser

from cardsdb.site.faults import Fault, Refused
from cardsdb.site.strict_json import BadJson, read_json


def _refuse(message: str, status: int = 400) -> Refused:
    return Refused(Fault("parse_error" if status == 400 else "too_large", message, "body"), status=status)


def read_body(body: bytes) -> Any:
    """The value that a body of strict JSON in UTF-8 stands for. Raises Refused with a sentence about what is wrong."""
    try:
        return read_json(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _refuse(f"The body is not UTF-8 (byte {error.start}).") from None
    except BadJson as error:
        raise _refuse(f"The body {error}") from None


class BoundedJSONParser(BaseParser):
    """DRF's JSON parser with the bounds that it lacks."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise _refuse(f"The body is larger than {most // 1024} KB.", status=413)
        return read_body(body)


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
