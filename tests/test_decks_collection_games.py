"""A table whose rows name no game is refused once, and the game that its names speak for is offered."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Owned

pytestmark = pytest.mark.django_db


def test_rows_without_a_game_are_refused_once_and_their_game_is_offered(client: Client) -> None:
    table = "Quantity,Name\n" + "".join(f"2,{name}\n" for name in ("Kai", "Termite", "Bait"))
    answer = client.post("/collection/import/", {"text": table})
    page = answer.content.decode()
    assert [(fault.code, fault.where) for fault in answer.context["faults"]] == [("no_game", "game")]
    assert '<option value="spycraft" selected>' in page
    assert table.replace("\n", "\r\n") in page.replace("\n", "\r\n"), "the table stays in the form"
    assert not Owned.objects.exists()
    client.post("/collection/import/", {"text": table, "game": "spycraft"})
    assert Owned.objects.count() == 3


def test_of_some_rows_without_a_game_the_first_is_named_beside_what_else_is_wrong(client: Client) -> None:
    answer = client.post("/collection/import/", {"text": "count,name,game\n1,Kai,spycraft\n1,Bait,\n1,Kai,chess\n"})
    assert [fault.where for fault in answer.context["faults"]] == ["game", "line 4"]
    assert "1 row of the table names no game (the first in line 3)" in answer.content.decode()


def test_a_table_of_cards_that_nobody_knows_offers_no_game(client: Client) -> None:
    answer = client.post("/collection/import/", {"text": "count,name\n1,Nobody At All\n"})
    assert (answer.status_code, answer.context["game_asked"]) == (400, "")
