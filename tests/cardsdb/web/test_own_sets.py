"""Pages of own sets and own cards: forms, visibility, moderation."""

import csv
import io

import pytest
from django.test import Client

from cardsdb.box.sets import keep_set_private
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import OwnBox, OwnCard, OwnSet
from tests.support.guests import known_as, named_token
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def ada():
    return known_as("ada")


ADA = Viewer(browser=hashed(named_token("ada")))
FALCON = {"name": "Brass Falcon", "type": "agent"}


def sees(client: Client, address: str, words: str = CANARY) -> bool:
    answer = client.get(address)
    assert answer.status_code in (200, 404), address
    return answer.status_code == 200 and words.encode() in answer.getvalue()


# -- forms --------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_first_own_card_of_a_visitor_makes_a_set(client):
    sent = {**FALCON, "fact-power": "4", "fact-branches": ["tech", "enforcement"]}
    answer = client.post("/games/spynet/own/", sent)
    card = OwnCard.objects.select_related("in_set").get()
    assert (answer.status_code, answer["Location"]) == (302, f"/cards/spynet/{card.code}/")
    assert card.facts == {"power": 4, "branches": ["tech", "enforcement"]} and card.in_set.name == "My cards"
    assert sees(client, answer["Location"], "Brass Falcon")


def test_a_form_with_faults_or_for_preview_keeps_its_input_and_stores_nothing(ada):
    def sent(**values):
        return ada.post("/games/spynet/own/", {"name": "Brass Falcon", "text": CANARY, **values})

    faulty = page_of(sent(type="agent", **{"fact-power": "four"}), status=400)
    assert "Power must be a whole number" in faulty.text
    assert (faulty.field("fact-power").value, faulty.field("text").value) == ("four", CANARY)
    # Without script, one button shows the fields of the chosen type and another the face.
    fields = page_of(sent(type="mission", do="type"))
    assert fields.has(name="fact-stars") and not fields.has(name="fact-power")
    assert fields.field("name").value == "Brass Falcon"
    face = ada.post("/games/spynet/own/face/", {"name": "Brass Falcon", "type": "mission"})
    assert "Brass Falcon" in page_of(face).text
    assert not OwnSet.objects.exists()


def test_a_field_is_a_choice_for_a_closed_list_and_has_suggestions_otherwise(ada):
    form = page(ada, "/games/spynet/own/?type=agent")
    assert form.one("input", name="fact-branches", value="tech")["type"] == "checkbox"
    assert form.has(name="fact-special", value="yes")
    assert page(ada, "/games/spycraft/own/?type=agent").has("datalist", id="l-fact-traits")


@pytest.mark.both_databases
def test_a_copy_begins_with_the_facts_of_the_catalogues_card(ada):
    kai, form = games()["spycraft"].card("kai"), page(ada, "/games/spycraft/own/?like=kai")
    assert kai and form.field("fact-craft").value == str(kai.facts["craft"])
    assert form.field("name").value == "Kai"
    assert ada.get("/games/spycraft/own/?like=nobody").status_code == 404


@pytest.mark.both_databases
def test_own_names_and_texts_are_escaped(ada):
    card = own_card(own_set(ADA, note="<i>note</i>"), name="<i>Falcon</i>", text="<i>fly</i>")
    addresses = f"/cards/spycraft/{card.code}/ /own/sets/{card.in_set.link}/ /own/cards/{card.code}/change/"
    for address in (*addresses.split(), "/cards/?q=falcon"):
        shown = page(ada, address)
        assert not shown.has("i"), address


def test_a_table_of_the_set_has_no_formulas(ada):
    card = own_card(own_set(ADA), name="=1+1", text="+1 craft")
    written = ada.get(f"/own/sets/{card.in_set.link}/cards.csv").getvalue()
    rows = csv.DictReader(io.StringIO(written.decode("utf-8-sig")))
    assert [(row["name"], row["text"]) for row in rows] == [("'=1+1", "'+1 craft")]


def test_a_set_and_its_cards_are_changed_and_deleted_by_their_owner_alone(ada):
    card = own_card(own_set(ADA, visibility="public"))
    of_set, of_card = f"/own/sets/{card.in_set.link}/change/", f"/own/cards/{card.code}"
    bob = known_as("bob")
    for address, data in (
        (of_set, {"name": "Bob's"}),
        (of_set, {"do": "delete"}),
        (f"{of_card}/change/", FALCON),
        (f"{of_card}/delete/", {}),
    ):
        assert bob.post(address, data).status_code == 404
    bob.post("/games/spycraft/own/", {**FALCON, "set": card.in_set.link})
    assert card.in_set.cards.count() == 1, "nor does a link let a card of another's in"
    assert ada.post(f"{of_card}/change/", {"name": "Tin Gull", "type": "gear"}).status_code == 302
    assert ada.post(of_set, {"name": "Kites", "visibility": "unlisted"}).status_code == 302
    card = OwnCard.objects.select_related("in_set").get(code=card.code)
    changed = (card.name, card.type, card.in_set.name, card.in_set.visibility)
    assert changed == ("Tin Gull", "gear", "Kites", "unlisted")
    ada.post(f"{of_card}/delete/")
    ada.post(of_set, {"do": "delete"})
    assert not OwnSet.objects.filter(pk=card.in_set.pk).exists()


