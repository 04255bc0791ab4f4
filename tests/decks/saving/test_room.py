"""Room for decks: so many of an account, of a browser, of an address a day; so many bytes of versions; a
bound for the database.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardsdb.catalogue.current import catalogue
from cardsdb.faults import Refused
from cardsdb.games.kit import Decklist
from cardsdb.identity.viewer import Viewer
from decks.core.content import MAX_STATE, DeckContent
from decks.models import BrowserAccess, Deck, DeckRevision, Favourite, new_deck, today
from decks.models import contents as revision
from decks.saving import history, room
from decks.saving.history import moderate, name_version, undo
from decks.saving.room import delete_expired, note_opened
from decks.saving.save import save_edit, save_whole

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

NEW = {"game": "spycraft", "name": "Dragons", "text": "2 Kai"}


@pytest.fixture(autouse=True)
def counted_anew() -> None:
    cache.clear()
    room.measure_again()


@pytest.fixture
def user() -> User:
    return User.objects.create_user("agent", password="x")


def ask_api(client: Client, **more: str) -> Any:
    return client.post(
        "/api/v1/decks/",
        json.dumps(NEW | {"format": "agency", "text": "2 Kai\n"}),
        content_type="application/json",
        **more,
    )


def made(owner: User | None = None) -> tuple[Deck, Viewer]:
    deck, _ = new_deck(owner.pk if owner else None, game="spycraft")
    save_whole(deck, DeckContent(Decklist(name="Dragons"), "agency"))
    return deck, Viewer(key_hash=deck.edit_hash)


def with_notes(length: int) -> Callable[[DeckContent], DeckContent]:
    """An edit that makes the notes so long, each time other notes."""
    return lambda content: replace(content, notes=("b" if content.notes.startswith("a") else "a") * length)


# -- one deck more ------------------------------------------------------------------------


def test_an_account_has_so_many_decks(client: Client, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_OF_ACCOUNT", 1)
    client.force_login(user)
    assert client.post("/decks/new/", NEW).status_code == 302
    answer = client.post("/decks/new/", NEW)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Your account has 1 decks" in page and "Delete decks" in page and "2 Kai</textarea>" in page
    assert Deck.objects.count() == 1


def test_a_browser_without_an_account_has_fewer_and_is_told_what_an_account_gives(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MAX_OF_BROWSER", 1)
    assert client.post("/decks/new/", NEW).status_code == 302
    answer = client.post("/decks/new/", NEW)
    assert answer.status_code == 409 and "log in and take them along" in answer.content.decode()
    assert Client().post("/decks/new/", NEW).status_code == 302


def test_an_address_makes_so_many_decks_a_day_by_pages_and_api_together(
    client: Client, settings: Any
) -> None:
    settings.CUTOUT_DECKS_PER_DAY = 2
    assert ask_api(Client()).status_code == 201
    assert client.post("/decks/new/", NEW).status_code == 302
    page, api = Client().post("/decks/new/", NEW), ask_api(Client())
    assert (page.status_code, api.status_code) == (429, 429)
    assert 0 < int(page["Retry-After"]) <= 86_400 and int(api["Retry-After"]) <= 86_400
    assert api.json()[0]["code"] == "too_many_decks_today"
    assert Client(REMOTE_ADDR="192.0.2.7").post("/decks/new/", NEW).status_code == 302


def test_a_list_that_is_not_stored_is_not_counted(client: Client, settings: Any) -> None:
    settings.CUTOUT_DECKS_PER_DAY = 1
    assert client.post("/decks/new/", NEW | {"text": "2 Nobody at all"}).status_code == 400
    assert client.post("/decks/new/", NEW).status_code == 302


def test_what_a_full_site_refuses_is_not_counted_either(client: Client, settings: Any) -> None:
    room_there_is, settings.CUTOUT_DATABASE_MEGABYTES = settings.CUTOUT_DATABASE_MEGABYTES, 0
    settings.CUTOUT_DECKS_PER_DAY = 1
    assert [client.post("/decks/new/", NEW).status_code for _ in range(2)] == [507, 507]
    settings.CUTOUT_DATABASE_MEGABYTES = room_there_is
    assert client.post("/decks/new/", NEW).status_code == 302


@pytest.mark.both_databases
def test_a_request_that_is_sent_again_makes_no_deck_and_counts_none(settings: Any) -> None:
    settings.CUTOUT_DECKS_PER_DAY = 1
    client, name = Client(), {"headers": {"Idempotency-Key": "a-name-that-nobody-guesses"}}
    assert [ask_api(client, **name).status_code for _ in range(3)] == [201, 201, 201]


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/decks/new/", {"game": "spycraft", "start": "empty", "name": "Dragons"}),
        ("/check/save/", {"game": "spycraft", "text": "2 Kai"}),
        ("/decks/import/", {**NEW, "step": "keep", "visibility": "private"}),
        ("/games/spycraft/house/", {"format": "agency"}),
    ],
)
def test_every_page_that_makes_a_deck_says_what_is_full_and_stores_nothing(
    client: Client, settings: Any, address: str, sent: dict[str, str]
) -> None:
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    answer = client.post(address, sent)
    assert answer.status_code == 507
    assert "This site has no room left for decks" in answer.content.decode()
    assert not Deck.objects.exists() and not BrowserAccess.objects.exists()


def test_a_full_site_refuses_a_fork_and_says_so_on_the_decks_page(client: Client, settings: Any) -> None:
    source, _ = made()
    Deck.objects.update(visibility="public")
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    assert "no room left" in client.post(f"/decks/{source.link}/fork/", follow=True).content.decode()
    assert Deck.objects.count() == 1
    assert client.post(f"/api/v1/decks/{source.link}/fork/").status_code == 507


def test_a_full_site_takes_no_change_and_says_so_in_the_editor_with_what_was_typed(
    client: Client, settings: Any
) -> None:
    address = client.post("/decks/new/", NEW)["Location"]
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    answer = client.post(f"{address}edit/", {"edit": "add", "q": "3 Termite"})
    assert answer.status_code == 507
    assert "no room left" in answer.content.decode() and "3 Termite" in answer.content.decode()
    assert DeckRevision.objects.count() == 1
    assert client.get(address).status_code == 200


def test_a_program_is_told_in_the_one_shape_that_the_site_is_full(settings: Any) -> None:
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    answer = ask_api(Client())
    assert (answer.status_code, [fault["code"] for fault in answer.json()]) == (507, ["site_full"])


def test_a_full_site_is_still_moderated(settings: Any) -> None:
    deck, _ = made()
    Deck.objects.update(visibility="public")
    settings.CUTOUT_DATABASE_MEGABYTES = 0
    moderate(deck.pk, name="Dragons", notes="Taken out.")
    assert Deck.objects.get().notes == "Taken out."


def test_four_states_of_the_longest_deck_fill_the_room_for_states_without_a_name() -> None:
    assert revision.ALWAYS_KEPT * MAX_STATE <= revision.MAX_UNNAMED_BYTES


def test_the_database_is_measured_once_a_minute() -> None:
    assert room.database_bytes() > 100_000
    with CaptureQueriesContext(connection) as asked:
        room.database_bytes()
    assert not asked.captured_queries


def test_looking_whether_there_is_room_costs_a_new_deck_one_query_and_a_change_none(
    client: Client, user: User
) -> None:
    client.force_login(user)
    room.database_bytes(), catalogue()
    with CaptureQueriesContext(connection) as free:
        save_whole(new_deck(user.pk, game="spycraft")[0], DeckContent(Decklist(name="Dragons"), "agency"))
    bound = new_deck(user.pk, game="spycraft")[0]
    bound.maker = Viewer(user.pk), "192.0.2.1"
    with CaptureQueriesContext(connection) as counted:
        save_whole(bound, DeckContent(Decklist(name="Dragons"), "agency"))
    assert len(counted) == len(free) + 1


@pytest.mark.both_databases
def test_an_account_takes_along_no_more_decks_than_it_has_room_for(
    client: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        client.post("/decks/new/", NEW)
    monkeypatch.setattr(room, "MAX_OF_ACCOUNT", 2)
    client.force_login(user)
    answer = client.post(
        "/account/take/", {"deck": list(Deck.objects.values_list("link", flat=True))}, follow=True
    )
    assert "the most that it may have" in answer.content.decode()
    assert Deck.objects.filter(owner=user).count() == 2


# -- versions -----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_old_states_go_when_all_together_are_too_long_and_the_newest_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revision, "THINNED_EVERY", 1)
    monkeypatch.setattr(revision, "MAX_UNNAMED_BYTES", 10_000)
    monkeypatch.setattr(revision, "ALWAYS_KEPT", 3)
    deck, me = made()
    for _ in range(9):
        save_edit(deck.link, me, with_notes(2_000))
    rows = list(DeckRevision.objects.of(deck.pk).values_list("number", "length"))
    assert [number for number, _ in rows] == [6, 7, 8, 9]
    assert sum(length for _, length in rows) <= 10_000
    for _ in range(5):
        save_edit(deck.link, me, with_notes(5_000))
    assert list(DeckRevision.objects.of(deck.pk).values_list("number", flat=True)) == [12, 13, 14]


def test_a_history_of_usual_states_is_thinned_out_at_one_save_of_eight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revision, "MAX_UNNAMED", 4)
    monkeypatch.setattr(revision, "STEPS_KEPT", 1)
    deck, me = made()
    kept = []
    for _ in range(24):
        save_edit(deck.link, me, with_notes(100))
        kept.append(DeckRevision.objects.of(deck.pk).count())
    # The state of the beginning has number 0.
    assert kept == [*range(2, 9), 4, *range(5, 12), 4, *range(5, 12), 4]


def test_a_history_is_thinned_out_at_once_by_a_state_longer_than_usual_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revision, "MAX_UNNAMED", 4)
    monkeypatch.setattr(revision, "STEPS_KEPT", 1)
    monkeypatch.setattr(revision, "USUAL_BYTES", 2_000)
    deck, me = made()
    for _ in range(5):
        save_edit(deck.link, me, with_notes(100))
    save_edit(deck.link, me, with_notes(2_000))
    assert DeckRevision.objects.of(deck.pk).count() == 4


def test_undoing_goes_back_as_far_as_states_are_kept_and_says_where_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revision, "THINNED_EVERY", 1)
    monkeypatch.setattr(revision, "MAX_UNNAMED_BYTES", 1)
    monkeypatch.setattr(revision, "ALWAYS_KEPT", 2)
    deck, me = made()
    for _ in range(4):
        save_edit(deck.link, me, with_notes(2_000))
    undo(deck.link, me)
    with pytest.raises(Refused, match="nothing to undo"):
        undo(deck.link, me)


def test_named_versions_stay_whatever_the_others_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revision, "THINNED_EVERY", 1)
    monkeypatch.setattr(revision, "MAX_UNNAMED_BYTES", 1)
    monkeypatch.setattr(revision, "ALWAYS_KEPT", 1)
    deck, me = made()
    name_version(deck.link, me, 0, "First draft")
    for _ in range(3):
        save_edit(deck.link, me, with_notes(2_000))
    assert list(DeckRevision.objects.of(deck.pk).values_list("number", flat=True)) == [0, 3]


def test_named_versions_have_so_many_bytes_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = client.post("/decks/new/", NEW)["Location"]
    monkeypatch.setattr(history, "MAX_NAMED_BYTES", 100)
    answer = client.post(f"{address}history/0/name/", {"name": "First draft"})
    assert answer.status_code == 409
    assert "Take away the name of another version first." in answer.content.decode()
    assert not DeckRevision.objects.exclude(name="").exists()


def test_a_state_knows_how_long_it_is() -> None:
    deck, me = made()
    save_edit(deck.link, me, with_notes(500))
    row = DeckRevision.objects.get(number=1)
    assert row.length == len(json.dumps(row.content))


@pytest.mark.both_databases
def test_states_of_before_are_measured_when_the_site_is_brought_up_to_date() -> None:
    deck, me = made()
    save_edit(deck.link, me, with_notes(500))
    lengths = dict(DeckRevision.objects.values_list("number", "length"))
    DeckRevision.objects.update(length=0)
    with connection.cursor() as cursor:
        editor = SimpleNamespace(connection=connection, execute=cursor.execute)
        import_module("decks.migrations.0014_account_sessions").measure(None, editor)
    assert dict(DeckRevision.objects.values_list("number", "length")) == lengths


# -- decks that nobody opens --------------------------------------------------------------


def long_ago(deck: Deck, days: int = 731) -> None:
    Deck.objects.filter(pk=deck.pk).update(
        opened=today() - timedelta(days), changed=timezone.now() - timedelta(days)
    )


@pytest.mark.both_databases
def test_a_deck_without_an_owner_that_nobody_opened_for_two_years_is_deleted(user: User) -> None:
    (gone, _), (late, _), (owned, _), (liked, _) = made(), made(), made(user), made()
    for deck, days in ((gone, 731), (late, 700), (owned, 9_999), (liked, 9_999)):
        long_ago(deck, days)
    Favourite.objects.create(deck=liked, user=user)
    assert delete_expired() == 1
    assert set(Deck.objects.all()) == {late, owned, liked}


@pytest.mark.parametrize(
    "address", ["/decks/{0}/", "/decks/{0}/embed/", "/api/v1/decks/{0}/", "/print/?deck={0}"]
)
def test_whoever_opens_it_keeps_it(client: Client, address: str) -> None:
    ask_api(client)
    Deck.objects.update(visibility="public")
    deck = Deck.objects.get()
    long_ago(deck)
    assert client.get(address.format(deck.link)).status_code == 200
    assert Deck.objects.get().opened == today()
    assert delete_expired() == 0


@pytest.mark.both_databases
def test_opening_is_written_once_a_day_and_of_decks_with_an_owner_never(user: User) -> None:
    deck, _ = made()
    long_ago(deck)
    deck.refresh_from_db()
    note_opened(deck)
    deck.refresh_from_db()
    owned, _ = made(user)
    owned.opened = today() - timedelta(9)
    with CaptureQueriesContext(connection) as queries:
        note_opened(deck)
        note_opened(owned)
    assert len(queries) == 0


def test_who_makes_a_deck_without_an_account_is_told_when_it_expires(client: Client) -> None:
    assert "it is not opened for two years" in client.get("/decks/new/").content.decode()
    assert (
        "stays as long as it is opened every two years"
        in client.post("/decks/new/", NEW, follow=True).content.decode()
    )
