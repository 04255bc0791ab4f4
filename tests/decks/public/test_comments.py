"""Likes, favourites and comments: who may, what it changes, who sees it."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Comment, Deck, Favourite, Like

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def account(name: str, verified: bool = True, **values: Any) -> Client:
    client = Client()
    user = User.objects.create_user(name, **values)
    EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=verified, primary=True)
    client.force_login(user)
    return client


def make_deck(client: Client, visibility: str = "public", comments: bool = True) -> Deck:
    made = client.post(
        "/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": visibility}
    )
    deck = Deck.objects.get(link=made["Location"].split("/")[2])
    Deck.objects.filter(pk=deck.pk).update(comments_open=comments)
    deck.refresh_from_db()
    return deck


@pytest.fixture
def anna() -> Client:
    return account("anna")


@pytest.fixture
def bert() -> Client:
    return account("bert")


@pytest.fixture
def deck(anna: Client) -> Deck:
    return make_deck(anna)


def likes(deck: Deck) -> int:
    return Deck.objects.get(pk=deck.pk).likes


# -- likes and favourites -----------------------------------------------------------------


@pytest.mark.both_databases
def test_a_like_counts_once_and_is_taken_back(bert: Client, deck: Deck) -> None:
    for expected in (1, 0, 1):
        assert bert.post(f"/decks/{deck.link}/like/")["Location"] == f"/decks/{deck.link}/"
        assert likes(deck) == Like.objects.filter(deck=deck).count() == expected


def test_the_owner_does_not_like_their_own(anna: Client, deck: Deck) -> None:
    anna.post(f"/decks/{deck.link}/like/")
    assert likes(deck) == 0


def test_an_account_that_goes_takes_its_likes_along(bert: Client, deck: Deck) -> None:
    bert.post(f"/decks/{deck.link}/like/")
    User.objects.get(username="bert").delete()
    assert likes(deck) == 0


@pytest.mark.both_databases
def test_a_favourite_is_kept_and_let_go(bert: Client, deck: Deck) -> None:
    for expected in (1, 0):
        bert.post(f"/decks/{deck.link}/favourite/")
        assert Favourite.objects.filter(deck=deck, user__username="bert").count() == expected
    assert likes(deck) == 0


@pytest.mark.parametrize("what", ["like", "favourite"])
@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 302), ("public", 302)])
def test_what_is_not_seen_is_not_liked(
    anna: Client, bert: Client, what: str, visibility: str, status: int
) -> None:
    hidden = make_deck(anna, visibility)
    assert bert.post(f"/decks/{hidden.link}/{what}/").status_code == status
    assert Like.objects.count() + Favourite.objects.count() == (status == 302)


@pytest.mark.both_databases
@pytest.mark.parametrize("what", ["like", "favourite"])
def test_without_an_account_the_way_leads_to_the_log_in_and_nothing_is_stored(
    client: Client, deck: Deck, what: str
) -> None:
    answer = client.post(f"/decks/{deck.link}/{what}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next=/decks/{deck.link}/")
    assert Like.objects.count() + Favourite.objects.count() == 0
    assert client.get(f"/decks/{deck.link}/{what}/").status_code == 405


@pytest.mark.parametrize("what", ["like/", "favourite/", "comments/", "comments/open/", "comments/1/"])
def test_a_form_of_another_site_changes_nothing(deck: Deck, what: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_user("mallory"))
    assert strict.post(f"/decks/{deck.link}/{what}", {"text": "Hello"}).status_code == 403


# -- writing a comment ---------------------------------------------------------------------


def write(client: Client, deck: Deck, text: str = "Why two Kai?") -> Any:
    return client.post(f"/decks/{deck.link}/comments/", {"text": text})


def seen(client: Client, deck: Deck) -> list[str]:
    return [comment.text for comment in client.get(f"/decks/{deck.link}/comments/").context["comments"]]


def decide(client: Client, deck: Deck, what: str) -> Any:
    return client.post(f"/decks/{deck.link}/comments/{Comment.objects.get().pk}/", {"do": what})


def test_a_comment_waits_and_is_seen_by_its_author_and_the_owner_alone(
    anna: Client, bert: Client, deck: Deck
) -> None:
    assert write(bert, deck).status_code == 302
    assert Comment.objects.get().state == "waiting"
    assert [seen(visitor, deck) for visitor in (anna, bert, Client(), account("carl"))] == [
        ["Why two Kai?"],
        ["Why two Kai?"],
        [],
        [],
    ]


def test_the_owner_shows_it_and_everyone_reads_it(anna: Client, bert: Client, deck: Deck) -> None:
    write(bert, deck)
    decide(anna, deck, "show")
    assert seen(Client(), deck) == ["Why two Kai?"]
    decide(anna, deck, "refuse")
    assert (seen(Client(), deck), seen(bert, deck)) == ([], ["Why two Kai?"])


def test_the_owners_own_is_shown_at_once(anna: Client, deck: Deck) -> None:
    write(anna, deck)
    assert seen(Client(), deck) == ["Why two Kai?"]


@pytest.mark.both_databases
def test_staff_decides_too(bert: Client, deck: Deck) -> None:
    write(bert, deck)
    assert decide(account("staff", is_staff=True, is_superuser=True), deck, "show").status_code == 302
    assert seen(Client(), deck) == ["Why two Kai?"]


@pytest.mark.both_databases
@pytest.mark.parametrize("what", ["show", "refuse", "delete"])
@pytest.mark.parametrize("shown", [True, False])
def test_others_decide_nothing(bert: Client, deck: Deck, what: str, shown: bool) -> None:
    write(bert, deck)
    Comment.objects.update(state="shown" if shown else "waiting")
    for other in (Client(), account("carl")):
        assert decide(other, deck, what).status_code == 404
    assert Comment.objects.get().state == ("shown" if shown else "waiting")


@pytest.mark.parametrize("what", ["show", "refuse", "frame"])
def test_the_author_decides_nothing_either(bert: Client, deck: Deck, what: str) -> None:
    write(bert, deck)
    assert decide(bert, deck, what).status_code == 404
    assert Comment.objects.get().state == "waiting"


@pytest.mark.both_databases
@pytest.mark.parametrize("who", ["anna", "bert", "staff"])
def test_owner_author_and_staff_delete(anna: Client, bert: Client, deck: Deck, who: str) -> None:
    write(bert, deck)
    client = {"anna": anna, "bert": bert}.get(who) or account("staff", is_staff=True, is_superuser=True)
    assert decide(client, deck, "delete").status_code == 302
    assert not Comment.objects.exists()


def test_a_comment_is_not_reached_through_another_deck(anna: Client, bert: Client, deck: Deck) -> None:
    write(bert, deck)
    own = make_deck(bert)
    assert (
        bert.post(f"/decks/{own.link}/comments/{Comment.objects.get().pk}/", {"do": "show"}).status_code
        == 404
    )


def test_a_private_deck_has_no_comments_for_strangers(anna: Client, bert: Client) -> None:
    hidden = make_deck(anna, "private")
    assert bert.get(f"/decks/{hidden.link}/comments/").status_code == 404
    assert write(bert, hidden).status_code == 404


def test_comments_are_closed_until_the_owner_opens_them(anna: Client, bert: Client) -> None:
    deck = make_deck(anna, comments=False)
    assert write(bert, deck).status_code == 403
    assert bert.post(f"/decks/{deck.link}/comments/open/", {"open": "yes"}).status_code == 404
    anna.post(f"/decks/{deck.link}/comments/open/", {"open": "yes"})
    assert write(bert, deck).status_code == 302
    anna.post(f"/decks/{deck.link}/comments/open/", {"open": "no"})
    assert write(bert, deck, "Another").status_code == 403
    assert seen(anna, deck) == ["Why two Kai?"]


def test_an_account_without_a_confirmed_address_writes_nothing(deck: Deck) -> None:
    carl = account("carl", verified=False)
    assert write(carl, deck).status_code == 403
    assert "confirmed e-mail address" in carl.get(f"/decks/{deck.link}/comments/").content.decode()


def test_where_no_letters_go_out_no_address_can_be_confirmed_and_none_is_asked(
    deck: Deck, settings: Any
) -> None:
    settings.CUTOUT_MAIL = "none"
    assert write(account("carl", verified=False), deck).status_code == 302


def test_without_an_account_one_is_sent_to_the_log_in(client: Client, deck: Deck) -> None:
    assert write(client, deck)["Location"] == f"/accounts/login/?next=/decks/{deck.link}/comments/"


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Write something first."),
        (" \n ", "Write something first."),
        ("x" * 2001, "at most 2,000 characters; this one has 2,001"),
        ("Fine\nnot\u202efine", "Line 2 has an invisible or control character"),
        ("\u3164", "Line 1 has an invisible or control character"),
        ("a\x00b", "“text” has a character that is no text"),
    ],
)
def test_what_is_no_comment_is_refused_in_words_and_not_lost(
    bert: Client, deck: Deck, text: str, message: str
) -> None:
    answer = write(bert, deck, text)
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert not Comment.objects.exists()


def test_the_bounds_are_reached(bert: Client, deck: Deck) -> None:
    assert write(bert, deck, "x" * 2000).status_code == 302


@pytest.mark.both_databases
def test_five_comments_of_one_author_wait_and_no_more(bert: Client, deck: Deck) -> None:
    for number in range(5):
        assert write(bert, deck, f"Number {number}").status_code == 302
    assert write(bert, deck, "One more").status_code == 400
    assert write(account("carl"), deck).status_code == 302
    Comment.objects.filter(text="Number 0").update(state="shown")
    assert write(bert, deck, "One more").status_code == 302


def test_the_same_twice_is_one_click_too_many(bert: Client, deck: Deck) -> None:
    write(bert, deck)
    assert "just this already" in write(bert, deck).content.decode()


def test_a_comment_is_text_and_nothing_else(anna: Client, deck: Deck) -> None:
    write(anna, deck, "<script>alert(1)</script>\nsecond line")
    page = anna.get(f"/decks/{deck.link}/comments/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>second line" in page
    assert "<script>alert" not in page


def test_writing_is_throttled(bert: Client, deck: Deck, settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    assert write(bert, deck).status_code == 429
    assert bert.post(f"/decks/{deck.link}/like/").status_code == 429


def test_the_page_needs_few_queries(
    anna: Client, bert: Client, deck: Deck, django_assert_max_num_queries: Any
) -> None:
    for number in range(5):
        write(bert, deck, f"Number {number}")
    with django_assert_max_num_queries(
        8
    ):  # session, user, deck, whether it is one's own, comments with authors, the address
        anna.get(f"/decks/{deck.link}/comments/")
