"""Permissions of a deck: what its owner, a friend with the edit link, and strangers may see and change. And
its secret cards: hidden from strangers until the author reveals them.

The code is in ``deck.py`` and ``values.py`` of ``decks/models``, ``cardsdb/identity/viewer.py`` and
``decks/core/content.py``.
"""

from html import unescape

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import BrowserAccess, Deck, DeckLine
from tests.support.accounts import PASSWORD, log_in
from tests.support.made_decks import edit_link, key_in, make_deck, open_edit_link, starter
from tests.support.pages import page
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def stranger():
    return Client()


# -- edit keys


def test_the_edit_link_gives_another_browser_access_and_leaves_no_key_behind(owner, stranger, agency_text):
    deck = make_deck(owner, agency_text)
    address = edit_link(owner, deck)
    # The cookie of a session that has ended must do no harm.
    stranger.cookies["sessionid"] = "a" * 32
    answer = open_edit_link(stranger, address)
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/edit/")
    assert stranger.get(answer["Location"]).status_code == 200
    shown = owner.get(f"/decks/{deck.link}/").text
    assert key_in(address) not in shown, "the link is shown once"
    rows = [str(row) for model in (Deck, BrowserAccess, Session) for row in model.objects.values()]
    assert len(rows) >= 3
    assert key_in(address) not in " ".join(rows)


def test_a_token_stolen_from_the_database_opens_nothing(owner, stranger, agency_text):
    deck = make_deck(owner, agency_text)
    for stolen in (BrowserAccess.objects.get().browser, deck.edit_hash, "wrong"):
        assert stranger.get(f"/decks/{deck.link}/edit/?key={stolen}").status_code == 404
        assert stranger.get(f"/api/v1/decks/{deck.link}/", headers={"X-Deck-Key": stolen}).status_code == 404


def test_the_cookie_with_the_new_key_is_for_the_decks_page_and_deleted_there(owner, agency_text):
    answer = owner.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    cookie = answer.cookies["edit_key"]
    assert (cookie["path"], cookie["samesite"], bool(cookie["httponly"])) == (answer["Location"], "Lax", True)
    assert owner.get(answer["Location"]).cookies["edit_key"]["max-age"] == 0


def test_the_sessions_cookie_does_not_travel_with_other_sites_forms(owner, agency_text):
    User.objects.create_user("Mallory", password=PASSWORD)
    make_deck(owner, agency_text)
    log_in(owner)
    for cookie in (owner.cookies["browser"], owner.cookies["sessionid"]):
        assert (cookie["samesite"], bool(cookie["httponly"])) == ("Lax", True)


def test_a_new_link_replaces_the_old_one_and_ends_access_by_the_edit_link(owner, stranger, agency_text):
    deck = make_deck(owner, agency_text, visibility="unlisted")
    address, friend = edit_link(owner, deck), Client()
    open_edit_link(friend, address)
    assert deck.link in " ".join(page(friend, "/decks/").links)
    owner.post(f"/decks/{deck.link}/new-link/")
    moved = Deck.objects.get(pk=deck.pk)
    assert stranger.get(f"/decks/{deck.link}/").status_code == 404
    assert stranger.get(f"/decks/{moved.link}/").status_code == 200
    assert f"/decks/edit/#{moved.link}." in edit_link(owner, moved)
    assert moved.link not in " ".join(page(friend, "/decks/").links)
    assert friend.get("/api/v1/decks/", headers={"X-Deck-Key": key_in(address)}).json()["count"] == 0
    assert owner.get(f"/decks/{moved.link}/edit/").status_code == 200


def test_saving_an_object_read_earlier_keeps_the_new_link(owner, agency_text):
    deck = make_deck(owner, agency_text)
    owner.post(f"/decks/{deck.link}/new-link/")
    save_list(deck, judge_text(games()["spycraft"], "2 Kai"), name="Read before the link was changed")
    assert Deck.objects.get().link != deck.link


# -- answers


def test_in_the_admin_moderators_cannot_add_decks_or_read_the_names_of_all_accounts(
    admin_client, owner, agency_text
):
    public = make_deck(owner, agency_text, visibility="public")
    User.objects.create_user("somebody-else")
    assert admin_client.get("/admin/decks/deck/add/").status_code == 403
    assert "somebody-else" not in page(admin_client, f"/admin/decks/deck/{public.pk}/change/").text


