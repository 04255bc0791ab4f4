"""Reports and moderation: who can report, who decides, and who is told of the decision."""

import pytest
from django.contrib.auth.models import Permission, User

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
    """Kind of thing -> a public thing of that kind, all of them Ada's."""
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


def address_of(thing, row) -> str:
    return f"{QUEUE}{thing}-{row.pk}/"


def send(client, thing, row, do, because="") -> int:
    return client.post(address_of(thing, row), {"do": do, "because": because}).status_code


def shown_to_all(thing, row) -> bool:
    return bool(moderation.KINDS[thing][0].objects.public().filter(pk=row.pk).exists())


def queue(staff) -> str:
    return page_of(staff.get(QUEUE)).one("main").text


def history(client) -> str:
    return page_of(client.get("/account/history/")).one("main").text


KINDS = sorted(moderation.KINDS)


@pytest.mark.parametrize("thing", KINDS)
def test_a_report_waits_for_staff_who_hide_and_show_the_thing_and_author_and_reporter_are_told(
    ada, bert, staff, things, thing
):
    row = things[thing]
    assert page_of(bert.get(address_of(thing, row))).has("form", action=address_of(thing, row))
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
    # A deck, a format or a set has become private: its owner may share it again.
    assert shown_to_all(thing, row) is (thing in ("comment", "review"))
    assert "Nothing waits" in queue(staff)


def test_a_thing_that_staff_leave_as_it_is_leaves_the_queue_and_only_its_reporter_is_told(
    ada, bert, staff, things
):
    send(bert, "deck", things["deck"], "report")
    send(staff, "deck", things["deck"], "hide", "  ")
    assert shown_to_all("deck", things["deck"]), "nothing is hidden without a reason"
    assert send(staff, "deck", things["deck"], "leave") == 302
    assert "Nothing waits" in queue(staff)
    assert "left it as it is" in history(bert) and "left it as it is" not in history(ada)
    assert Deck.objects.get().visibility == "public"


@pytest.mark.parametrize("thing", ["deck", "comment"])
def test_a_hidden_thing_can_be_shown_again_after_its_entries_have_left_the_log(staff, things, thing):
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
def test_a_thing_can_be_reported_again_after_a_decision(bert, staff, things, decisions):
    send(bert, "comment", things["comment"], "report")
    for do in decisions:
        send(staff, "comment", things["comment"], do, "It insults.")
    send(bert, "comment", things["comment"], "report", "It was changed.")
    assert "It was changed." in queue(staff)


@pytest.mark.parametrize("do", ["show", "refuse"])
def test_the_owner_of_a_deck_cannot_decide_about_a_comment_that_staff_hid(ada, staff, things, do):
    comment, page = things["comment"], f"/decks/{things['deck'].link}/comments/"
    send(staff, "comment", comment, "hide", "It insults.")
    shown = page_of(ada.get(page))
    assert "Hidden by staff" in shown.text and not shown.has("button", name="do", value=do)
    assert ada.post(f"{page}{comment.pk}/", {"do": do}).status_code == 404
    assert Comment.objects.get().state == "hidden"


def test_staff_can_also_hide_and_show_a_comment_on_the_page_of_comments(staff, things):
    comment, page = things["comment"], f"/decks/{things['deck'].link}/comments/"
    for do, is_shown in (("refuse", False), ("show", True)):
        assert page_of(staff.get(page)).has("button", name="do", value=do)
        assert staff.post(f"{page}{comment.pk}/", {"do": do}).status_code == 302
        assert shown_to_all("comment", comment) is is_shown
        assert ("Nothing waits" in queue(staff)) is is_shown


def test_staff_cannot_see_or_hide_a_reported_thing_that_its_owner_has_made_private(bert, staff, things):
    send(bert, "deck", things["deck"], "report")
    send(bert, "comment", things["comment"], "report")
    Deck.objects.update(visibility="private")
    assert "Alpha" not in queue(staff) and "Rude words." not in queue(staff)
    assert send(staff, "deck", things["deck"], "hide", "It insults.") == 404
    assert send(staff, "comment", things["comment"], "hide", "It insults.") == 404


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_only_public_things_can_be_reported(bert, things, visibility):
    Deck.objects.update(visibility=visibility)
    for thing in ("deck", "comment"):
        assert bert.get(address_of(thing, things[thing])).status_code == 404
        assert send(bert, thing, things[thing], "report") == 404
    assert bert.get(f"{QUEUE}card-1/").status_code == 404


@pytest.mark.parametrize("do", ["hide", "show", "leave", "", "delete"])
def test_a_member_who_is_not_staff_can_only_report(bert, things, do):
    assert send(bert, "review", things["review"], do, "Mine is better.") == 404
    assert bert.get(QUEUE).status_code == 404
    assert shown_to_all("review", things["review"])


def test_staff_moderate_only_the_kinds_they_have_permission_for(bert, things):
    some = member("sven", is_staff=True)
    assert some.get(QUEUE).status_code == 404
    User.objects.get(username="sven").user_permissions.add(Permission.objects.get(codename="change_review"))
    for thing in ("deck", "review"):
        send(bert, thing, things[thing], "report")
    assert "Ruder words." in queue(some) and "Alpha" not in queue(some)
    assert send(some, "deck", things["deck"], "hide", "It insults.") == 404
    assert send(some, "review", things["review"], "hide", "It insults.") == 302


@pytest.mark.parametrize("do", ["refuse", "delete"])
def test_staff_without_permission_cannot_decide_about_comments_and_reviews(things, do):
    some = member("sven", is_staff=True)
    for address in (f"/decks/{things['deck'].link}/comments/1/", "/cards/spycraft/kai/reviews/1/"):
        assert some.post(address, {"do": do}).status_code == 404
    assert shown_to_all("comment", things["comment"]) and shown_to_all("review", things["review"])


def test_staff_of_a_public_site_must_show_a_passkey_first(staff, things, settings):
    settings.HTTPS = True
    for answer in (
        staff.get(QUEUE),
        staff.post(address_of("deck", things["deck"]), {"do": "hide", "because": "So."}),
    ):
        assert "/2fa/webauthn/" in answer["Location"]
    assert shown_to_all("deck", things["deck"])


def test_the_queue_of_twenty_things_needs_few_queries(bert, staff, things, django_assert_max_num_queries):
    author, deck = User.objects.get(username="ada"), things["deck"]
    for number in range(20):
        row = Comment.objects.create(deck=deck, author=author, text=f"Words {number}.", state="shown")
        send(bert, "comment", row, "report")
    with django_assert_max_num_queries(20):
        assert "Words 19." in queue(staff)
