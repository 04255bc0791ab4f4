"""The page, feed and API of public decks: rows, verdicts that no longer hold, bounds, few queries."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet, Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.identity.viewer import Viewer
from cardsdb.models import Edition
from decks.models import Comment, Deck, DeckLine
from decks.public.fields import ORDERS
from decks.public.listing import listing
from decks.saving import save as verdicts
from decks.saving.save import renew_all
from tests.decks.api.test_pages import followed
from tests.support.pages import page
from tests.support.public_decks import found, make_deck, shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db


# -- verdicts that no longer hold -----------------------------------------------------------


def test_a_verdict_is_asked_for_as_it_is_now(shelf: Client) -> None:
    Deck.objects.filter(name="Two Kai").update(verdict="legal", judged_by="long ago")
    assert "Two Kai" not in found(Client(), "is:legal")
    assert Deck.objects.get(name="Two Kai").verdict == "incomplete"


def test_decks_that_are_not_judged_yet_are_counted_and_not_found_by_their_verdict(
    shelf: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "MAX_JUDGED", 2)
    Edition.objects.create()
    answer = Client().get("/decks/", {"q": "-is:undecided game:spycraft is:legal or is:incomplete"})
    assert answer.context["listed"].unjudged == 3
    assert "3 decks have not been judged" in answer.content.decode()
    assert len(answer.context["rows"]) <= 2


def test_all_decks_are_judged_anew_by_a_command(shelf: Client) -> None:
    Edition.objects.create()
    Deck.objects.update(verdict="illegal")
    assert renew_all() == 6
    assert renew_all() == 0
    assert Deck.objects.get(name="Nine Tiger").verdict == "legal"


# -- the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "Decks of five spy card games that people have made public: each"),
        ({"game": "xfiles"}, "Decks of The X-Files CCG that people have made public: each"),
        ({"q": "is:legal"}, "made public, asked for by “is:legal”: each"),
    ],
)
def test_the_page_tells_search_engines_what_it_lists(
    client: Client, asked: dict[str, str], words: str
) -> None:
    (told,) = re.findall(
        '<meta name="description" content="([^"]*)"', client.get("/decks/", asked).content.decode()
    )
    assert words in told


@pytest.mark.parametrize("most", [1_000, 2])
@pytest.mark.parametrize("order", ["", *ORDERS])
def test_the_pages_of_public_decks_and_ones_own_have_each_once_in_the_order_asked_for(
    shelf: Client, order: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those so far behind that they are not put together of the two."""
    monkeypatch.setattr("decks.public.views.PER_PAGE", 2)
    monkeypatch.setattr("decks.public.listing.MAX_OF_PARTS", most)
    Deck.objects.filter(name="Nine Tiger").update(visibility="unlisted")
    wanted = [deck.name for deck in listing(Viewer(User.objects.get().pk), order=order).decks]
    pages = [shelf.get("/decks/", {"order": order, "page": str(number)}) for number in (1, 2, 3)]
    assert [row.deck.name for answer in pages for row in answer.context["rows"]] == wanted and len(
        wanted
    ) == 6
    told = followed(shelf, f"/api/v1/decks/?order={order}&page_size=2")
    assert [[row["name"] for row in rows] for rows in told] == [
        wanted[:2],
        wanted[2:4],
        wanted[4:],
    ]
    assert shelf.get("/decks/", {"order": order, "page": "4"}).status_code == 404


@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_public_decks_and_ones_own_are_counted_apart(shelf: Client, path: str) -> None:
    """No index has both, so that all decks would be gone through."""
    with CaptureQueriesContext(connection) as asked:
        answer = shelf.get(path)
    number = answer.context["page"].paginator.count if path == "/decks/" else answer.json()["count"]
    counts = [query["sql"] for query in asked if 'COUNT(*) AS "__count" FROM "decks_deck"' in query["sql"]]
    assert number == 6 and len(counts) == 2 and not [sql for sql in counts if " OR " in sql]


@pytest.mark.parametrize(
    ("query", "most"),
    [
        ("", 11),  # session, two counts, keys of both, decks, edition, sizes, cards, two for own faces
        ("tiger", 12),  # and the edition's fields
        ("game:spycraft deck:[t:gear]>=5 -deck:[craft>=4] size>3", 9),
        ("is:legal uses:kai", 12),  # and what stored cards it knows, the card, whether all is judged
    ],
)
def test_a_query_is_one_statement_and_the_page_few_more(shelf: Client, query: str, most: int) -> None:
    stranger = Client()
    make_deck(stranger, "Own", "2 Kai")
    Deck.objects.filter(owner__isnull=False).update(owner=None)
    stranger.get("/decks/", {"q": query})
    with CaptureQueriesContext(connection) as asked:
        stranger.get("/decks/", {"q": query})
    assert len(asked) <= most, [one["sql"] for one in asked]


