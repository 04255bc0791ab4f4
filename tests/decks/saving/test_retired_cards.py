"""Decks with cards or games that have left the catalogue: they are read, shown and saved again
(``decks/saving/save.py``, ``decks/saving/history.py``).
"""

import pytest

from cardsdb.identity.viewer import hashed
from cardsdb.models import Card, Edition
from decks.models import Deck, DeckLine
from decks.saving.history import undo
from decks.saving.save import save_edit
from tests.support.editing import cards, open_editor
from tests.support.pages import page, page_of
from tests.support.saved_decks import having, made

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PAGES = ("", "edit/", "edit/text/", "files/", "files/text/")


@pytest.fixture
def gone():
    """A card that has left the folder of its game and is only in the database."""
    return Card.objects.create(
        game="spycraft",
        code="gone",
        name="Old Acquaintance",
        name_folded="old acquaintance",
        sort_name="old",
        type="agent",
        retired=True,
    )


@pytest.fixture
def address(client, gone):
    """The address of a deck with that card."""
    opened = open_editor(client, "2 Kai", visibility="public").removesuffix("edit/")
    DeckLine.objects.create(deck=Deck.objects.get(), position=9, section="deck", count=3, card=gone)
    return opened


def test_a_deck_with_a_retired_card_is_saved_again(client, address):
    text = page(client, f"{address}edit/text/").field("text").value
    sent = {"name": "Dragons", "text": f"{text}\n1 Termite\n"}
    assert client.post(f"{address}edit/text/", sent).status_code == 302
    assert cards() == {"deck gone": 3, "deck kai": 2, "deck termite": 1}


@pytest.mark.both_databases
def test_a_deck_with_a_retired_card_is_saved_again_over_the_api(client, address):
    Deck.objects.update(edit_hash=hashed("key"))
    body = {"game": "spycraft", "name": "Dragons", "text": client.get(f"/api/v1{address}").json()["text"]}
    answer = client.put(
        f"/api/v1{address}", body, content_type="application/json", headers={"X-Deck-Key": "key"}
    )
    assert answer.status_code == 200, answer.json()
    assert cards()["deck gone"] == 3


def test_only_the_misspelt_line_beside_a_retired_card_is_unread(client, address):
    answer = client.post(
        f"{address}edit/text/", {"name": "Tigers", "text": "2 Old Acquaintance\n2 Kia Motors"}
    )
    assert [line.line for line in answer.context["form"].unread] == [2]
    assert page_of(answer, status=400).has("h1", text="Edit Dragons"), "what is refused leaves the deck alone"


@pytest.mark.usefixtures("gone")
def test_a_retired_card_cannot_be_added_to_other_decks(client):
    sent = {"game": "spycraft", "name": "New", "text": "2 Old Acquaintance"}
    assert client.post("/decks/new/", sent).status_code == 400


@pytest.mark.both_databases
def test_a_card_of_a_removed_type_is_still_shown(client, address):
    Card.objects.filter(code="gone").update(type="double-agent")
    # A new edition, so that what is cached of the catalogue is read again.
    Edition.objects.create()
    for rest in PAGES:
        answer = client.get(address + rest)
        assert answer.status_code == 200, rest
        assert "Old Acquaintance" in answer.text, rest


@pytest.mark.both_databases
def test_a_deck_of_a_removed_game_is_not_found_but_can_be_deleted(client):
    address = open_editor(client, visibility="public").removesuffix("edit/")
    Deck.objects.update(game="chess")
    assert {client.get(address + rest).status_code for rest in PAGES} == {404}
    assert "No deck here yet" in page(client, "/decks/").main.text
    assert client.post(f"{address}delete/").status_code == 302


def test_a_card_that_undo_brings_back_after_its_removal_comes_back_written_in():
    deck, me = made("2 Kai\n1 Termite")
    save_edit(deck.link, me, having(0))
    # A revision names its cards by code alone. After this, no card of the game has the code "kai".
    Card.objects.filter(code="kai").update(code="kai-elsewhere")
    # A new edition, so that what is cached of the catalogue is read again.
    Edition.objects.create()
    undo(deck.link, me)
    assert [line.written["name"] for line in DeckLine.objects.filter(card=None)] == ["kai"]
