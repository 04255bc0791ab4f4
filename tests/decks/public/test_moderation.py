"""The queue of what people report: who fills it, who empties it, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from cardsdb.models import AuditEntry, Card, OwnBox, OwnSet
from cardsdb.models.audit import Event
from decks.models import Comment, Deck, LeagueFormat, Review
from decks.public import moderation
from tests.support.accounts import member
from tests.support.made_decks import named_deck
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
QUEUE = "/moderation/"


@pytest.fixture
def ada():
    return member("ada")


@pytest.fixture
def bert():
    return member("bert")


@pytest.fixture
def staff():
    return member("stella", is_staff=True, is_superuser=True)


@pytest.fixture
def things(ada):
    """One of each kind that everybody may see, all ada's."""
    author = User.objects.get(username="ada")
    named_deck(ada, "Alpha", "2 Kai")
    deck = Deck.objects.get()
    Deck.objects.update(visibility="public")
    league = LeagueFormat.objects.create(
        owner=author, game="spycraft", name="Tuesday", based_on="agency", visibility="public"
    )
    own_set = OwnSet.objects.create(
        box=OwnBox.objects.create(owner=author), game="spycraft", name="Spies", visibility="public"
    )
    card = Card.objects.in_game("spycraft").get(code="kai")
    return {
        "deck": deck,
        "format": league,
        "set": own_set,
        "comment": Comment.objects.create(deck=deck, author=author, text="Rude words.", state="shown"),
        "review": Review.objects.create(card=card, author=author, text="Ruder words."),
    }


def at(thing: str, row: Any) -> str:
    return f"{QUEUE}{thing}-{row.pk}/"


def send(client: Client, thing: str, row: Any, do: str, because: str = "") -> int:
    return client.post(at(thing, row), {"do": do, "because": because}).status_code


def shown_to_all(thing: str, row: Any) -> bool:
    return bool(moderation.KINDS[thing][0].objects.public().filter(pk=row.pk).exists())


def queue(staff: Client) -> str:
    return page_of(staff.get(QUEUE)).one("main").text


def history(client: Client) -> str:
    return page_of(client.get("/account/history/")).one("main").text


KINDS = sorted(moderation.KINDS)


@pytest.mark.parametrize("thing", KINDS)
def test_what_is_reported_waits_is_hidden_and_shown_again_and_who_made_or_reported_it_hears_so(
    ada, bert, staff, things, thing
):
    row = things[thing]
    assert page_of(bert.get(at(thing, row))).has("form", action=at(thing, row))
    assert send(bert, thing, row, "report", "An insult.") == 302
    assert "An insult." in queue(staff) and "bert" in queue(staff)
    assert "Reported" in history(bert) and "Reported" not in history(ada)
    assert send(staff, thing, row, "hide", "It insults.") == 302
    assert not shown_to_all(thing, row)
    for client in (ada, bert):
        assert "by staff" in history(client)
        assert "by staff" in page_of(client.get("/account/")).main.text
    assert "you reported it" in history(bert) and "you reported it" not in history(ada)
    assert "Show again" in queue(staff) and "Leave it as it is" not in queue(staff)
    assert send(staff, thing, row, "show") == 302
    assert shown_to_all(thing, row) is (thing in ("comment", "review"))
    assert "Nothing waits" in queue(staff)


def test_what_staff_leave_waits_no_more_and_who_reported_it_hears_so(ada, bert, staff, things):
    send(bert, "deck", things["deck"], "report")
    send(staff, "deck", things["deck"], "hide", "  ")
    assert shown_to_all("deck", things["deck"]), "nothing is hidden without a reason"
    assert send(staff, "deck", things["deck"], "leave") == 302
    assert "Nothing waits" in queue(staff)
    assert "left it as it is" in history(bert) and "left it as it is" not in history(ada)
    assert Deck.objects.get().visibility == "public"


@pytest.mark.parametrize("thing", KINDS)
def test_what_is_hidden_can_be_shown_again_when_the_log_has_forgotten_it(staff, things, thing):
    send(staff, thing, things[thing], "hide", "It insults.")
    AuditEntry.objects.all_owners("the test forgets them").delete()
    assert "Show again" in queue(staff)
    send(staff, thing, things[thing], "show")
    assert "Nothing waits" in queue(staff)


def test_an_account_reports_a_thing_once(bert, things):
    for _ in range(2):
        send(bert, "deck", things["deck"], "report")
    assert AuditEntry.objects.filter(what=Event.REPORTED).count() == 1


@pytest.mark.parametrize("decisions", [("leave",), ("hide", "show")])
def test_what_was_decided_about_can_be_reported_again(bert, staff, things, decisions):
    send(bert, "comment", things["comment"], "report")
    for do in decisions:
        send(staff, "comment", things["comment"], do, "It insults.")
    send(bert, "comment", things["comment"], "report", "It was changed.")
    assert "It was changed." in queue(staff)


