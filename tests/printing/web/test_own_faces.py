"""Faces with an own text or picture: every page that shows faces has them, for their owner alone.

The face is drawn by printing.web.drawing_views, and its address made by cardsdb.templatetags.catalogue.
"""

import pytest
from django.test import Client

from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.box.texts import box_for_everyone, save_text, with_text
from cardsdb.games import games
from cardsdb.models import Side, UploadedPicture
from cardsdb.models.box import Place
from printing.render.files import face_file
from tests.support.made_decks import named_deck
from tests.support.own_sets import own_card, own_set
from tests.support.pages import Page
from tests.support.pictures import coded, painted
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
FACE = "/own/faces/spycraft/kai.svg"
WORDS = "Zeppelin: hide it."
CHECKED = {"game": "spycraft", "text": "9 Kai"}


@pytest.fixture
def ada(ada, viewer):
    """Ada's client. She has an own text of one card."""
    save_text(viewer, SPYCRAFT, "kai", WORDS)
    return ada


@pytest.fixture
def deck(ada):
    """A public deck of another visitor, with the card of which Ada has a text."""
    return named_deck(Client(), "Balloons", "2 Kai\n")


def asked(client: Client, address: str, data: dict[str, str] | None):
    """The answer to a GET, or to a POST of a list with ``data``."""
    return client.post(address, CHECKED | data) if data is not None else client.get(address)


def own_faces(answer) -> list[str]:
    """The addresses of own faces on a page."""
    assert answer.status_code == 200
    faces = Page(answer).all("img", src=True)
    return [face["src"] for face in faces if face["src"].startswith("/own/faces/")]


def says_so(answer) -> bool:
    """True if a page tells its script to use own faces beside names."""
    return Page(answer).has(data_own_faces=True)


@pytest.mark.parametrize(
    ("address", "data"),
    [
        ("/decks/", None),
        ("/decks/newest/", None),
        ("/decks/{deck}/?view=faces", None),
        ("/decks/{deck}/?hand=1", None),
        ("/check/verdict/", {"short": "1"}),
    ],
)
def test_pages_with_faces_show_own_ones_and_are_then_not_cached_for_others(ada, deck, address, data):
    address = address.format(deck=deck.link)
    mine, theirs = asked(ada, address, data), asked(Client(), address, data)
    assert any(face.startswith(f"{FACE}?size=small&of=") for face in own_faces(mine))
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
def test_pages_with_names_say_that_faces_beside_them_are_own_ones(ada, deck, address):
    mine, theirs = (client.get(address.format(deck=deck.link)) for client in (ada, Client()))
    assert says_so(mine) and {"private", "no-store"} & {*mine["Cache-Control"].split(", ")}
    assert not says_so(theirs)


@pytest.mark.parametrize("view", ["", "?view=stacks"])
def test_the_editor_shows_own_faces_beside_names_and_in_stacks(ada, bob, view):
    def edited(client: Client):
        return client.get(f"/decks/{named_deck(client, 'One', '2 Kai').link}/edit/{view}")

    theirs = edited(bob)
    assert says_so(edited(ada)) and not says_so(theirs) and not own_faces(theirs)


def test_an_own_picture_without_a_text_makes_an_own_face(bob):
    where = {"game": "spycraft", "card_code": "kai", "side": Side.FRONT, "sha256": "0" * 64}
    owner = int(bob.session["_auth_user_id"])
    UploadedPicture.objects.create(owner_id=owner, kind="png", width=630, height=880, bytes=1, **where)
    assert says_so(bob.get("/cards/?q=kai")) and own_faces(bob.post("/check/", CHECKED))


def test_the_shared_box_of_a_private_site_makes_own_faces_for_every_visitor():
    box = box_for_everyone()
    box.owntexts.create(game="spycraft", card_code="kai", text=WORDS)
    box.changed()
    assert says_so(Client().get("/check/")) and own_faces(Client().post("/check/", CHECKED))


def test_a_page_looks_up_own_texts_of_its_faces_in_one_query(ada, viewer):
    deck = named_deck(ada, "Mine", "".join(f"1 {card.name}\n" for card in SPYCRAFT.cards[:12]))
    for card in SPYCRAFT.cards[:20]:
        save_text(viewer, SPYCRAFT, card.code, "Words.")
    asked = queries_of(lambda: ada.get(f"/decks/{deck.link}/"))
    (query,) = [sql for sql in asked if "cardsdb_owntext" in sql]
    assert '"card_code" IN' in query


# -- the face itself -----------------------------------------------------------------------


def test_an_own_face_has_the_own_text_and_is_cached_for_its_owner_alone(ada):
    mine = ada.get(f"{FACE}?size=small")
    card = SPYCRAFT.card("kai")
    assert card and mine.content == face_file(with_text(card, {"kai": WORDS}), SPYCRAFT, "svg", small=True)
    assert mine["Cache-Control"] == "private, no-cache"
    assert ada.get(f"{FACE}?size=small&of=1")["Cache-Control"] == "private, max-age=3600"


def test_a_card_without_own_text_or_picture_has_its_usual_face(ada):
    theirs = Client().get(FACE)
    assert (theirs.status_code, theirs["Location"]) == (302, "/cards/spycraft/kai/face.svg")
    assert ada.get("/own/faces/spycraft/li.svg").status_code == 302


def test_an_own_face_has_the_own_picture_embedded(ada, viewer):
    add(viewer, take(coded(painted(size=(125, 175)))), "kai.jpg", Place("spycraft", "kai", "front"))
    assert b"data:image/webp;base64," in ada.get(FACE).content
    assert b"data:image" not in Client().get(FACE, follow=True).content


def test_the_own_face_of_an_own_card_is_the_face_on_its_page(ada, viewer):
    code = own_card(own_set(viewer)).code
    answer = ada.get(f"/own/faces/spycraft/{code}.svg")
    assert (answer.status_code, answer["Location"]) == (302, f"/cards/spycraft/{code}/face.svg")
    assert ada.get(answer["Location"]).status_code == 200
