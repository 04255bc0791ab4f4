"""Django REST framework's parts as the API uses them: bounded bodies, numbered pages, requests counted by
address, one shape of error, what the schema says of all operations alike.
"""

import math
import re
from collections.abc import Iterable
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.pagination import PageNumberPagination
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from cardsdb.faults import Fault, Refused, error_list
from cardsdb.site.decoding import BadJson, read_json
from cardsdb.site.errors import nothing_at
from cardsdb.site.ratelimits import seconds_to_wait
from cardsdb.watch.requests import refused_for

# -- bodies -----------------------------------------------------------------------


def read_body(body: bytes) -> Any:
    """The value that a body of strict JSON in UTF-8 stands for. Raises Refused with a sentence about what is
    wrong.
    """
    try:
        return read_json(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 (byte {error.start})."
    except BadJson as error:
        problem = str(error)
    raise Refused(Fault("parse_error", f"The body {problem}", "body"))


class BoundedJSONParser(BaseParser):
    """DRF's JSON parser with the bounds that it lacks."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            fault = Fault("too_large", f"The body is larger than {most // 1024} KB.", "body")
            raise Refused(fault, status=413)
        return read_body(body)


# -- pages -------------------------------------------------------------------------


class Pages(PageNumberPagination):
    """``?page=2&page_size=50``; 100 at most."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "page_size"

    def get_page_size(self, request: Any) -> int:
        """The size of a page. Raises Refused for what is no size: a default instead would look as if it had
        worked.
        """
        size = request.query_params.get("page_size") or str(self.page_size)
        if not re.fullmatch(r"[1-9][0-9]*", size):
            message = f"page_size is a whole number from 1 to {self.max_page_size}."
            raise Refused(Fault("bad_page_size", message, "page_size"))
        # int() refuses text of thousands of digits.
        return min(int(size[:9]), self.max_page_size)

    def get_page_number(self, request: Any, paginator: Any) -> str:
        """The number of the page in plain digits; int() would also read 1_0 and other scripts' digits."""
        number = request.query_params.get(self.page_query_param) or "1"
        if not re.fullmatch(r"[0-9]{1,7}", number):
            raise exceptions.NotFound
        return number


# -- throttling ---------------------------------------------------------------------


class PerAddress(BaseThrottle):
    """Counts a view's reads and works apart. A work is anything but a read, and every request to a view with
    ``works``.
    """

    left = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        read = request.method in ("GET", "HEAD", "OPTIONS") and not getattr(view, "works", False)
        self.left = seconds_to_wait(request, work=not read)
        return not self.left

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return self.left


# -- errors -------------------------------------------------------------------------


def api_exception(exc: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's hook: every error of the API in the one shape."""
    headers = {}
    match exc:
        case Refused():
            refused = exc
        case Http404():
            refused = Refused(nothing_at(context["request"]), status=404)
        case PermissionDenied():
            refused = Refused(Fault("permission_denied", "You may not do this."), status=403)
        case UnreadablePostError():
            # The sender went away, or was sent away (cardsdb.site.overload): no program reads this answer.
            refused = Refused(Fault("unreadable", "What was sent did not arrive whole."))
        case exceptions.Throttled():
            seconds = math.ceil(exc.wait or 1)
            fault = Fault(
                "throttled", f"These are too many requests in a minute: ask again in {seconds} seconds."
            )
            refused = Refused(fault, status=429, wait=seconds)
        case exceptions.APIException():
            refused = Refused(*_faults(exc.get_full_details()), status=exc.status_code)
            if exc.status_code == 405:
                headers["Allow"] = ", ".join(context["view"].allowed_methods)
        case _:
            return None
    refused_for(context["request"], refused.faults[0].code)
    return Response(error_list(refused.faults), status=refused.status, headers=headers | refused.headers)


def _faults(details: Any, where: str = "") -> Iterable[Fault]:
    """Flatten DRF's nested details."""
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        yield Fault(str(details["code"]), str(details["message"]), where)
    elif isinstance(details, dict):
        for key, value in details.items():
            inner = "" if key == "non_field_errors" else str(key)
            yield from _faults(value, ".".join(part for part in (where, inner) if part))
    else:
        for value in details:
            yield from _faults(value, where)


# -- the schema -----------------------------------------------------------------------


def what_may_be_left_out(result: dict[str, Any], **generated: Any) -> dict[str, Any]:
    """Say of every parameter behind the question mark that may be left out that it may be empty as well, as
    forms send it. A field of a body has no default: programs made of the schema demand one that has.
    """
    for shape in result["components"]["schemas"].values():
        for field in shape.get("properties", {}).values():
            field.pop("default", None)
    for methods in result["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and not parameter.get("required"):
                    parameter["allowEmptyValue"] = True
    return result
