"""A collection against decks: what one lacks, and which can be built at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.models import Deck, Owned
from tests.support.pages import page

TIGER = "/collection/starters/spycraft/nine-tiger/"

pytestmark = pytest.mark.django_db


def note(client: Client, count: str) -> None:
    client.post("/collection/", {"count:spycraft/kai": count, "seen:spycraft/kai": "0"})


def held() -> list[tuple[str, str, int]]:
    return sorted(Owned.objects.values_list("card__code", "set", "count"))


def made(client: Client, text: str, name: str, **values: str) -> str:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": text, **values})
    assert answer.status_code == 302
    return str(answer["Location"])


def own(page: Any) -> list[Any]:
    """The visitor's decks on the page of what can be built."""
    (rows,) = [rows for _, field, rows in page.context["tables"] if field == "deck"]
    return list(rows)


def test_a_deck_says_what_it_still_lacks(client: Client) -> None:
    note(client, "1")
    deck = made(client, "3 Kai\n2 Bait", "Small", visibility="public")
    page = client.get(f"{deck}missing/")
    assert [(card.code, lacking) for card, _, _, lacking in page.context["rows"]] == [
        ("bait", 2),
        ("kai", 2),
    ] or [(card.code, lacking) for card, _, _, lacking in page.context["rows"]] == [
        ("kai", 2),
        ("bait", 2),
    ]
    assert sorted(page.context["text"].split("\n")) == ["", "2 Bait", "2 Kai"]
    assert Client().get(f"{deck}missing/").context["missing"] == 5, (
        "everybody is told by their own collection"
    )


def test_a_deck_that_one_owns_whole_is_noted_at_once(client: Client) -> None:
    note(client, "1")
    deck = made(client, "3 Kai\n2 Bait", "Small")
    client.post(f"{deck}missing/")
    assert held() == [("bait", "", 2), ("kai", "", 3)]
    assert client.get(f"{deck}missing/").context["missing"] == 0


def test_what_a_private_deck_lacks_is_its_owners_to_know(client: Client) -> None:
    assert Client().get(f"{made(client, '3 Kai', 'Small')}missing/").status_code == 404


def test_decks_that_share_cards_are_not_built_at_once(client: Client) -> None:
    note(client, "3")
    links = [made(client, "2 Kai", name).split("/")[2] for name in ("One", "Two")]
    page = client.get("/collection/decks/", {"deck": links})
    assert {row["name"]: row["missing"] for row in own(page)} == {"One": 0, "Two": 0}
    ((title, rows),) = page.context["scarce"]
    assert title == "Where they get in each other’s way"
    assert [(row["name"], row["scarce"].missing) for row in rows] == [("Kai", 1)]
    assert len(page.context["together"]) == 1


def test_what_one_deck_alone_wants_is_lacking_and_no_conflict(client: Client) -> None:
    note(client, "3")
    links = [
        made(client, text, name).split("/")[2] for text, name in (("2 Kai\n1 Recon", "One"), ("2 Kai", "Two"))
    ]
    page = client.get("/collection/decks/", {"deck": links})
    contested, lacking = (rows for _, rows in page.context["scarce"])
    assert [row["name"] for row in contested] == ["Kai"]
    assert [(row["name"], row["wants"]) for row in lacking] == [("Recon", [("One", 1)])]
    page = client.get("/collection/decks/", {"deck": links[:1]})
    assert "get in each other" not in page.content.decode(), "one deck is in nobody's way"


def test_only_ones_own_decks_are_weighed(client: Client) -> None:
    made(client, "2 Kai", "Theirs", visibility="public")
    link = Deck.objects.get().link
    page = Client().get("/collection/decks/", {"deck": link})
    assert (own(page), page.context["chosen"]) == ([], [])


def test_a_starter_is_a_deck_that_can_be_built_the_nearest_first(client: Client) -> None:
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    first = next(
        entry for entry in read_deck(games()["spycraft"], starter.text).deck if not entry.card.written
    )
    client.post("/collection/", {f"count:{first.card.key}": "1", f"seen:{first.card.key}": "0"})
    found = page(client, "/collection/decks/")
    row = found.one("table").all("tr")[1]
    assert row.one("label").text == starter.name and row.one("td", class_="num").text == "1 of 59"
    assert row.link("58 missing") == TIGER
    assert row.link("Print them") == "/print/?starter=spycraft/nine-tiger&only=missing"
    assert row.link("Start a deck from it") == "/decks/new/?game=spycraft&starter=nine-tiger"


def test_a_starter_that_one_owns_whole_is_noted_at_once_and_lacks_nothing_then(client: Client) -> None:
    assert "59 are missing" in page(client, TIGER).text
    assert client.post(TIGER)["Location"] == TIGER
    assert "You own every card of it." in page(client, TIGER).text
    assert sum(count for *_, count in held()) == 59


def test_starters_are_weighed_against_ones_decks(client: Client) -> None:
    client.post(TIGER)
    made(client, "1 Kai", "One")
    asked = {"starter": "spycraft/nine-tiger", "deck": Deck.objects.get().link}
    ((title, rows),) = client.get("/collection/decks/", asked).context["scarce"]
    assert title == "Where they get in each other’s way" and [row["name"] for row in rows] == ["Kai"]


@pytest.mark.parametrize("address", ["spycraft/none", "chess/nine-tiger"])
def test_a_starter_that_there_is_not_is_not_found(client: Client, address: str) -> None:
    assert client.get(f"/collection/starters/{address}/").status_code == 404


def test_a_starter_that_there_is_not_is_not_ticked(client: Client) -> None:
    assert client.get("/collection/decks/", {"starter": "spycraft/none"}).context["chosen"] == []
