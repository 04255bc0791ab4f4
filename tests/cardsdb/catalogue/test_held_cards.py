"""Cards that this process has read already are not read again, and never shown as they were before a
change.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client

from cardsdb.models import Card
from cardsdb.models.catalogue import cards_of
from tests.support.pages import page_of

pytestmark = pytest.mark.django_db

SOME = Card.objects.in_game("spycraft").filter(code__in=("kai", "li", "termite")).by_name()


def test_cards_are_what_their_rows_say_in_the_order_of_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.models.catalogue._held", {})
    read = [(row.pk, asdict(row.as_card())) for row in SOME.prefetch_related("prints")]
    assert [(pk, asdict(card)) for pk, card in SOME.cards().items()] == read


def test_a_card_read_once_costs_one_look_at_its_digest(django_assert_num_queries: Any) -> None:
    first = SOME.cards()
    with django_assert_num_queries(1):
        again = SOME.cards()
    assert [id(card) for card in again.values()] == [id(card) for card in first.values()]


def test_a_changed_row_is_read_anew() -> None:
    SOME.cards()
    Card.objects.filter(game="spycraft", code="kai").update(name="Kai the Renamed")
    assert {card.name for card in SOME.cards().values()} == {"Kai the Renamed", "Li", "Termite"}


def test_a_retired_card_is_read_from_its_row_each_time(django_assert_num_queries: Any) -> None:
    """No digest stands for it."""
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    SOME.cards()
    with django_assert_num_queries(3):
        assert "kai" in {card.code for card in SOME.cards().values()}


def test_what_is_held_is_bounded_and_stays_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.models.catalogue.MAX_HELD", 2)
    chosen = Card.objects.in_game("spycraft").by_name()[:5]
    names = [card.name for one in (chosen[:2], chosen[2:4], chosen[:1]) for card in one.cards().values()]
    assert names == [row.name for row in [*chosen[:4], *chosen[:1]]]


def test_a_card_that_is_gone_is_left_out() -> None:
    assert not cards_of({0: "no digest of any card"})


def test_a_renamed_card_has_its_new_name_on_the_page_of_a_deck(client: Client, agency_text: str) -> None:
    made = client.post(
        "/decks/new/", {"game": "spycraft", "text": agency_text, "name": "Night", "format": "agency"}
    )
    client.get(made["Location"])
    row = Card.objects.in_game("spycraft").filter(deck_lines__isnull=False).by_name()[0]
    Card.objects.filter(pk=row.pk).update(name="Somebody Renamed")
    assert "Somebody Renamed" in page_of(client.get(made["Location"])).text