# -- visibility ---------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("visibility", "others"), [("private", False), ("unlisted", True), ("public", True)])
def test_others_see_a_set_and_its_cards_as_its_visibility_allows(ada, visibility, others):
    card = own_card(own_set(ADA, name=CANARY, visibility=visibility), name=CANARY)
    of_set, of_card = f"/own/sets/{card.in_set.link}/", f"/cards/spycraft/{card.code}/"
    for address in (of_set, of_card, f"{of_card}face.svg", f"{of_set}cards.csv"):
        assert sees(ada, address)
        assert sees(Client(), address) is sees(known_as("bob"), address) is others, address
    assert sees(Client(), "/own/sets/") is (visibility == "public")
    if not others:
        return
    # A card's page does not reveal the link of an unlisted set, and offers others only what they may do.
    mine, theirs = page(ada, of_card), page(Client(), of_card)
    assert {of_set, f"{of_card}add/"} <= set(mine.links) and f"{of_card}add/" not in theirs.links
    assert (of_set in theirs.links) is (visibility == "public")
    assert f"From the set {CANARY}" in theirs.text


def test_an_own_card_of_a_public_set_is_in_lists_for_its_owner_alone_and_marked(ada):
    own_card(own_set(ADA, visibility="public"), name=f"{CANARY} Falcon")
    for view in ("line", "numbers", "faces", "checklist"):
        mine = page(ada, f"/cards/?q={CANARY}&view={view}&as_typed=1").text
        assert f"{CANARY} Falcon" in mine and "own card" in mine, view
    for other in (Client(), known_as("bob")):
        assert not sees(other, f"/cards/?q={CANARY}", f"{CANARY} Falcon")


def test_a_value_that_only_own_cards_have_is_no_mistake_for_their_owner(ada):
    own_card(own_set(ADA))
    assert not sees(ada, "/cards/?q=set:Balloons", "no card has")
    assert sees(Client(), "/cards/?q=set:Balloons", "no card has")


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


@pytest.mark.both_databases
def test_shared_pages_contain_no_own_card(ada):
    card = own_card(own_set(ADA, name=CANARY, visibility="public"), name=f"{CANARY} Falcon")
    key = f"spycraft/{card.code}"
    for address in (*PUBLIC, f"/api/v1/cards/{key}/", f"/compare/?card={key}"):
        assert not sees(ada, address) and not sees(Client(), address), address


# -- moderation ---------------------------------------------------------------------------


@pytest.mark.both_databases
def test_staff_make_a_public_set_private_and_change_nothing_else(admin_client):
    balloons = own_set(ADA, visibility="public")
    secret, state = own_set(ADA, name="Kites", visibility="unlisted"), OwnBox.objects.get().state
    hide = {"do": "hide", "because": "Scanned art.", "visibility": "unlisted", "name": "Other"}
    assert admin_client.post(f"/moderation/set-{balloons.pk}/", hide).status_code == 302
    balloons.refresh_from_db()
    kept = (balloons.visibility, balloons.private_because, balloons.name)
    assert kept == ("private", "Scanned art.", "Balloons")
    assert OwnBox.objects.get().state != state
    assert admin_client.post(f"/moderation/set-{secret.pk}/", hide).status_code == 404
    secret.refresh_from_db()
    assert secret.visibility == "unlisted"


@pytest.mark.both_databases
def test_the_owner_cannot_share_a_set_that_staff_keep_private_until_they_lift_it(ada, admin_client):
    balloons = own_set(ADA, visibility="public")
    keep_set_private(balloons.pk, "Scanned art.")
    address = f"/own/sets/{balloons.link}/"
    assert sees(ada, address, "Scanned art.") and sees(ada, f"{address}change/", "Scanned art.")

    def change(status, **values):
        answer = ada.post(f"{address}change/", {"name": "Balloons", "visibility": "public", **values})
        assert answer.status_code == status
        return page_of(answer, status=400) if status == 400 else None

    refused = change(400)
    assert refused and "Their reason: “Scanned art”. Ask them first." in refused.text
    change(302, visibility="private", note="Mine.")
    admin_client.post(f"/moderation/set-{balloons.pk}/", {"do": "show"})
    change(302)
    balloons.refresh_from_db()
    assert (balloons.visibility, balloons.private_because, balloons.note) == ("public", "", "")
