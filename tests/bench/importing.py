"""Loading the invented game into empty tables, against the usual way and against bare statements with ready rows."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import django

django.setup()

from django.db import connection, transaction  # noqa: E402
from rest_framework.serializers import ModelSerializer  # noqa: E402

from cardsdb.card_columns import CARD_COLUMNS, PRINT_COLUMNS, rows_of  # noqa: E402
from cardsdb.catalogue import load  # noqa: E402
from cardsdb.games import games  # noqa: E402
from cardsdb.games.kit.folder import iter_cards  # noqa: E402
from cardsdb.index.build import Row, build  # noqa: E402
from cardsdb.models import Card, Edition, Holding, Print  # noqa: E402
from tests.bench.timing import table  # noqa: E402

GAME = "paperwar"
JSON = ("facts", "sources", "aliases")


class CardSerializer(ModelSerializer):  # type: ignore[type-arg]
    class Meta:
        model = Card
        fields = CARD_COLUMNS
        # As one would have to for many rows: one query a row would be slower still.
        validators: list[Any] = []


def run() -> None:
    ready = [rows_of(card, games()[GAME]) for card in iter_cards(games()[GAME])]
    label = f"{len(ready):,} cards, {os.environ.get('BENCH_DATABASE', '')}"
    rows = []
    timed = {name: _seconds(lambda way=way: way(ready)) for name, way in (("load", _ours), ("usual", _usual), ("bare", _bare))}
    again = time.perf_counter()
    loaded = load(games()[GAME])
    again = time.perf_counter() - again
    ours = timed["load"]
    rows.append(["read, checked, compared, written, indexed", f"{ours:.1f}", "", ""])
    rows.append(["DRF serializer and bulk_create, no index file", f"{timed['usual']:.1f}", f"{ours / timed['usual']:.2f}", "<= 0.2"])
    rows.append(["bare statements with ready rows, index file", f"{timed['bare']:.1f}", f"{ours / timed['bare']:.2f}", "<= 1.5"])
    rows.append(
        [f"loading once more ({loaded.added + loaded.changed + loaded.retired} rows)", f"{again:.1f}", f"{again / ours:.2f}", "0 rows"]
    )
    table(f"Loading, {label}", ["way", "s", "ours / it", "goal"], rows)


def _seconds(way: Any) -> float:
    for model in (Print, Card, Holding, Edition):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def _ours(ready: Any) -> None:
    load(games()[GAME])


def _usual(ready: Any) -> None:
    data = [
        {**dict(zip(CARD_COLUMNS, row, strict=True)), **{key: json.loads(row[CARD_COLUMNS.index(key)]) for key in JSON}} for row, _ in ready
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


def _bare(ready: Any) -> None:
    from cardsdb import card_writing

    with transaction.atomic():
        for batch in card_writing.batches(ready):
            card_writing.add_cards(batch)
    at = {name: CARD_COLUMNS.index(name) for name in CARD_COLUMNS}
    columns = [at[name] for name in ("name", "name_folded", "sort_name", "search_text", "terms")]
    ordered = sorted(((row[at["sort_name"]], row[at["code"]], row) for row, _ in ready), key=lambda one: one[:2])
    with tempfile.TemporaryDirectory() as folder:
        build(
            Path(folder) / "1.index",
            1,
            (Row(pk, f"{GAME}/{code}", *(row[c] for c in columns), row[at["facts"]]) for pk, (_, code, row) in enumerate(ordered, 1)),
        )


if __name__ == "__main__":
    run()
