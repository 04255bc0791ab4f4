"""The search page as one would first write it well: an ORM model with a typed, indexed column a fact, one
grouped query, a template.
"""

from __future__ import annotations

from collections import Counter

from django.db import models
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template

from cardsdb.models import Print

FACETS = ("type", "place", "cost")
ROWS = 48


class PlainCard(models.Model):  # noqa: DJ008  (never shown)
    """A row of ``plain_tables``."""

    code = models.TextField()
    name_folded = models.TextField()
    sort_name = models.TextField()
    type = models.TextField()
    faction = models.TextField(null=True)  # noqa: DJ001
    cost = models.IntegerField(null=True)
    year = models.IntegerField(null=True)
    place = models.TextField(null=True)  # noqa: DJ001
    name = models.TextField()

    class Meta:
        app_label = "cardsdb"
        managed = False
        db_table = "plain"


TEMPLATE = Template(
    "<h1>{{ total }} cards</h1>{% for facet in facets %}<ul>{% for value, count in facet %}<li>{{ value }} {{"
    " count }}</li>{% endfor %}</ul>{% endfor %}<ul>{% for card in cards %}<li><a href='{% url 'card'"
    " 'paperwar' card.code %}'>{{ card.name }}</a> {{ card.type }} {{ card.faction }} {{ card.cost }} {{"
    " card.year }} {{ card.place }} {% for print in card.printed %}{{ print.set_code }} {{ print.number }}{%"
    " endfor %}</li>{% endfor %}</ul>"
)


def context(faction: str, cost: int) -> tuple[int, list[Counter[object]], list[PlainCard]]:
    """The total, the facets and the first rows with their prints."""
    found = PlainCard.objects.filter(faction=faction, cost__gte=cost)
    facets: list[Counter[object]] = [Counter() for _ in FACETS]
    total = 0
    for *values, count in found.order_by().values_list(*FACETS).annotate(Count("pk")):
        total += count
        for facet, value in zip(facets, values, strict=True):
            if value is not None:
                facet[value] += count
    cards = list(found.order_by("sort_name", "code")[:ROWS])
    by_card: dict[int, list[Print]] = {}
    for one in Print.objects.filter(card__in=[card.pk for card in cards]).only(
        "card_id", "set_code", "number"
    ):
        by_card.setdefault(one.card_id, []).append(one)
    for card in cards:
        card.printed = by_card.get(card.pk, [])  # type: ignore[attr-defined]
    return total, facets, cards


def page(request: HttpRequest) -> HttpResponse:
    total, facets, cards = context(request.GET["faction"], int(request.GET["cost"]))
    return HttpResponse(
        TEMPLATE.render(
            Context({"total": total, "facets": [facet.most_common() for facet in facets], "cards": cards})
        )
    )
