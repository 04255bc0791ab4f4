"""The pages of an account: what they show, taking things along from the browser, the export, and what
deletion leaves.
"""

import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.models import Card, OwnSearch
from decks.core.judging import judge_text
from decks.models import BrowserAccess, Collection, Comment, Deck, Favourite, Like, Owned
from tests.support.accounts import PASSWORD, logged_in, show_who_one_is, sign_up
from tests.support.made_decks import edit_link, make_deck, open_edit_link
from tests.support.pages import page, page_of

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]


@pytest.fixture
def mallory(client):
    """The user whom the client is logged in as."""
    user = User.objects.create_user("Mallory", password=PASSWORD)
    client.force_login(user)
    return user


def many(user: User | None, number, **values) -> list[Deck]:
    """Decks of this user, or without an owner."""
    columns = {"owner": user, "game": "spycraft", "format": "agency"} | values
    return Deck.objects.bulk_create(
        Deck(**{"name": f"Deck {n}", "edit_hash": f"{user}{n}{values}", **columns}) for n in range(number)
    )


def collected(*counts, **whose) -> Collection:
    """A collection with these numbers of copies, one for each of the first cards."""
    collection = Collection.objects.create(**whose)
    cards = Card.objects.in_game("spycraft").order_by("code")[: len(counts)]
    Owned.objects.bulk_create(
        Owned(collection=collection, card=card, count=n) for card, n in zip(cards, counts, strict=True)
    )
    return collection


