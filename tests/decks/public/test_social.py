"""Likes, favourites and comments on decks, reviews of cards: who may write, decide and see them. What is the
same for all visitors contains nothing of one visitor.
"""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from cardsdb.models import Card
from decks.models import Comment, Deck, Favourite, Like, Review
from decks.public.social import MAX_A_DAY, MAX_BESIDE
from tests.support.made_decks import named_deck
from tests.support.pages import page, page_of
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KAI = "/cards/spycraft/kai/reviews/"
WHY = "Why two Kai?"
HTMX = {"headers": {"HX-Request": "true"}}


def account(name, verified: bool = True, **values) -> Client:
    client, user = Client(), User.objects.create_user(name, **values)
    EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=verified, primary=True)
    client.force_login(user)
    return client


@pytest.fixture
def anna():
    return account("anna")


@pytest.fixture
def bert():
    return account("bert")


@pytest.fixture
def staff():
    return account("chief", is_staff=True, is_superuser=True)


@pytest.fixture
def deck(anna):
    """A public deck of Anna's that takes comments."""
    named_deck(anna, "Dragons", "2 Kai", comments_open=True)
    return Deck.objects.get()


# -- likes and favourites -----------------------------------------------------------------


def likes(deck: Deck) -> int:
    return Deck.objects.get(pk=deck.pk).likes


@pytest.mark.both_databases
def test_a_like_counts_once_and_is_removed_by_a_second_click_or_with_its_account(bert, deck):
    for expected in (1, 0, 1):
        assert bert.post(f"/decks/{deck.link}/like/")["Location"] == f"/decks/{deck.link}/"
        assert likes(deck) == Like.objects.filter(deck=deck).count() == expected
    User.objects.get(username="bert").delete()
    assert likes(deck) == 0


def test_the_owner_cannot_like_their_own_deck(anna, deck):
    anna.post(f"/decks/{deck.link}/like/")
    assert likes(deck) == 0


@pytest.mark.both_databases
def test_a_favourite_is_added_and_removed_by_the_same_button(bert, deck):
    for expected in (1, 0):
        bert.post(f"/decks/{deck.link}/favourite/")
        assert Favourite.objects.filter(deck=deck, user__username="bert").count() == expected
    assert likes(deck) == 0


# -- writing a comment ---------------------------------------------------------------------


def write(client, deck: Deck, text=WHY):
    return client.post(f"/decks/{deck.link}/comments/", {"text": text})


def seen(client, deck: Deck) -> list[str]:
    return [comment.text for comment in page(client, f"/decks/{deck.link}/comments/").context["comments"]]


def decide(client, deck: Deck, what) -> int:
    address = f"/decks/{deck.link}/comments/{Comment.objects.get().pk}/"
    return client.post(address, {"do": what}).status_code


def test_a_comment_waits_until_the_owner_shows_it_to_everyone_and_can_hide_it_again(anna, bert, deck):
    assert write(bert, deck).status_code == 302
    everybody = anna, bert, Client(), account("carl")
    assert [seen(visitor, deck) for visitor in everybody] == [[WHY], [WHY], [], []]
    decide(anna, deck, "show")
    assert [seen(visitor, deck) for visitor in everybody] == [[WHY]] * 4
    decide(anna, deck, "refuse")
    assert [seen(visitor, deck) for visitor in everybody[1:]] == [[WHY], [], []]


def test_the_owners_own_comment_is_shown_at_once(anna, deck):
    write(anna, deck)
    assert seen(Client(), deck) == [WHY]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("what", "by"),
    [
        ("show", {"anna", "staff"}),
        ("refuse", {"anna", "staff"}),
        ("delete", {"anna", "bert", "staff"}),
        ("frame", set()),
    ],
)
def test_only_owner_author_and_staff_decide_about_a_comment(anna, bert, staff, deck, what, by):
    visitors = {"anna": anna, "bert": bert, "staff": staff, "carl": account("carl"), "nobody": Client()}
    for name, visitor in visitors.items():
        Comment.objects.all().delete()
        write(bert, deck)
        assert decide(visitor, deck, what) == (302 if name in by else 404), name
        not_shown = "hidden" if name == "staff" else "refused"
        decided = {"show": ["shown"], "refuse": [not_shown], "delete": []}
        expected = decided[what] if name in by else ["waiting"]
        assert list(Comment.objects.values_list("state", flat=True)) == expected


