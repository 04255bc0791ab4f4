"""House rules on pages, over the API and on the command line: stored with a deck, or whole in an address."""

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from decks.core.used_format import format_with
from decks.models import Deck
from decks.saving.history import undo
from tests.support.made_decks import make_deck
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NUMBER = "AG-3.at_least"
OF_GAME = "/games/spycraft/house/"
NO_NUMBER = "A whole number from 0 to 999."


@pytest.fixture
def deck(client, agency_text):
    """A legal agency deck that this client may edit."""
    return make_deck(client, agency_text, format="agency")


def house(client: Client, deck: Deck, status: int = 200, **numbers: str) -> Page:
    return page_of(client.post(f"/decks/{deck.link}/house/", numbers, follow=True), status=status)


def stored(deck: Deck) -> tuple[str, str]:
    """(house rules, verdict) as they are stored now."""
    deck.refresh_from_db()
    return deck.house, deck.verdict


def test_the_page_shows_every_number_with_its_rule(client, deck):
    shown = page(client, f"/decks/{deck.link}/house/").one("fieldset", class_="house-numbers")
    assert shown.one("input", name=NUMBER)["value"] == "50"
    assert "/games/spycraft/rules/#AG-3" in [link["href"] for link in shown.all("a")]


def test_a_deck_is_judged_by_its_saved_numbers_until_they_are_cleared(client, deck):
    tried = house(client, deck, **{NUMBER: "90", "try": "1"}).text
    assert "Nothing is saved yet" in tried
    assert "Incomplete" in tried
    assert stored(deck) == ("", "legal")
    house(client, deck, **{NUMBER: "90"})
    assert stored(deck) == (f"{NUMBER}=90", "incomplete")
    shown = page(client, f"/decks/{deck.link}/")
    assert "Agency Deck with house rules" in shown.text
    assert "By house rule 90; the rulebook says 50." in shown.text
    others = shown.one(class_="other-formats")
    assert "Agency Deck Legal" in others.text, "the other formats name the rulebook's own"
    assert "Mission Deck" not in others.text, "no card of it has a place there"
    house(client, deck, **{NUMBER: "90", "clear": "1"})
    assert stored(deck) == ("", "legal")
    Deck.objects.update(edit_hash=hashed("key"))
    undo(deck.link, Viewer(key_hash=hashed("key")))
    assert stored(deck) == (f"{NUMBER}=90", "incomplete")


@pytest.mark.parametrize("number", ["many", "-3", "1000", "4.5"])
def test_an_invalid_number_is_refused_at_its_field(client, deck, number):
    refused = house(client, deck, 400, **{NUMBER: number})
    assert "#house-ag-3-at_least" in refused.links
    assert NO_NUMBER in refused.text
    assert stored(deck) == ("", "legal")


def test_an_emptied_number_is_that_of_the_rulebook(client, deck):
    house(client, deck, **{NUMBER: "90"})
    house(client, deck, **{NUMBER: " ", "AG-4.limit": "04", "AG-5.limit": "1"})
    assert stored(deck)[0] == "AG-4.limit=4"


def test_the_address_holds_the_rules_and_a_deck_can_begin_with_them(client):
    shown = page(client, f"{OF_GAME}?format=agency&{NUMBER}=40&AG-4.limit=4")
    assert "at least 40, where the rulebook says 50" in shown.text
    assert shown.one(id="address")["value"] == (
        f"http://testserver{OF_GAME}?format=agency&{NUMBER}=40&AG-4.limit=4"
    )
    assert shown.link("Check a list by them") == (
        "/check/?game=spycraft&format=agency&house=AG-3.at_least%3D40%3BAG-4.limit%3D4"
    )
    assert NO_NUMBER in page(client, f"{OF_GAME}?format=agency&{NUMBER}=forty", status=400).text
    begun = next(form for form in shown.all("form", method="post") if form["action"] == OF_GAME).sent
    answer = client.post(OF_GAME, begun)
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.link}/edit/"
    assert (deck.house, deck.format) == (f"{NUMBER}=40;AG-4.limit=4", "agency")


def test_a_list_is_checked_by_house_rules(client, agency_text):
    form = {"game": "spycraft", "format": "agency", "text": agency_text}
    assert "Incomplete" in page_of(client.post("/check/", form | {"house": f"{NUMBER}=90"})).text
    refused = client.post("/check/", form | {"house": "AG-99.limit=1"})
    assert "has no number called" in page_of(refused, status=400).text


def test_stored_house_rules_that_no_longer_exist_are_ignored():
    game = games()["spycraft"]
    assert format_with(game, "agency", "GONE-1.limit=3") is game.formats_by_slug["agency"]
