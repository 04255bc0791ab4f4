"""Each answer is made from one edition of the catalogue, even if another is loaded meanwhile.

The tests rename all cards of SpyNet: in each edition every name begins with "A " or "B ". A mixed answer
would show both.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Value
from django.db.models.functions import Concat, Substr
from django.test import Client

from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import fold
from cardsdb.models import Card, Edition
from cardsdb.web.lists import views
from tests.support.pages import page

MARKS = ("A ", "B ")


def rename(mark: str) -> None:
    """Load an edition in which every SpyNet card name begins with the mark."""
    with transaction.atomic():
        cards = Card.objects.in_game("spynet")
        cards.update(name=Concat(Value(mark), Substr("name", len(MARKS[0]) + 1)))
        for pk, name in cards.values_list("pk", "name"):
            Card.objects.filter(pk=pk).update(name_folded=fold(name), sort_name=fold(name))
        Edition.objects.create()


def marks_shown(client: Client) -> set[str]:
    """Return the marks of the names on the card list."""
    names = page(client, "/cards/?q=game%3Aspynet").all("a", class_="name")
    return {link.text[:2] for link in names}


@pytest.mark.django_db
def test_an_edition_loaded_during_an_answer_shows_in_the_next(client, monkeypatch):
    rename(MARKS[0])
    plain = views.CardListPage

    def loading_then(*args: Any) -> Any:
        whole, found = catalogue(), plain(*args)
        rename(MARKS[1])
        assert catalogue() is whole
        return found

    monkeypatch.setattr(views, "CardListPage", loading_then)
    assert marks_shown(client) == {MARKS[0]}
    monkeypatch.undo()
    assert marks_shown(client) == {MARKS[1]}


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
@pytest.mark.django_db(transaction=True)
def test_two_editions_never_mix_while_one_loads_after_the_other():
    rename(MARKS[0])
    seen: list[set[str]] = []

    def load() -> None:
        try:
            for number in range(1, 6):
                rename(MARKS[number % 2])
        finally:
            connection.close()

    def read() -> None:
        try:
            seen.extend(marks_shown(Client()) for _ in range(6))
        finally:
            connection.close()

    threads = [threading.Thread(target=target) for target in (load, read, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 18 and all(len(marks) == 1 for marks in seen)
