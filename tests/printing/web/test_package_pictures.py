"""Pictures in packages of other programs: matched to cards, counted before anything is stored, stored all or
not at all. These tests go through printing.web.own_views, cardsdb.box.taking_in and cardsdb.box.placing.
"""

import io
from typing import Any

import pytest
from django.test import Client

from cardsdb.box.picture_files.bounds import PRIVATE
from cardsdb.box.reading.container import MAX_SENT, open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.report import compare_as_posted
from cardsdb.box.taking_in import take_in
from cardsdb.box.wish import AS_FOUND
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.models import OwnCard, OwnText, UploadedPicture
from tests.support.bringing import look, pressed, taken_in
from tests.support.own_sets import own_card, own_set
from tests.support.packages import cockatrice_cards, gccg_set, lackey_table, octgn_set, tarred, zipped
from tests.support.pages import page, page_of
from tests.support.pictures import coded, painted, stored_names

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
# Two cards that have a number in the edition PRE, two with an id of OCTGN, and the two of one name.
AGENTS = [card for card in XFILES.cards if any(one.set == "PRE" and one.code for one in card.prints)][:2]
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:2]
TWINS = [card for card in SPYCRAFT.cards if card.name == "Tracer"]
IDS = [str(card.facts["octgn_id"]) for card in CARDS]
TEXTS = [(card, "Zeppelin.") for card in CARDS]


def picture(number: int = 0) -> bytes:
    """A PNG whose width tells its number."""
    return coded(painted(size=(100 + number, 140)), "PNG")


def named(*names: str) -> dict[str, bytes]:
    """Different pictures by these file names."""
    return {name: picture(number) for number, name in enumerate(names)}


# A package with texts and pictures of two cards, and one whose rows match no card of the catalogue.
BOTH = zipped({"Sets/One/set.xml": octgn_set(TEXTS), **named(*(f"Cards/{id_}.png" for id_ in IDS))})
HARBOUR = (
    b"Name\tSet\tImageFile\tType\nIron Heron\tHarbour\theron1\tAgent\nGlass Heron\tHarbour\theron2\tAgent\n"
)
HERONS = {
    "p/sets/a.txt": HARBOUR,
    "p/sets/setimages/Harbour/heron1.png": picture(1),
    "p/sets/setimages/Harbour/heron2.png": picture(2),
}


def scans(client: Client, files: dict[str, bytes]):
    return look(client, zipped(files), "scans.zip", game="spycraft")


def stored() -> list[str]:
    return sorted(UploadedPicture.objects.values_list("card_code", flat=True))


