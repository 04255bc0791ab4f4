"""Reviews of cards: who writes, changes, reports, hides and deletes them; who sees them; nothing of a visitor
is in what all get.
"""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from cardsdb.models import Card
from decks.models import Review
from decks.public.social import MAX_A_DAY, MAX_BESIDE, MAX_TEXT
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KAI = "/cards/spycraft/kai/reviews/"
HTMX = {"headers": {"HX-Request": "true"}}


def account(name: str, verified: bool = True, **values: Any) -> Client:
    client, user = Client(), User.objects.create_user(name, **values)
    EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=verified, primary=True)
    client.force_login(user)
    return client


def review(client: Client, text: str = "Cheap, and fights well.", address: str = KAI) -> int:
    return client.post(address, {"text": text}).status_code


def moderate(client: Client, do: str) -> int:
    posted = {"do": do, "because": "It insults."}
    return client.post(f"/moderation/review-{Review.objects.get().pk}/", posted).status_code


def decide(client: Client, do: str) -> int:
    return client.post(f"{KAI}{Review.objects.get().pk}/", {"do": do}).status_code


@pytest.fixture
def anna() -> Client:
    return account("anna")


@pytest.fixture
def bert() -> Client:
    return account("bert")


@pytest.fixture
def staff() -> Client:
    return account("chief", is_staff=True, is_superuser=True)


# -- writing -----------------------------------------------------------------------------------


def test_a_review_is_shown_to_everybody_at_once(anna: Client) -> None:
    assert review(anna) == 302
    (shown,) = page(Client(), KAI).one("ol", class_="comments").all("li")
    assert "anna" in shown.text and "Cheap, and fights well." in shown.text


@pytest.mark.both_databases
def test_an_account_has_one_review_of_a_card_and_changes_it(anna: Client, bert: Client) -> None:
    assert [review(anna, "One."), review(anna, "Two."), review(bert, "Three.")] == [302] * 3
    assert sorted(Review.objects.values_list("author__username", "text")) == [
        ("anna", "Two."),
        ("bert", "Three."),
    ]
    assert page(anna, KAI).field("text").value == "Two."
    assert page(Client(), KAI).all("textarea") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Write something first."),
        ("  \n ", "Write something first."),
        ("x" * (MAX_TEXT + 1), "A review has at most 2,000 characters; this one has 2,001."),
        ("fine\nnot\u202efine", "Line 2 has an invisible or control character"),
    ],
)
def test_what_is_no_review_is_refused_and_not_lost(anna: Client, text: str, said: str) -> None:
    refused = page_of(anna.post(KAI, {"text": text}), status=400)
    assert said in refused.one(id="text-error").text and not Review.objects.exists()
    assert refused.field("text").value == text


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=y>', "Агент & スパイ", "{{ 7 }} {% x %}"]
)
def test_any_words_are_shown_as_typed(anna: Client, text: str) -> None:
    review(anna, text)
    whole, piece = page(Client(), KAI), page(Client(), KAI, **HTMX)
    assert text in whole.one("ol", class_="comments").text and text in piece.one("ol").text
    assert not whole.one("main").all("script") and not whole.all("img") and not piece.all("img")


@pytest.mark.both_databases
def test_only_accounts_with_a_confirmed_address_write(settings: Any) -> None:
    settings.CUTOUT_MAIL = "smtp"
    assert review(account("fresh", verified=False)) == 403
    assert "login" in Client().post(KAI, {"text": "Hello."})["Location"]
    assert not Review.objects.exists()


@pytest.mark.both_databases
def test_an_account_begins_only_so_many_a_day(anna: Client) -> None:
    codes = list(
        Card.objects.in_game("spycraft").exclude(code="kai").values_list("code", flat=True)[:MAX_A_DAY]
    )
    assert [review(anna, "Good.", f"/cards/spycraft/{code}/reviews/") for code in codes] == [302] * MAX_A_DAY
    assert "within a day" in page_of(anna.post(KAI, {"text": "Good."}), status=400).one(id="text-error").text
    assert review(anna, "Better.", f"/cards/spycraft/{codes[0]}/reviews/") == 302
    Review.objects.update(made=timezone.now() - timedelta(days=2))
    assert review(anna) == 302


def test_there_are_no_reviews_of_what_is_no_card(anna: Client) -> None:
    for address in ("/cards/spycraft/nobody/reviews/", "/cards/chess/kai/reviews/"):
        assert (anna.get(address).status_code, review(anna, "Good.", address)) == (404, 404)


