"""The ways into the editor: a deck begun with a list, a starter, a card or nothing; a card added from its
page; an edit link.
"""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.games import games
from decks.models import Deck, DeckLine
from decks.saving.history import keep_deck_private
from tests.support.editing import cards, first_form, open_editor
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def posted(client, address, status, **sent) -> Page:
    return page_of(client.post(address, sent), status=status)


# -- a card into a deck -----------------------------------------------------------------


@pytest.fixture
def deck(client):
    open_editor(client, "2 Kai", visibility="public")
    return Deck.objects.get()


@pytest.mark.both_databases
def test_a_card_is_added_from_its_page_to_the_section_of_its_type(client, deck):
    add = "/cards/spycraft/li-cong/add/"
    assert add in page(client, "/cards/spycraft/li-cong/").links
    assert "Dragons" in page(client, add).main.text
    answer = client.post(add, {"deck": deck.link})
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/edit/")
    assert cards() == {"deck kai": 2, "leaders li-cong": 1}


@pytest.mark.both_databases
def test_a_copy_beyond_the_bound_is_refused_with_a_message(client, deck):
    DeckLine.objects.update(count=99)
    assert "at most 99" in posted(client, "/cards/spycraft/kai/add/", 400, deck=deck.link).text


def test_a_stranger_cannot_add_to_anothers_deck(deck):
    stranger = Client()
    assert "Dragons" not in page(stranger, "/cards/spycraft/kai/add/").text
    assert stranger.post("/cards/spycraft/kai/add/", {"deck": deck.link}).status_code == 404


# -- beginning ---------------------------------------------------------------------------


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("game", sorted(games()))
def test_a_deck_begun_with_a_card_contains_it_when_the_editor_is_opened_at_once(client, game):
    card = games()[game].cards[0]
    asked = page(client, page(client, f"/cards/{game}/{card.code}/add/").link("Start a deck with it"))
    assert f"1 {card.name}" in str(asked.field("text").value)
    form = first_form(asked)
    assert form.one("button").text == f"Start with {card.name} and open the editor"
    made = client.post(form["action"], form.sent)
    assert made["Location"].startswith(f"/decks/{Deck.objects.get().link}/edit/")
    assert [(key.partition(" ")[2], count) for key, count in cards().items()] == [(card.code, 1)]


@pytest.mark.parametrize("query", ["", "?game=spycraft&add=nobody", "?game=chess&add=king", "?add=kai"])
def test_without_a_card_the_button_says_that_the_deck_is_empty(client, query):
    form = first_form(page(client, f"/decks/new/{query}"))
    assert form.all("button")[-1].text == "Start empty and open the editor"
    client.post(form["action"], form.sent | {"game": "spycraft"})
    assert cards() == {}


def test_a_deck_starts_empty_in_the_editor_and_shows_its_edit_link_once(client):
    editor = client.post("/decks/new/", {"game": "xfiles", "start": "empty"})["Location"]
    first = page(client, editor)
    assert "keep its edit link" in first.text and "New X-Files CCG deck" in first.text
    for section in ("agents", "bureau", "xfile"):
        assert first.has(id=f"section-{section}")
    assert "keep its edit link" not in page(client, editor).text


def test_a_deck_begun_with_a_starter_contains_it_when_the_editor_is_opened_at_once(client):
    asked = page(client, "/decks/new/?game=spycraft&starter=nine-tiger")
    form = asked.one(id="list-form")
    made = client.post(form["action"], form.sent | {"start": "starter", "name": "Mine"})
    deck = Deck.objects.get()
    assert made["Location"].startswith(f"/decks/{deck.link}/edit/")
    assert (deck.name, deck.size > 50) == ("Mine", True)


def test_a_list_exported_by_cutout_brings_its_notes_tags_and_house_rules(client):
    comments = ("format: agency", "notes: For Friday.", "tags: mirror", "house: AG-3.at_least=40")
    open_editor(client, "".join(f"// {line}\n" for line in comments) + "\n2 Kai ^keep\n")
    deck = Deck.objects.get()
    assert (deck.notes, deck.tags, deck.house) == ("For Friday.", ["mirror"], "AG-3.at_least=40")
    assert deck.lines.get().keep


# -- a list whose game is guessed ----------------------------------------------------------

MIXED = "2 Kai\n2 Shiatsu\n1 Termite\n1 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis\n"


def first_choice(shown: Page, field) -> str:
    return shown.one("select", id=f"id_{field}").one("option", value="").text


