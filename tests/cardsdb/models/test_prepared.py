"""A query that is written once finds what its queryset finds."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext

from cardsdb.models import Card, Print
from cardsdb.models.prepared import Prepared

pytestmark = pytest.mark.django_db


def prints_of(card: int, set_code: str | None) -> QuerySet[Print]:
    prints = Print.objects.filter(card=card).select_related("card").annotate(of=F("card__name"))
    return prints.filter(set_code=set_code) if set_code else prints


@pytest.fixture
def two() -> list[Card]:
    cards = [
        Card.objects.create(game="spycraft", code=code, name=code.title(), type="agent", facts={"cost": 2}) for code in ("x-one", "x-two")
    ]
    Print.objects.bulk_create(Print(card=card, set_code=word, code=f"{word}-1") for card in cards for word in ("TRU", "PRE"))
    return cards


def test_it_finds_the_same_objects_each_time_with_what_is_joined_and_added(two: list[Card]) -> None:
    prepared = Prepared(prints_of)
    for card in two:
        for word in ("TRU", "PRE", "TRU", None):
            expected = list(prints_of(card.pk, word))
            with CaptureQueriesContext(connection) as asked:
                found = prepared.objects(card=card.pk, set_code=word)
                assert [(one.pk, one.code, one.card.facts, one.of) for one in found] == [
                    (one.pk, one.code, {"cost": 2}, card.name)
                    for one in expected  # type: ignore[attr-defined]
                ]
            assert len(asked) == 1 and len(found) == (1 if word else 2)


def test_rows_have_what_the_queryset_names_in_its_order_as_python_has_it(two: list[Card]) -> None:
    prepared = Prepared(lambda code: Card.objects.filter(code=code).values_list("facts", "pk", "retired", "name"))
    assert [prepared.rows(code=card.code) for card in (*two, *two)] == [[({"cost": 2}, card.pk, False, card.name)] for card in (*two, *two)]


def test_what_can_find_nothing_asks_nothing_and_what_is_not_asked_about_is_an_error() -> None:
    nothing = Prepared(lambda codes: Card.objects.filter(code__in=[codes] if codes else []))
    with CaptureQueriesContext(connection) as asked:
        assert nothing.objects(codes=None) == [] and nothing.first(codes=None) is None
    assert not asked.captured_queries
    assert nothing.first(codes="x-one") is None
    with pytest.raises(ValueError, match="asks nothing about code"):
        Prepared(lambda code: Card.objects.all()).objects(code="kai")


def test_what_stands_for_a_value_does_not_stay_in_the_query(two: list[Card]) -> None:
    injected = "' OR 1=1 --"
    assert Prepared(lambda code: Card.objects.filter(code=code)).objects(code=injected) == []
