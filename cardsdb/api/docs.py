"""The API's description of itself as a page: every address, what it takes and may be given, and what it
answers, with a request as one would type it.

``samples.json`` has for each operation the request, with names in braces for the address and the keys of what
is stored, and the answer as the site gave it; a test asks for each anew and compares.
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
# What stands in a sample for the address and the keys of what is stored.
STANDING_FOR = {
    "link": "k7p2mq9xv3",
    "key": "YOUR-EDIT-KEY",
    "fork": "h3d6yc5jn8",
    "fork_key": "THE-EDIT-KEY-OF-YOUR-COPY",
    "format": "a5v9kd2wq7",
    "job": "t4n8wz6rb2",
    "job_key": "YOUR-JOB-KEY",
}
# The address in the stored answers.
STORED_SITE = "https://cutout.example"
# Lines of an answer that are shown.
MAX_LINES = 70
# Whose parts an operation's ``fields`` and ``include`` choose from.
PARTS = {
    "cards_list": answers.Card,
    "cards_read": answers.Card,
    "games_list": answers.Game,
    "sets_list": answers.Set,
    "rules_list": answers.Rule,
    "glossary_list": answers.Term,
}
GAME_NAMES = ("game", "game_slug", "slug")


class Taken(NamedTuple):
    """Something that an operation takes: where it stands, what it means, and all values that it may have,
    where they are few.
    """

    name: str
    place: str
    help: str
    values: tuple[str, ...]
    required: bool


class Operation(NamedTuple):
    """One call: a method at an address. ``about``: what the answer is, where it is no JSON."""

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
    """Every call, each with a sample of it. ``site``: scheme and host."""
    samples = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        Operation(
            name := operation["operationId"],
            method.upper(),
            path,
            operation.get("description", ""),
            tuple(_takes(name, operation)),
            tuple(operation["responses"]),
            _curl(sample, site) if (sample := samples.get(name, {})) else "",
            _shown(sample.get("answer")).replace(STORED_SITE, site),
            sample.get("about", ""),
        )
        for path, methods in schema()["paths"].items()
        for method, operation in methods.items()
    ]


def _curl(sample: dict[str, Any], site: str) -> str:
    """The sample's request as a line for a shell."""
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
    """The text with these values in the places of their names in braces."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _shown(answer: Any) -> str:
    """An answer as it is shown: indented, and not too long."""
    lines = json.dumps(answer, indent=2, ensure_ascii=False).splitlines() if answer is not None else []
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"])


def _takes(name: str, operation: dict[str, Any]) -> Iterator[Taken]:
    """The parameters of an operation, and the fields of its JSON body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = _resolved(content.get("schema", {}))
    taken = [(one["name"], f"in {one['in']}", one["schema"], one) for one in operation.get("parameters", ())]
    for field, described in body.get("properties", {}).items():
        is_required = {"required": field in body.get("required", ())}
        taken.append((field, "in the body", _resolved(described), described | is_required))
    for field, place, meant, described in taken:
        values, told = _values(name, field, meant), described.get("description", "")
        # The schema lists the values in the help as well.
        told = "" if values and "* `" in told else told
        kind = "one of a list" if "enum" in meant else str(meant.get("type", "one of a list"))
        yield Taken(field, place, told or kind, values, described.get("required", False))


def _resolved(described: dict[str, Any]) -> dict[str, Any]:
    """A schema with what it refers to in its place; of alternatives all values."""
    if reference := described.get("$ref", "").rpartition("/")[2]:
        found: dict[str, Any] = schema()["components"]["schemas"].get(reference, {})
        return found
    resolved = [_resolved(one) for key in ("allOf", "oneOf") for one in described.get(key, ())]
    values = [value for one in resolved for value in one.get("enum", ())]
    return described | (resolved[0] if resolved else {}) | ({"enum": values} if values else {})


def _values(operation: str, name: str, described: dict[str, Any]) -> tuple[str, ...]:
    """All values that may stand there; none where any may."""
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
    """The schema as a page: every address, what it takes and what it answers."""
    context = {
        "operations": operations(request.build_absolute_uri("/").rstrip("/")),
        "info": schema()["info"],
        "reads": READS,
        "works": WORKS,
    }
    return render(request, "cardsdb/api/docs.html", context)
