"""The sitemap: every page of the catalogue and every public deck, and no other."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue, games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.public.listing import listing
from decks.public.views import SECTIONS, Pages
from tests.support.public_decks import shelf

__all__ = ["shelf"]

pytestmark = pytest.mark.django_db

SITE = "http://testserver"


def told(client: Client, address: str, name: str = "loc") -> list[str]:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml")
    found = ElementTree.fromstring(answer.content).iter(
        f"{{http://www.sitemaps.org/schemas/sitemap/0.9}}{name}"
    )
    return [(one.text or "").removeprefix(SITE) for one in found]


def test_robots_are_told_of_the_sitemap(client: Client) -> None:
    assert f"Sitemap: {SITE}/sitemap.xml" in client.get("/robots.txt").content.decode().splitlines()


def test_the_sitemap_has_a_file_of_each_section(client: Client) -> None:
    assert told(client, "/sitemap.xml") == [f"/sitemap-{section}.xml" for section in SECTIONS]
    assert client.get("/sitemap-nothing.xml").status_code == 404


@pytest.mark.parametrize("section", ["pages", "games", "sets"])
def test_every_page_named_is_there(client: Client, section: str) -> None:
    addresses = told(client, f"/sitemap-{section}.xml")
    assert len(addresses) == len(set(addresses)) > 5
    answers = {address: client.get(address) for address in addresses}
    assert [address for address, answer in answers.items() if answer.status_code != 200] == []
    assert [address for address, answer in answers.items() if b"noindex" in answer.content] == []


def test_every_card_is_named(client: Client) -> None:
    addresses = told(client, "/sitemap-cards.xml")
    assert len(addresses) == len(set(addresses)) == len(catalogue().entries)
    for address in addresses[::200]:
        assert client.get(address).status_code == 200


def test_a_page_that_a_game_does_not_have_is_not_named(client: Client) -> None:
    named = {slug: f"/games/{slug}/glossary/" in told(client, "/sitemap-games.xml") for slug in games()}
    assert named == {slug: bool(game.glossary) for slug, game in games().items()}


def test_public_decks_are_named_with_the_time_of_their_last_change_and_no_others(shelf: Client) -> None:
    decks = {f"/decks/{deck.link}/": deck.changed for deck in listing(Viewer()).decks}
    Deck.objects.filter(name="Truth").update(visibility="unlisted")
    named = told(shelf, "/sitemap-decks.xml")
    assert len(named) == len(decks) - 1 and set(named) < set(decks)
    assert told(shelf, "/sitemap-decks.xml", "lastmod") == [f"{decks[one]:%Y-%m-%d}" for one in named]


def test_many_decks_stand_in_several_files(shelf: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pages, "limit", 2)
    files = [file for file in told(shelf, "/sitemap.xml") if re.search("decks", file)]
    assert files == ["/sitemap-decks.xml", "/sitemap-decks.xml?p=2", "/sitemap-decks.xml?p=3"]
    assert [len(told(shelf, file)) for file in files] == [2, 2, 1]


@pytest.mark.parametrize("number", ["0", "9", "x", "-1", "9" * 40])
def test_a_file_that_is_none_is_a_404(client: Client, number: str) -> None:
    assert client.get("/sitemap-pages.xml", {"p": number}).status_code == 404
