"""Row 13: loading the invented game into empty tables: ours, and the usual way from the same folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from rest_framework.serializers import ModelSerializer

from cardsdb.catalogue import loader
from cardsdb.catalogue.loader import rows_of
from cardsdb.games import games
from cardsdb.models import Card, Edition, Holding, Print
from tests.bench.goals import Result, result
from tests.bench.timing import cpu

GAME = "paperwar"
JSON = ("facts", "sources", "aliases")
COLUMNS = tuple(field.name for field in Card._meta.concrete_fields if field.name != "id")
# The lines of the import at 17ced52: card_writing.py, card_columns.py, catalogue.py.
LINES_BEFORE = 351


class CardSerializer(ModelSerializer):  # type: ignore[type-arg]
    class Meta:
        model = Card
        fields = COLUMNS
        # The rule of one row per code costs a query a row; the table keeps it anyway.
        validators: list[Any] = []


def run() -> Iterator[Result]:
    ours = _seconds(_ours)
    told, before = _told(), Edition.objects.count()
    loaded = loader.load(games()[GAME])
    written = loaded.added + loaded.changed + loaded.retired + Edition.objects.count() - before
    usual = _seconds(_usual)
    assert _told() == told
    yield result("13.import", ours, usual)
    yield result(
        "13.lines",
        sum(1 for line in Path(loader.__file__).read_text(encoding="utf-8").splitlines() if line),
        LINES_BEFORE,
    )
    yield result("13.again", written)


def _seconds(way: Callable[[], None]) -> float:
    for model in (Print, Card, Holding, Edition):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {model._meta.db_table}")
    start = cpu()
    way()
    return cpu() - start


def _told() -> list[int]:
    """All that is in the tables: the same whichever way it came there."""
    cards = Card.objects.in_game(GAME).order_by("code").values_list(*COLUMNS)
    prints = Print.objects.order_by("card__code", "set_code", "number", "pk").values_list(
        "card__code", "set_code", "number", "rarity"
    )
    return [hash(row) for row in (*map(repr, cards.iterator()), *prints.iterator())]


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
        cards = Card.objects.bulk_create(
            (Card(**values) for values in serializer.validated_data), batch_size=500
        )
        prints = [
            Print(
                card=row, set_code=one.set, number=one.number, rarity=one.rarity, code=one.code, note=one.note
            )
            for row, (_, card) in zip(cards, ready, strict=True)
            for one in card.prints
        ]
        Print.objects.bulk_create(prints, batch_size=500)
