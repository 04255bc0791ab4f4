"""Moderating public decks: a moderator's change is a state that the author's undo does not pass, and a deck
that staff keep private cannot be shared by its owner (decks/saving/history.py, the admin, the pages that
share).
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from decks.models import Deck, DeckRevision
from decks.saving.history import keep_deck_private
from tests.support.made_decks import named_deck
from tests.support.pages import page, page_of

pytestmark = pytest.mark.django_db
WHY = "An insult."


@pytest.fixture
def staff():
    client = Client()
    client.force_login(User.objects.create_superuser("root1"))
    return client


@pytest.fixture
def deck(client):
    """Version 0 has 2 Kai, version 1 has 3."""
    deck = named_deck(client, "Rude", "2 Kai")
    press(client, deck)
    return deck


def press(client: Client, deck: Deck, edit: str = "+1 deck kai") -> None:
    client.post(f"/decks/{deck.link}/edit/", {"edit": edit})


def moderate(staff: Client, deck: Deck, **sent: str) -> int:
    """The status of changing name or notes in the admin."""
    body = {"name": "Moderated", "notes": "", **sent}
    return staff.post(f"/admin/decks/deck/{deck.pk}/change/", body).status_code


def now(deck: Deck) -> Deck:
    """The deck as it is stored now."""
    return Deck.objects.get(pk=deck.pk)


def test_moderating_a_name_makes_a_state(staff, deck):
    assert moderate(staff, deck) == 302
    after = now(deck)
    assert (after.name, after.name_folded, after.revision, after.size) == ("Moderated", "moderated", 2, 3)
    state = DeckRevision.objects.of(deck.pk).get(number=2)
    assert (state.kind, state.content["name"], state.undo_to, state.by) == (
        "moderated",
        "Moderated",
        None,
        None,
    )


def test_undo_does_not_go_back_before_a_moderated_state(staff, client, deck):
    moderate(staff, deck)
    press(client, deck)
    for _ in range(3):
        client.post(f"/decks/{deck.link}/undo/")
    assert (now(deck).name, now(deck).size) == ("Moderated", 3)


def test_restoring_a_version_keeps_the_moderated_name_and_notes(staff, client, deck):
    moderate(staff, deck, notes="Be kind.")
    client.post(f"/decks/{deck.link}/history/0/restore/")
    assert (now(deck).name, now(deck).notes, now(deck).size) == ("Moderated", "Be kind.", 2)


def test_moderating_keeps_cards_that_were_changed_meanwhile(staff, client, deck):
    staff.get(f"/admin/decks/deck/{deck.pk}/change/")
    press(client, deck, "+5 deck kai")
    moderate(staff, deck)
    assert now(deck).size == 8


def test_an_invalid_name_is_refused_in_the_admin(staff, deck):
    assert moderate(staff, deck, name="\u202eedur") == 200
    assert now(deck).name == "Rude"


def test_a_deck_whose_game_is_gone_can_be_moderated(staff, deck):
    Deck.objects.filter(pk=deck.pk).update(game="gone")
    assert moderate(staff, deck) == 302
    assert now(deck).name == "Moderated"


# -- kept private by staff -----------------------------------------------------------------


@pytest.fixture
def kept(deck):
    keep_deck_private(deck.pk, WHY)
    return now(deck)


def decide(staff: Client, deck: Deck, do: str, because: str = "") -> int:
    """The status of a decision in the moderators' queue."""
    return staff.post(f"/moderation/deck-{deck.pk}/", {"do": do, "because": because}).status_code


def test_staff_see_only_the_name_until_they_lift_the_privacy_and_the_owner_can_share_the_deck(
    staff, client, kept
):
    Deck.objects.filter(pk=kept.pk).update(notes="For me alone.")
    shown = staff.get("/moderation/").text
    assert "Rude" in shown
    assert kept.link not in shown
    assert "For me alone." not in shown
    assert "Rude" not in staff.get("/admin/decks/deck/").text
    assert decide(staff, kept, "show") == 302
    assert "Rude" not in staff.get("/moderation/").text
    assert "Rude" not in staff.get("/admin/decks/deck/").text
    client.post(f"/decks/{kept.link}/publish/", {"public": "yes"})
    assert now(kept).visibility == "public"


def test_the_owner_is_told_the_reason_where_they_could_share_the_deck(client, kept):
    assert kept.revision == 1, "no new state"
    for rest in ("", "settings/", "edit/text/", "share/"):
        assert WHY in page(client, f"/decks/{kept.link}/{rest}").text, rest
    assert "Publish" not in page(client, f"/decks/{kept.link}/").text


SETTINGS = {"name": "Rude", "notes": "", "tags": "", "partner": "", "seen_visibility": "private"}


@pytest.mark.parametrize(
    ("rest", "sent", "status"),
    [
        ("settings/", SETTINGS, 400),
        ("edit/text/", {"name": "Rude", "text": "3 Kai"}, 400),
        ("edit/text/", {"name": "Rude", "text": "4 Kai"}, 400),
        ("publish/", {"public": "yes"}, 200),
    ],
    ids=["settings", "same text", "changed text", "publish"],
)
def test_the_owner_cannot_share_a_deck_that_staff_keep_private(client, kept, rest, sent, status):
    sent = sent | {"visibility": "unlisted", "format": kept.format}
    answer = client.post(f"/decks/{kept.link}/{rest}", sent, follow=True)
    assert "Their reason: “An insult”. Ask them first." in page_of(answer, status=status).text
    assert (now(kept).visibility, now(kept).size) == ("private", 3)


def test_a_deck_that_staff_keep_private_can_be_edited(client, kept):
    press(client, kept)
    sent = {**SETTINGS, "name": "Kind", "visibility": "private"}
    assert client.post(f"/decks/{kept.link}/settings/", sent).status_code == 302
    assert (now(kept).name, now(kept).size, now(kept).private_because) == ("Kind", 4, WHY)


def test_the_api_cannot_share_a_deck_that_staff_keep_private(client):
    body = {"game": "spycraft", "format": "agency", "name": "Rude", "text": "2 Kai", "visibility": "public"}
    sent: dict[str, Any] = {"data": body, "content_type": "application/json"}
    made = client.post("/api/v1/decks/", **sent).json()
    deck = Deck.objects.get(link=made["id"])
    keep_deck_private(deck.pk, WHY)
    key = {"X-Deck-Key": made["edit_key"]}
    answer = client.put(f"/api/v1/decks/{deck.link}/", headers=key, **sent)
    (fault,) = answer.json()
    assert (answer.status_code, fault["code"], fault["where"]) == (400, "kept_private", "visibility")
    assert "An insult" in fault["message"]


def test_a_fork_of_a_deck_that_staff_keep_private_cannot_be_shared(client, kept):
    client.post(f"/decks/{kept.link}/fork/")
    copy = Deck.objects.get(forked_from=kept)
    client.post(f"/decks/{copy.link}/publish/", {"public": "yes"})
    assert now(copy).visibility == "private"


def test_what_its_owner_keeps_private_is_no_business_of_staff(staff, client, deck):
    client.post(f"/decks/{deck.link}/publish/", {"public": "no"})
    assert decide(staff, deck, "hide", WHY) == 404
    assert now(deck).private_because == ""


def test_the_database_refuses_a_shared_deck_that_staff_keep_private(deck):
    with pytest.raises(IntegrityError), transaction.atomic():
        Deck.objects.filter(pk=deck.pk).update(private_because=WHY)
