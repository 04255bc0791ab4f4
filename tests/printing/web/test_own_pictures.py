"""Pictures on the page "Bring your own": in packages of every program, counted before anything is kept, kept
all or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from cardsdb.box import placing as quota
from cardsdb.box import report as taking_in
from cardsdb.games import games
from cardsdb.models import OwnText, UploadedPicture
from tests.printing.web.test_own import CARDS, look, own_folder, token_of
from tests.support.packages import cockatrice_cards, gccg_set, lackey_table, octgn_set, tarred, zipped
from tests.support.pages import Page
from tests.support.pictures import coded, painted, picture_folder, stored_names

__all__ = ["own_folder", "picture_folder"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
XFILES = games()["xfiles"]
AGENTS = [card for card in XFILES.cards if any(one.set == "PRE" and one.code for one in card.prints)][:2]
TWINS = [card for card in games()["spycraft"].cards if card.name == "Tracer"]


def picture(number: int) -> bytes:
    return coded(painted(size=(100 + number, 140)), "PNG")


def named(*names: str) -> dict[str, bytes]:
    return {name: picture(number) for number, name in enumerate(names)}


IDS = [str(card.facts["octgn_id"]) for card in CARDS[:2]]
TEXTS = [(card, "Zeppelin.") for card in CARDS[:2]]
OF_X = [(card, "Zeppelin.") for card in AGENTS]


@pytest.mark.parametrize(
    ("name", "data", "words", "cards"),
    [
        ("pack.o8c", zipped(named(*(f"0f/Sets/1/Cards/{one}.png" for one in IDS))), "2 by id", 2),
        (
            "x.tgz",
            tarred(
                {
                    "xml/X/pre.xml": gccg_set(OF_X),
                    **named(*(f"graphics/X/invented/{card.code}.jpg" for card in AGENTS)),
                }
            ),
            "2 by the row",
            2,
        ),
        (
            "lackey.zip",
            zipped(
                {
                    "s/sets/a.txt": lackey_table(TEXTS),
                    **named(*(f"s/sets/setimages/{c.prints[0].set}/{c.code}.jpg" for c in CARDS[:2])),
                }
            ),
            "2 by the row",
            2,
        ),
        (
            "cockatrice.zip",
            zipped(
                {
                    "cards.xml": cockatrice_cards(TEXTS),
                    **named(*(f"pics/{c.prints[0].set}/{c.name}.full.jpg" for c in CARDS[:2])),
                }
            ),
            "2 by name",
            2,
        ),
        (
            "scans.zip",
            zipped(named("Kai.png", "Shiatsu (2).png", "card-back.png")),
            "1 by id, 1 by name, 1 as the back of all",
            3,
        ),
        (
            "sets.zip",
            zipped(named(*(f"{one.prints[0].set}/{one.name}.png" for one in TWINS))),
            "2 by name",
            2,
        ),
        ("x sets.zip", zipped(named("PRE/12.png", "Promos/x/PRO/012 (1).png")), "2 by number", 2),
    ],
)
def test_pictures_of_every_kind_of_package_find_their_cards(
    client: Client, name: str, data: bytes, words: str, cards: int
) -> None:
    seen = look(client, data, name, game="xfiles" if name.startswith("x") else "spycraft")
    assert words in seen.content.decode() and not UploadedPicture.objects.exists()
    sure(client, seen)
    assert UploadedPicture.objects.exclude(side="").count() == cards


def sure(client: Client, seen: Any, **fields: str) -> Any:
    game = Page(seen).one("form", action="/own/add/").sent["game"]
    return client.post(
        "/own/add/", {"token": token_of(seen), "game": game, "do": "add", **fields}, follow=True
    )


def test_what_fits_no_card_or_several_is_listed_by_its_name(client: Client) -> None:
    page = look(
        client, zipped(named("nerve-strike.png", "holiday.png", "12.png")), "scans.zip"
    ).content.decode()
    assert (
        "3 pictures: 1 taken (1 by id), 2 left, 0 refused" in page
        and "holiday.png" in page
        and "12.png" in page
    )
    assert "It may be N" in page and "no card’s id, number or name" in page


def test_a_back_of_all_cards_alone_does_not_tell_the_game(client: Client) -> None:
    assert (
        "Say which game it is"
        in look(client, zipped(named("card-back.png", "holiday.png")), "scans.zip").content.decode()
    )
    assert (
        "1 as the back of all"
        in look(client, zipped(named("card-back.png")), "scans.zip", game="spycraft").content.decode()
    )


@pytest.mark.both_databases
def test_texts_and_pictures_come_together_and_a_second_run_changes_nothing(client: Client) -> None:
    data = zipped({"Sets/One/set.xml": octgn_set(TEXTS), **named(*(f"Cards/{one}.png" for one in IDS))})
    done = sure(client, look(client, data, "spy.o8g"))
    assert (
        "2 cards of Spycraft added" in done.content.decode()
        and "2 pictures: 2 taken (2 by id)" in done.content.decode()
    )
    before = list(UploadedPicture.objects.values_list("pk", "sha256", "side"))
    again = look(client, data, "spy.o8g")
    assert "You have one already for 2 of these cards" in Page(again).text
    sure(client, again)
    assert (
        list(UploadedPicture.objects.values_list("pk", "sha256", "side")) == before
        and OwnText.objects.count() == 2
    )


@pytest.mark.parametrize("bounds", [{"MAX_PICTURES": 1}, {"MAX_STORED": 10}])
def test_what_has_no_room_is_refused_before_anything_is_stored(
    client: Client, bounds: Mapping[str, int], monkeypatch: pytest.MonkeyPatch, picture_folder: Any
) -> None:
    seen = look(
        client,
        zipped({"Sets/One/set.xml": octgn_set(TEXTS), **named(*(f"Cards/{one}.png" for one in IDS))}),
        "spy.o8g",
    )
    for name, value in bounds.items():
        monkeypatch.setattr(quota, name, value)
    answer = sure(client, seen)
    assert answer.status_code == 400 and "are the most" in answer.content.decode()
    assert (
        stored_names(picture_folder) == []
        and not UploadedPicture.objects.exists()
        and not OwnText.objects.exists()
    )


def test_what_fails_while_texts_are_written_takes_the_pictures_away_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, picture_folder: Any
) -> None:
    seen = look(
        client,
        zipped({"Sets/One/set.xml": octgn_set(TEXTS), **named(*(f"Cards/{one}.png" for one in IDS))}),
        "spy.o8g",
    )
    monkeypatch.setattr(taking_in, "add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        sure(client, seen)
    assert stored_names(picture_folder) == [] and not UploadedPicture.objects.exists()


def test_a_damaged_picture_is_listed_and_the_others_are_kept(client: Client) -> None:
    data = zipped({**named("Kai.png"), "Shiatsu.png": picture(9)[:300]})
    sure(client, look(client, data, "scans.zip"))
    assert [row.card_code for row in UploadedPicture.objects.all()] == ["kai"]


@pytest.mark.both_databases
def test_the_use_and_the_bleed_are_chosen_at_import_and_changed_for_all(client: Client) -> None:
    data = zipped(
        {
            "Kai.png": coded(painted(size=(330, 450)), "PNG"),
            "Shiatsu.png": coded(painted(size=(400, 300)), "PNG"),
        }
    )
    sure(client, look(client, data, "scans.zip"), pictures_as="art", pictures_bleed="keep")
    assert set(UploadedPicture.objects.values_list("use", "edge")) == {("art", "mirrored")}
    client.post("/pictures/all/", {"game": "spycraft", "use": "shape", "bleed": "cut"})
    rows = {row.card_code: (row.use, row.edge, row.bleed) for row in UploadedPicture.objects.all()}
    assert rows == {"kai": ("card", "included", 3_175), "shiatsu": ("art", "mirrored", 0)}
    assert "3.2 mm of bleed, cut off" in client.get("/pictures/").content.decode()
    stranger = Client()
    stranger.post("/pictures/all/", {"game": "spycraft", "use": "art"})
    assert UploadedPicture.objects.get(card_code="kai").use == "card"


@pytest.mark.both_databases
def test_one_deletes_ones_pictures_of_a_game(client: Client) -> None:
    sure(client, look(client, zipped(named("Kai.png")), "scans.zip"))
    Client().post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    assert "1 picture" in client.get("/own/").content.decode()
    client.post("/own/forget/", {"game": "spycraft", "what": "pictures"})
    assert not UploadedPicture.objects.exists()
