"""What belongs to an account: its page, what it takes along from a browser, its export, and what its deletion
leaves.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.models import Card, OwnSearch
from decks.core.judging import judge_text
from decks.models import BrowserAccess, Collection, Comment, Deck, Favourite, Like, Owned
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"


@pytest.fixture
def mallory(client: Client) -> User:
    """Logged in, and sure to be herself."""
    user = User.objects.create_user("Mallory", password=PASSWORD)
    client.force_login(user)
    return user


def make_deck(client: Client, text: str, name: str = "Dragons", **values: str) -> Deck:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def many(user: User | None, number: int, **values: Any) -> list[Deck]:
    return Deck.objects.bulk_create(
        Deck(
            owner=user,
            game="spycraft",
            format="agency",
            name=f"Deck {n}",
            edit_hash=f"{user}{n}{values}",
            **values,
        )
        for n in range(number)
    )


def surely(client: Client) -> None:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def collected(*counts: int, **whose: Any) -> Collection:
    collection = Collection.objects.create(**whose)
    cards = Card.objects.in_game("spycraft").order_by("code")[: len(counts)]
    Owned.objects.bulk_create(
        Owned(collection=collection, card=card, count=n) for card, n in zip(cards, counts, strict=True)
    )
    return collection


def test_the_page_is_for_whoever_is_logged_in(client: Client) -> None:
    assert client.get("/account/")["Location"] == "/accounts/login/?next=/account/"


def test_mine_and_the_page_lead_to_each_other(client: Client, mallory: User) -> None:
    assert page(client, "/mine/").has("a", href="/account/") and page(client, "/account/").has(
        "a", href="/mine/", text="Mine"
    )


@pytest.mark.both_databases
def test_comments_that_wait_are_told_with_a_way_to_them(client: Client, mallory: User) -> None:
    decks = many(mallory, 2, visibility="public")
    trent = User.objects.create_user("Trent")
    (theirs,) = many(trent, 1, visibility="public")
    for deck, state in (
        (decks[0], "waiting"),
        (decks[0], "waiting"),
        (decks[0], "shown"),
        (decks[1], "refused"),
        (theirs, "waiting"),
    ):
        Comment.objects.create(deck=deck, author=trent, text="Why no gear?", state=state)
    page = client.get("/account/").content.decode()
    assert f'<a href="/decks/{decks[0].link}/comments/">2 comments wait for you</a> on Deck 0' in page
    assert page.count("for you</a>") == 1
    Comment.objects.filter(deck=decks[0]).update(state="shown")
    assert "for you</a>" not in client.get("/account/").content.decode()


@pytest.mark.both_databases
def test_favourites_that_were_made_private_are_not_shown(client: Client, mallory: User) -> None:
    seen, hidden = *many(None, 1, visibility="public"), *many(None, 1, visibility="private")
    Deck.objects.filter(pk=seen.pk).update(name="Still open")
    Deck.objects.filter(pk=hidden.pk).update(name="Closed since")
    Favourite.objects.bulk_create(Favourite(deck=deck, user=mallory) for deck in (seen, hidden))
    shown = client.get("/account/favourites/").content.decode()
    assert "Still open" in shown and "Closed since" not in shown


@pytest.mark.both_databases
def test_decks_of_this_browser_are_taken_into_the_account_and_let_go_by_the_browser(
    client: Client, agency_text: str
) -> None:
    taken, left = make_deck(client, agency_text, "Taken"), make_deck(client, agency_text, "Left")
    client.force_login(User.objects.create_user("Mallory"))
    page = client.get("/account/").content.decode()
    assert "not yet in your account" in page and taken.link in page and left.link in page
    client.post("/account/take/", {"deck": [taken.link]})
    assert list(Deck.objects.filter(owner__username="Mallory")) == [taken]
    assert [held.deck for held in BrowserAccess.objects.all()] == [left]
    assert client.get(f"/decks/{left.link}/edit/").status_code == 200


@pytest.mark.both_databases
def test_nobody_takes_what_their_browser_does_not_hold_or_what_is_somebodys(
    client: Client, mallory: User, agency_text: str
) -> None:
    others, strangers = Client(), Client()
    foreign = make_deck(strangers, agency_text, visibility="public")
    trent = User.objects.create_user("Trent")
    others.force_login(trent)
    shared = make_deck(others, agency_text)
    address = (
        others.get(f"/decks/{shared.link}/").content.decode().split("http://testserver")[1].split('"')[0]
    )
    client.get(address)
    client.post("/account/take/", {"deck": [foreign.link, shared.link, "nothing", "\x00"]})
    assert Deck.objects.get(pk=foreign.pk).owner is None and Deck.objects.get(pk=shared.pk).owner == trent
    assert not Deck.objects.filter(owner=mallory).exists()


@pytest.mark.both_databases
def test_a_browsers_collection_is_added_to_the_accounts(client: Client, agency_text: str) -> None:
    make_deck(client, agency_text)
    collected(3, 94, browser=BrowserAccess.objects.get().browser)
    user = User.objects.create_user("Mallory")
    own = collected(2, 5, owner=user)
    client.force_login(user)
    assert "97 collected cards" in client.get("/account/").content.decode()
    client.post("/account/take/", {"kind": "collection"})
    assert sorted(own.owned.values_list("count", flat=True)) == [5, 99]
    assert not Collection.objects.filter(owner=None).exists()


@pytest.mark.both_databases
def test_a_collection_that_would_be_too_large_stays_with_the_browser(
    client: Client, agency_text: str
) -> None:
    make_deck(client, agency_text)
    collected(998, browser=BrowserAccess.objects.get().browser)
    user = User.objects.create_user("Mallory")
    own = collected(2, owner=user)
    client.force_login(user)
    assert (
        "stays with this browser"
        in client.post("/account/take/", {"kind": "collection"}, follow=True).content.decode()
    )
    assert own.owned.get().count == 2 and Collection.objects.filter(owner=None).exists()


def test_decks_made_while_logged_in_are_the_accounts_and_not_the_browsers(
    client: Client, mallory: User, agency_text: str
) -> None:
    assert make_deck(client, agency_text).owner == mallory
    assert not BrowserAccess.objects.exists()


def test_the_export_holds_everything_that_the_account_wrote(
    client: Client, mallory: User, agency_text: str
) -> None:
    EmailAddress.objects.create(user=mallory, email="mallory@example.org", verified=True, primary=True)
    own = make_deck(client, agency_text, "Ärger", visibility="private", notes="For Tuesday.")
    other = many(None, 1, visibility="public")[0]
    Favourite.objects.create(deck=other, user=mallory)
    Comment.objects.create(deck=other, author=mallory, text="Too many leaders.")
    collected(2, owner=mallory)
    client.post("/search/saved/", {"name": "Krypt people", "q": "krypt"})
    answer = client.get("/account/export.zip", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Type"] == "application/zip" and "Content-Encoding" not in answer
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert archive.testzip() is None
    read = {name: archive.read(name).decode() for name in archive.namelist()}
    assert {"about.txt", "account.json", "favourites.json", "comments.json", "collection.json"} < set(read)
    stem = f"decks/arger-{own.link}"
    whole = json.loads(read[f"{stem}.json"])
    assert (whole["name"], whole["notes"], whole["visibility"]) == ("Ärger", "For Tuesday.", "private")
    game = games()["spycraft"]
    assert judge_text(game, read[f"{stem}.txt"]).deck.entries == judge_text(game, agency_text).deck.entries
    assert json.loads(read["account.json"])["addresses"][0]["email"] == "mallory@example.org"
    assert json.loads(read["favourites.json"])[0]["address"] == f"/decks/{other.link}/"
    assert json.loads(read["comments.json"])[0]["text"] == "Too many leaders."
    assert json.loads(read["collection.json"])[0]["count"] == 2
    assert [(one["name"], one["query"]) for one in json.loads(read["searches.json"])] == [
        ("Krypt people", "krypt")
    ]


def test_the_export_is_made_while_it_is_sent_in_few_queries(client: Client, mallory: User) -> None:
    many(mallory, 120)
    with CaptureQueriesContext(connection) as made:
        pieces = list(client.get("/account/export.zip").streaming_content)
    assert len(pieces) > 100 and len(made) < 40


def test_the_export_names_no_deck_that_its_reader_may_not_see(client: Client, mallory: User) -> None:
    hidden = many(None, 1, visibility="private")[0]
    Favourite.objects.create(deck=hidden, user=mallory)
    Comment.objects.create(deck=hidden, author=mallory, text="Too many leaders.")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(client.get("/account/export.zip").streaming_content)))
    assert hidden.link not in "".join(archive.read(name).decode() for name in archive.namelist())


def test_deleting_asks_who_one_is_and_whether_one_is_sure(client: Client, mallory: User) -> None:
    assert client.get("/account/delete/")["Location"].startswith("/accounts/reauthenticate/")
    assert client.post("/account/delete/", {"sure": "yes"})["Location"].startswith(
        "/accounts/reauthenticate/"
    )
    surely(client)
    assert client.post("/account/delete/").status_code == 400
    assert User.objects.exists()


@pytest.mark.both_databases
def test_deleting_takes_all_that_belonged_to_the_account_and_nothing_of_others(
    client: Client, mallory: User, agency_text: str
) -> None:
    make_deck(client, agency_text, visibility="public")
    trent = User.objects.create_user("Trent")
    other = many(trent, 1, visibility="public", likes=2)[0]
    Like.objects.bulk_create(Like(deck=other, user=user) for user in (mallory, trent))
    Comment.objects.create(deck=other, author=mallory, text="Too many leaders.")
    collected(2, owner=mallory)
    for visitor in (mallory, trent):
        OwnSearch.objects.create(owner=visitor, name="mine", key="mine", query="kai")
    elsewhere = Client()
    elsewhere.force_login(mallory)
    surely(client)
    kinds = page(client, "/account/delete/").one("dl")
    assert "1 deck (1 public:" in kinds.text and "2 collected cards" in kinds.text
    assert kinds.one("dt", text="Your saved searches").parent.one("dd").text == "1 search"
    assert client.post("/account/delete/", {"sure": "yes"})["Location"] == "/"
    assert list(User.objects.all()) == [trent] and list(Deck.objects.all()) == [other]
    assert Deck.objects.get().likes == 1
    assert not Comment.objects.exists() and not Collection.objects.exists()
    assert [search.owner for search in OwnSearch.objects.all()] == [trent]
    assert elsewhere.get("/account/").status_code == 302, "the sessions of other devices are dead"
    assert client.get("/account/").status_code == 302


def test_a_deleted_name_is_free(client: Client, mallory: User) -> None:
    surely(client)
    client.post("/account/delete/", {"sure": "yes"})
    answer = Client().post("/accounts/signup/", {"username": "mallory", "email": "", "password1": PASSWORD})
    assert answer.status_code == 302