@pytest.mark.parametrize("do", ["show", "refuse"])
def test_the_owner_of_a_deck_decides_nothing_about_a_comment_that_staff_hid(ada, staff, things, do):
    comment, page = things["comment"], f"/decks/{things['deck'].link}/comments/"
    send(staff, "comment", comment, "hide", "It insults.")
    shown = page_of(ada.get(page))
    assert "Hidden by staff" in shown.text and not shown.has("button", name="do", value=do)
    assert ada.post(f"{page}{comment.pk}/", {"do": do}).status_code == 404
    assert Comment.objects.get().state == "hidden"


def test_staff_show_it_again_on_the_page_of_comments_too(staff, things):
    comment, page = things["comment"], f"/decks/{things['deck'].link}/comments/"
    for do, is_shown in (("refuse", False), ("show", True)):
        assert page_of(staff.get(page)).has("button", name="do", value=do)
        assert staff.post(f"{page}{comment.pk}/", {"do": do}).status_code == 302
        assert shown_to_all("comment", comment) is is_shown
        assert ("Nothing waits" in queue(staff)) is is_shown


def test_what_its_owner_makes_private_meanwhile_is_no_business_of_staff(bert, staff, things):
    send(bert, "deck", things["deck"], "report")
    send(bert, "comment", things["comment"], "report")
    Deck.objects.update(visibility="private")
    assert "Alpha" not in queue(staff) and "Rude words." not in queue(staff)
    assert send(staff, "deck", things["deck"], "hide", "It insults.") == 404
    assert send(staff, "comment", things["comment"], "hide", "It insults.") == 404


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_what_not_everybody_may_see_is_reported_by_nobody(bert, things, visibility):
    Deck.objects.update(visibility=visibility)
    for thing in ("deck", "comment"):
        assert bert.get(at(thing, things[thing])).status_code == 404
        assert send(bert, thing, things[thing], "report") == 404
    assert bert.get(f"{QUEUE}card-1/").status_code == 404


@pytest.mark.parametrize("do", ["hide", "show", "leave", "", "delete"])
def test_who_is_no_staff_only_reports(bert, things, do):
    assert send(bert, "review", things["review"], do, "Mine is better.") == 404
    assert bert.get(QUEUE).status_code == 404
    assert shown_to_all("review", things["review"])


def test_who_has_no_account_logs_in_first(things):
    for address in (QUEUE, at("deck", things["deck"])):
        assert Client().get(address)["Location"].startswith("/accounts/login/")
        assert Client().post(address, {"do": "report"}).status_code in (302, 405)
    assert not AuditEntry.objects.filter(what=Event.REPORTED).exists()


def test_staff_moderate_what_they_have_the_permission_for(bert, things):
    some = member("sven", is_staff=True)
    assert some.get(QUEUE).status_code == 404
    User.objects.get(username="sven").user_permissions.add(Permission.objects.get(codename="change_review"))
    for thing in ("deck", "review"):
        send(bert, thing, things[thing], "report")
    assert "Ruder words." in queue(some) and "Alpha" not in queue(some)
    assert send(some, "deck", things["deck"], "hide", "It insults.") == 404
    assert send(some, "review", things["review"], "hide", "It insults.") == 302


@pytest.mark.parametrize("do", ["refuse", "delete"])
def test_staff_without_the_permission_decide_about_no_comment_and_no_review(things, do):
    some = member("sven", is_staff=True)
    for address in (f"/decks/{things['deck'].link}/comments/1/", "/cards/spycraft/kai/reviews/1/"):
        assert some.post(address, {"do": do}).status_code == 404
    assert shown_to_all("comment", things["comment"]) and shown_to_all("review", things["review"])


def test_staff_see_at_once_what_they_may_do_with_a_thing(staff, things):
    address = at("review", things["review"])
    for do, other in (("hide", "show"), ("show", "hide")):
        shown = page_of(staff.get(address))
        assert shown.has("button", value=do) and not shown.has("button", value=other)
        send(staff, "review", things["review"], do, "It insults.")


def test_staff_of_a_public_site_show_a_passkey_first(staff, things, settings):
    settings.HTTPS = True
    for answer in (
        staff.get(QUEUE),
        staff.post(at("deck", things["deck"]), {"do": "hide", "because": "So."}),
    ):
        assert "/2fa/webauthn/" in answer["Location"]
    assert shown_to_all("deck", things["deck"])


def test_the_queue_asks_no_more_for_twenty_things_than_for_two(
    bert, staff, things, django_assert_max_num_queries
):
    author, deck = User.objects.get(username="ada"), things["deck"]
    for number in range(20):
        row = Comment.objects.create(deck=deck, author=author, text=f"Words {number}.", state="shown")
        send(bert, "comment", row, "report")
    with django_assert_max_num_queries(20):
        assert "Words 19." in queue(staff)


def test_the_account_of_staff_leads_to_the_pages_of_staff(staff, bert):
    for client, leads in ((staff, True), (bert, False)):
        links = page_of(client.get("/account/")).links
        assert [address in links for address in (QUEUE, "/status/", "/admin/")] == [leads] * 3
