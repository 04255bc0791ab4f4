"""Loading the invented game into empty tables: ours, the usual way, and bare statements. All start at the same folder."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from rest_framework.serializers import ModelSerializer  # noqa: E402

from cardsdb.catalogue import loader, publish, writer  # noqa: E402
from cardsdb.catalogue.rows import CARD_COLUMNS, PRINT_COLUMNS, CardRow, PrintRow, rows_of  # noqa: E402
from cardsdb.games import games  # noqa: E402
from cardsdb.models import Card, Edition, Holding, Print  # noqa: E402
from cardsdb.search.index.build import Row, build  # noqa: E402
from tests.bench.timing import table  # noqa: E402

GAME = "paperwar"
JSON = ("facts", "sources", "aliases")
# PostgreSQL's share of the work is not this process's time.
CLOCK = time.process_time if connection.vendor == "sqlite" else time.perf_counter


class CardSerializer(ModelSerializer):  # type: ignore[type-arg]
    class Meta:
        model = Card
        fields = CARD_COLUMNS
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
    bare = _seconds(_bare)
    assert _told() == told
    rows = [
        ["read, checked, compared, written, counted, indexed", f"{ours:.1f}", "", ""],
        ["read, DRF serializer, bulk_create; no index", f"{usual:.1f}", f"{ours / usual:.2f}", "<= 0.2"],
        ["read, bare statements, index; not checked or compared", f"{bare:.1f}", f"{ours / bare:.2f}", "<= 1.5"],
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
    return list(cards.values_list(*(name for name in CARD_COLUMNS if name not in JSON))[:1_000])


def _ours() -> None:
    # The bulk files are no part of an import elsewhere.
    publish.write_bulk = lambda edition: None  # type: ignore[assignment,return-value]
    loader.load(games()[GAME])


def _read() -> Iterator[tuple[CardRow, tuple[PrintRow, ...]]]:
    game = games()[GAME]
    return (rows_of(card, game) for card in game.card_files.cards())


def _usual() -> None:
    ready = list(_read())
    places = {key: CARD_COLUMNS.index(key) for key in JSON}
    data = [
        {**dict(zip(CARD_COLUMNS, row, strict=True)), **{key: json.loads(str(row[at])) for key, at in places.items()}} for row, _ in ready
    ]
    with transaction.atomic():
        serializer = CardSerializer(data=data, many=True)
        assert serializer.is_valid(), serializer.errors
        cards = Card.objects.bulk_create((Card(**values) for values in serializer.validated_data), batch_size=500)
        prints = [
            Print(card=card, **dict(zip(PRINT_COLUMNS, print_, strict=True)))
            for card, (_, some) in zip(cards, ready, strict=True)
            for print_ in some
        ]
        Print.objects.bulk_create(prints, batch_size=500)


def _bare() -> None:
    with transaction.atomic():
        for batch in writer.batches(_read()):
            writer.add_cards(batch)
    columns = ("pk", "code", "name", "name_folded", "sort_name", "search_text", "terms")
    found = Card.objects.order_by("sort_name", "code").values_list(*columns).iterator(chunk_size=2_000)
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "1.index", 1, (Row(pk, f"{GAME}/{code}", *rest) for pk, code, *rest in found))


if __name__ == "__main__":
    run()
