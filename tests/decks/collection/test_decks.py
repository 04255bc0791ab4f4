"""A collection against decks: what one lacks, and which can be built at once."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck, Owned

pytestmark = pytest.mark.django_db


def note(client: Client, count: str) -> None:
    client.post("/collection/", {"count:spycraft/kai": count, "seen:spycraft/kai": "0"})


def held() -> list[tuple[str, str, int]]:
    return sorted(Owned.objects.values_list("card__code", "set", "count"))


def made(client: Client, text: str, name: str, **values: str) -> str:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": text, **values})
    assert answer.status_code == 302
    return str(answer["Location"])


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
    assert {row["deck"].name: row["missing"] for row in page.context["rows"]} == {"One": 0, "Two": 0}
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
    assert (page.context["rows"], page.context["chosen"]) == ([], [])
