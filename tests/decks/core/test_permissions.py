"""Who may see and change which deck: owner, a friend with the link, a stranger."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from cardsdb.games import games
from decks.models import BrowserAccess, Deck, DeckLine, Visibility
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db


def make_deck(client: Client, text: str, game: str = "spycraft", **values: str) -> Deck:
    answer = client.post("/decks/new/", {"game": game, "name": "Dragons", "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def new_edit_link(owner: Client, deck: Deck) -> str:
    """The link on the page of a deck that was just made."""
    return (
        owner.get(f"/decks/{deck.link}/")
        .content.decode()
        .split('id="edit-address" href="http://testserver/decks/edit/')[1]
        .split('"')[0]
    )


def key_in(address: str) -> str:
    return address.rpartition(".")[2]


def open_edit_link(client: Client, address: str, **how: Any) -> Any:
    """What the script of the page sends, and whoever has none and pastes the link."""
    return client.post("/decks/edit/", {"edit_key": f"http://testserver/decks/edit/{address}"}, **how)


@pytest.fixture
def owner() -> Client:
    return Client()


@pytest.fixture
def stranger() -> Client:
    return Client()


PAGES = (
    "/decks/{}/",
    "/decks/{}/edit/",
    "/decks/{}/edit/text/",
    "/decks/{}/settings/",
    "/print/?deck={}",
    "/print/sheets.pdf?deck={}",
    "/api/v1/decks/{}/",
)


@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize("page", PAGES)
def test_a_stranger_reads_what_is_not_private_and_edits_nothing(
    owner: Client, stranger: Client, agency_text: str, visibility: str, page: str
) -> None:
    deck = make_deck(owner, agency_text, visibility=visibility)
    hidden = visibility == Visibility.PRIVATE or "/edit/" in page or "/settings/" in page
    assert stranger.get(page.format(deck.link)).status_code == (404 if hidden else 200)


@pytest.mark.parametrize("page", [page for page in PAGES if "api" not in page])
def test_an_owner_reads_and_edits_a_private_deck(owner: Client, agency_text: str, page: str) -> None:
    deck = make_deck(owner, agency_text)
    assert owner.get(page.format(deck.link)).status_code == 200


@pytest.mark.parametrize("action", ["edit", "edit/text", "settings", "delete", "new-link"])
def test_a_stranger_cannot_change_a_public_deck(
    owner: Client, stranger: Client, agency_text: str, action: str
) -> None:
    deck = make_deck(owner, agency_text, visibility="public")
    assert (
        stranger.post(f"/decks/{deck.link}/{action}/", {"name": "Mine", "text": "1 Kai"}).status_code == 404
    )
    assert Deck.objects.get(pk=deck.pk).name == "Dragons"


def test_only_public_decks_are_listed_to_a_stranger(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    decks = {
        visibility: make_deck(owner, agency_text, visibility=visibility).link for visibility in Visibility
    }
    for client, seen in ((stranger, {"public"}), (owner, set(decks))):
        page = client.get("/decks/").content.decode()
        assert {visibility for visibility, link in decks.items() if link in page} == seen
    listed = [deck["id"] for deck in stranger.get("/api/v1/decks/").json()["results"]]
    assert listed == [decks[Visibility.PUBLIC]]


def test_the_edit_link_gives_another_browser_the_deck_and_leaves_the_address(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    address = new_edit_link(owner, deck)
    answer = open_edit_link(stranger, address)
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/edit/")
    assert stranger.get(answer["Location"]).status_code == 200
    assert key_in(address) not in owner.get(f"/decks/{deck.link}/").content.decode(), "the link is shown once"


def test_an_edit_key_stands_nowhere_in_the_database(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    address = new_edit_link(owner, deck)
    open_edit_link(stranger, address)
    rows = [str(row) for model in (Deck, BrowserAccess, Session) for row in model.objects.values()]
    assert len(rows) >= 3 and key_in(address) not in " ".join(rows)


def test_a_token_stolen_from_the_database_opens_nothing(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    for stolen in (BrowserAccess.objects.get().browser, deck.edit_hash):
        assert stranger.get(f"/decks/{deck.link}/edit/?key={stolen}").status_code == 404
        assert stranger.get(f"/api/v1/decks/{deck.link}/", headers={"X-Deck-Key": stolen}).status_code == 404


def test_the_cookie_with_the_new_key_is_sent_to_the_decks_page_alone_and_goes_after_it(
    owner: Client, agency_text: str
) -> None:
    answer = owner.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    cookie = answer.cookies["edit_key"]
    assert (cookie["path"], cookie["samesite"], bool(cookie["httponly"])) == (answer["Location"], "Lax", True)
    assert owner.get(answer["Location"]).cookies["edit_key"]["max-age"] == 0


def test_the_sessions_cookie_does_not_travel_with_other_sites_forms(owner: Client, agency_text: str) -> None:
    User.objects.create_user("Mallory", password="a quiet field at noon")
    owner.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    owner.post("/accounts/login/", {"login": "Mallory", "password": "a quiet field at noon"})
    for cookie in (owner.cookies["browser"], owner.cookies["sessionid"]):
        assert (cookie["samesite"], bool(cookie["httponly"])) == ("Lax", True)


def test_logging_in_keeps_the_browsers_decks(owner: Client, agency_text: str) -> None:
    deck = make_deck(owner, agency_text)
    owner.force_login(User.objects.create_user("mallory"))
    assert owner.get(f"/decks/{deck.link}/edit/").status_code == 200


def test_a_wrong_key_is_a_404(owner: Client, stranger: Client, agency_text: str) -> None:
    deck = make_deck(owner, agency_text)
    assert stranger.get(f"/decks/{deck.link}/edit/?key=wrong").status_code == 404
    assert stranger.get(f"/api/v1/decks/{deck.link}/", headers={"X-Deck-Key": "wrong"}).status_code == 404


def test_the_database_does_not_keep_the_edit_key(client: Client, agency_text: str) -> None:
    body = json.dumps({"game": "spycraft", "name": "Dragons", "text": agency_text})
    made = client.post("/api/v1/decks/", body, content_type="application/json").json()
    deck = Deck.objects.get(link=made["id"])
    assert made["edit_key"] not in str(vars(deck))
    assert client.get(f"/api/v1/decks/{made['id']}/").status_code == 404
    assert (
        client.get(f"/api/v1/decks/{made['id']}/", headers={"X-Deck-Key": made["edit_key"]}).status_code
        == 200
    )


def test_the_api_does_not_take_the_browsers_keys(owner: Client, agency_text: str) -> None:
    deck = make_deck(owner, agency_text)
    assert owner.delete(f"/api/v1/decks/{deck.link}/").status_code == 404


def test_a_new_link_kills_the_old_one(owner: Client, stranger: Client, agency_text: str) -> None:
    deck = make_deck(owner, agency_text, visibility="unlisted")
    owner.post(f"/decks/{deck.link}/new-link/")
    assert stranger.get(f"/decks/{deck.link}/").status_code == 404
    moved = Deck.objects.get(pk=deck.pk).link
    assert stranger.get(f"/decks/{moved}/").status_code == 200
    assert f"/decks/edit/#{moved}." in owner.get(f"/decks/{moved}/").content.decode()


def test_a_new_link_takes_the_deck_from_whoever_had_the_old_edit_link(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    address = new_edit_link(owner, deck)
    open_edit_link(stranger, address)
    assert deck.link in stranger.get("/decks/").content.decode()
    owner.post(f"/decks/{deck.link}/new-link/")
    moved = Deck.objects.get(pk=deck.pk).link
    assert moved not in stranger.get("/decks/").content.decode()
    assert stranger.get("/api/v1/decks/", headers={"X-Deck-Key": key_in(address)}).json()["count"] == 0
    assert owner.get(f"/decks/{moved}/edit/").status_code == 200


def test_saving_does_not_bring_an_old_link_back(owner: Client, agency_text: str) -> None:
    from decks.core.judging import judge_text

    deck = make_deck(owner, agency_text)
    owner.post(f"/decks/{deck.link}/new-link/")
    save_list(deck, judge_text(games()["spycraft"], "2 Kai"), name="Read before the link was changed")
    assert Deck.objects.get().link != deck.link


@pytest.mark.parametrize(
    "page",
    ["/decks/{}/", "/decks/{}/edit/", "/decks/{}/files/", "/decks/{}/files/text/", "/api/v1/decks/{}/"],
)
def test_what_depends_on_who_asks_is_kept_by_no_cache(owner: Client, agency_text: str, page: str) -> None:
    deck = make_deck(owner, agency_text, visibility="public")
    assert {"private", "no-store"} <= set(owner.get(page.format(deck.link))["Cache-Control"].split(", "))


@pytest.mark.parametrize(
    ("address", "method", "allowed"),
    [
        ("/decks/", "post", {"GET", "HEAD"}),
        ("/decks/new/", "put", {"GET", "HEAD", "POST"}),
        ("/decks/x/new-link/", "get", {"POST"}),
        ("/api/v1/decks/", "delete", {"GET", "POST", "HEAD", "OPTIONS"}),
        ("/api/v1/decks/x/", "post", {"GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}),
    ],
)
def test_a_method_that_is_not_allowed_is_told_which_are(
    owner: Client, address: str, method: str, allowed: set[str]
) -> None:
    answer = getattr(owner, method)(address)
    assert (answer.status_code, set(answer["Allow"].split(", "))) == (405, allowed)


def test_moderators_neither_make_decks_nor_load_every_account(
    admin_client: Client, owner: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    User.objects.create_user("somebody-else")
    assert admin_client.get("/admin/decks/deck/add/").status_code == 403
    assert "somebody-else" not in admin_client.get(f"/admin/decks/deck/{deck.pk}/change/").content.decode()


@pytest.mark.parametrize("field", ["owner", "id", "link", "edit_hash", "created"])
def test_a_body_cannot_set_what_is_not_its_business(owner: Client, agency_text: str, field: str) -> None:
    other = User.objects.create_user("other")
    values = {"owner": str(other.pk), "id": "77", "link": "mine", "edit_hash": "x", "created": "2000-01-01"}
    deck = make_deck(owner, agency_text, **{field: values[field]})
    assert str(getattr(deck, field if field != "owner" else "owner_id")) != values[field]


def test_an_accounts_deck_is_its_owners_in_any_browser(agency_text: str) -> None:
    user = User.objects.create_user("mallory")
    first, second = Client(), Client()
    first.force_login(user)
    deck = make_deck(first, agency_text)
    second.force_login(user)
    assert second.get(f"/decks/{deck.link}/edit/").status_code == 200


def xfiles_deck(owner: Client, text: str = "") -> tuple[Deck, str]:
    """A public X-Files deck, a legal one unless another list is given, and the name of its secret X-File."""
    game = games()["xfiles"]
    starter = next(s for s in game.starters if s.format == "advanced")
    deck = make_deck(owner, text or starter.text, game="xfiles", visibility="public")
    secret = DeckLine.objects.get(deck=deck, section="xfile").card
    assert secret is not None
    return deck, secret.name


@pytest.mark.parametrize("page", ["/decks/{}/", "/api/v1/decks/{}/"])
def test_the_secret_x_file_is_left_out_of_what_strangers_see(
    owner: Client, stranger: Client, page: str
) -> None:
    deck, secret = xfiles_deck(owner)
    answer = stranger.get(page.format(deck.link)).content.decode()
    assert secret not in answer
    assert "Legal" in answer or '"verdict":"legal"' in answer
    assert secret in owner.get(f"/decks/{deck.link}/").content.decode()


def test_the_secret_x_file_is_left_out_of_a_strangers_sheet(owner: Client, stranger: Client) -> None:
    deck, _ = xfiles_deck(owner)
    own = owner.get(f"/print/?deck={deck.link}").content.decode()
    others = stranger.get(f"/print/?deck={deck.link}").content.decode()
    counts = [int(re.search(r"<dd>(\d+), \d+ different</dd>", page)[1]) for page in (own, others)]
    assert counts[0] - counts[1] == 1
    whole, seen = (client.get(f"/print/sheets.pdf?deck={deck.link}") for client in (owner, stranger))
    assert whole["ETag"] != seen["ETag"]


def test_a_violation_does_not_name_the_secret_x_file(owner: Client, stranger: Client) -> None:
    game = games()["xfiles"]
    two = [card.name for card in game.cards if card.type == "x-file"][:2]
    deck = make_deck(owner, f"X-File:\n1 {two[0]}\n1 {two[1]}", game="xfiles", visibility="public")
    for address in (f"/decks/{deck.link}/", f"/api/v1/decks/{deck.link}/"):
        answer = stranger.get(address).content.decode()
        assert two[0] not in answer and two[1] not in answer


@pytest.mark.parametrize("page", ["/decks/{}/", "/api/v1/decks/{}/"])
def test_an_x_file_in_the_wrong_place_is_kept_secret_too(owner: Client, stranger: Client, page: str) -> None:
    deck = make_deck(
        owner, "Starting Agents:\n1 Duane Barry\n1 Agent Fox Mulder", game="xfiles", visibility="public"
    )
    answer = stranger.get(page.format(deck.link)).content.decode()
    assert "Agent Fox Mulder" in answer
    assert "Duane Barry" not in answer


def test_a_stranger_cannot_replace_a_public_deck_over_the_api(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text, visibility="public")
    body = json.dumps({"game": "spycraft", "name": "Mine", "text": "1 Kai"})
    assert (
        stranger.put(f"/api/v1/decks/{deck.link}/", body, content_type="application/json").status_code == 404
    )
    assert Deck.objects.get(pk=deck.pk).name == "Dragons"


def test_the_edit_link_works_for_a_browser_whose_session_is_gone(
    owner: Client, stranger: Client, agency_text: str
) -> None:
    deck = make_deck(owner, agency_text)
    address = new_edit_link(owner, deck)
    stranger.cookies["sessionid"] = "a" * 32
    assert open_edit_link(stranger, address, follow=True).status_code == 200
