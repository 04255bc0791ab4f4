"""Faces with one's own text or picture: on every page that shows faces, for their owner alone.

The face itself comes from printing.web.drawing_views, its addresses from cardsdb.templatetags.catalogue.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.box.texts import box_for_everyone, save_text, with_text
from cardsdb.games import games
from cardsdb.models import Side, UploadedPicture
from printing.render.files import face_file
from tests.support.made_decks import named_deck
from tests.support.own_sets import own_card, own_set
from tests.support.pages import Page
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
FACE = "/own/faces/spycraft/kai.svg"
WORDS = "Zeppelin: hide it."
CHECKED = {"game": "spycraft", "text": "9 Kai"}


@pytest.fixture
def ada(ada, viewer):
    save_text(viewer, SPYCRAFT, "kai", WORDS)
    return ada


@pytest.fixture
def deck(ada):
    """A public deck of somebody else's, of a card of which Ada has a text."""
    return named_deck(Client(), "Balloons", "2 Kai\n")


def asked(client: Client, address: str, data: dict[str, str] | None) -> Any:
    return client.post(address, CHECKED | data) if data is not None else client.get(address)


def own_faces(answer: Any) -> list[str]:
    """The addresses of own faces on a page."""
    assert answer.status_code == 200
    faces = Page(answer).all("img", src=True)
    return [face["src"] for face in faces if face["src"].startswith("/own/faces/")]


def says_so(answer: Any) -> bool:
    """Whether a page says that faces beside names are one's own."""
    return Page(answer).has(data_own_faces=True)


@pytest.mark.parametrize(
    ("address", "data"),
    [
        ("/decks/", None),
        ("/decks/newest/", None),
        ("/decks/{deck}/?view=faces", None),
        ("/decks/{deck}/?hand=1", None),
        ("/check/verdict/", {}),
        ("/check/verdict/", {"short": "1"}),
    ],
)
def test_pages_with_faces_show_ones_own_and_are_stored_for_nobody_else(ada, deck, address, data):
    address = address.format(deck=deck.link)
    mine, theirs = asked(ada, address, data), asked(Client(), address, data)
    assert any(one.startswith(f"{FACE}?size=small&of=") for one in own_faces(mine))
    assert "private" in mine["Cache-Control"] and not own_faces(theirs)
    if address == "/decks/newest/":
        assert theirs["Cache-Control"] == "public, max-age=60"


@pytest.mark.parametrize(
    "address",
    [
        "/check/",
        "/cards/?q=kai",
        "/decks/{deck}/?view=rows",
        "/sets/spycraft/ON/",
        "/compare/?card=spycraft/kai&card=spycraft/li",
    ],
)
def test_pages_with_names_say_that_faces_beside_them_are_ones_own(ada, deck, address):
    mine, theirs = (one.get(address.format(deck=deck.link)) for one in (ada, Client()))
    assert says_so(mine) and {"private", "no-store"} & {*mine["Cache-Control"].split(", ")}
    assert not says_so(theirs)


@pytest.mark.parametrize("view", ["", "?view=stacks"])
def test_the_editor_shows_ones_own_faces_beside_names_and_in_stacks(ada, bob, view):
    def edited(client: Client) -> Any:
        return client.get(f"/decks/{named_deck(client, 'One', '2 Kai').link}/edit/{view}")

    theirs = edited(bob)
    assert says_so(edited(ada)) and not says_so(theirs) and not own_faces(theirs)


def test_a_picture_alone_makes_faces_ones_own(bob):
    where = {"game": "spycraft", "card_code": "kai", "side": Side.FRONT, "sha256": "0" * 64}
    owner = int(bob.session["_auth_user_id"])
    UploadedPicture.objects.create(owner_id=owner, kind="png", width=630, height=880, bytes=1, **where)
    assert says_so(bob.get("/cards/?q=kai")) and own_faces(bob.post("/check/", CHECKED))


def test_what_everyone_has_is_on_faces_without_a_cookie():
    box = box_for_everyone()
    box.owntexts.create(game="spycraft", card_code="kai", text=WORDS)
    box.changed()
    assert says_so(Client().get("/check/")) and own_faces(Client().post("/check/", CHECKED))


def test_a_page_with_faces_looks_up_those_that_it_shows_at_once(ada, viewer):
    deck = named_deck(ada, "Mine", "".join(f"1 {card.name}\n" for card in SPYCRAFT.cards[:12]))
    for card in SPYCRAFT.cards[:20]:
        save_text(viewer, SPYCRAFT, card.code, "Words.")
    for address in (f"/decks/{deck.link}/", "/decks/"):
        ada.get(address)
        with CaptureQueriesContext(connection) as queries:
            ada.get(address)
        (texts,) = [one["sql"] for one in queries if "cardsdb_owntext" in one["sql"]]
        assert '"card_code" IN' in texts, address


# -- the face itself -----------------------------------------------------------------------


def test_the_face_has_ones_own_text_for_its_owner_alone(ada):
    mine, theirs = ada.get(f"{FACE}?size=small"), Client().get(FACE)
    card = SPYCRAFT.card("kai")
    assert card and mine.content == face_file(with_text(card, {"kai": WORDS}), SPYCRAFT, "svg", small=True)
    assert mine["Cache-Control"] == "private, no-cache"
    assert ada.get(f"{FACE}?size=small&of=1")["Cache-Control"] == "private, max-age=3600"
    assert (theirs.status_code, theirs["Location"]) == (302, "/cards/spycraft/kai/face.svg")
    assert ada.get("/own/faces/spycraft/li.svg").status_code == 302
    assert ada.get("/own/faces/nothing/kai.svg").status_code == 404


def test_the_face_has_ones_own_picture_inside(ada, viewer):
    add(viewer, take(coded(painted(size=(125, 175)))), "kai.jpg", ("spycraft", "kai", "front"))
    assert b"data:image/webp;base64," in ada.get(FACE).content
    assert b"data:image" not in Client().get(FACE, follow=True).content


def test_the_face_of_an_own_card_is_that_of_its_page(ada, viewer):
    code = own_card(own_set(viewer)).code
    answer = ada.get(f"/own/faces/spycraft/{code}.svg")
    assert (answer.status_code, answer["Location"]) == (302, f"/cards/spycraft/{code}/face.svg")
    assert ada.get(answer["Location"]).status_code == 200
