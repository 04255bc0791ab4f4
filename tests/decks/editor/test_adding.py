"""From a card's page into a deck."""

from __future__ import annotations

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck, DeckLine
from tests.support.pages import Page, Part, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def deck(client: Client) -> Deck:
    client.post(
        "/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"}
    )
    return Deck.objects.get()


def test_a_cards_page_leads_to_ones_decks(client: Client, deck: Deck) -> None:
    assert 'href="/cards/spycraft/termite/add/"' in client.get("/cards/spycraft/termite/").content.decode()
    assert "Dragons" in client.get("/cards/spycraft/termite/add/").content.decode()


@pytest.mark.both_databases
def test_a_copy_goes_into_the_section_of_its_type(client: Client, deck: Deck) -> None:
    answer = client.post("/cards/spycraft/li-cong/add/", {"deck": deck.link})
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/edit/")
    assert set(DeckLine.objects.values_list("section", "card__code", "count")) == {
        ("deck", "kai", 2),
        ("leaders", "li-cong", 1),
    }


@pytest.mark.both_databases
def test_one_copy_too_many_is_refused_in_words(client: Client, deck: Deck) -> None:
    DeckLine.objects.update(count=99)
    answer = client.post("/cards/spycraft/kai/add/", {"deck": deck.link})
    assert (answer.status_code, "at most 99" in answer.content.decode()) == (400, True)


def test_nobody_adds_to_anothers_deck(client: Client, deck: Deck) -> None:
    stranger = Client()
    assert "Dragons" not in stranger.get("/cards/spycraft/kai/add/").content.decode()
    assert stranger.post("/cards/spycraft/kai/add/", {"deck": deck.link}).status_code == 404


@pytest.mark.parametrize("address", ["/cards/spycraft/nobody/add/", "/cards/chess/king/add/"])
def test_a_card_that_is_not_there_is_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def first_form(shown: Page) -> Part:
    """The form of the button that opens the editor without a list to look over."""
    return shown.one("form", class_="new-empty")


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("game", sorted(games()))
def test_a_deck_begun_with_a_card_has_it_also_by_the_button_that_opens_the_editor(
    client: Client, game: str
) -> None:
    for card in {card.type: card for card in games()[game].cards}.values():
        asked = page(client, page(client, f"/cards/{game}/{card.code}/add/").link("Begin a deck with it"))
        form = first_form(asked)
        assert form.one("button").text == f"Start with {card.name} and open the editor"
        made = client.post(form["action"], form.sent)
        deck = Deck.objects.with_cards().get()
        assert made["Location"].startswith(f"/decks/{deck.link}/edit/")
        assert [(entry.card.code, entry.count) for entry in deck.decklist()] == [(card.code, 1)]
        deck.delete()


@pytest.mark.parametrize(
    "query", ["", "?game=spycraft", "?game=spycraft&add=nobody", "?game=chess&add=king", "?add=kai"]
)
def test_without_a_card_the_button_says_that_the_deck_is_empty(client: Client, query: str) -> None:
    form = first_form(page(client, f"/decks/new/{query}"))
    assert form.all("button")[-1].text == "Start empty and open the editor"
    client.post(form["action"], form.sent | {"game": "spycraft"})
    assert not Deck.objects.with_cards().get().decklist().entries


def test_a_deck_begun_with_a_starter_has_it_also_by_the_button_that_opens_the_editor(client: Client) -> None:
    asked = page(client, "/decks/new/?game=spycraft&starter=nine-tiger")
    button = asked.one("button", name="start", value="starter")
    assert (button.text, button["form"]) == (
        "Start with Nine Tiger and open the editor",
        "list-form",
    )
    form = asked.one(id="list-form")
    made = client.post(form["action"], form.sent | {"start": "starter", "name": "Mine"})
    deck = Deck.objects.with_cards().get()
    assert (
        made["Location"].startswith(f"/decks/{deck.link}/edit/")
        and deck.name == "Mine"
        and deck.decklist().size > 50
    )


def test_an_empty_deck_has_the_format_of_the_starter_it_was_begun_beside_and_a_way_back_to_it(
    client: Client,
) -> None:
    form = first_form(page(client, "/decks/new/?game=xfiles&starter=deck-mulder"))
    made = client.post(form["action"], form.sent)
    assert Deck.objects.get().format == "advanced"
    back = page(client, made["Location"]).link("Begin with a ready deck")
    assert page(client, back).link("Mulder and the paranormal").endswith("starter=deck-mulder")


def test_a_starter_is_remembered_where_its_list_is_refused(client: Client) -> None:
    form = page(client, "/decks/new/?game=spycraft&starter=nine-tiger").one(id="list-form")
    refused = page_of(client.post("/decks/new/", form.sent | {"text": "1 Nobody at all"}), status=400)
    assert refused.one("button", name="start", value="starter").text.startswith("Start with Nine Tiger")


def test_a_card_that_left_the_catalogue_meanwhile_is_named_and_nothing_is_saved(client: Client) -> None:
    sent = first_form(page(client, "/decks/new/?game=spycraft&add=kai")).sent | {"text": "1 Nobody at all"}
    refused = page_of(client.post("/decks/new/", sent), status=400)
    assert "could not be read" in refused.main.text and "Nobody at all" in str(refused.field("text").value)
    assert not Deck.objects.exists()
