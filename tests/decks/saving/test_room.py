"""Limits of decks for an account, a browser and a network address, and of the database; and the deletion of
decks that are long unused.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from cardsdb.games.kit import Decklist
from decks.core.content import DeckContent
from decks.models import BrowserAccess, Deck, DeckRevision, Favourite, new_deck, today
from decks.saving import room
from decks.saving.history import moderate
from decks.saving.room import MAX_OF_ACCOUNT, MAX_OF_BROWSER, delete_expired, note_opened
from decks.saving.save import save_whole
from tests.support.guests import guest
from tests.support.meanwhile import before_first
from tests.support.pages import page, page_of
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

NEW = {"game": "spycraft", "name": "Dragons", "text": "2 Kai"}


@pytest.fixture(autouse=True)
def nothing_counted_yet(monkeypatch):
    """Forget the requests of other tests, and the size that they measured."""
    cache.clear()
    monkeypatch.setitem(room._measured, "at", float("-inf"))


@pytest.fixture
def user():
    return User.objects.create_user("agent", password="x")


@pytest.fixture
def full(settings):
    """The database has reached its limit."""
    settings.CUTOUT_DATABASE_MEGABYTES = 0


def new(client: Client, **more: str) -> Any:
    """Make a deck on the page."""
    return client.post("/decks/new/", NEW | more)


def new_by_api(client: Client, **more: Any) -> Any:
    """Make a deck over the API."""
    body = NEW | {"format": "agency", "text": "2 Kai\n"}
    return client.post("/api/v1/decks/", body, content_type="application/json", **more)


def made(owner: User | None = None) -> Deck:
    """A stored, empty deck without limits, as a command makes it."""
    deck, _ = new_deck(owner.pk if owner else None, game="spycraft")
    save_whole(deck, DeckContent(Decklist(name="Dragons"), "agency"))
    return deck


def many(count: int, owner: User | None = None) -> list[Deck]:
    """Many decks, stored in one query."""
    return Deck.objects.bulk_create(
        new_deck(owner.pk if owner else None, game="spycraft")[0] for _ in range(count)
    )


# -- limits -------------------------------------------------------------------------------


def test_an_account_cannot_exceed_its_number_of_decks(client, user):
    many(MAX_OF_ACCOUNT - 1, user)
    client.force_login(user)
    assert new(client).status_code == 302
    refused = page_of(new(client), status=409)
    assert "Your account has 2,000 decks" in refused.text
    assert refused.field("text").value == "2 Kai"
    assert Deck.objects.count() == MAX_OF_ACCOUNT


def test_a_browser_has_a_lower_limit_and_is_told_about_accounts(client):
    assert new(client).status_code == 302
    browser = guest(client).browser
    BrowserAccess.objects.bulk_create(
        BrowserAccess(deck=deck, browser=browser) for deck in many(MAX_OF_BROWSER - 1)
    )
    assert "log in and take them along" in page_of(new(client), status=409).text
    assert new(Client()).status_code == 302


def test_a_network_address_has_a_daily_limit_over_pages_and_api(client, settings):
    settings.CUTOUT_DECKS_PER_DAY = 2
    megabytes, settings.CUTOUT_DATABASE_MEGABYTES = settings.CUTOUT_DATABASE_MEGABYTES, 0
    assert [new(client).status_code for _ in range(3)] == [507] * 3, "what is refused is not counted"
    settings.CUTOUT_DATABASE_MEGABYTES = megabytes
    assert new(client, text="2 Nobody at all").status_code == 400
    assert new_by_api(Client()).status_code == 201
    assert new(client).status_code == 302
    refused = new(Client()), new_by_api(Client())
    assert [answer.status_code for answer in refused] == [429, 429]
    assert all(0 < int(answer["Retry-After"]) <= 86_400 for answer in refused)
    assert refused[1].json()[0]["code"] == "too_many_decks_today"
    assert new(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302


@pytest.mark.both_databases
def test_a_repeated_request_does_not_count_against_the_daily_limit(settings):
    settings.CUTOUT_DECKS_PER_DAY = 1
    client, name = Client(), {"headers": {"Idempotency-Key": "a-name-that-nobody-guesses"}}
    assert [new_by_api(client, **name).status_code for _ in range(3)] == [201, 201, 201]


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/decks/new/", {"game": "spycraft", "start": "empty", "name": "Dragons"}),
        ("/check/save/", {"game": "spycraft", "text": "2 Kai"}),
        ("/decks/import/", {**NEW, "step": "keep", "visibility": "private"}),
        ("/games/spycraft/house/", {"format": "agency"}),
    ],
)
def test_on_a_full_site_no_page_makes_a_deck(client, address, sent):
    refused = page_of(client.post(address, sent), status=507)
    assert "This site has no room left for decks" in refused.text
    assert not Deck.objects.exists()
    assert not BrowserAccess.objects.exists()


def test_a_full_site_can_still_be_read_and_moderated(client, settings):
    address = new(client, visibility="public")["Location"]
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    assert "no room left" in page_of(client.post(f"{address}fork/", follow=True)).text
    for answer in (client.post(f"/api/v1{address}fork/"), new_by_api(client)):
        assert (answer.status_code, [fault["code"] for fault in answer.json()]) == (507, ["site_full"])
    refused = page_of(client.post(f"{address}edit/", {"edit": "add", "q": "3 Termite"}), status=507)
    assert "no room left" in refused.text
    assert refused.one(id="find-q").value == "3 Termite"
    assert (Deck.objects.count(), DeckRevision.objects.count()) == (1, 1)
    page(client, address)
    moderate(Deck.objects.get().pk, name="Dragons", notes="Taken out.")
    assert Deck.objects.get().notes == "Taken out."


def test_the_database_is_measured_once_a_minute():
    assert room.database_bytes() > 100_000
    assert queries_of(room.database_bytes) == []


@pytest.mark.both_databases
def test_taking_decks_along_respects_the_limit_of_the_account(client, user):
    for _ in range(3):
        new(client)
    links = list(Deck.objects.values_list("link", flat=True))
    many(MAX_OF_ACCOUNT - 2, user)
    client.force_login(user)
    answer = page_of(client.post("/account/take/", {"deck": links}, follow=True))
    assert "the most that it may have" in answer.text
    assert Deck.objects.filter(owner=user).count() == MAX_OF_ACCOUNT


# -- deleting decks that are not opened ----------------------------------------------------


def long_ago(deck: Deck, days: int = 731) -> None:
    """Make the deck as if it had been opened and changed last ``days`` days ago."""
    Deck.objects.filter(pk=deck.pk).update(
        opened=today() - timedelta(days), changed=timezone.now() - timedelta(days)
    )
    deck.refresh_from_db()


@pytest.mark.both_databases
def test_only_ownerless_decks_unopened_for_two_years_are_deleted(user):
    expired, recent, owned, favourite = made(), made(), made(user), made()
    for deck, days in ((expired, 731), (recent, 700), (owned, 9_999), (favourite, 9_999)):
        long_ago(deck, days)
    Favourite.objects.create(deck=favourite, user=user)
    changed = made()
    Deck.objects.filter(pk=changed.pk).update(opened=expired.opened)
    assert delete_expired() == 1
    assert set(Deck.objects.all()) == {recent, owned, favourite, changed}


def test_a_deck_opened_during_the_deletion_stays():
    deck = made()
    long_ago(deck)
    with before_first("SELECT COUNT", lambda: Deck.objects.update(opened=today())):
        assert delete_expired() == 0
    assert Deck.objects.get() == deck


@pytest.mark.parametrize(
    "address", ["/decks/{0}/", "/decks/{0}/embed/", "/api/v1/decks/{0}/", "/print/?deck={0}"]
)
def test_opening_a_deck_in_any_way_keeps_it_from_expiring(client, address):
    new_by_api(client)
    Deck.objects.update(visibility="public")
    deck = Deck.objects.get()
    long_ago(deck)
    assert client.get(address.format(deck.link)).status_code == 200
    assert (Deck.objects.get().opened, delete_expired()) == (today(), 0)


@pytest.mark.both_databases
def test_opening_is_stored_once_a_day_and_only_for_ownerless_decks(user):
    deck, owned = made(), made(user)
    long_ago(deck)
    long_ago(owned)
    note_opened(deck)
    deck.refresh_from_db()
    assert queries_of(lambda: (note_opened(deck), note_opened(owned))) == []
