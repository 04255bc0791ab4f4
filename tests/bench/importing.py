"""Loading the invented game into empty tables: ours, and the usual way from the same folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from rest_framework.serializers import ModelSerializer  # noqa: E402

from cardsdb.catalogue import loader  # noqa: E402
from cardsdb.catalogue.loader import rows_of  # noqa: E402
from cardsdb.games import games  # noqa: E402
from cardsdb.models import Card, Edition, Holding, Print  # noqa: E402
from tests.bench.timing import table  # noqa: E402

GAME = "paperwar"
JSON = ("facts", "sources", "aliases")
COLUMNS = tuple(field.name for field in Card._meta.concrete_fields if field.name != "id")
# PostgreSQL's share of the work is not this process's time.
CLOCK = time.process_time if connection.vendor == "sqlite" else time.perf_counter


class CardSerializer(ModelSerializer):  # type: ignore[type-arg]
    class Meta:
        model = Card
        fields = COLUMNS
        # The rule of one row per code costs a query a row; the table keeps it anyway.
        validators: list[Any] = []


def run() -> None:
    ours = _seconds(_ours)
    before = Edition.objects.count()
    start = CLOCK()
    loaded = loader.load(games()[GAME])
    again = CLOCK() - start
    assert (loaded.added, loaded.changed, loaded.retired, Edition.objects.count()) == (0, 0, 0, before)
    told = _told()
    usual = _seconds(_usual)
    assert _told() == told
    rows = [
        ["read, checked, compared, written, counted", f"{ours:.1f}", "", ""],
        ["read, DRF serializer, bulk_create", f"{usual:.1f}", f"{ours / usual:.2f}", "<= 0.6"],
        ["ours once more: 0 rows written", f"{again:.1f}", f"{ours / again:.2f}", ""],
    ]
    label = f"{loaded.cards:,} cards, {os.environ.get('BENCH_DATABASE', '')}"
    table(f"Loading, {label}, {'CPU' if CLOCK is time.process_time else 'wall clock'}", ["way", "s", "ours / it", "goal"], rows)


def _seconds(way: Callable[[], None]) -> float:
    for model in (Print, Card, Holding, Edition):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
    start = CLOCK()
    way()
    return CLOCK() - start


def _told() -> list[tuple[Any, ...]]:
    """A sample of what is in the tables: the same whichever way it came there."""
    cards = Card.objects.in_game(GAME).order_by("code")
    assert Print.objects.count() > cards.count()
    return list(cards.values_list(*COLUMNS)[:1_000])


def _ours() -> None:
    # The bulk files are no part of an import elsewhere.
    loader.write_bulk = lambda edition: None  # type: ignore[assignment,return-value]
    loader.load(games()[GAME])


def _usual() -> None:
    game = games()[GAME]
    ready = [(rows_of(card, game), card) for card in game.card_files.cards()]
    data = [rows.columns | {key: json.loads(rows.columns[key]) for key in JSON} for rows, _ in ready]
    with transaction.atomic():
        serializer = CardSerializer(data=data, many=True)
        assert serializer.is_valid(), serializer.errors
        cards = Card.objects.bulk_create((Card(**values) for values in serializer.validated_data), batch_size=500)
        prints = [
            Print(card=row, set_code=one.set, number=one.number, rarity=one.rarity, code=one.code, note=one.note)
            for row, (_, card) in zip(cards, ready, strict=True)
            for one in card.prints
        ]
        Print.objects.bulk_create(prints, batch_size=500)


if __name__ == "__main__":
    run()