# -- secret cards

# Addresses at which a deck's cards are shown.
PLACES = (
    "/decks/{}/",
    "/decks/{}/files/",
    "/decks/{}/files/json/",
    "/api/v1/decks/{}/",
    "/decks/{}/share/",
    "/decks/{}/embed/",
)


def xfiles_deck(owner: Client, text: str = "") -> tuple[Deck, str]:
    """(a public X-Files deck, the name of its secret X-File). Without ``text`` it is a legal deck."""
    listed = text or starter("xfiles", "deck-mulder")
    deck = make_deck(owner, listed, game="xfiles", visibility="public")
    secret = DeckLine.objects.get(deck=deck, section="xfile").card
    assert secret is not None
    return deck, secret.name


def shown_at(deck: Deck, place: str, client: Client | None = None) -> str:
    """What a stranger, or this client, is shown at one of these addresses."""
    answer = (client or Client()).get(place.format(deck.link))
    assert answer.status_code == 200
    return unescape(answer.text)


@pytest.mark.parametrize("place", PLACES)
def test_the_secret_x_file_is_left_out_of_what_strangers_see(owner, place):
    deck, secret = xfiles_deck(owner)
    shown = shown_at(deck, place)
    assert secret not in shown
    assert DeckLine.objects.get(section="xfile").card.code not in shown, "nor the address of its face"
    if place == PLACES[0]:
        assert "Legal" in shown
        assert secret in shown_at(deck, place, owner)


def test_a_secret_card_can_be_revealed_and_hidden_again(owner):
    deck, secret = xfiles_deck(owner)
    for revealed, is_shown in (("yes", True), ("yes", True), ("no", False)):
        owner.post(f"/decks/{deck.link}/reveal/", {"revealed": revealed})
        for place in ("/decks/{}/", "/decks/{}/files/json/", "/api/v1/decks/{}/"):
            assert (secret in shown_at(deck, place)) is is_shown, place


def test_the_secret_x_file_is_left_out_of_a_strangers_sheet_until_it_is_revealed(owner, stranger):
    deck, _ = xfiles_deck(owner)

    def cards(client: Client) -> int:
        """The number of cards that the print page shows this client."""
        shown = page(client, f"/print/?deck={deck.link}").one("dt", text="Cards").parent.one("dd").text
        return int(shown.partition(",")[0].split()[0])

    assert cards(owner) - cards(stranger) == 1
    whole, seen = (client.get(f"/print/sheets.pdf?deck={deck.link}") for client in (owner, stranger))
    assert whole["ETag"] != seen["ETag"]
    owner.post(f"/decks/{deck.link}/reveal/", {"revealed": "yes"})
    assert cards(owner) == cards(stranger)


@pytest.mark.parametrize("place", ["/decks/{}/", "/api/v1/decks/{}/"])
def test_a_violation_does_not_name_the_secret_x_file(owner, place):
    """Nor is a secret card in the wrong section named."""
    two = [card.name for card in games()["xfiles"].cards if card.type == "x-file"][:2]
    deck = make_deck(owner, f"X-File:\n1 {two[0]}\n1 {two[1]}", game="xfiles", visibility="public")
    assert two[0] not in shown_at(deck, place)
    assert two[1] not in shown_at(deck, place)
    misplaced = "Starting Agents:\n1 Duane Barry\n1 Agent Fox Mulder"
    deck = make_deck(owner, misplaced, game="xfiles", visibility="public")
    assert "Agent Fox Mulder" in shown_at(deck, place)
    assert "Duane Barry" not in shown_at(deck, place)


def test_revealing_asks_first_and_needs_secret_cards(owner, agency_text):
    deck, _ = xfiles_deck(owner)
    address = f"/decks/{deck.link}/reveal/"
    assert "Everyone who can see this deck will see it" in page(owner, address).text
    assert not Deck.objects.get().revealed
    nothing = make_deck(owner, agency_text)
    assert owner.get(f"/decks/{nothing.link}/reveal/").status_code == 404
