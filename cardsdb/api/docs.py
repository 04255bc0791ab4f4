"""The API's documentation page, ``/api/v1/docs/``: every operation with its parameters, a curl command, and
an answer.

Operations come from the OpenAPI schema; samples from ``samples.json``, which has a request and the site's
answer for each operation id::

    "cards_read": {"method": "GET", "address": "/api/v1/cards/spycraft/kai/", "answer": {"code": "kai", ...}}

Besides there may be ``headers``, a ``body``, and ``about``, words on an answer that is a file. Names in
braces stand for keys of stored things (STANDING_FOR). ``tests/cardsdb/api/test_docs.py`` sends all the
requests and compares; with CUTOUT_WRITE_SAMPLES=1 it writes the file anew.
"""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardsdb.api.serializers import answers
from cardsdb.api.views import schema
from cardsdb.catalogue.current import games
from cardsdb.site.ratelimits import READS, WORKS
from cardsdb.site.sharing import public

FILE = Path(__file__).with_name("samples.json")
# Name in braces in a sample -> the example value that the page shows for it.
STANDING_FOR = {
    "link": "k7p2mq9xv3",
    "key": "YOUR-EDIT-KEY",
    "fork": "h3d6yc5jn8",
    "fork_key": "THE-EDIT-KEY-OF-YOUR-COPY",
    "format": "a5v9kd2wq7",
    "job": "t4n8wz6rb2",
    "job_key": "YOUR-JOB-KEY",
}
# The site's address in the stored answers; the page shows its own instead.
STORED_SITE = "https://cutout.example"
# Lines of an answer that are shown.
MAX_LINES = 70
# Operation -> the shape whose fields its parameters ``fields`` and ``include`` choose from.
PARTS = {
    "cards_list": answers.Card,
    "cards_read": answers.Card,
    "games_list": answers.Game,
    "sets_list": answers.Set,
    "rules_list": answers.Rule,
    "glossary_list": answers.Term,
}
# Parameters whose value is the slug of a game.
GAME_NAMES = ("game", "game_slug", "slug")


class Taken(NamedTuple):
    """A parameter, or a field of the body, of an operation. ``place``: "in query", "in path", "in header" or
    "in the body". ``values``: all valid values if they are few, else empty.
    """

    name: str
    place: str
    help: str
    values: tuple[str, ...]
    required: bool


class Operation(NamedTuple):
    """A method of an address. ``curl``: the sample request; ``answer``: its answer; ``about``: what the
    answer is if it is not JSON.
    """

    name: str
    method: str
    path: str
    help: str
    takes: tuple[Taken, ...]
    statuses: tuple[str, ...]
    curl: str
    answer: str
    about: str


def operations(site: str) -> list[Operation]:
    """Return every operation with its sample. ``site``: scheme and host, as in ``https://example.org``."""
    samples = json.loads(FILE.read_text(encoding="utf-8"))
    found = []
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            sample = samples.get(name, {})
            found.append(
                Operation(
                    name=name,
                    method=method.upper(),
                    path=path,
                    help=operation.get("description", ""),
                    takes=tuple(_takes(name, operation)),
                    statuses=tuple(operation["responses"]),
                    curl=_curl(sample, site) if sample else "",
                    answer=_shown(sample.get("answer")).replace(STORED_SITE, site),
                    about=sample.get("about", ""),
                )
            )
    return found


def _curl(sample: dict[str, Any], site: str) -> str:
    """Return a sample's request as a curl command for a shell: ``curl
    https://example.org/api/v1/cards/spycraft/kai/``. An answer that is a file is saved under its name (-OJ).
    """
    words, headers = ["curl"], dict(sample.get("headers", {}))
    if sample["method"] != "GET":
        words += ["-X", sample["method"]]
    if (body := sample.get("body")) is not None:
        headers["Content-Type"] = "application/json"
    for name, value in headers.items():
        words += ["-H", f"{name}: {value}"]
    if body is not None:
        words += ["-d", json.dumps(body, ensure_ascii=False)]
    if sample.get("about"):
        words.append("-OJ")
    words.append("{site}" + sample["address"])
    return shlex.join(filled(word, STANDING_FOR | {"site": site}) for word in words)


def filled(text: str, values: dict[str, str]) -> str:
    """Return the text with each name in braces replaced: "/decks/{link}/" -> "/decks/k7p2mq9xv3/"."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _shown(answer: Any) -> str:
    """Return an answer as indented JSON, cut after MAX_LINES; empty if there is none."""
    lines = json.dumps(answer, indent=2, ensure_ascii=False).splitlines() if answer is not None else []
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"])


def _takes(name: str, operation: dict[str, Any]) -> Iterator[Taken]:
    """Yield the parameters of an operation, and the fields of its JSON body. ``name``: its operation id."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = _resolved(content.get("schema", {}))

    def taken(field: str, place: str, help_text: str, shape: dict[str, Any], is_required: bool) -> Taken:
        values = _values(name, field, shape)
        # The schema repeats the values in the help as a list, which the page shows apart.
        if not help_text or (values and "* `" in help_text):
            help_text = "one of a list" if "enum" in shape else str(shape.get("type", "one of a list"))
        return Taken(field, place, help_text, values, is_required)

    for found in operation.get("parameters", ()):
        about, is_required = found.get("description", ""), found.get("required", False)
        yield taken(found["name"], f"in {found['in']}", about, found["schema"], is_required)
    for field, found in body.get("properties", {}).items():
        about, is_required = found.get("description", ""), field in body.get("required", ())
        yield taken(field, "in the body", about, _resolved(found), is_required)


def _resolved(described: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the schema without its indirections.

    ``{"$ref": "#/components/schemas/Card"}`` becomes that schema. ``{"oneOf": [a, b], "description": "..."}``
    gets the keys of a, with the values (``enum``) of both a and b.
    """
    if reference := described.get("$ref", "").rpartition("/")[2]:
        found: dict[str, Any] = schema()["components"]["schemas"].get(reference, {})
        return found
    resolved = [_resolved(part) for key in ("allOf", "oneOf") for part in described.get(key, ())]
    values = [value for part in resolved for value in part.get("enum", ())]
    merged = described | (resolved[0] if resolved else {})
    if values:
        merged["enum"] = values
    return merged


def _values(operation: str, name: str, described: dict[str, Any]) -> tuple[str, ...]:
    """Return all valid values of a parameter or field; empty if any value may be valid."""
    if values := [str(value) for value in described.get("enum", ()) if value not in ("", None)]:
        return tuple(values)
    if name in GAME_NAMES:
        return tuple(games())
    if name in ("fields", "include") and operation in PARTS:
        return tuple(PARTS[operation]().fields)
    if name == "format":
        return tuple(f"{game.slug}: {', '.join(game.formats_by_slug)}" for game in games().values())
    return ()


@require_safe
@public
def docs(request: HttpRequest) -> HttpResponse:
    """Show every operation, with its parameters and a sample answer, and the limits of requests."""
    context = {
        "operations": operations(request.build_absolute_uri("/").rstrip("/")),
        "info": schema()["info"],
        "reads": READS,
        "works": WORKS,
    }
    return render(request, "cardsdb/api/docs.html", context)