def test_a_comment_is_not_reached_through_another_deck(bert, deck):
    write(bert, deck)
    assert decide(bert, named_deck(bert, "Own", "2 Kai"), "show") == 404


def test_comments_are_closed_until_the_owner_opens_them(anna, bert, deck):
    Deck.objects.update(comments_open=False)
    opens = f"/decks/{deck.link}/comments/open/"
    assert (write(bert, deck).status_code, bert.post(opens, {"open": "yes"}).status_code) == (403, 404)
    anna.post(opens, {"open": "yes"})
    assert write(bert, deck).status_code == 302
    anna.post(opens, {"open": "no"})
    assert write(bert, deck, "Another").status_code == 403
    assert seen(anna, deck) == [WHY]


def test_writing_needs_a_confirmed_address_unless_the_site_sends_no_mail(deck, settings):
    settings.CUTOUT_MAIL = "smtp"
    assert write(Client(), deck)["Location"] == f"/accounts/login/?next=/decks/{deck.link}/comments/"
    assert Client().post(KAI, {"text": "Hello."})["Location"] == f"/accounts/login/?next={KAI}"
    carl = account("carl", verified=False)
    assert (write(carl, deck).status_code, review(carl)) == (403, 403)
    assert "confirm your email address" in page(carl, f"/decks/{deck.link}/comments/").text
    settings.CUTOUT_MAIL = "none"
    assert (write(carl, deck).status_code, review(carl)) == (302, 302)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n ", "Write something first."),
        ("x" * 2001, "at most 2,000 characters; this one has 2,001"),
        ("Fine\nnot\u202efine", "Line 2 has an invisible or control character"),
        ("\u3164", "Line 1 has an invisible or control character"),
        ("a\x00b", "“text” has a character that is no text"),
    ],
    ids=["nothing", "too long", "a mark of direction", "a filler", "a NUL"],
)
def test_an_invalid_text_is_refused_with_its_reason_and_stays_in_the_form(bert, deck, text, message):
    for answer in (write(bert, deck, text), bert.post(KAI, {"text": text})):
        refused = page_of(answer, status=400)
        assert message in refused.main.text
        # A NUL is refused before there is a form.
        assert "\x00" in text or refused.field("text").value == text
    assert not Comment.objects.exists() and not Review.objects.exists()
    assert write(bert, deck, "x" * 2000).status_code == 302


@pytest.mark.both_databases
def test_at_most_five_comments_of_an_author_wait_and_none_is_written_twice(bert, deck):
    for number in range(5):
        assert write(bert, deck, f"Number {number}").status_code == 302
    assert write(bert, deck, "One more").status_code == 400
    assert write(account("carl"), deck).status_code == 302
    Comment.objects.filter(text="Number 0").update(state="shown")
    assert "already written this comment" in page_of(write(bert, deck, "Number 1"), status=400).text
    assert write(bert, deck, "One more").status_code == 302


# -- writing a review ------------------------------------------------------------------------


def review(client, text="Cheap, and fights well.", address=KAI) -> int:
    return client.post(address, {"text": text}).status_code


def moderate(client, do) -> int:
    posted = {"do": do, "because": "It insults."}
    return client.post(f"/moderation/review-{Review.objects.get().pk}/", posted).status_code


def delete(client, do="delete", card="kai"):
    return client.post(f"/cards/spycraft/{card}/reviews/{Review.objects.get().pk}/", {"do": do})


@pytest.mark.both_databases
def test_an_account_has_one_review_of_a_card_which_is_shown_at_once_and_can_be_changed(anna, bert):
    assert [review(anna, "One."), review(anna, "Two."), review(bert, "Three.")] == [302] * 3
    assert page(anna, KAI).field("text").value == "Two."
    reviews = page(Client(), KAI)
    shown = [item.text for item in reviews.one("ol", class_="comments").all("li")]
    assert len(shown) == 2 and "anna" in shown[1] and "Two." in shown[1] and "Three." in shown[0]
    assert not reviews.has("textarea")


