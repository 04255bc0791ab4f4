"""The audit log: which events are recorded, what is not revealed, and who can read it."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from cardsdb.models import AuditEntry, Visibility
from cardsdb.models.audit import Event
from cardsdb.site import audit
from cardsdb.watch import requests
from decks.models import Deck
from decks.saving.history import keep_deck_private
from tests.support.made_decks import named_deck
from tests.support.pages import page
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def hers(client, ada):
    """Return a client that is logged in as Ada, with an empty log."""
    client.force_login(ada)
    AuditEntry.objects.all().delete()
    return client


def recorded() -> list[tuple[str, int | None, int | None]]:
    """Return (event, account concerned, account that did it) of all entries, the oldest first."""
    return list(AuditEntry.objects.order_by("pk").values_list("what", "account", "by"))


# -- accounts -------------------------------------------------------------------------------


def log_in(client: Client, name: str, password: str) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": password})


@pytest.mark.both_databases
def test_log_ins_and_log_outs_are_told_with_browser_and_network_as_keyed_hashes(client, ada):
    assert log_in(client, "ada", PASSWORD).status_code == 302
    client.post("/accounts/logout/")
    assert recorded() == [(Event.LOGIN, ada.pk, ada.pk), (Event.LOGOUT, ada.pk, ada.pk)]
    first, second = AuditEntry.objects.order_by("pk")
    assert len(first.network) == 24 and first.network == second.network and "127" not in first.network
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    log_in(elsewhere, "ada", PASSWORD)
    assert AuditEntry.objects.latest("pk").network != first.network


def test_a_wrong_password_is_told_to_the_account_and_no_name_is_logged(client, ada, caplog):
    log_in(client, "ADA", "sesame")
    log_in(client, "nobody-of-that-name", "sesame")
    assert recorded() == [(Event.FAILED_LOGIN, ada.pk, None), (Event.FAILED_LOGIN, None, None)]
    lines = [record for record in caplog.records if record.name == "cutout.audit"]
    assert [record.levelname for record in lines] == ["WARNING", "WARNING"]
    written = " ".join(
        [str(record.__dict__) for record in lines] + [str(row) for row in AuditEntry.objects.values()]
    )
    assert "sesame" not in written and "nobody-of-that-name" not in written and "127.0.0.1" not in written


def test_a_wrong_password_causes_the_same_writes_for_an_unknown_account(client, ada):
    log_in(client, "ada", "sesame")
    written = {}
    for name in ("ada", "nobody-of-that-name"):
        sent = queries_of(partial(log_in, client, name, "sesame"))
        written[name] = [sql.split()[0] for sql in sent if not sql.startswith("SELECT")]
    assert "INSERT" in written["ada"] and written["nobody-of-that-name"] == written["ada"]


@pytest.mark.both_databases
def test_changes_of_password_and_mail_address_are_recorded(hers, ada):
    hers.post("/accounts/reauthenticate/", {"password": PASSWORD})
    hers.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": PASSWORD + "!", "password2": PASSWORD + "!"},
    )
    hers.post("/accounts/email/", {"action_add": "", "email": "ada@example.org"})
    assert recorded() == [(Event.PASSWORD, ada.pk, ada.pk), (Event.MAIL, ada.pk, ada.pk)]
    assert "ada@example.org" not in str(list(AuditEntry.objects.values()))


def test_deleting_an_account_deletes_its_entries_and_records_only_the_deletion(hers, ada):
    number = ada.pk
    hers.post("/accounts/reauthenticate/", {"password": PASSWORD})
    hers.get("/account/export.zip").getvalue()
    assert recorded() == [(Event.EXPORT, number, number)]
    hers.post("/account/delete/", {"sure": "yes"})
    assert recorded() == [(Event.ACCOUNT_DELETED, None, None)]
    assert AuditEntry.objects.get().detail == f"account {number}"


# -- what people share ----------------------------------------------------------------------


def test_a_deleted_deck_and_a_new_link_are_recorded(hers, ada):
    deck = named_deck(hers, "Alpha", "2 Kai")
    hers.post(f"/decks/{deck.link}/new-link/")
    deck.refresh_from_db()
    hers.post(f"/decks/{deck.link}/delete/")
    assert recorded() == [(Event.LINK, ada.pk, ada.pk), (Event.DELETED, ada.pk, ada.pk)]


@pytest.mark.both_databases
def test_a_change_of_who_can_see_a_deck_is_recorded_once_also_that_of_staff(
    hers, ada, admin_client, admin_user
):
    deck = named_deck(hers, "Alpha", "2 Kai")
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PRIVATE)
    for public in ("yes", "yes", "no", "yes"):
        hers.post(f"/decks/{deck.link}/publish/", {"public": public})
    admin_client.post(f"/moderation/deck-{deck.pk}/", {"do": "hide", "because": "A name of somebody."})
    entries = AuditEntry.objects.filter(number=deck.pk, thing="deck").order_by("pk")
    assert list(entries.values_list("what", "account", "by", "name", "detail")) == [
        (Event.VISIBILITY, ada.pk, ada.pk, "Alpha", "private, now public"),
        (Event.VISIBILITY, ada.pk, ada.pk, "Alpha", "public, now private"),
        (Event.VISIBILITY, ada.pk, ada.pk, "Alpha", "private, now public"),
        (Event.KEPT_PRIVATE, ada.pk, admin_user.pk, "Alpha", ""),
    ]


def test_an_event_in_a_rolled_back_transaction_is_not_recorded(ada):
    deck = Deck.objects.create(game="spycraft", name="Alpha", owner=ada, visibility=Visibility.PUBLIC)
    with pytest.raises(RuntimeError), transaction.atomic():
        keep_deck_private(deck.pk, "Because.")
        assert recorded() == [(Event.KEPT_PRIVATE, ada.pk, None)]
        raise RuntimeError
    assert recorded() == []


# -- the log itself -------------------------------------------------------------------------


@pytest.mark.both_databases
def test_entries_cannot_be_changed(ada):
    audit.note(Event.LOGIN, ada.pk)
    entry = AuditEntry.objects.get()
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        AuditEntry.objects.all().update(what=Event.LOGOUT)


def test_people_can_read_only_their_own_history(hers, ada):
    audit.note(Event.DELETED, ada.pk, thing="deck", name="Hers")
    audit.note(Event.DELETED, User.objects.create_user("eve").pk, thing="deck", name="Others")
    text = page(hers, "/account/history/").text
    assert "“Hers”" in text and "Others" not in text
    assert not AuditEntry.objects.of(Viewer(browser="x" * 64)).exists()


def test_the_history_tells_events_from_other_networks_apart(hers, client, ada):
    Client(REMOTE_ADDR="192.0.2.7").post("/accounts/login/", {"login": "ada", "password": "wrong"})
    hers.post("/accounts/reauthenticate/", {"password": "wrong"})
    text = page(hers, "/account/history/").text
    assert (
        text.count("A wrong password, passkey or code was tried") == 2
        and text.count("from elsewhere") == text.count("from your network") == 1
    )


@pytest.mark.both_databases
def test_the_admin_shows_entries_without_names_of_things_and_cannot_delete_them(admin_client, ada):
    audit.note(Event.DELETED, ada.pk, thing="deck", number=7, name="A private name")
    entry = AuditEntry.objects.get(thing="deck")
    for address in ("/admin/cardsdb/auditentry/", f"/admin/cardsdb/auditentry/{entry.pk}/change/"):
        answer = admin_client.get(address)
        assert answer.status_code == 200 and b"A private name" not in answer.content
    assert (
        admin_client.post(f"/admin/cardsdb/auditentry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    )


def test_clear_browsers_deletes_old_entries(ada, settings):
    settings.CUTOUT_AUDIT_DAYS = 30
    AuditEntry.objects.create(what=Event.LOGIN, account=ada, made=timezone.now() - timedelta(days=31))
    AuditEntry.objects.create(what=Event.LOGOUT, account=ada, made=timezone.now() - timedelta(days=29))
    call_command("clear_browsers")
    assert [what for what, _, _ in recorded()] == [Event.LOGOUT]


def test_one_network_can_add_only_so_many_entries_a_day(rf, ada):
    token = requests._current.set(rf.get("/", REMOTE_ADDR="198.51.100.9"))
    try:
        for _ in range(audit.MAX_A_DAY + 2):
            audit.note(Event.VISIBILITY, thing="deck")
    finally:
        requests._current.reset(token)
    assert len(recorded()) == audit.MAX_A_DAY
