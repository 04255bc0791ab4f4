"""What a moderator changes of a public deck is a state of its history, and its author's undoing does not
bring it back.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from decks.models import Deck, DeckRevision
from decks.saving.history import keep_deck_private
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
    body = {"name": "Moderated", "notes": "", **sent}
    return staff.post(f"/admin/decks/deck/{deck.pk}/change/", body).status_code


def test_a_moderated_name_is_a_state_of_its_own(staff: Client, deck: Deck) -> None:
    assert moderate(staff, deck) == 302
    now = Deck.objects.get(pk=deck.pk)
    state = DeckRevision.objects.of(deck.pk).get(number=now.revision)
    assert (now.name, now.name_folded, now.revision, now.lines.get().count) == (
        "Moderated",
        "moderated",
        2,
        3,
    )
    assert (state.kind, state.content["name"], state.undo_to, state.by) == (
        "moderated",
        "Moderated",
        None,
        None,
    )


def test_undoing_stops_at_it(staff: Client, client: Client, deck: Deck) -> None:
    moderate(staff, deck)
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    for _ in range(5):
        client.post(f"/decks/{deck.link}/undo/")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.name, now.lines.get().count) == ("Moderated", 3)


def test_an_earlier_version_comes_back_without_what_was_moderated(
    staff: Client, client: Client, deck: Deck
) -> None:
    moderate(staff, deck, notes="Be kind.")
    client.post(f"/decks/{deck.link}/history/0/restore/")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.name, now.notes, now.lines.get().count) == ("Moderated", "Be kind.", 2)


def test_nobodys_work_is_lost_to_a_moderator_who_looked_long(
    staff: Client, client: Client, deck: Deck
) -> None:
    staff.get(f"/admin/decks/deck/{deck.pk}/change/")
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+5 deck kai"})
    moderate(staff, deck)
    assert Deck.objects.get(pk=deck.pk).lines.get().count == 8


def test_to_make_a_deck_private_is_no_state_of_it(staff: Client, deck: Deck) -> None:
    decide(staff, deck, "hide", "An insult.")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.visibility, now.private_because, now.revision, now.name) == (
        "private",
        "An insult.",
        1,
        "Rude",
    )


def test_a_name_that_cannot_be_is_refused_in_the_form(staff: Client, deck: Deck) -> None:
    assert moderate(staff, deck, name="\u202eedur") == 200
    assert Deck.objects.get(pk=deck.pk).name == "Rude"


def test_a_deck_whose_game_is_gone_can_be_moderated(staff: Client, deck: Deck) -> None:
    Deck.objects.filter(pk=deck.pk).update(game="gone")
    assert moderate(staff, deck) == 302
    assert Deck.objects.get(pk=deck.pk).name == "Moderated"


# -- kept private --------------------------------------------------------------------------


@pytest.fixture
def kept(deck: Deck) -> Deck:
    keep_deck_private(deck.pk, "An insult.")
    return Deck.objects.get(pk=deck.pk)


def decide(staff: Client, deck: Deck, do: str, because: str = "") -> int:
    return staff.post(f"/moderation/deck-{deck.pk}/", {"do": do, "because": because}).status_code


def test_staff_make_a_deck_private_and_say_why(staff: Client, deck: Deck) -> None:
    assert (
        "say why" in staff.post(f"/moderation/deck-{deck.pk}/", {"do": "hide"}, follow=True).content.decode()
    )
    assert Deck.objects.get(pk=deck.pk).visibility == "public"
    decide(staff, deck, "hide", "An insult.")
    now = Deck.objects.get(pk=deck.pk)
    assert (now.visibility, now.private_because) == ("private", "An insult.")


def test_staff_see_what_they_keep_private_by_its_name_and_lift_it_again(staff: Client, kept: Deck) -> None:
    Deck.objects.filter(pk=kept.pk).update(notes="For me alone.")
    shown = staff.get("/moderation/").content.decode()
    assert "Rude" in shown and kept.link not in shown and "For me alone." not in shown
    assert "Rude" not in staff.get("/admin/decks/deck/").content.decode()
    assert decide(staff, kept, "show") == 302
    assert "Rude" not in staff.get("/moderation/").content.decode()
    assert "Rude" not in staff.get("/admin/decks/deck/").content.decode()


def test_its_owner_reads_why_where_they_would_share_it(client: Client, kept: Deck) -> None:
    for page in ("", "settings/", "edit/text/", "share/"):
        assert "An insult." in client.get(f"/decks/{kept.link}/{page}").content.decode(), page
    assert "Publish" not in client.get(f"/decks/{kept.link}/").content.decode()


SETTINGS = {"name": "Rude", "notes": "", "tags": "", "partner": "", "seen_visibility": "private"}


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_its_owner_cannot_share_it_again(client: Client, kept: Deck, visibility: str) -> None:
    settings = client.post(f"/decks/{kept.link}/settings/", {**SETTINGS, "visibility": visibility})
    text = client.post(
        f"/decks/{kept.link}/edit/text/",
        {"name": "Rude", "format": kept.format, "text": "3 Kai", "visibility": visibility},
    )
    changed = client.post(
        f"/decks/{kept.link}/edit/text/",
        {"name": "Rude", "format": kept.format, "text": "4 Kai", "visibility": visibility},
    )
    publish = client.post(f"/decks/{kept.link}/publish/", {"public": "yes"}, follow=True)
    assert [answer.status_code for answer in (settings, text, changed, publish)] == [400, 400, 400, 200]
    assert all(
        "Their reason: “An insult”. Ask them first." in answer.content.decode()
        for answer in (settings, text, changed, publish)
    )
    now = Deck.objects.get(pk=kept.pk)
    assert (now.visibility, now.size) == ("private", 3)


def test_it_can_still_be_edited(client: Client, kept: Deck) -> None:
    client.post(f"/decks/{kept.link}/edit/", {"edit": "+1 deck kai"})
    assert (
        client.post(
            f"/decks/{kept.link}/settings/", {**SETTINGS, "name": "Kind", "visibility": "private"}
        ).status_code
        == 302
    )
    now = Deck.objects.get(pk=kept.pk)
    assert (now.name, now.size, now.private_because) == ("Kind", 4, "An insult.")


def test_the_api_refuses_it_too(client: Client) -> None:
    body = {"game": "spycraft", "format": "agency", "name": "Rude", "text": "2 Kai", "visibility": "public"}
    made = client.post("/api/v1/decks/", body, content_type="application/json")
    deck, key = Deck.objects.get(link=made.json()["id"]), {"HTTP_X_DECK_KEY": made.json()["edit_key"]}
    keep_deck_private(deck.pk, "An insult.")
    answer = client.put(f"/api/v1/decks/{deck.link}/", body, content_type="application/json", **key)
    assert (answer.status_code, answer.json()[0]["code"], answer.json()[0]["where"]) == (
        400,
        "kept_private",
        "visibility",
    )
    assert "An insult" in answer.json()[0]["message"]


def test_a_copy_is_no_way_around_it(client: Client, kept: Deck) -> None:
    client.post(f"/decks/{kept.link}/fork/")
    copy = Deck.objects.get(forked_from=kept)
    client.post(f"/decks/{copy.link}/publish/", {"public": "yes"})
    assert Deck.objects.get(pk=copy.pk).visibility == "private"


def test_once_it_is_lifted_its_owner_shares_it_again(staff: Client, client: Client, kept: Deck) -> None:
    assert decide(staff, kept, "show") == 302
    client.post(f"/decks/{kept.link}/publish/", {"public": "yes"})
    assert Deck.objects.get(pk=kept.pk).visibility == "public"


def test_what_its_owner_keeps_private_is_no_business_of_staff(
    staff: Client, client: Client, deck: Deck
) -> None:
    client.post(f"/decks/{deck.link}/publish/", {"public": "no"})
    assert decide(staff, deck, "hide", "An insult.") == 404
    assert Deck.objects.get(pk=deck.pk).private_because == ""


def test_no_row_is_shared_and_kept_private(deck: Deck) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Deck.objects.filter(pk=deck.pk).update(private_because="An insult.")
