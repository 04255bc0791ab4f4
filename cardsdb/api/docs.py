"""The API's description of itself as a page: every address, what it takes and may be given, and what it
answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cardsdb.api.game_json import GAME_PARTS, GLOSSARY_PARTS, RULE_PARTS, SET_PARTS
from cardsdb.api.samples import samples, shown
from cardsdb.api.views import STATUSES, schema
from cardsdb.catalogue.card_json import ALL_PARTS
from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.site.ratelimits import READS, WORKS
from cardsdb.site.sharing import public

# The parts that an operation's ``fields`` and ``include`` choose from.
PARTS = {
    "cards_list": ALL_PARTS,
    "cards_read": ALL_PARTS,
    "games_list": GAME_PARTS,
    "sets_list": SET_PARTS,
    "rules_list": RULE_PARTS,
    "glossary_list": GLOSSARY_PARTS,
}
GAME_NAMES = ("game", "game_slug", "slug")


@dataclass(frozen=True, slots=True)
class Taken:
    """Something that an operation takes: where it stands, what it means, and all values that it may have,
    where they are few.
    """

    name: str
    place: str
    kind: str
    help: str
    values: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One call: a method at an address."""

    name: str
    method: str
    path: str
    help: str
    takes: tuple[Taken, ...]
    statuses: tuple[str, ...]
    curl: str = ""
    answer: str = ""
    about: str = ""

    @property
    def short_path(self) -> str:
        return self.path.removeprefix("/api/v1") or "/"


def operations(request: HttpRequest) -> list[Operation]:
    """Every call, each with a sample of it."""
    described, site = schema(), f"{request.scheme}://{request.get_host()}"
    answers = catalogue().derived(_answers, request.scheme or "http")
    listed = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            sample = samples().get(name)
            listed.append(
                Operation(
                    name,
                    method.upper(),
                    path,
                    operation.get("description", ""),
                    (*_parameters(name, operation), *_fields(described, operation)),
                    tuple(operation["responses"]),
                    sample.curl(site) if sample else "",
                    answers.get(name, "").replace(f"{request.scheme}://{_host()}", site),
                    sample.about if sample else "",
                )
            )
    return listed


def _host() -> str:
    """A host of the site, in whose name samples are asked for."""
    return next((host.lstrip(".") for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")


def _answers(whole: Catalogue, scheme: str) -> dict[str, str]:
    """Operation -> its sample answer, as it is shown."""
    answers = ((name, sample.answered(scheme, _host())) for name, sample in samples().items())
    return {name: shown(answer) for name, answer in answers if answer is not None}


def _parameters(name: str, operation: dict[str, Any]) -> list[Taken]:
    return [
        Taken(
            one["name"],
            f"in {one['in']}",
            _kind(one["schema"]),
            one.get("description", ""),
            _values(name, one["name"], one["schema"]),
            one.get("required", False),
        )
        for one in operation.get("parameters", ())
    ]


def _fields(described: dict[str, Any], operation: dict[str, Any]) -> list[Taken]:
    """What an operation's JSON body holds."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = _resolved(described, content.get("schema", {}))
    required = body.get("required", ())
    taken = []
    for name, field in body.get("properties", {}).items():
        meant = _resolved(described, field)
        values, help_ = _values(operation["operationId"], name, meant), field.get("description", "")
        # The schema lists the values in the help as well.
        help_ = "" if values and "* `" in help_ else help_
        taken.append(Taken(name, "in the body", _kind(meant), help_, values, name in required))
    return taken


def _resolved(described: dict[str, Any], described_here: dict[str, Any]) -> dict[str, Any]:
    """A schema with what it refers to in its place; of alternatives all values."""
    others = [one for key in ("allOf", "oneOf") for one in described_here.get(key, ())]
    if reference := described_here.get("$ref", "").rpartition("/")[2]:
        found: dict[str, Any] = described["components"]["schemas"].get(reference, {})
        return found
    resolved = [_resolved(described, one) for one in others]
    values = [value for one in resolved for value in one.get("enum", ())]
    return described_here | (resolved[0] if resolved else {}) | ({"enum": values} if values else {})


def _kind(described: dict[str, Any]) -> str:
    return "one of a list" if "enum" in described else str(described.get("type", "one of a list"))


def _values(operation: str, name: str, described: dict[str, Any]) -> tuple[str, ...]:
    """All values that may stand there; none where any may."""
    if values := [str(value) for value in described.get("enum", ()) if value not in ("", None)]:
        return tuple(values)
    if name in GAME_NAMES:
        return tuple(games())
    if name in ("fields", "include") and operation in PARTS:
        return PARTS[operation]
    if name == "format":
        return tuple(f"{game.slug}: {', '.join(game.formats_by_slug)}" for game in games().values())
    return ()


@require_safe
@public
def docs(request: HttpRequest) -> HttpResponse:
    """The schema as a page: every address, what it takes and what it answers."""
    context = {
        "operations": operations(request),
        "info": schema()["info"],
        "statuses": STATUSES,
        "reads": READS,
        "works": WORKS,
    }
    return render(request, "cardsdb/api_docs.html", context)
