"""Privacy of own texts, pictures and cards: pages, decks that others open, and files show them to their owner
alone. These tests go through cardsdb.box, decks.pages and printing.web. Answers that are public have nothing
of them even for their owner: tests/house/test_sharing.py.
"""

import gzip

import pytest
from django.test import Client

from cardsdb.box.intake import take
from cardsdb.box.placing import add, note_change
from cardsdb.box.sets import delete_set
from cardsdb.box.texts import box_for_everyone, box_of, save_text
from cardsdb.catalogue.edition_files import write_bulk
from cardsdb.games import games
from cardsdb.models import EVERYONE, Edition, OwnBox, OwnCard, UploadedPicture
from cardsdb.models.box import Place
from printing.web.drawing_views import drawn
from tests.support.answers import addresses_of, body, pictures, words
from tests.support.made_decks import named_deck
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pictures import coded, painted

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
SCAN, ART = take(coded(painted(size=(125, 175)))), take(coded(painted(size=(160, 90))))
ACTION = next(card for card in SPYCRAFT.cards if card.type == "action" and card.text)
TEXT, PICTURE = {"text"}, {"picture"}
# A list with every card of which Ada has something, and one of which she has nothing.
LIST = f"2 Kai\n2 Li\n2 {ACTION.name}\n1 Shiatsu\n"


def give(owner) -> None:
    """Give an owner the picture of a whole card, and art of another card."""
    add(owner, SCAN, "li.jpg", Place("spycraft", "li", "front"))
    add(owner, ART, "art.jpg", Place("spycraft", ACTION.code, "front"), use="art")
    note_change(owner)


@pytest.fixture
def ada(ada, viewer):
    """Ada's client. She has texts of two cards, art of one of these, a picture of a third, and an own
    card.
    """
    for code in ("kai", ACTION.code):
        save_text(viewer, SPYCRAFT, code, f"{CANARY}: hide it.")
    give(viewer)
    own_card(own_set(viewer), craft="9", faction=CANARY)
    return ada


@pytest.fixture
def deck(ada):
    return named_deck(ada, "Balloons", f"{LIST}1 Brass Falcon\n")


def shown(answer) -> set[str]:
    """TEXT and PICTURE, as far as the answer has any of Ada's: her words, addresses or bytes of her
    pictures.
    """
    data = body(answer)
    assert answer.status_code == 200
    if data.startswith(b"%PDF"):
        has_picture = any(picture in (SCAN.data, ART.data) for picture in pictures(data))
    else:
        # A page names the address of a picture; a file may hold some of its bytes.
        signs = (b"/pictures/files/", SCAN.data[300:600], ART.data[300:600])
        has_picture = any(sign in data for sign in signs)
    found = TEXT if CANARY in words(data) else set()
    return found | PICTURE if has_picture else found


# -- own pages and public files ------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("/cards/spycraft/kai/", TEXT),
        ("/cards/spycraft/li/", PICTURE),
        ("/cards/?q=kai&view=faces", TEXT),
        ("/cards/?q=!%22Li%22&view=faces", PICTURE),
        ("/print/texts/", TEXT),
        ("/print/texts/spycraft/kai/", TEXT),
        ("/own/cutout-own-texts.csv", TEXT),
        ("/pictures/", PICTURE),
    ],
)
def test_pages_show_own_things_to_their_owner_alone(ada, address, what):
    mine = ada.get(address)
    assert what <= shown(mine) and {"private", "no-store"} & {*mine["Cache-Control"].split(", ")}
    assert not shown(Client().get(address))


def test_bulk_files_have_no_own_things(ada, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "bulk"
    box_for_everyone().owntexts.create(game="spycraft", card_code="tracer", text=f"{CANARY}.")
    give(EVERYONE)
    write_bulk(Edition.objects.current().number)
    files = [path for path in settings.VAR_DIR.rglob("*") if path.is_file()]
    assert files
    for path in files:
        data = path.read_bytes()
        text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        for secret in (CANARY, "/pictures/files/", SCAN.sha256):
            assert secret.encode() not in text, path.name


# -- in decks ------------------------------------------------------------------------------


def test_others_see_in_a_deck_no_own_things_of_its_author(ada, deck):
    card = OwnCard.objects.select_related("in_set__box").get()
    for address in addresses_of(deck):
        answer = Client().get(address)
        assert not shown(answer) and card.code not in words(body(answer)), address
    assert "Brass Falcon" in words(body(Client().get(f"/decks/{deck.link}/")))
    for address in (f"/cards/spycraft/{card.code}/", f"/cards/spycraft/{card.code}/face.svg"):
        assert Client().get(address).status_code == 404
    delete_set(card.in_set)
    assert not shown(Client().get(f"/decks/{deck.link}/files/json/"))


def test_a_print_has_own_things_of_the_viewer_not_of_the_author(ada, deck):
    bob = Client()
    bobs = named_deck(bob, "Bob's", LIST)
    for any_deck in (deck, bobs):
        assert shown(ada.get(f"/print/sheets.pdf?deck={any_deck.link}")) == TEXT | PICTURE
        assert not shown(bob.get(f"/print/sheets.pdf?deck={any_deck.link}"))


def test_the_editor_shows_own_things_to_their_owner_alone(ada, deck):
    bob = Client()
    bobs = named_deck(bob, "Bob's", LIST)
    for peek, what in (("kai", TEXT), ("li", PICTURE), (ACTION.code, PICTURE)):
        assert what <= shown(ada.get(f"/decks/{deck.link}/edit/?peek={peek}&q=zeppelin")), peek
        assert not shown(bob.get(f"/decks/{bobs.link}/edit/?peek={peek}&q=kai")), peek


def test_the_picture_of_a_deck_for_other_sites_is_the_same_for_every_viewer(ada, deck):
    mine = body(ada.get(f"/decks/{deck.link}/picture.png"))
    drawn.clear()
    assert body(Client().get(f"/decks/{deck.link}/picture.png")) == mine


# -- own and shared things -----------------------------------------------------------------


def test_only_a_change_of_shared_pictures_renews_the_search(viewer):
    states = {}
    for who, box in ((viewer, box_of(viewer)), (EVERYONE, box_for_everyone())):
        note_change(who)
        states[who] = OwnBox.objects.get(pk=box.pk).state != box.state
    assert states == {viewer: False, EVERYONE: True}


@pytest.mark.both_databases
def test_shared_pictures_cannot_be_changed_or_deleted_by_visitors(client):
    give(EVERYONE)
    picture = UploadedPicture.objects.get(card_code="li")
    assert client.get(f"/pictures/{picture.pk}/").status_code == 404
    assert client.post(f"/pictures/{picture.pk}/delete/").status_code == 404
    client.post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    client.post("/pictures/all/", {"game": "spycraft", "use": "art"})
    assert sorted(UploadedPicture.objects.values_list("everyone", "use")) == [(True, "art"), (True, "card")]


def test_an_own_picture_is_shown_instead_of_a_shared_one(ada):
    other = take(coded(painted(size=(150, 210))))
    add(EVERYONE, other, "li.jpg", Place("spycraft", "li", "front"))
    mine, theirs = (words(body(client.get("/cards/spycraft/li/"))) for client in (ada, Client()))
    assert SCAN.sha256 in mine and other.sha256 in theirs