# -- reporting, hiding, deleting ---------------------------------------------------------------


def test_a_reported_review_stays_until_staff_have_looked(anna: Client, bert: Client, staff: Client) -> None:
    review(anna)
    assert bert.post(f"/moderation/review-{Review.objects.get().pk}/", {"do": "report"}).status_code == 302
    assert "Reported" in page(staff, KAI).one("main").text
    for client in (Client(), anna, bert):
        assert "Reported" not in page(client, KAI).one("ol", class_="comments").text
    assert moderate(staff, "leave") == 302
    assert not Review.objects.get().reported


@pytest.mark.both_databases
def test_what_staff_hide_only_its_author_and_staff_see_and_changing_it_shows_it_to_nobody(
    anna: Client, bert: Client, staff: Client
) -> None:
    review(anna)
    assert moderate(staff, "hide") == 302
    review(anna, "The same once more.")
    for client, sees in ((anna, True), (staff, True), (bert, False), (Client(), False)):
        assert ("The same once more." in client.get(KAI).content.decode()) is sees
        assert "The same once more." not in client.get(KAI, **HTMX).content.decode()
    assert bert.post(f"/moderation/review-{Review.objects.get().pk}/", {"do": "report"}).status_code == 404


@pytest.mark.both_databases
@pytest.mark.parametrize(("do", "by_author", "by_other", "by_staff"), [
    ("delete", 302, 404, 302),
    ("hide", 404, 404, 404),
    ("", 404, 404, 404),
])  # fmt: skip
def test_who_may_do_what_with_a_review(
    anna: Client, bert: Client, staff: Client, do: str, by_author: int, by_other: int, by_staff: int
) -> None:
    for client, status in ((bert, by_other), (staff, by_staff), (anna, by_author)):
        Review.objects.all().delete()
        review(anna)
        assert decide(client, do) == status
    review(anna)
    assert "login" in Client().post(f"{KAI}{Review.objects.get().pk}/", {"do": do})["Location"]


def test_a_review_is_decided_under_its_own_card_alone(anna: Client, staff: Client) -> None:
    review(anna)
    assert (
        staff.post(f"/cards/spycraft/recon/reviews/{Review.objects.get().pk}/", {"do": "delete"}).status_code
        == 404
    )
    assert Review.objects.exists()


# -- on the card's page, in the account's data ---------------------------------------------------


def test_the_cards_page_asks_for_reviews_and_works_without_script(client: Client) -> None:
    place = page(client, "/cards/spycraft/kai/").one(class_="card-reviews")
    assert (place["hx-get"], place.link("Reviews")) == (KAI, KAI)


def test_the_piece_for_a_cards_page_is_the_same_for_everybody(anna: Client, bert: Client) -> None:
    review(anna, "Mine.")
    pieces = [client.get(KAI, **HTMX) for client in (Client(), anna, bert)]
    assert len({piece.content for piece in pieces}) == 1 and b"csrf" not in pieces[0].content
    assert page_of(pieces[0]).one("summary").text == "Reviews (1)"
    assert all("Cookie" not in piece["Vary"] and not piece.cookies for piece in pieces)
    assert "no-store" in anna.get(KAI)["Cache-Control"]


@pytest.mark.both_databases
def test_the_piece_shows_the_newest_in_two_queries(anna: Client, django_assert_max_num_queries: Any) -> None:
    card = Card.objects.get(game="spycraft", code="kai")
    for n in range(MAX_BESIDE + 2):
        Review.objects.create(card=card, author=User.objects.create_user(f"user{n}"), text=f"Text {n}.")
    with django_assert_max_num_queries(4):  # the edition, the card, its reviews, how many there are
        piece = page(Client(), KAI, **HTMX)
    assert piece.one("summary").text == "Reviews (5)"
    assert [part.text for part in piece.one("ol").all("div")] == ["Text 4.", "Text 3.", "Text 2."]


def test_a_card_without_reviews_asks_for_the_first(client: Client) -> None:
    assert page(client, KAI, **HTMX).link("Write the first review") == KAI


@pytest.mark.both_databases
def test_ones_reviews_are_in_ones_data_and_go_with_the_account(anna: Client, bert: Client) -> None:
    review(anna, "Mine.")
    review(bert, "His.")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(anna.get("/account/export.zip"))))
    (mine,) = json.loads(archive.read("reviews.json"))
    assert (mine["code"], mine["text"]) == ("kai", "Mine.")
    User.objects.get(username="anna").delete()
    assert list(Review.objects.values_list("text", flat=True)) == ["His."]
