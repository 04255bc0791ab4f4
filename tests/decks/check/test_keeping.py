"""A list is kept, shared, opened or printed from its verdict, by guests as by members; and never for another
site.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, Visibility
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ILLEGAL = {"text": "Night Watch\n4 Kai\n1 Termite\n"}
UNREAD = {"text": "Night Watch\n2 Kai\n1 Nobody Knows\n"}
HERE = {"Origin": "http://testserver"}


@pytest.mark.parametrize(
    ("then", "page"), [("deck", ""), ("share", "share/"), ("edit", "edit/"), ("nonsense", ""), ("", "")]
)
def test_a_list_is_kept_whatever_its_verdict(client: Client, then: str, page: str) -> None:
    answer = client.post("/check/save/", ILLEGAL | {"then": then})
    deck = Deck.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{deck.link}/{page}")
    assert (deck.name, deck.game, deck.verdict) == ("Night Watch", "spycraft", "illegal")
    assert client.get(f"/decks/{deck.link}/edit/").status_code == 200, "this browser may edit it"


def test_what_is_shared_can_be_opened_by_who_has_its_address(client: Client) -> None:
    client.post("/check/save/", ILLEGAL | {"then": "share"})
    deck = Deck.objects.get()
    assert deck.visibility == Visibility.UNLISTED
    assert Client().get(f"/decks/{deck.link}/").status_code == 200
    client.post("/check/save/", ILLEGAL | {"then": "deck"})
    assert Client().get(f"/decks/{Deck.objects.exclude(pk=deck.pk).get().link}/").status_code == 404


def test_a_members_list_is_the_members(client: Client) -> None:
    user = User.objects.create_user("ada")
    client.force_login(user)
    client.post("/check/save/", ILLEGAL)
    assert Deck.objects.get().owner_id == user.pk


def test_unread_lines_are_not_lost_silently(client: Client) -> None:
    answer = client.post("/check/save/", UNREAD)
    told = page_of(answer, status=400)
    assert "1 line could not be read, so nothing was saved" in told.text and not Deck.objects.exists()
    assert told.one("button", name="unread")["value"] == "notes"
    client.post("/check/save/", UNREAD | {"unread": "notes"})
    assert Deck.objects.get().notes == "Not read: 1 Nobody Knows"


BESIDE = "// name: Night\n2 Kai\nSideboard:\n1 Termite"


def test_cards_beside_the_deck_are_kept_in_its_notes(client: Client) -> None:
    client.post("/check/save/", {"text": BESIDE})
    deck = Deck.objects.with_cards().get()
    assert (deck.decklist().size, deck.notes) == (2, "Sideboard: 1 Termite")
    client.post(
        f"/decks/{deck.link}/edit/", {"edit": "lines", "lines": "1 Time Bomb\nCONSIDERING:\n1 Garotte"}
    )
    deck = Deck.objects.with_cards().get()
    assert (deck.decklist().size, deck.notes) == (3, "Sideboard: 1 Termite\nCONSIDERING: 1 Garotte")


def test_so_are_they_of_a_new_deck_and_of_one_that_a_program_makes(client: Client) -> None:
    client.post("/decks/new/", {"game": "spycraft", "text": BESIDE, "notes": "Mine", "visibility": "private"})
    body = {"game": "spycraft", "text": BESIDE, "name": "Night"}
    client.post("/api/v1/decks/", body, content_type="application/json")
    notes = {deck.notes for deck in Deck.objects.all()}
    assert notes == {"Mine\nSideboard: 1 Termite", "Sideboard: 1 Termite"}


def test_a_format_and_house_rules_go_with_the_list(client: Client) -> None:
    client.post(
        "/check/save/", {"game": "spycraft", "format": "agency", "house": "AG-3.at_least=40", "text": "2 Kai"}
    )
    assert (Deck.objects.get().format, Deck.objects.get().house) == ("agency", "AG-3.at_least=40")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"text": ""},
        {"text": "4 Lightning Bolt"},
        {"game": "nope", "text": "2 Kai"},
        {"text": "x" * 300_000},
    ],
)
def test_what_cannot_be_judged_is_not_kept(client: Client, sent: dict[str, str]) -> None:
    answer = client.post("/check/save/", sent)
    assert answer.status_code in (200, 400) and not Deck.objects.exists()
    assert "Check a list" in answer.content.decode()


@pytest.mark.parametrize("address", ["/check/save/", "/print/"])
class TestForeignForms:
    sent = ILLEGAL | {"game": "spycraft"}

    def test_a_form_of_this_site_needs_no_token(self, address: str) -> None:
        assert Client(enforce_csrf_checks=True).post(address, self.sent, headers=HERE).status_code in (
            200,
            302,
        )

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"Origin": "null"},
            {"Origin": "http://evil.example"},
            {"Origin": "http://testserver.evil.example"},
        ],
    )
    def test_any_other_does(self, address: str, headers: dict[str, str]) -> None:
        answer = Client(enforce_csrf_checks=True).post(address, self.sent, headers=headers)
        assert (answer.status_code, Deck.objects.exists()) == (403, False)

    def test_a_character_that_is_no_text_is_refused(self, client: Client, address: str) -> None:
        assert client.post(address, self.sent | {"text": "2 Kai\0"}).status_code == 400


def test_the_print_page_takes_a_guessed_list(client: Client) -> None:
    shown = client.post("/check/", ILLEGAL).content.decode()
    assert 'formaction="/print/" name="game" value="spycraft"' in shown
    answer: Any = client.post("/print/", {"game": ["", "spycraft"], "format": "", "text": ILLEGAL["text"]})
    assert answer.status_code == 200 and "Night Watch" in answer.content.decode()