def test_the_game_of_a_list_may_be_left_open_and_is_guessed_when_it_is_saved(client, agency_text):
    form = page(client, "/decks/new/")
    assert first_choice(form, "game") == "Guess from the list"
    assert form.one("select", id="id_game").get("required") is None
    assert client.post("/decks/new/", {"game": "", "text": agency_text}).status_code == 302
    assert Deck.objects.values_list("game", "format").get() == ("spycraft", "agency")


def test_a_list_that_fits_several_games_is_kept_and_the_game_is_asked_for(client):
    refused = posted(client, "/decks/new/", 400, game="", text=MIXED)
    problem = "Error: Choose the game: its lines fit several games (3 Spycraft"
    assert refused.one(id="game-error").text.startswith(problem)
    assert (refused.field("text").value, Deck.objects.exists()) == (MIXED, False)


def test_an_unread_line_is_corrected_in_the_guessed_game_and_nothing_is_saved(client):
    text = "2 Kai\n1 Shiatsu\n1 Termitte"
    refused = posted(client, "/decks/new/", 400, game="", name="Mine", text=text)
    assert (refused.field("name").value, refused.field("text").value) == ("Mine", text)
    assert refused.one("button", text="Termite")["value"] == "3:Termite"
    put_right = posted(client, "/decks/new/", 200, game="", text=text, correct="3:Termite")
    assert put_right.field("text").value == "2 Kai\n1 Shiatsu\n1 Termite"
    assert first_choice(put_right, "game") == "Guessed: Spycraft"
    assert not Deck.objects.exists()


# -- edit links -----------------------------------------------------------------------------


@pytest.fixture
def link():
    """The new edit link of a deck that another browser made."""
    browser = Client()
    made = page(browser, open_editor(browser, "2 Kai").removesuffix("edit/"))
    (link,) = {href for href in made.links if href.startswith("http://testserver/decks/edit/#")}
    return link


def test_the_key_of_an_edit_link_stands_behind_the_hash(link):
    assert re.fullmatch(rf"http://testserver/decks/edit/#{Deck.objects.get().link}\.[\w-]{{22}}", link)


@pytest.mark.parametrize("form", ["{whole}", "#{behind}", "{behind}", "  {whole}\n"])
def test_an_edit_link_is_read_however_it_is_pasted(client, link, form):
    typed = form.format(whole=link, behind=link.partition("#")[2])
    answer = client.post("/decks/edit/", {"edit_key": typed})
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{Deck.objects.get().link}/edit/")
    page(client, answer["Location"])


def test_an_older_edit_link_with_its_key_in_the_query_works_opened_or_pasted(client, link):
    deck, _, key = link.partition("#")[2].partition(".")
    older = f"/decks/{deck}/edit/?key={key}"
    assert client.get(older)["Location"] == f"/decks/{deck}/edit/"
    assert Client().post("/decks/edit/", {"edit_key": f"https://cutout.example{older}"}).status_code == 302


@pytest.mark.parametrize(
    "typed", ["", "hello", "https://cutout.example/decks/x/", "#id_edit_key", "#" + "x" * 600, "#å.é"]
)
def test_a_text_that_is_no_edit_link_is_answered_with_what_one_looks_like(client, typed):
    assert "This is not an edit link" in posted(client, "/decks/edit/", 400, edit_key=typed).text


def test_a_wrong_key_and_a_deck_that_is_gone_are_answered_alike_and_the_key_is_not_shown(client, link):
    deck = link.partition("#")[2].partition(".")[0]
    for existing_or_gone in (deck, "y" * 22):
        refused = client.post("/decks/edit/", {"edit_key": f"#{existing_or_gone}.{'x' * 22}"})
        assert "No deck has this edit link" in page_of(refused, status=404).text
        assert "x" * 22 not in refused.text
    page(client, f"/decks/{deck}/", status=404)


def _kept_private() -> Deck:
    Deck.objects.update(visibility="public")
    deck = Deck.objects.get()
    keep_deck_private(deck.pk, "An insult.")
    return deck


def test_the_edit_link_of_a_deck_that_staff_keep_private_opens_it_in_no_further_browser(client, link):
    _kept_private()
    assert "kept private" in posted(client, "/decks/edit/", 404, edit_key=link).text


@pytest.mark.both_databases
def test_an_accounts_deck_that_staff_keep_private_is_closed_to_earlier_holders_of_its_link(client, link):
    client.post("/decks/edit/", {"edit_key": link})
    owner = User.objects.create_user("agent")
    Deck.objects.update(owner=owner)
    deck = _kept_private()
    page(client, f"/decks/{deck.link}/", status=404)
    key = {"X-Deck-Key": link.rpartition(".")[2]}
    assert client.get(f"/api/v1/decks/{deck.link}/", headers=key).status_code == 404
    client.force_login(owner)
    page(client, f"/decks/{deck.link}/")