def test_any_words_are_shown_as_typed(anna, deck):
    text = '<script>alert(1)</script> "><img src=x onerror=y> Агент & スパイ {{ 7 }} {% x %}'
    review(anna, text)
    write(anna, deck, text)
    piece = page(Client(), KAI, **HTMX)
    for shown in (page(Client(), KAI).main, piece, page(Client(), f"/decks/{deck.link}/comments/").main):
        assert text in shown.text
        assert not shown.has("img") and "alert(1)" not in {script.text for script in shown.all("script")}


@pytest.mark.both_databases
def test_an_account_begins_at_most_twenty_reviews_a_day(anna):
    cards = Card.objects.in_game("spycraft").exclude(code="kai")[:MAX_A_DAY]
    author = User.objects.get()
    Review.objects.bulk_create(Review(card=card, author=author, text="Good.") for card in cards)
    assert "within a day" in page_of(anna.post(KAI, {"text": "Good."}), status=400).one(id="text-error").text
    assert review(anna, "Better.", f"/cards/spycraft/{cards[0].code}/reviews/") == 302
    Review.objects.update(made=timezone.now() - timedelta(days=2))
    assert review(anna) == 302


# -- reporting, hiding, deleting ---------------------------------------------------------------


def test_a_reported_review_stays_until_staff_have_looked(anna, bert, staff):
    review(anna)
    assert moderate(bert, "report") == 302
    assert "Reported" in page(staff, KAI).main.text
    for client in (Client(), anna, bert):
        assert "Reported" not in page(client, KAI).one("ol", class_="comments").text
    assert moderate(staff, "leave") == 302
    assert not Review.objects.get().reported


@pytest.mark.both_databases
def test_a_hidden_review_is_seen_only_by_author_and_staff_and_stays_hidden_when_changed(anna, bert, staff):
    again = "The same once more."
    review(anna)
    assert moderate(staff, "hide") == 302
    review(anna, again)
    for client, sees in ((anna, True), (staff, True), (bert, False), (Client(), False)):
        assert (again in client.get(KAI).text) is sees
        assert again not in client.get(KAI, **HTMX).text
    assert moderate(bert, "report") == 404


@pytest.mark.both_databases
@pytest.mark.parametrize(("do", "status"), [("delete", 302), ("hide", 404), ("", 404)])
def test_only_author_and_staff_can_delete_a_review_and_only_under_its_own_card(anna, bert, staff, do, status):
    for client in (staff, anna):
        review(anna)
        assert "login" in delete(Client(), do)["Location"]
        assert (delete(bert, do).status_code, delete(client, do, "recon").status_code) == (404, 404)
        assert delete(client, do).status_code == status
        assert Review.objects.exists() is (status == 404)


# -- on the card's page, in the account's data ---------------------------------------------------


def test_the_cards_page_asks_for_reviews_and_works_without_script(client):
    place = page(client, "/cards/spycraft/kai/").one(class_="card-reviews")
    assert (place["hx-get"], place.link("Reviews")) == (KAI, KAI)
    assert page(client, KAI, **HTMX).link("Write the first review") == KAI


def test_the_reviews_for_a_cards_page_are_the_newest_three():
    card = Card.objects.get(game="spycraft", code="kai")
    for n in range(MAX_BESIDE + 2):
        Review.objects.create(card=card, author=User.objects.create_user(f"user{n}"), text=f"Text {n}.")
    piece = page(Client(), KAI, **HTMX)
    assert piece.one("summary").text == "Reviews (5)"
    assert [part.text for part in piece.one("ol").all("div")] == ["Text 4.", "Text 3.", "Text 2."]


def test_comments_and_reviews_of_two_authors_need_no_more_queries_than_those_of_one(anna, deck):
    def read() -> None:
        page(anna, f"/decks/{deck.link}/comments/"), page(anna, KAI), page(anna, KAI, **HTMX)

    counts = []
    for author in (account("bert"), account("carl")):
        assert (write(author, deck).status_code, review(author)) == (302, 302)
        counts.append(len(queries_of(read)))
    assert counts[0] == counts[1]
