"""What a moderator changes of a public deck is a state of its history, and its author's undoing does not bring it back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, DeckRevision
from tests.support.public_decks import make_deck

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root1"))
    return client


@pytest.fixture
def deck(client: Client) -> Deck:
    deck = make_deck(client, "Rude", "2 Kai")
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    return deck


def moderate(staff: Client, deck: Deck, **sent: str) -> int:
    body = {"name": "Moderated", "notes": "", "visibility": "public", **sent}
    return staff.post(f"/admin/decks/deck/{deck.pk}/change/", body).status_code


def test_a_moderated_name_is_a_state_of_its_own(staff: Client, deck: Deck) -> None:
    assert moderate(staff, deck) == 302
    now = Deck.objects.get(pk=deck.pk)
    state = DeckRevision.objects.of(deck.pk).get(number=now.revision)
    assert (now.name, now.name_folded, now.revision, now.lines.get().count) == ("Moderated", "moderated", 2, 3)
    assert (state.kind, state.content["name"], state.undo_to, state.by) == ("moderated", "Moderated", None, None)


def test_undoing_stops_at_it(staff: Client, client: Client, deck: Deck) -> None:
    moderate(staff, deck)
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    for _ in range(5):
        client.post(f"/decks/{deck.link}/undo/")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.name, now.lines.get().count) == ("Moderated", 3)


def test_an_earlier_version_comes_back_without_what_was_moderated(staff: Client, client: Client, deck: Deck) -> None:
    moderate(staff, deck, notes="Be kind.")
    client.post(f"/decks/{deck.link}/history/0/restore/")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.name, now.notes, now.lines.get().count) == ("Moderated", "Be kind.", 2)


def test_nobodys_work_is_lost_to_a_moderator_who_looked_long(staff: Client, client: Client, deck: Deck) -> None:
    staff.get(f"/admin/decks/deck/{deck.pk}/change/")
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+5 deck kai"})
    moderate(staff, deck)
    assert Deck.objects.get(pk=deck.pk).lines.get().count == 8


def test_to_make_a_deck_private_is_no_state_of_it(staff: Client, deck: Deck) -> None:
    assert moderate(staff, deck, name="Rude", visibility="private") == 302
    now = Deck.objects.get(pk=deck.pk)
    assert (now.visibility, now.revision, now.name) == ("private", 1, "Rude")


def test_a_name_that_cannot_be_is_refused_in_the_form(staff: Client, deck: Deck) -> None:
    assert moderate(staff, deck, name="\u202eedur") == 200
    assert Deck.objects.get(pk=deck.pk).name == "Rude"


def test_a_deck_whose_game_is_gone_can_be_moderated(staff: Client, deck: Deck) -> None:
    Deck.objects.filter(pk=deck.pk).update(game="gone")
    assert moderate(staff, deck) == 302
    assert Deck.objects.get(pk=deck.pk).name == "Moderated"
