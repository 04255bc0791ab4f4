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
    answer = client.post(
        "/collection/import/", {"text": "count,name,game\n1,Kai,spycraft\n1,Bait,\n1,Kai,chess\n"}
    )
    assert [fault.where for fault in answer.context["faults"]] == ["game", "line 4"]
    assert "1 row of the table names no game (the first in line 3)" in answer.content.decode()


def test_a_table_of_cards_that_nobody_knows_offers_no_game(client: Client) -> None:
    answer = client.post("/collection/import/", {"text": "count,name\n1,Nobody At All\n"})
    assert (answer.status_code, answer.context["game_asked"]) == (400, "")


@pytest.mark.parametrize("heading", ["card", "key", "code"])
def test_a_key_tells_its_game(client: Client, heading: str) -> None:
    """A card's address without the site, as it stands in ours, is enough."""
    client.post("/collection/import/", {"text": f"count,{heading}\n2,spycraft/kai\n3,SpyNet/hitman\n"})
    assert sorted(Owned.objects.values_list("card__game", "card__code", "count")) == [
        ("spycraft", "kai", 2),
        ("spynet", "hitman", 3),
    ]


def test_a_key_is_believed_before_the_game_that_is_for_rows_without_one(client: Client) -> None:
    client.post("/collection/import/", {"text": "count,card\n2,spycraft/kai\n3,Hitman\n", "game": "spynet"})
    assert sorted(Owned.objects.values_list("card__game", "card__code")) == [
        ("spycraft", "kai"),
        ("spynet", "hitman"),
    ]


def test_a_key_beside_its_game_is_that_card_and_beside_another_is_none(client: Client) -> None:
    client.post("/collection/import/", {"text": "count,card,game\n2,spycraft/kai,Spycraft\n"})
    assert list(Owned.objects.values_list("card__code", "count")) == [("kai", 2)]
    answer = client.post("/collection/import/", {"text": "count,card,game\n2,spycraft/kai,spynet\n"})
    assert [fault.where for fault in answer.context["faults"]] == ["line 2"]


def test_a_key_of_no_card_is_named_with_its_line(client: Client) -> None:
    answer = client.post("/collection/import/", {"text": "count,card\n2,spycraft/nobody\n2,chess/kai\n"})
    assert {fault.where for fault in answer.context["faults"]} == {"game", "line 2"}
    assert "has no card “spycraft/nobody”" in answer.content.decode() and not Owned.objects.exists()


def test_columns_of_a_table_that_are_left_out_are_told_on_the_page(client: Client) -> None:
    head, cells = ",".join(f"c{n}" for n in range(9)), "," * 8 + "x"
    answer = client.post(
        "/collection/import/",
        {"text": f"count,name,game,{head}\n1,Kai,spycraft,{cells.replace(',', 'x,')}\n"},
        follow=True,
    )
    page = " ".join(answer.content.decode().split())
    assert "Left out: the column “c0”. (line 1, column 4)" in page
    assert "And 3 more." in page
