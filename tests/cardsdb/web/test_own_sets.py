"""The pages of sets of one's own: made by form, for their owner; for others as far as the set says."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from cardsdb.box.sets import keep_set_private
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import OwnBox, OwnCard, OwnSet
from tests.support.guests import known_as, named_token
from tests.support.own_sets import CANARY, own_card, own_set

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def ada() -> Client:
    return known_as("ada")


ADA = Viewer(browser=hashed(named_token("ada")))


def body(answer: Any) -> str:
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()


def sees(client: Client, address: str) -> bool:
    answer = client.get(address)
    assert answer.status_code in (200, 404), address
    return CANARY in body(answer) if answer.status_code == 200 else False


# -- made by form -------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_first_card_of_somebody_new_makes_their_set() -> None:
    client = Client()
    answer = client.post(
        "/games/spynet/own/",
        {
            "name": "Brass Falcon",
            "type": "agent",
            "fact-power": "4",
            "fact-branches": ["tech", "enforcement"],
        },
    )
    card = OwnCard.objects.select_related("in_set").get()
    assert answer.status_code == 302 and answer["Location"] == f"/cards/spynet/{card.code}/"
    assert card.facts == {"power": 4, "branches": ["tech", "enforcement"]} and card.in_set.name == "My cards"
    assert "Brass Falcon" in client.get(answer["Location"]).content.decode()


def test_a_form_with_faults_keeps_what_was_typed_and_stores_nothing(ada: Client) -> None:
    answer = ada.post(
        "/games/spynet/own/", {"name": "Brass Falcon", "type": "agent", "fact-power": "four", "text": CANARY}
    )
    page = answer.content.decode()
    assert (
        answer.status_code == 400
        and "Power must be a whole number" in page
        and 'value="four"' in page
        and CANARY in page
    )
    assert not OwnCard.objects.exists() and not OwnSet.objects.exists()


def test_without_script_a_button_shows_the_fields_of_the_type_and_another_the_face(ada: Client) -> None:
    fields = ada.post(
        "/games/spynet/own/", {"name": "Brass Falcon", "type": "mission", "do": "type"}
    ).content.decode()
    assert (
        'name="fact-stars"' in fields
        and 'name="fact-power"' not in fields
        and 'value="Brass Falcon"' in fields
    )
    assert (
        "Brass Falcon"
        in ada.post("/games/spynet/own/face/", {"name": "Brass Falcon", "type": "mission"}).content.decode()
    )
    assert not OwnCard.objects.exists()


def test_closed_lists_are_chosen_from_and_others_offer_their_values(ada: Client) -> None:
    page = ada.get("/games/spynet/own/?type=agent").content.decode()
    assert (
        '<input type="checkbox" name="fact-branches" value="tech"' in page
        and 'name="fact-special" value="yes"' in page
    )
    assert '<datalist id="l-fact-traits">' in ada.get("/games/spycraft/own/?type=agent").content.decode()


@pytest.mark.both_databases
def test_a_copy_begins_with_the_facts_of_the_catalogues_card(ada: Client) -> None:
    kai = games()["spycraft"].card("kai")
    page = ada.get("/games/spycraft/own/?like=kai").content.decode()
    assert kai and f'name="fact-craft" value="{kai.facts["craft"]}"' in page and 'value="Kai"' in page
    assert ada.get("/games/spycraft/own/?like=nobody").status_code == 404


@pytest.mark.both_databases
def test_what_people_type_is_escaped(ada: Client) -> None:
    card = own_card(own_set(ADA, note="<b>note</b>"), name="<b>Falcon</b>", text="<b>fly</b>")
    for address in (
        f"/cards/spycraft/{card.code}/",
        f"/own/sets/{card.in_set.link}/",
        f"/own/cards/{card.code}/change/",
        "/cards/?q=falcon",
    ):
        page = ada.get(address).content.decode()
        assert "<b>F" not in page and "<b>f" not in page and "<b>n" not in page, address


def test_a_table_of_the_set_has_no_formulas(ada: Client) -> None:
    card = own_card(own_set(ADA), name="=1+1", text="+1 craft")
    rows = list(
        csv.DictReader(io.StringIO(body(ada.get(f"/own/sets/{card.in_set.link}/cards.csv")).lstrip("\ufeff")))
    )
    assert [(row["name"], row["text"]) for row in rows] == [("'=1+1", "'+1 craft")]


def test_a_set_and_its_cards_are_changed_and_deleted_by_their_owner_alone(ada: Client) -> None:
    card = own_card(own_set(ADA, visibility="public"))
    link, bob = card.in_set.link, known_as("bob")
    for address, data in (
        (f"/own/sets/{link}/change/", {"name": "Bob's"}),
        (f"/own/sets/{link}/change/", {"do": "delete"}),
        (f"/own/cards/{card.code}/change/", {"name": "Bob's", "type": "agent"}),
        (f"/own/cards/{card.code}/delete/", {}),
    ):
        assert bob.post(address, data).status_code == 404
    assert (
        ada.post(f"/own/cards/{card.code}/change/", {"name": "Tin Gull", "type": "gear"}).status_code == 302
    )
    assert (
        ada.post(f"/own/sets/{link}/change/", {"name": "Kites", "visibility": "unlisted"}).status_code == 302
    )
    card = OwnCard.objects.select_related("in_set").get()
    assert (card.name, card.type, card.in_set.name, card.in_set.visibility) == (
        "Tin Gull",
        "gear",
        "Kites",
        "unlisted",
    )
    ada.post(f"/own/cards/{card.code}/delete/")
    ada.post(f"/own/sets/{link}/change/", {"do": "delete"})
    assert not OwnSet.objects.exists()


def test_a_card_of_anothers_set_cannot_be_put_into_it_by_its_link(ada: Client) -> None:
    balloons = own_set(ADA, visibility="public")
    bob = known_as("bob")
    bob.post("/games/spycraft/own/", {"name": "Intruder", "type": "agent", "set": balloons.link})
    assert not balloons.cards.exists()


# -- who sees it --------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("visibility", "others"), [("private", False), ("unlisted", True), ("public", True)])
def test_others_see_a_set_and_its_cards_as_it_says(ada: Client, visibility: str, others: bool) -> None:
    card = own_card(own_set(ADA, name=CANARY, visibility=visibility), text=CANARY)
    for address in (
        f"/own/sets/{card.in_set.link}/",
        f"/cards/spycraft/{card.code}/",
        f"/own/sets/{card.in_set.link}/cards.csv",
    ):
        assert sees(ada, address)
        assert sees(Client(), address) is sees(known_as("bob"), address) is others, address
    assert sees(Client(), "/own/sets/") is (visibility == "public")


@pytest.mark.parametrize("view", ["line", "numbers", "faces", "checklist"])
@pytest.mark.parametrize("visibility", ["private", "public"])
def test_in_lists_a_card_is_its_owners_alone_and_marked_as_theirs(
    ada: Client, view: str, visibility: str
) -> None:
    own_card(own_set(ADA, visibility=visibility), name=f"{CANARY} Falcon")
    address = f"/cards/?q={CANARY}&view={view}"
    page = ada.get(f"{address}&as_typed=1").content.decode()
    assert f"{CANARY} Falcon" in page and "own card" in page
    assert f"{CANARY} Falcon" not in Client().get(address).content.decode()
    assert f"{CANARY} Falcon" not in known_as("bob").get(address).content.decode()


def test_a_value_that_only_ones_own_cards_have_is_no_slip(ada: Client) -> None:
    own_card(own_set(ADA))
    assert "no card has" not in ada.get("/cards/?q=set:Balloons").content.decode()
    assert "no card has" in Client().get("/cards/?q=set:Balloons").content.decode()


PUBLIC = [
    "/api/v1/cards/?q=falcon",
    f"/search/suggest/?q={CANARY[:4]}",
    "/games/spycraft/",
    "/games/spycraft/cockatrice.xml",
    "/sets/",
    "/changes.atom",
    "/decks/",
    "/",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_everybodys_has_no_card_of_anybodys_own(ada: Client, address: str) -> None:
    own_card(own_set(ADA, name=CANARY, visibility="public"), name=f"{CANARY} Falcon")
    assert not sees(ada, address) and not sees(Client(), address)


@pytest.mark.both_databases
def test_a_card_of_ones_own_is_in_no_address_of_the_api_or_of_drawn_faces(ada: Client) -> None:
    card = own_card(own_set(ADA, visibility="public"))
    for address in (
        f"/api/v1/cards/spycraft/{card.code}/",
        f"/cards/spycraft/{card.code}/face.svg",
        f"/compare/?card=spycraft/{card.code}",
    ):
        answer = ada.get(address)
        assert answer.status_code == 404 or CANARY not in body(answer), address


@pytest.mark.parametrize(("visibility", "linked"), [("unlisted", False), ("public", True)])
def test_a_cards_page_gives_away_no_link_of_an_unlisted_set_and_offers_to_others_what_they_can_do(
    ada: Client, visibility: str, linked: bool
) -> None:
    card = own_card(own_set(ADA, visibility=visibility))
    address = f"/cards/spycraft/{card.code}/"
    mine, theirs = ada.get(address).content.decode(), Client().get(address).content.decode()
    assert card.in_set.link in mine and f"{address}add/" in mine
    assert (card.in_set.link in theirs, f"{address}add/" in theirs) == (linked, False)
    assert "From the set" in theirs and "Balloons" in theirs


# -- moderated ----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_staff_make_a_public_set_private_and_change_nothing_else(admin_client: Client) -> None:
    balloons = own_set(ADA, visibility="public")
    secret, state = own_set(ADA, name="Kites", visibility="unlisted"), OwnBox.objects.get().state
    hide = {"do": "hide", "because": "Scanned art.", "visibility": "unlisted", "name": "Other"}
    assert admin_client.post(f"/moderation/set-{balloons.pk}/", hide).status_code == 302
    balloons.refresh_from_db()
    assert (balloons.visibility, balloons.private_because, balloons.name) == (
        "private",
        "Scanned art.",
        "Balloons",
    )
    assert OwnBox.objects.get().state != state
    assert admin_client.post(f"/moderation/set-{secret.pk}/", hide).status_code == 404
    secret.refresh_from_db()
    assert secret.visibility == "unlisted"


@pytest.mark.both_databases
def test_what_staff_keep_private_its_owner_cannot_share_until_they_lift_it(
    ada: Client, admin_client: Client
) -> None:
    balloons = own_set(ADA, visibility="public")
    keep_set_private(balloons.pk, "Scanned art.")
    address, said = f"/own/sets/{balloons.link}/change/", {"name": "Balloons", "visibility": "public"}
    assert (
        "Scanned art." in ada.get(address).content.decode()
        and "Scanned art." in ada.get(f"/own/sets/{balloons.link}/").content.decode()
    )
    refused = ada.post(address, said)
    assert (
        refused.status_code,
        "Their reason: “Scanned art”. Ask them first." in refused.content.decode(),
    ) == (400, True)
    assert ada.post(address, {**said, "visibility": "private", "note": "Mine."}).status_code == 302
    admin_client.post(f"/moderation/set-{balloons.pk}/", {"do": "show"})
    assert ada.post(address, said).status_code == 302
    balloons.refresh_from_db()
    assert (balloons.visibility, balloons.private_because, balloons.note) == ("public", "", "")