# -- matching pictures to cards ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tables", "pictures", "words"),
    [
        ("pack.o8c", {}, [f"0f/Sets/1/Cards/{id_}.png" for id_ in IDS], "2 by id"),
        (
            "x.tgz",
            {"xml/X/pre.xml": gccg_set([(card, "Zeppelin.") for card in AGENTS])},
            [f"graphics/X/invented/{card.code}.jpg" for card in AGENTS],
            "2 by the row",
        ),
        (
            "lackey.zip",
            {"s/sets/a.txt": lackey_table(TEXTS)},
            [f"s/sets/setimages/{card.prints[0].set}/{card.code}.jpg" for card in CARDS],
            "2 by the row",
        ),
        (
            "cockatrice.zip",
            {"cards.xml": cockatrice_cards(TEXTS)},
            [f"pics/{card.prints[0].set}/{card.name}.full.jpg" for card in CARDS],
            "2 by name",
        ),
        ("scans.zip", {}, ["Kai.png", "card-back.png"], "1 by id, 1 as the back of all"),
        ("sets.zip", {}, [f"{card.prints[0].set}/{card.name}.png" for card in TWINS], "2 by name"),
        # A name that begins with "x" is a package of X-Files, the others are of Spycraft.
        ("x sets.zip", {}, ["PRE/12.png", "Promos/x/PRO/012 (1).png"], "2 by number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_pictures_of_every_kind_of_package_are_matched_to_their_cards(client, name, tables, pictures, words):
    pack = tarred if name.endswith("tgz") else zipped
    game = "xfiles" if name.startswith("x") else "spycraft"
    seen = look(client, pack(tables | named(*pictures)), name, game=game)
    assert words in page_of(seen).text and not UploadedPicture.objects.exists()
    taken_in(client, seen)
    assert UploadedPicture.objects.exclude(side="").count() == 2


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["brass_falcon.png", "Balloons/7.png"])
def test_pictures_are_matched_to_own_cards_after_those_of_the_catalogue(ada, viewer, name):
    balloons = own_set(viewer)
    card = own_card(balloons)
    OwnCard.objects.update(number="7")
    own_card(balloons, name="Kai")
    taken_in(ada, scans(ada, named(name, "Kai.png")))
    assert stored() == sorted([card.code, "kai"])


def test_pictures_that_match_no_card_or_several_are_listed_with_the_reason(client):
    shown = page_of(look(client, zipped(named("nerve-strike.png", "holiday.png", "12.png")), "scans.zip"))
    assert "3 pictures: 1 taken (1 by id), 2 left, 0 refused" in shown.text
    reasons = {row.all("td")[0].text: row.all("td")[-1].text for row in shown.one("tbody").all("tr")}
    assert "It may be N" in reasons["12.png"] and "no card’s id, number or name" in reasons["holiday.png"]


def test_a_back_of_all_cards_alone_does_not_tell_the_game(client):
    answer = look(client, zipped(named("card-back.png", "holiday.png")), "scans.zip")
    assert "Say which game it is" in page_of(answer, status=400).text


# -- stored all or not at all --------------------------------------------------------------


@pytest.mark.both_databases
def test_a_package_brought_twice_is_stored_once(client):
    done = taken_in(client, look(client, BOTH, "spy.o8g")).text
    assert "2 cards of Spycraft added" in done and "2 pictures: 2 taken (2 by id)" in done
    before = list(UploadedPicture.objects.values_list("pk", "sha256", "side"))
    again = look(client, BOTH, "spy.o8g")
    assert "You have one already for 2 of these cards" in page_of(again).text
    taken_in(client, again)
    assert list(UploadedPicture.objects.values_list("pk", "sha256", "side")) == before
    assert OwnText.objects.count() == 2


def test_pictures_without_room_are_refused_before_anything_is_stored(client, settings, own_folders):
    seen = look(client, BOTH, "spy.o8g")
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    assert pressed(client, seen).status_code == 507
    assert not stored_names(own_folders / "pictures") and not OwnText.objects.exists() and not stored()


@pytest.mark.both_databases
def test_use_and_bleed_are_chosen_for_a_package_and_for_a_game_whose_pictures_are_deleted_at_once(client):
    sizes = {"Kai.png": (330, 450), "Shiatsu.png": (400, 300)}
    seen = scans(client, {name: coded(painted(size=size), "PNG") for name, size in sizes.items()})
    taken_in(client, seen, pictures_as="art", pictures_bleed="keep")
    assert set(UploadedPicture.objects.values_list("use", "edge")) == {("art", "mirrored")}
    client.post("/pictures/all/", {"game": "spycraft", "use": "shape", "bleed": "cut"})
    rows = {row.card_code: (row.use, row.edge, row.bleed) for row in UploadedPicture.objects.all()}
    assert rows == {"kai": ("card", "included", 3_175), "shiatsu": ("art", "mirrored", 0)}
    assert "3.2 mm of bleed, cut off" in page(client, "/pictures/").text
    Client().post("/pictures/all/", {"game": "spycraft", "use": "art"})
    Client().post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    assert UploadedPicture.objects.get(card_code="kai").use == "card"
    client.post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    assert not UploadedPicture.objects.exists()


# -- own cards made from the package --------------------------------------------------------


@pytest.mark.both_databases
def test_own_cards_made_from_a_package_get_their_pictures(ada):
    for _ in range(2):
        seen = scans(ada, HERONS)
        assert "2 pictures: 2 taken (2 by the row that names them)" in page_of(seen).text
        pressed(ada, seen, "make", into="Harbour")
        names = {card.code: card.name for card in OwnCard.objects.all()}
        widths = {names[row.card_code]: row.width for row in UploadedPicture.objects.all()}
        assert widths == {"Iron Heron": 101, "Glass Heron": 102} and len(names) == 2


def test_pictures_of_cards_that_are_not_made_are_not_stored(ada):
    taken_in(ada, scans(ada, HERONS | {"p/Kai.png": picture(3)}))
    assert stored() == ["kai"] and not OwnCard.objects.exists()


def test_a_package_is_refused_if_the_own_sets_change_while_it_is_compared(viewer, own_folders):
    posted, compared = {"game": "spycraft", "into": "Harbour", "do": "make"}, list[Any]()
    with open_file(io.BytesIO(zipped(HERONS)), "lackey.zip", MAX_SENT) as files:
        package = package_of(files, "lackey.zip")

        def compare_and_add_a_set():
            compared.append(compare_as_posted(package, posted, viewer, lambda rows: None))
            own_set(viewer, name="Elsewhere")
            return compared[-1]

        with pytest.raises(Refused) as refused:
            take_in(compare_and_add_a_set, viewer, AS_FOUND, PRIVATE, lambda pictures: None)
    assert (refused.value.status, len(compared)) == (503, 1)
    assert not OwnCard.objects.exists() and not stored() and not stored_names(own_folders / "pictures")


def test_an_error_while_texts_are_written_removes_the_pictures_again(viewer, own_folders):
    def fails(report):
        assert OwnText.objects.exists() and stored()
        raise ZeroDivisionError

    with open_file(io.BytesIO(BOTH), "spy.o8g", MAX_SENT) as files:
        package = package_of(files, "spy.o8g")

        def compared():
            return compare_as_posted(package, {"game": "spycraft"}, viewer, lambda rows: None)

        with pytest.raises(ZeroDivisionError):
            take_in(compared, viewer, AS_FOUND, PRIVATE, lambda pictures: None, fails)
    assert not stored_names(own_folders / "pictures") and not stored() and not OwnText.objects.exists()
