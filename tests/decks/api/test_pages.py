"""Paging: lists of decks, revisions and formats are followed by cursors, so that changes in between shift no
row.
"""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from decks.models import Deck
from decks.public.fields import ORDERS
from tests.support.made_decks import named_deck
from tests.support.public_decks import shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db

# Every order, and every kind of search: by an index, by cards in the decks, by words.
ASKED = [*(f"order={order}" for order in ORDERS), "q=tiger+uses:kai", "q=t", "q=order:-name"]


def answered(client: Client, address: str, **headers: str) -> dict[str, Any]:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer.content
    content: dict[str, Any] = answer.json()
    return content


def followed(client: Client, address: str, to: str = "next", **headers: str) -> list[list[dict[str, Any]]]:
    """The rows of each page, from the one at this address to the last."""
    pages, here = [], address
    while here:
        answer = answered(client, here, **headers)
        pages.append(answer["results"])
        here = answer[to]
    return pages


def names(pages: list[list[dict[str, Any]]]) -> list[str]:
    return [row["name"] for page in pages for row in page]


@pytest.mark.parametrize("asked", ASKED)
def test_changes_between_two_pages_shift_no_row(shelf, asked):
    address = f"/api/v1/decks/?{asked}&page_size=1"
    before = names(followed(shelf, address))
    first = answered(shelf, address)
    second = answered(shelf, first["next"])
    named_deck(Client(), "Made meanwhile, a tiger", "2 Kai\n1 Termite")
    Deck.objects.filter(name=second["results"][0]["name"]).delete()
    rest = names(followed(shelf, second["next"]))
    assert [name for name in rest if name != "Made meanwhile, a tiger"] == before[2:]
    forwards = followed(shelf, address)
    assert len(forwards) > 1
    backwards = followed(shelf, f"{address}&before=end", "previous")
    assert names(backwards) == names(forwards)[::-1], "backwards there are the same pages"


def test_an_empty_page_behind_the_last_leads_back(shelf):
    first = answered(shelf, "/api/v1/decks/?page_size=4")
    last = answered(shelf, first["next"])
    assert last["next"] is None
    assert len(last["results"]) == 2
    Deck.objects.filter(link__in=[row["id"] for row in last["results"]]).delete()
    empty = answered(shelf, first["next"])
    assert (empty["results"], empty["next"]) == ([], None)
    assert answered(shelf, empty["previous"])["results"] == first["results"]


@pytest.mark.parametrize("place", ["kai", "W10:x", "a:b:c", "é", "x" * 5_000])
def test_an_invalid_cursor_is_refused(client, place):
    for name in ("after", "before"):
        faults = client.get("/api/v1/decks/", {name: place}).json()
        assert [(fault["code"], fault["where"]) for fault in faults] == [("bad_cursor", name)]


def test_a_cursor_of_another_order_is_refused(shelf):
    following = answered(shelf, "/api/v1/decks/?order=name&page_size=1")["next"]
    place = dict(parse_qsl(urlsplit(following).query))["after"]
    answer = shelf.get("/api/v1/decks/", {"order": "liked", "after": place})
    assert answer.status_code == 400
    assert answer.json()[0]["code"] == "bad_cursor"


@pytest.mark.parametrize("address", ["/api/v1/decks/", "/api/v1/formats/"])
def test_page_numbers_and_two_cursors_are_refused(client, address):
    answer = client.get(address, {"page": "2"})
    assert answer.status_code == 400
    assert "next" in answer.json()[0]["message"]
    both = client.get(address, {"after": "x", "before": "end"}).json()
    assert [fault["code"] for fault in both] == ["two_cursors"]


def test_a_revision_saved_between_two_pages_shifts_none(client):
    body = {"game": "spycraft", "name": "Traps", "text": "2 Kai"}
    deck = client.post("/api/v1/decks/", body, content_type="application/json").json()
    address, key = f"/api/v1/decks/{deck['id']}/", {"X-Deck-Key": deck["edit_key"]}

    def change() -> None:
        more = {"add": {"card": "kai"}}
        assert client.patch(address, more, content_type="application/json", headers=key).status_code == 200

    change()
    change()
    first = answered(client, f"{address}revisions/?page_size=1", **key)
    change()
    rest = followed(client, first["next"], **key)

    numbers = [row["number"] for page in [first["results"], *rest] for row in page]
    assert numbers == sorted(numbers, reverse=True)
    assert len(set(numbers)) == len(numbers) == 3
    assert all(row["changes"] for page in rest[:-1] for row in page)
