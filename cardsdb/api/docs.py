"""The API describes itself: as an OpenAPI schema, as a page, and as a list of addresses."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import CatalogueView
from cardsdb.site.ratelimits import READS, WORKS

STATUSES = (
    (202, "It takes longer than a moment; ask at its address how far it is."),
    (304, "You have this very answer already."),
    (400, "The query, a parameter or the body is wrong; each fault is named with its place."),
    (404, "There is nothing at this address."),
    (405, "This address does not take this method; the Allow header says which it takes."),
    (406, "None of the media types in Accept can be given."),
    (409, "It was changed elsewhere since you read it; nothing was overwritten."),
    (412, "If-Match names another state than the stored one."),
    (413, "The body is larger than 1 MB, or a list larger than 256 KB."),
    (415, "Bodies are JSON."),
    (429, "Too many requests in this minute; Retry-After says how many seconds are left of it."),
    (501, "oEmbed is answered in JSON alone."),
    (503, "The database does not answer, or too many files are being made; Retry-After says when to come again where that is known."),
    (507, "The server has no room for the file just now."),
)


@cache
def schema() -> dict[str, Any]:
    """The OpenAPI schema. It follows from the code alone, so one will do for the life of the process."""
    made: dict[str, Any] = SchemaGenerator(api_version="1").get_schema(request=None, public=True)
    return made


def operations() -> dict[str, dict[str, str]]:
    """Address -> method -> what it does."""
    paths = schema()["paths"].items()
    return {path: {method.upper(): operation.get("description", "") for method, operation in methods.items()} for path, methods in paths}


class Schema(CatalogueView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI schema."""
        return Response(schema())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The schema as a page: every address, what it takes and what it answers."""
    described = schema()
    listed = [
        {"path": path, "method": method.upper(), "body": _body_fields(described, operation), **operation}
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]
    context = {"operations": listed, "info": described["info"], "statuses": STATUSES, "reads": READS, "works": WORKS}
    return render(request, "cardsdb/api_docs.html", context)


def _body_fields(described: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """(name, type, required) of every field of an operation's JSON body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    fields = described["components"]["schemas"].get(name, {})
    required = fields.get("required", ())
    return [(field, facts.get("type", "one of a list"), field in required) for field, facts in fields.get("properties", {}).items()]