def exported(client) -> dict[str, str]:
    """Name -> text of each file in the export."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(client.get("/account/export.zip").streaming_content)))
    assert archive.testzip() is None
    return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_page_mine_and_the_account_page_link_to_each_other(client, mallory):
    assert page(client, "/mine/").has("a", href="/account/")
    assert page(client, "/account/").has("a", href="/mine/", text="Mine")


@pytest.mark.both_databases
def test_waiting_comments_are_shown_with_a_link(client, mallory):
    decks = many(mallory, 2, visibility="public")
    trent = User.objects.create_user("Trent")
    (theirs,) = many(trent, 1, visibility="public")
    states = [(decks[0], "waiting")] * 2 + [(decks[0], "shown"), (decks[1], "refused"), (theirs, "waiting")]
    for deck, state in states:
        Comment.objects.create(deck=deck, author=trent, text="Why no gear?", state=state)
    notice = page(client, "/account/").one(class_="account-waiting")
    assert notice.text == "2 comments wait for you on Deck 0."
    assert notice.links == [f"/decks/{decks[0].link}/comments/"]
    Comment.objects.filter(deck=decks[0]).update(state="shown")
    assert not page(client, "/account/").has(class_="account-waiting")


@pytest.mark.both_databases
def test_favourites_that_were_made_private_are_not_shown(client, mallory):
    kept = many(None, 1, visibility="public", name="Still open")
    kept += many(None, 1, visibility="private", name="Closed since")
    Favourite.objects.bulk_create(Favourite(deck=deck, user=mallory) for deck in kept)
    shown = page(client, "/account/favourites/").text
    assert "Still open" in shown and "Closed since" not in shown


# -- taking along


@pytest.mark.both_databases
def test_decks_taken_along_belong_to_the_account_and_no_longer_to_the_browser(client, agency_text):
    taken, left = make_deck(client, agency_text, name="Taken"), make_deck(client, agency_text, name="Left")
    client.force_login(User.objects.create_user("Mallory"))
    held = page(client, "/account/").one("section", aria_labelledby="held-title")
    assert {box["value"] for box in held.all("input", name="deck")} == {taken.link, left.link}
    client.post("/account/take/", {"deck": [taken.link]})
    assert list(Deck.objects.filter(owner__username="Mallory")) == [taken]
    assert [held.deck for held in BrowserAccess.objects.all()] == [left]
    assert client.get(f"/decks/{left.link}/edit/").status_code == 200


@pytest.mark.both_databases
def test_only_ownerless_decks_of_the_own_browser_can_be_taken_along(client, mallory, agency_text):
    others, trent = Client(), User.objects.create_user("Trent")
    foreign = make_deck(Client(), agency_text, visibility="public")
    others.force_login(trent)
    shared = make_deck(others, agency_text)
    open_edit_link(client, edit_link(others, shared))
    for asked, status in (([foreign.link, shared.link, "nothing"], 302), (["\x00"], 400)):
        assert client.post("/account/take/", {"deck": asked}).status_code == status
    assert Deck.objects.get(pk=foreign.pk).owner is None and Deck.objects.get(pk=shared.pk).owner == trent
    assert not Deck.objects.filter(owner=mallory).exists()


@pytest.mark.both_databases
def test_a_collection_is_added_to_the_accounts_or_stays_whole_with_the_browser(client, agency_text):
    make_deck(client, agency_text)
    browser, user = BrowserAccess.objects.get().browser, User.objects.create_user("Mallory")
    # 998 and 2 copies of the first card together are more than the 999 that a collection notes.
    theirs, own = collected(998, browser=browser), collected(2, 5, owner=user)
    client.force_login(user)
    refused = page_of(client.post("/account/take/", {"kind": "collection"}, follow=True))
    assert "stays with this browser" in refused.text
    assert list(own.owned.values_list("count", flat=True)) == [2, 5]
    theirs.delete()
    collected(3, 94, browser=browser)
    assert "97 collected cards" in page(client, "/account/").text
    client.post("/account/take/", {"kind": "collection"})
    assert list(own.owned.values_list("count", flat=True)) == [5, 99]
    assert not Collection.objects.filter(owner=None).exists()


# -- the export


def test_the_export_holds_everything_that_the_account_wrote(client, mallory, agency_text):
    """That no column is missing is tested in test_kinds.py."""
    own = make_deck(client, agency_text, name="Ärger", visibility="private", notes="For Tuesday.")
    Deck.objects.update(tags=["duel"], house="AG-4.limit=4")
    other = many(None, 1, visibility="public")[0]
    Favourite.objects.create(deck=other, user=mallory)
    answer = client.get("/account/export.zip", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Type"] == "application/zip" and "Content-Encoding" not in answer
    files, game = exported(client), games()["spycraft"]
    # The name of the deck, as an address would write it.
    stem = f"decks/arger-{own.link}"
    whole = json.loads(files[f"{stem}.json"])
    assert (whole["name"], whole["notes"], whole["visibility"]) == ("Ärger", "For Tuesday.", "private")
    read = judge_text(game, files[f"{stem}.txt"]).reading
    assert (read.notes, read.tags, read.house) == ("For Tuesday.", ("duel",), "AG-4.limit=4")
    assert read.deck.entries == judge_text(game, agency_text).deck.entries
    assert json.loads(files["favourites.json"])[0]["address"] == f"/decks/{other.link}/"
    kinds = (
        "account choices collection comments favourites formats history jobs likes pictures printers prints"
        " reviews searches sets texts"
    )
    outside_folders = {name for name in files if "/" not in name}
    assert outside_folders == {"about.txt", *(f"{kind}.json" for kind in kinds.split())}


def test_the_export_is_made_while_it_is_sent_and_needs_few_queries(client, mallory):
    many(mallory, 120)
    with CaptureQueriesContext(connection) as queries:
        pieces = list(client.get("/account/export.zip").streaming_content)
    assert len(pieces) > 120, "a piece for each file"
    assert len(queries) < 40, "decks are read many at once"


def test_the_export_names_no_deck_that_its_reader_may_not_see(client, mallory):
    (hidden,), (seen,) = (many(None, 1, visibility=visibility) for visibility in ("private", "public"))
    for deck in (hidden, seen):
        Favourite.objects.create(deck=deck, user=mallory)
        Comment.objects.create(deck=deck, author=mallory, text="Too many leaders.")
    many(mallory, 1, forked_from=hidden, partner=hidden)
    files = exported(client)
    assert hidden.link not in "".join(files.values())
    comments = json.loads(files["comments.json"])
    assert [comment.get("address") for comment in comments] == [None, f"/decks/{seen.link}/"]


# -- the deletion


@pytest.mark.parametrize("how", ["long ago", "just now"])
def test_deleting_needs_a_confirmation_and_a_tick(client, mallory, how):
    inside = client if how == "long ago" else logged_in()
    for answer in (inside.get("/account/delete/"), inside.post("/account/delete/", {"sure": "yes"})):
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    show_who_one_is(inside)
    assert inside.get("/account/delete/").status_code == 200
    assert inside.post("/account/delete/").status_code == 400
    assert User.objects.exists()


@pytest.mark.both_databases
def test_deleting_removes_everything_of_the_account_and_nothing_of_others(client, mallory, agency_text):
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
    show_who_one_is(client)
    kinds = page(client, "/account/delete/").one("dl")
    assert "1 deck (1 public:" in kinds.text and "2 collected cards" in kinds.text
    assert kinds.one("dt", text="Your saved searches").parent.one("dd").text == "1 search"
    assert client.post("/account/delete/", {"sure": "yes"})["Location"] == "/"
    assert list(User.objects.all()) == [trent] and list(Deck.objects.all()) == [other]
    assert Deck.objects.get().likes == 1
    assert not Comment.objects.exists() and not Collection.objects.exists()
    assert [search.owner for search in OwnSearch.objects.all()] == [trent]
    assert [browser.get("/account/").status_code for browser in (client, elsewhere)] == [302, 302]
    assert sign_up(Client(), "mallory").status_code == 302, "the name is free"
