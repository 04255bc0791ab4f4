"""Parts that plug into Django REST framework (DRF): JSON parser, page numbers, throttling, the shape of
errors, and a hook for the OpenAPI schema.

``REST_FRAMEWORK`` and ``SPECTACULAR_SETTINGS`` in ``cardsdb/settings.py`` name them. Invariant: every error
answer of the API is a JSON list of faults (``code``, ``message``, ``where``), made by ``api_exception``.
Views raise ``Refused``; they build no error answers. Tests: ``tests/cardsdb/api/test_framework.py``; of
throttling ``tests/cardsdb/site/test_ratelimits.py``.
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
from cardsdb.watch.requests import note_refusal

# -- bodies -----------------------------------------------------------------------


def read_body(body: bytes) -> Any:
    """Return the value of a body of strict JSON in UTF-8. Raises Refused, with a sentence, otherwise."""
    try:
        return read_json(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 (byte {error.start})."
    except BadJson as error:
        problem = str(error)
    raise Refused(Fault("parse_error", f"The body {problem}", "body"))


class BoundedJSONParser(BaseParser):
    """A JSON parser with bounds that DRF's own lacks: size, nesting, lengths of numbers, duplicate keys."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        # One byte more than allowed is enough to tell that a body is too large.
        body = stream.read(limit + 1)
        if len(body) > limit:
            fault = Fault("too_large", f"The body is larger than {limit // 1024} KB.", "body")
            raise Refused(fault, status=413)
        return read_body(body)


# -- pages -------------------------------------------------------------------------


class Pages(PageNumberPagination):
    """Numbered pages: ``?page=2&page_size=50``. A size above the maximum gives the maximum."""

    # Rows of a page, unless the request asks for another number; and the most that it may ask for.
    page_size = 50
    max_page_size = 100
    page_size_query_param = "page_size"

    def get_page_size(self, request: Any) -> int:
        """Return the size of a page. Raises Refused if it is not a positive number, instead of using a
        default, which would look as if the parameter had worked.
        """
        size = request.query_params.get("page_size") or str(self.page_size)
        if not re.fullmatch(r"[1-9][0-9]*", size):
            message = f"page_size is a whole number from 1 to {self.max_page_size}."
            raise Refused(Fault("bad_page_size", message, "page_size"))
        # Cut, because int() raises ValueError for thousands of digits. Nine are above any maximum.
        return min(int(size[:9]), self.max_page_size)

    def get_page_number(self, request: Any, paginator: Any) -> str:
        """Return the number of a page. Only plain digits are accepted: int() would also accept 1_0 and digits
        of other scripts.
        """
        number = request.query_params.get(self.page_query_param) or "1"
        # No list has so many pages that their number needs eight digits.
        if not re.fullmatch(r"[0-9]{1,7}", number):
            raise exceptions.NotFound
        return number


# -- throttling ---------------------------------------------------------------------


class PerAddress(BaseThrottle):
    """Limits requests per minute and address. Reads have a higher limit than works, which are counted apart:
    a work is any request but a read, and any request to a view with ``works = True``.
    """

    # Seconds until the address may ask again; 0 if it may now. DRF makes a throttle for each request, and
    # calls ``wait`` after ``allow_request``.
    left = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        is_read = request.method in ("GET", "HEAD", "OPTIONS") and not getattr(view, "works", False)
        self.left = seconds_to_wait(request, work=not is_read)
        return not self.left

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return self.left


# -- errors -------------------------------------------------------------------------


def api_exception(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Turn any exception that is the fault of a request into an error answer. Return None for others, which
    DRF then raises. DRF calls this as its ``EXCEPTION_HANDLER``, with "request" and "view" in ``context``.
    """
    headers = {}
    match exc:
        case Refused():
            refused = exc
        case Http404():
            refused = Refused(nothing_at(context["request"]), status=404)
        case PermissionDenied():
            refused = Refused(Fault("permission_denied", "You may not do this."), status=403)
        case UnreadablePostError():
            # The sender went away or was cut off (cardsdb.site.overload), so it will hardly read this.
            refused = Refused(Fault("unreadable", "The request did not arrive completely."))
        case exceptions.Throttled():
            seconds = math.ceil(exc.wait or 1)
            fault = Fault("throttled", f"Too many requests in a minute. Ask again in {seconds} seconds.")
            refused = Refused(fault, status=429, wait=seconds)
        case exceptions.APIException():
            refused = Refused(*_faults(exc.get_full_details()), status=exc.status_code)
            if exc.status_code == 405:
                headers["Allow"] = ", ".join(context["view"].allowed_methods)
        case _:
            return None
    note_refusal(context["request"], refused.faults[0].code)
    return Response(error_list(refused.faults), status=refused.status, headers=headers | refused.headers)


def _faults(details: Any, where: str = "") -> Iterable[Fault]:
    """Yield the faults in DRF's nested error details, as ``get_full_details`` makes them:
    ``{"rules": {"0": [{"message": "Bad.", "code": "bad"}]}}`` gives ``Fault("bad", "Bad.", "rules.0")``.
    ``where``: the path to these details.
    """
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        yield Fault(str(details["code"]), str(details["message"]), where)
    elif isinstance(details, dict):
        for key, value in details.items():
            # Errors of the whole object stand at the object's own path.
            inner = "" if key == "non_field_errors" else str(key)
            yield from _faults(value, ".".join(filter(None, (where, inner))))
    else:
        for value in details:
            yield from _faults(value, where)


# -- the schema -----------------------------------------------------------------------


def what_may_be_left_out(result: dict[str, Any], **generated: Any) -> dict[str, Any]:
    """Adjust the OpenAPI schema, as a post-processing hook of drf-spectacular.

    Optional query parameters are declared to allow an empty value, as forms send them. Defaults of fields are
    removed, because generated clients treat a field with a default as required.
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
