"""The numbers of a list that nobody keeps: the tables that its deck would have."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from decks.models import Deck

# Lists are judged in memory and nothing is stored. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def table_rows(page: Any) -> list[tuple[str, list[list[str]]]]:
    return [
        (shown.table.title, [[row.label, *(cell.words for cell in row.cells)] for row in shown.rows])
        for shown, *_ in page.context["tables"]
    ]


def test_a_list_has_the_tables_that_its_deck_would_have(client: Client, agency_text: str) -> None:
    form = {"game": "spycraft", "format": "agency", "text": agency_text}
    page = client.post("/check/numbers/", form)
    assert page.status_code == 200
    assert not Deck.objects.exists(), "nothing is saved"
    client.post("/decks/new/", form | {"name": "Banshee"})
    stored = client.get(f"/decks/{Deck.objects.get().link}/numbers/")
    assert table_rows(page) == table_rows(stored) != []


def test_the_check_leads_there_and_back(client: Client, agency_text: str) -> None:
    form = {"game": "spycraft", "text": agency_text}
    assert 'formaction="/check/numbers/"' in client.post("/check/", form).content.decode()
    page = client.post("/check/numbers/", form).content.decode()
    assert 'action="/check/"' in page and "The Banshee Net" in page, "the list goes with its author"


def test_lines_that_were_not_read_are_said_not_to_be_counted(client: Client) -> None:
    page = client.post(
        "/check/numbers/", {"game": "spycraft", "text": "2 Kai\n1 Nobody at all"}
    ).content.decode()
    assert "1 line could not be read, and is not counted here." in page
    assert (
        "There is nothing to count"
        in client.post("/check/numbers/", {"game": "spycraft", "text": "1 Nobody at all"}).content.decode()
    )


def test_what_is_no_list_is_said_on_the_form(client: Client) -> None:
    answer = client.post("/check/numbers/", {"game": "nope", "text": "2 Kai"})
    assert answer.status_code == 400 and "There is a problem" in answer.content.decode()


def test_it_is_counted_as_work(client: Client, settings: Any) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    form = {"game": "spycraft", "text": "2 Kai"}
    assert [client.post("/check/numbers/", form).status_code for _ in range(2)] == [200, 429]
    cache.clear()