@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_what_every_deck_holds_is_counted_once_for_the_page_and_the_number_of_all(
    shelf: Client, path: str
) -> None:
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(path, {"q": "deck:[t:gear]>=5"})
    listed = (
        answer.json()
        if path != "/decks/"
        else {"count": answer.context["page"].paginator.count, "results": answer.context["rows"]}
    )
    assert listed["count"] == len(listed["results"]) == 2
    assert sum("HAVING SUM" in one["sql"] for one in asked) == 1


@pytest.mark.parametrize("number", ["2", "0", "x", "1000001"])
def test_what_every_deck_holds_has_no_page_behind_the_last(shelf: Client, number: str) -> None:
    assert Client().get("/decks/", {"q": "deck:[t:gear]>=5", "page": number}).status_code == 404
    assert Client().get("/decks/", {"q": "deck:[t:gear]>=90"}).status_code == 200


@pytest.mark.engine("sqlite")
def test_lists_of_decks_read_from_indexes(shelf: Client) -> None:
    def plan(rows: QuerySet[Any]) -> str:
        return rows.explain()

    counted = (
        DeckLine.objects.order_by()
        .filter(card__in=[1, 2])
        .values("deck")
        .annotate(copies=Sum("count"))
        .values("section", "copies")
    )
    assert "COVERING INDEX line_counted" in plan(counted)
    named = Deck.objects.public().order_by("name_folded", "-changed", "-pk").only("name")
    assert "INDEX deck_named" in plan(named) and "TEMP B-TREE" not in plan(named)
    waiting = Comment.objects.order_by().filter(state="waiting", deck__in=[1, 2]).values("deck")
    assert "INDEX comment_waiting" in plan(waiting)


def test_a_tile_says_what_the_deck_is(shelf: Client) -> None:
    tile = page(Client(), "/decks/", {"q": "nine tiger"}).one("li", class_="deck-tile")
    for part in ("Nine Tiger", "Legal", "Spycraft", "Agency Deck", "by anna", "4 likes", "59 cards"):
        assert part in tile.text
    assert "/decks/?q=tag%3Amirror" in tile.links


def test_the_game_is_switched_within_the_query(shelf: Client) -> None:
    answer = Client().get("/decks/", {"q": "likes>=0", "order": "liked", "game": "xfiles"})
    assert [row.deck.name for row in answer.context["rows"]] == ["Truth"]
    assert 'href="?game=spycraft&amp;q=likes%3E%3D0&amp;order=liked"' in answer.content.decode()


def test_an_order_that_is_none_is_passed_over(shelf: Client) -> None:
    assert len(found(Client(), "", order="price")) == 5
    assert set(ORDERS) == {"newest", "liked", "name", "match"}


@pytest.mark.parametrize(
    "query",
    [
        "\x01",
        "ſ" * 2000,
        "deck:[" * 50,
        "((((",
        "-",
        '"',
        "deck:[name:/(/]",
        "​tag:a",
        "changed:9999 changed:0",
        "size>" + "9" * 18,
    ],
)
def test_no_query_is_an_error(client: Client, query: str) -> None:
    assert client.get("/decks/", {"q": query}).status_code == 200
    assert client.get("/decks.atom", {"q": query}).status_code == 200
    assert client.get("/api/v1/decks/", {"q": query}).status_code in (200, 400)


# -- the feed and the API ------------------------------------------------------------------------


def test_the_feed_has_public_decks_and_nobodys_own(shelf: Client) -> None:
    feed = shelf.get("/decks.atom").content.decode()
    assert "Nine Tiger" in feed and "Tiger at Home" not in feed
    assert feed.index("Two Kai") < feed.index("Nine Tiger")


def test_the_feed_has_the_address_of_a_deck_as_its_id(shelf: Client) -> None:
    """An id that is no whole address makes the feed invalid."""
    feed = ElementTree.fromstring(shelf.get("/decks.atom?game=spycraft").content)
    ids = [one.text for one in feed.iter("{http://www.w3.org/2005/Atom}id")]
    decks = [deck.link for deck in listing(Viewer(), "game:spycraft").decks]
    addresses = [f"http://testserver/decks/{link}/" for link in decks]
    assert ids == ["http://testserver/decks/?game=spycraft", *addresses] and len(addresses) == 4


def test_the_feed_takes_a_query_and_a_game(shelf: Client) -> None:
    assert "Truth" not in shelf.get("/decks.atom", {"q": "uses:kai"}).content.decode()
    assert "Truth" in shelf.get("/decks.atom", {"game": "xfiles"}).content.decode()
    assert shelf.get("/decks.atom", {"game": "chess"}).status_code == 404


def test_the_api_takes_the_same_language(shelf: Client) -> None:
    answer = Client().get("/api/v1/decks/", {"q": "deck:[!kai]", "order": "name"}).json()
    assert [deck["name"] for deck in answer["results"]] == ["Nine Tiger", "Two Kai"]
    assert answer["results"][0]["likes"] == 4
    assert Client().get("/api/v1/decks/", {"order": "price"}).status_code == 400
