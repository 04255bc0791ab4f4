"""How many cards a deck has is a column, as strangers see it and whole; what a query costs is counted."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.identity.viewer import Viewer
from decks.models import Deck, DeckLine
from decks.public.listing import listing
from decks.saving.save import MAX_JUDGED
from tests.support.public_decks import found, make_deck, starter

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("anna"))
    return client


@pytest.fixture
def truth(anna: Client) -> Deck:
    """A deck with a secret section, found by its size."""
    return make_deck(anna, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")


def sizes(deck: Deck) -> tuple[int, int]:
    stored = Deck.objects.get(pk=deck.pk)
    return stored.size, stored.size_shown


def secret_cards(deck: Deck) -> int:
    return sum(DeckLine.objects.filter(deck=deck, section="xfile").values_list("count", flat=True))


def test_a_size_is_asked_of_columns_and_no_line_is_counted(truth: Deck) -> None:
    asked = str(listing(Viewer(), " or ".join(f"size={n}" for n in range(100))).decks.query)
    assert "decks_deckline" not in asked and "SUM(" not in asked


def test_a_stranger_finds_a_deck_by_what_they_see_of_it(truth: Deck, anna: Client) -> None:
    whole, shown = sizes(truth)
    assert (whole, secret_cards(truth)) == (sum(line.count for line in truth.lines.all()), whole - shown)
    assert whole > shown
    assert [found(client, f"size={shown}") for client in (Client(), anna)] == [["Truth"], []]
    assert [found(client, f"size={whole}") for client in (Client(), anna)] == [[], ["Truth"]]
    assert found(Client(), f"-size={shown}") == []


def test_what_is_revealed_is_found_whole(truth: Deck) -> None:
    Deck.objects.filter(pk=truth.pk).update(revealed=True)
    assert found(Client(), f"size={truth.size}") == ["Truth"]


def test_the_columns_follow_every_change(client: Client) -> None:
    deck = make_deck(client, "A", "2 Kai")
    assert sizes(deck) == (2, 2)
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    assert sizes(deck) == (3, 3)


@pytest.mark.parametrize("query", ["uses:kai", "deck:[t:gear]>=2", "-deck:[kai]", "tiger or uses:kai"])
@pytest.mark.parametrize("path", ["/decks/", "/decks.atom", "/api/v1/decks/"])
def test_what_looks_into_every_deck_is_counted_as_work(
    client: Client, settings: Any, path: str, query: str
) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    assert [client.get(path, {"q": query}).status_code for _ in range(2)] == [200, 429]
    assert client.get(path, {"q": "size>=3 likes<9 tiger"}).status_code == 200
    cache.clear()


def test_asking_too_much_costs_no_look_at_the_decks(client: Client, settings: Any) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    User.objects.create_user("bob")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/decks/", {"q": "deck:[kai]"}).status_code == 429
    assert [query["sql"] for query in queries if "decks_deckline" in query["sql"]] == []
    cache.clear()


@pytest.mark.parametrize("query", ["is:legal", "-is:illegal", "game:spycraft is:legal order:name"])
def test_a_question_about_verdicts_takes_as_many_queries_however_many_decks_are_stale(query: str) -> None:
    """The look for what is stale, its lines, cards and prints, the update; then the count of the rest, the
    count and the page.
    """
    counts: list[int] = []
    # The first look is for what this process learns once.
    for stale in (41, 41, 90):
        Deck.objects.all().delete()
        Deck.objects.bulk_create(
            Deck(
                game="spycraft",
                format="agency",
                name=f"Deck {n}",
                visibility="public",
                edit_hash=f"{n}",
                judged_by="long ago",
            )
            for n in range(stale)
        )
        with CaptureQueriesContext(connection) as queries:
            answer = Client().get("/api/v1/decks/", {"q": query})
        assert answer.json()["unjudged"] == stale - MAX_JUDGED
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 20


def test_whether_a_verdict_holds_is_one_text_compared_and_nothing_computed_of_each_deck() -> None:
    asked = str(listing(Viewer(), "is:legal").decks.query)
    assert "judged_by" in asked
    assert "||" not in asked and "COALESCE" not in asked and 'revision" =' not in asked
