"""The pages of public decks, their feed and the sitemap. The view ``card_decks`` is tested in
``test_card_decks.py``.
"""

from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue, games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.public.listing import listing
from decks.public.views import SECTIONS, PagesOfDecks
from tests.support.pages import page, page_of
from tests.support.public_decks import shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db


# -- the page ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["2", "0", "x", "1000001"])
def test_a_query_that_looks_into_decks_has_no_page_behind_the_last(shelf, number):
    page(Client(), "/decks/", {"q": "deck:[t:gear]>=5", "page": number}, status=404)
    page(Client(), "/decks/", {"q": "deck:[t:gear]>=90"})


def test_links_to_another_game_or_page_keep_the_query(shelf):
    values = {"game": "spycraft", "format": "agency", "visibility": "public"}
    Deck.objects.bulk_create(Deck(name=f"Deck {n}", edit_hash=f"{n}", **values) for n in range(25))
    asked, client = {"q": "likes>=0", "order": "liked"}, Client()
    truth = page(client, "/decks/", asked | {"game": "xfiles"})
    assert [row.deck.name for row in truth.context["rows"]] == ["Truth"]
    others = "?game=spycraft&q=likes%3E%3D0&order=liked"
    assert others in truth.links
    assert page(client, f"/decks/{others}").one(class_="pagination").link("Next") == f"{others}&page=2"


def test_own_decks_can_be_ticked_to_be_printed_together(shelf):
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
def test_no_query_causes_a_server_error(client, query):
    assert client.get("/decks/", {"q": query}).status_code == 200
    assert client.get("/decks.atom", {"q": query}).status_code == 200
    assert client.get("/api/v1/decks/", {"q": query}).status_code in (200, 400)


# -- the feed, and the newest decks on the home page ---------------------------------------------------------


def feed(client, **asked) -> tuple[list[str], list[str]]:
    """(the titles of the feed's entries, the ids of the feed and its entries)."""
    whole = ElementTree.fromstring(client.get("/decks.atom", asked).content)
    atom = "{http://www.w3.org/2005/Atom}"
    titles, ids = ([element.text or "" for element in whole.iter(atom + name)] for name in ("title", "id"))
    return titles[1:], ids


def test_the_feed_has_public_decks_by_game_and_query_even_for_an_owner_of_others(shelf):
    titles, _ = feed(shelf)
    assert titles.index("Two Kai") < titles.index("Nine Tiger") and "Tiger at Home" not in titles
    assert "Truth" not in feed(shelf, q="uses:kai")[0]
    _, ids = feed(shelf, game="spycraft")
    addresses = [f"http://testserver/decks/{deck.link}/" for deck in listing(Viewer(), "game:spycraft").decks]
    assert ids == ["http://testserver/decks/?game=spycraft", *addresses], "each id is an absolute address"
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


# -- the sitemap ---------------------------------------------------------------

SITE = "http://testserver"


def listed(client, address, name="loc") -> list[str]:
    """The addresses in a file of the sitemap, or its elements of another name, in order."""
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml")
    found = ElementTree.fromstring(answer.content).iter(
        f"{{http://www.sitemaps.org/schemas/sitemap/0.9}}{name}"
    )
    return [(element.text or "").removeprefix(SITE) for element in found]


def test_robots_txt_names_the_sitemap_which_has_a_file_for_each_section(client):
    assert f"Sitemap: {SITE}/sitemap.xml" in client.get("/robots.txt").text.splitlines()
    assert listed(client, "/sitemap.xml") == [f"/sitemap-{section}.xml" for section in SECTIONS]
    page(client, "/sitemap-nothing.xml", status=404)


@pytest.mark.parametrize(("section", "every"), [("pages", 2), ("games", 3), ("sets", 8), ("cards", 500)])
def test_every_page_in_the_sitemap_exists_and_may_be_indexed(client, section, every):
    addresses = listed(client, f"/sitemap-{section}.xml")
    assert len(addresses) == len(set(addresses)) > 5
    assert section != "cards" or len(addresses) == len(catalogue().entries)
    answers = {address: client.get(address) for address in addresses[::every]}
    assert [address for address, answer in answers.items() if answer.status_code != 200] == []
    assert [address for address, answer in answers.items() if b"noindex" in answer.content] == []


def test_the_sitemap_lists_only_pages_that_a_game_has(client):
    named = {slug: f"/games/{slug}/glossary/" in listed(client, "/sitemap-games.xml") for slug in games()}
    assert named == {slug: bool(game.glossary) for slug, game in games().items()}


def test_the_sitemap_lists_only_public_decks_with_the_day_of_their_last_change(shelf):
    decks = {f"/decks/{deck.link}/": deck.changed for deck in listing(Viewer()).decks}
    Deck.objects.filter(name="Truth").update(visibility="unlisted")
    named = listed(shelf, "/sitemap-decks.xml")
    assert len(named) == len(decks) - 1 and set(named) < set(decks)
    assert listed(shelf, "/sitemap-decks.xml", "lastmod") == [f"{decks[deck]:%Y-%m-%d}" for deck in named]


def test_many_decks_stand_in_several_files_and_any_other_file_is_404(shelf, monkeypatch):
    monkeypatch.setattr(PagesOfDecks, "limit", 2)
    files = [file for file in listed(shelf, "/sitemap.xml") if "decks" in file]
    assert files == ["/sitemap-decks.xml", "/sitemap-decks.xml?p=2", "/sitemap-decks.xml?p=3"]
    assert [len(listed(shelf, file)) for file in files] == [2, 2, 1]
    for number in ("0", "4", "x", "9" * 40):
        page(shelf, "/sitemap-decks.xml", {"p": number}, status=404)
