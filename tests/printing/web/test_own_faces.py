"""Faces with one's own text or picture: on every page that shows faces, for their owner alone, looked up for
the cards that are shown.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.pictures import face_states
from cardsdb.box.texts import save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Side, UploadedPicture
from decks.models import Deck
from tests.support.public_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
OWN_FACE = "/own/faces/spycraft/kai.svg?size=small&amp;of="


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    save_text(viewer(), SPYCRAFT, "kai", "Zeppelin: hide it.")
    return client


@pytest.fixture
def deck(ada: Client) -> Deck:
    """A public deck of somebody else's, of a card of which Ada has a text."""
    return make_deck(Client(), "Balloons", "2 Kai\n", visibility="public")


def viewer() -> Viewer:
    return Viewer(User.objects.get(username="ada").pk)


def checked(client: Client, address: str = "/check/", **data: str) -> Any:
    return client.post(address, {"game": "spycraft", "text": "9 Kai", **data})


# -- for their owner alone -----------------------------------------------------------------


@pytest.mark.parametrize("address", ["/decks/", "/decks/newest/"])
def test_tiles_of_decks_show_ones_own_faces_and_are_stored_for_nobody_else(
    ada: Client, deck: Deck, address: str
) -> None:
    mine, theirs = ada.get(address), Client().get(address)
    assert OWN_FACE in mine.content.decode() and "private" in mine["Cache-Control"]
    assert (
        "/cards/spycraft/kai/face.svg" in theirs.content.decode()
        and "/own/faces/" not in theirs.content.decode()
    )


def test_a_piece_that_all_may_store_stays_so_without_an_own_face(ada: Client, deck: Deck) -> None:
    assert Client().get("/decks/newest/")["Cache-Control"] == "public, max-age=60"


@pytest.mark.parametrize(
    ("address", "data"), [("/check/", {}), ("/check/verdict/", {}), ("/check/verdict/", {"short": "1"})]
)
def test_a_checked_list_shows_ones_own_faces(ada: Client, address: str, data: dict[str, str]) -> None:
    mine, theirs = checked(ada, address, **data), checked(Client(), address, **data)
    assert OWN_FACE in mine.content.decode() and "private" in mine["Cache-Control"]
    assert (
        "/cards/spycraft/kai/face.svg" in theirs.content.decode()
        and "/own/faces/" not in theirs.content.decode()
    )


def test_the_page_of_the_check_says_that_faces_beside_names_are_ones_own(ada: Client) -> None:
    assert "data-own-faces" in ada.get("/check/").content.decode()
    assert "data-own-faces" not in Client().get("/check/").content.decode()


@pytest.mark.parametrize("address", ["/sets/spycraft/ON/", "/compare/?card=spycraft/kai&card=spycraft/li"])
def test_pages_of_sets_and_comparisons_say_so_too(ada: Client, address: str) -> None:
    mine, theirs = ada.get(address), Client().get(address)
    assert "data-own-faces" in mine.content.decode() and "private" in mine["Cache-Control"]
    assert "data-own-faces" not in theirs.content.decode() and "private" not in theirs.get(
        "Cache-Control", ""
    )


def test_the_example_on_the_home_page_is_everybodys(ada: Client) -> None:
    assert "/own/faces/" not in ada.get("/").content.decode()


@pytest.mark.parametrize("view", ["", "?view=stacks"])
def test_the_editor_shows_ones_own_faces_beside_names_and_in_stacks(ada: Client, view: str) -> None:
    mine = make_deck(ada, "Mine", "2 Kai\n")
    page = ada.get(f"/decks/{mine.link}/edit/{view}").content.decode()
    assert "data-own-faces" in page
    bob = Client()
    bobs = make_deck(bob, "Bob's", "2 Kai\n")
    page = bob.get(f"/decks/{bobs.link}/edit/{view}").content.decode()
    assert "data-own-faces" not in page and "/own/faces/" not in page


def test_a_picture_alone_makes_faces_ones_own(client: Client) -> None:
    client.force_login(User.objects.create_user("ada"))
    where = {"game": "spycraft", "card_code": "kai", "side": Side.FRONT}
    UploadedPicture.objects.create(
        owner_id=viewer().user_id, sha256="0" * 64, kind="png", width=630, height=880, bytes=1, **where
    )
    assert "data-own-faces" in client.get("/cards/?q=kai").content.decode()
    assert OWN_FACE in checked(client).content.decode()


# -- what is looked up ---------------------------------------------------------------------


def test_states_are_looked_up_for_the_cards_asked_for(ada: Client) -> None:
    for card in SPYCRAFT.cards[:20]:
        save_text(viewer(), SPYCRAFT, card.code, "Words.")
    mine = viewer()
    with CaptureQueriesContext(connection) as asked:
        found = face_states(mine, {("spycraft", "kai"), ("xfiles", "kai"), ("spycraft", "no-such")})
    assert (list(found), len(asked)) == ([("spycraft", "kai")], 2)


def test_a_page_with_faces_looks_up_those_that_it_shows_at_once(ada: Client) -> None:
    names = [card.name for card in SPYCRAFT.cards if card.type == "agent"][:12]
    deck = make_deck(ada, "Mine", "".join(f"1 {name}\n" for name in names))
    for card in SPYCRAFT.cards[:40]:
        save_text(viewer(), SPYCRAFT, card.code, "Words.")
    # The editor looks up the texts of the cards it found, too, and of the one beside the deck.
    page = f"/decks/{deck.link}/"
    for address, most in ((page, 1), (f"{page}?hand=1", 1), (f"{page}edit/?view=stacks", 4), ("/decks/", 1)):
        ada.get(address)
        with CaptureQueriesContext(connection) as asked:
            ada.get(address)
        texts = [one["sql"] for one in asked if "cardsdb_owntext" in one["sql"]]
        assert 1 <= len(texts) <= most and all('"card_code" IN' in sql for sql in texts), (address, texts)
