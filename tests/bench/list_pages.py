"""A search page whose filters are new each time: exact total, three facets, 48 rows. Through all of Django, no page kept.

Against an empty view, and against the page as one would first write it: the ORM's filters, one grouped
query a facet, and a template's loop.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from io import BytesIO
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402

settings.ROOT_URLCONF = __name__

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.template import Context, Template  # noqa: E402
from django.urls import path  # noqa: E402

from cardsdb import urls  # noqa: E402
from cardsdb.games import game_named  # noqa: E402
from cardsdb.models import Card  # noqa: E402
from tests.bench.generator import FACTIONS  # noqa: E402
from tests.bench.timing import in_turn, table  # noqa: E402

LABEL = f"{int(os.environ.get('BENCH_CARDS', '0')):,} cards beside the real ones, {os.environ.get('BENCH_DATABASE', '')}"
ROUNDS = 5
PLAIN = Template(
    "<h1>{{ total }} cards</h1>"
    "{% for facet in facets %}<ul>{% for value, count in facet %}<li>{{ value }} {{ count }}</li>{% endfor %}</ul>{% endfor %}"
    "<ul>{% for card in cards %}<li><a href='{% url 'card' card.game card.code %}'>{{ card.name }}</a> "
    "{{ card.type }} {{ card.facts.faction }} {{ card.facts.cost }} "
    "{% for print in card.prints.all %}{{ print.set_code }} {{ print.number }}{% endfor %}</li>{% endfor %}</ul>"
)


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def plain(request: HttpRequest) -> HttpResponse:
    found = Card.objects.filter(
        game="paperwar", facts__faction=request.GET["faction"], facts__cost__gte=int(request.GET["cost"]), retired=False
    )
    facets = [list(found.values_list(key).annotate(Count("pk"))) for key in ("type", "facts__place", "facts__cost")]
    cards = found.order_by("sort_name", "game", "code").prefetch_related("prints")[:48]
    return HttpResponse(PLAIN.render(Context({"total": found.count(), "facets": facets, "cards": cards})))


urlpatterns = [path("bench/empty", empty), path("bench/plain", plain), *urls.urlpatterns]
handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500
handler = WSGIHandler()


def ask(path: str, query: str = "") -> bytes:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "HTTP_HOST": "localhost",
        "HTTP_COOKIE": "bench=1",
        "wsgi.input": BytesIO(),
        "wsgi.url_scheme": "http",
        "wsgi.errors": BytesIO(),
    }
    status: list[str] = []
    body = b"".join(handler(environ, lambda answered, headers: status.append(answered)))  # type: ignore[arg-type]
    assert status == ["200 OK"], (path, query, status)
    return body


def run() -> None:
    if not game_named("paperwar"):
        return
    chance = random.Random(8)
    asked = [(chance.choice(FACTIONS), chance.randint(0, 8)) for _ in range(400)]
    for faction, cost in asked[:5]:
        ours, theirs = ask("/cards/", _ours(faction, cost)).decode(), ask("/bench/plain", _theirs(faction, cost)).decode()
        total = theirs.partition("<h1>")[2].partition(" ")[0]
        assert f">{int(total):,} card" in ours, (faction, cost, total)
    rows = [
        _row("empty view", lambda at: ask("/bench/empty"), asked, 20, "<= 6"),
        _row("ORM and template", lambda at: ask("/bench/plain", _theirs(*at)), asked, 3, "<= 0.14"),
    ]
    table(f"A search page, new filters each time, {LABEL}", ["against", "ours ms", "it ms", "ratio", "goal"], rows)


def _ours(faction: str, cost: int) -> str:
    return f"q=game:paperwar+faction%3D%22{faction.replace(' ', '+')}%22+cost%3E%3D{cost}&view=list"


def _theirs(faction: str, cost: int) -> str:
    return f"faction={faction.replace(' ', '+')}&cost={cost}"


def _row(name: str, other: Callable[[tuple[str, int]], Any], asked: list[tuple[str, int]], times: int, goal: str) -> list[str]:
    questions = iter(asked * 10)

    def ours() -> None:
        for _ in range(times):
            ask("/cards/", _ours(*next(questions)))

    def theirs() -> None:
        for _ in range(times):
            other(next(questions))

    a, b = (seconds / times * 1_000 for seconds in in_turn(ours, theirs, ROUNDS))
    return [name, f"{a:.2f}", f"{b:.2f}", f"{a / b:.2f}", goal]


if __name__ == "__main__":
    run()
