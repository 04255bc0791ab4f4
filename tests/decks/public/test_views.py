"""The pages of public decks, their feed and the sitemap: what stands there, for whom, at which cost. The
decks that use a card stand in ``test_card_decks.py``.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue, games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.public.listing import listing
from decks.public.views import SECTIONS, Pages
from tests.support.pages import page, page_of
from tests.support.public_decks import shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db


# -- the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "Decks of five spy card games that people have made public: each"),
        ({"game": "xfiles"}, "Decks of The X-Files CCG that people have made public: each"),
        ({"q": "is:legal"}, "made public, asked for by “is:legal”: each"),
    ],
)
def test_the_page_tells_search_engines_what_it_lists(client, asked, words):
    assert words in page(client, "/decks/", asked).one("meta", name="description")["content"]


@pytest.mark.parametrize("number", ["2", "0", "x", "1000001"])
def test_what_every_deck_holds_has_no_page_behind_the_last(shelf, number):
    page(Client(), "/decks/", {"q": "deck:[t:gear]>=5", "page": number}, status=404)
    page(Client(), "/decks/", {"q": "deck:[t:gear]>=90"})


def test_the_game_is_switched_and_pages_are_turned_within_the_query(shelf):
    values = {"game": "spycraft", "format": "agency", "visibility": "public"}
    Deck.objects.bulk_create(Deck(name=f"Deck {n}", edit_hash=f"{n}", **values) for n in range(25))
    asked, client = {"q": "likes>=0", "order": "liked"}, Client()
    truth = page(client, "/decks/", asked | {"game": "xfiles"})
    assert [one.deck.name for one in truth.context["rows"]] == ["Truth"]
    others = "?game=spycraft&q=likes%3E%3D0&order=liked"
    assert others in truth.links
    assert page(client, f"/decks/{others}").one(class_="pagination").link("Next") == f"{others}&page=2"


def test_tiles_of_ones_own_can_be_ticked_to_be_printed(shelf):
    own = page(shelf, "/decks/", {"q": "is:mine"})
    assert own.one("h1").text == "My decks"
    assert len(own.all("input", name="deck", form="print-together")) == 2
    empty = page(Client(), "/decks/", {"q": "is:mine"}).one(class_="empty")
    assert empty.one("h2").text == "You have no deck yet" and empty.link("Make one") == "/decks/new/"


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
def test_no_query_is_an_error(client, query):
    assert client.get("/decks/", {"q": query}).status_code == 200
    assert client.get("/decks.atom", {"q": query}).status_code == 200
    assert client.get("/api/v1/decks/", {"q": query}).status_code in (200, 400)


# -- the feed, the API, the newest at home ---------------------------------------------------------


def feed(client: Client, **asked: str) -> tuple[list[str], list[str]]:
    """The titles and ids of its entries, after its own."""
    whole = ElementTree.fromstring(client.get("/decks.atom", asked).content)
    atom = "{http://www.w3.org/2005/Atom}"
    titles, ids = ([one.text or "" for one in whole.iter(atom + name)] for name in ("title", "id"))
    return titles[1:], ids


def test_the_feed_has_public_decks_by_game_and_query_and_nobodys_own(shelf):
    titles, _ = feed(shelf)
    assert titles.index("Two Kai") < titles.index("Nine Tiger") and "Tiger at Home" not in titles
    assert "Truth" not in feed(shelf, q="uses:kai")[0]
    _, ids = feed(shelf, game="spycraft")
    addresses = [f"http://testserver/decks/{deck.link}/" for deck in listing(Viewer(), "game:spycraft").decks]
    assert ids == ["http://testserver/decks/?game=spycraft", *addresses], "an id is a whole address"
    page(shelf, "/decks.atom", {"game": "chess"}, status=404)


def test_the_home_page_asks_for_the_newest_public_decks_when_it_is_scrolled_to(shelf):
    place = page(shelf, "/").one("section", class_="home-decks")
    assert (place["hx-get"], place["hx-trigger"], place.text) == ("/decks/newest/", "revealed", "")
    answer = shelf.get("/decks/newest/")
    newest = page_of(answer)
    assert newest.all(class_="deck-tile-name")[0].text == "Two Kai"
    assert len(newest.all(class_="deck-tile")) == 4 and "Tiger at Home" not in newest.text
    assert answer["Cache-Control"] == "public, max-age=60" and not answer.cookies
    Deck.objects.filter(name="Two Kai").update(visibility="private")
    assert "Two Kai" not in Client().get("/decks/newest/").text


# -- what a search engine is told of ---------------------------------------------------------------

SITE = "http://testserver"


def told(client: Client, address: str, name: str = "loc") -> list[str]:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml")
    found = ElementTree.fromstring(answer.content).iter(
        f"{{http://www.sitemaps.org/schemas/sitemap/0.9}}{name}"
    )
    return [(one.text or "").removeprefix(SITE) for one in found]


def test_robots_are_told_of_the_sitemap_which_has_a_file_of_each_section(client):
    assert f"Sitemap: {SITE}/sitemap.xml" in client.get("/robots.txt").text.splitlines()
    assert told(client, "/sitemap.xml") == [f"/sitemap-{section}.xml" for section in SECTIONS]
    page(client, "/sitemap-nothing.xml", status=404)


@pytest.mark.parametrize(("section", "every"), [("pages", 1), ("games", 1), ("sets", 4), ("cards", 300)])
def test_every_page_named_is_there(client, section, every):
    addresses = told(client, f"/sitemap-{section}.xml")
    assert len(addresses) == len(set(addresses)) > 5
    assert section != "cards" or len(addresses) == len(catalogue().entries)
    answers = {address: client.get(address) for address in addresses[::every]}
    assert [address for address, answer in answers.items() if answer.status_code != 200] == []
    assert [address for address, answer in answers.items() if b"noindex" in answer.content] == []


def test_a_page_that_a_game_does_not_have_is_not_named(client):
    named = {slug: f"/games/{slug}/glossary/" in told(client, "/sitemap-games.xml") for slug in games()}
    assert named == {slug: bool(game.glossary) for slug, game in games().items()}


def test_public_decks_are_named_with_the_time_of_their_last_change_and_no_others(shelf):
    decks = {f"/decks/{deck.link}/": deck.changed for deck in listing(Viewer()).decks}
    Deck.objects.filter(name="Truth").update(visibility="unlisted")
    named = told(shelf, "/sitemap-decks.xml")
    assert len(named) == len(decks) - 1 and set(named) < set(decks)
    assert told(shelf, "/sitemap-decks.xml", "lastmod") == [f"{decks[one]:%Y-%m-%d}" for one in named]


def test_many_decks_stand_in_several_files(shelf, monkeypatch):
    monkeypatch.setattr(Pages, "limit", 2)
    files = [file for file in told(shelf, "/sitemap.xml") if "decks" in file]
    assert files == ["/sitemap-decks.xml", "/sitemap-decks.xml?p=2", "/sitemap-decks.xml?p=3"]
    assert [len(told(shelf, file)) for file in files] == [2, 2, 1]


@pytest.mark.parametrize("number", ["0", "9", "x", "-1", "9" * 40])
def test_a_file_that_is_none_is_a_404(client, number):
    page(client, "/sitemap-pages.xml", {"p": number}, status=404)
