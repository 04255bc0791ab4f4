"""The list of an account's log-ins, which only the account sees and ends; and accounts from before names had
keys, which differ only in case ("twins"): each logs in by its own spelling.
"""

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.accounts.backend import browser_named, forget_ended_sessions, sessions_of
from decks.models import AccountName, AccountSession
from tests.support.accounts import (
    ANOTHER,
    PASSWORD,
    change_password,
    is_in,
    listed_log_ins,
    log_in,
    logged_in,
)
from tests.support.pages import page

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PAGE = "/account/log-ins/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
    " Safari/537.36 Edg/140.0.0.0"
)
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/18.5 Mobile Safari/604.1"
)


@pytest.fixture
def mallory():
    return User.objects.create_user("Mallory", password=PASSWORD)


def browser(agent=FIREFOX, login="Mallory") -> Client:
    """A browser logged in to the account, with this User-Agent."""
    return logged_in(login, HTTP_USER_AGENT=agent)


@pytest.mark.both_databases
def test_each_browser_is_listed_and_ended_by_itself_or_with_all_others(mallory):
    here, there, phone, edge = browser(), browser(), browser(PHONE), browser(EDGE)
    assert listed_log_ins(here) == [
        "Edge on Windows",
        "Safari on an iPhone",
        "Firefox on Linux",
        "Firefox on Linux",
    ]
    ways = [row.one("span", class_="row-end").text for row in page(here, PAGE).main.all("li", class_="row")]
    assert ways.count("this browser") == 1
    gone = AccountSession.objects.get(browser="Safari on an iPhone")
    assert here.post(PAGE, {"session": gone.pk})["Location"] == PAGE
    assert [is_in(client) for client in (here, there, phone, edge)] == [True, True, False, True]
    here.post(PAGE, {"session": "others"})
    assert [is_in(client) for client in (here, there, edge)] == [True, False, False]
    assert listed_log_ins(here) == ["Firefox on Linux"]


@pytest.mark.both_databases
def test_an_account_cannot_end_the_log_ins_of_another(mallory):
    User.objects.create_user("Trent", password=PASSWORD)
    hers, his = browser(), browser(login="Trent")
    for session in (AccountSession.objects.get(user=mallory).pk, "others", "", "x", "\x00", "9" * 30):
        his.post(PAGE, {"session": session})
    assert is_in(hers) and is_in(his) and listed_log_ins(his) == ["Firefox on Linux"]
    assert sessions_of(Viewer()) == sessions_of(Viewer(browser="x" * 64)) == []


def test_the_list_of_log_ins_asks_for_confirmation(client, mallory):
    client.force_login(mallory)
    for answer in (client.get(PAGE), client.post(PAGE, {"session": "others"})):
        assert answer["Location"].startswith("/accounts/reauthenticate/")


@pytest.mark.both_databases
def test_ended_sessions_are_not_listed_and_their_rows_are_deleted(mallory):
    here, other, third = browser(), browser(EDGE), browser(PHONE)
    Session.objects.get(pk=other.session.session_key).delete()
    assert listed_log_ins(here) == ["Safari on an iPhone", "Firefox on Linux"]
    assert AccountSession.objects.count() == 3
    forget_ended_sessions()
    assert AccountSession.objects.count() == 2
    change_password(here)
    assert not is_in(third) and listed_log_ins(here) == ["Firefox on Linux"]


@pytest.mark.parametrize(
    ("agent", "name"),
    [("", "A browser"), ("Mozilla/5.0 (X11; Linux)", "A browser on Linux"), ("curl/8", "A browser")],
)
def test_an_unknown_user_agent_is_called_a_browser(agent, name):
    assert browser_named(agent) == name


# -- twins: bob and Bob, accounts from before names had keys


@pytest.fixture
def twins():
    """[bob, Bob]: the older account has the key of the name, the younger a key with a number."""
    made = []
    for name, password in (("bob", PASSWORD), ("Bob", ANOTHER)):
        user = User(username=name)
        user.set_password(password)
        made += User.objects.bulk_create([user])
    AccountName.objects.all().delete()
    for user, key in zip(made, ("bob", f"bob#{made[1].pk}"), strict=True):
        AccountName.objects.create(user=user, key=key)
    return made


def let_in(name, password) -> str:
    """The primary key of the account that a log-in opens, empty if it fails."""
    return str(logged_in(name, password).session.get("_auth_user_id", ""))


def test_each_twin_logs_in_by_their_own_spelling_and_password(twins):
    older, younger = (str(twin.pk) for twin in twins)
    assert (let_in("bob", PASSWORD), let_in("Bob", ANOTHER)) == (older, younger)
    assert let_in("BOB", PASSWORD) == older, "any other spelling is the older's"
    assert not let_in("bob", ANOTHER) and not let_in("Bob", PASSWORD)
    for _ in range(10):
        log_in(Client(), "bob", "wrong")
    assert not let_in("bob", PASSWORD)
    assert let_in("Bob", ANOTHER), "wrong passwords are counted for each twin separately"


def test_both_twins_can_change_their_password(twins):
    for twin, old in zip(twins, (PASSWORD, ANOTHER), strict=True):
        client, new = Client(), f"{old} and later"
        client.force_login(twin)
        assert change_password(client, old, new).status_code == 302
        assert let_in(twin.username, new) == str(twin.pk)


@pytest.mark.both_databases
def test_a_twin_without_a_key_gets_a_numbered_one_and_a_plain_one_for_a_free_name(twins):
    twin = twins[1]
    AccountName.objects.filter(user=twin).delete()
    twin.save()
    assert AccountName.objects.get(user=twin).key == f"bob#{twin.pk}"
    twin.username = "Robert"
    twin.save()
    assert AccountName.objects.get(user=twin).key == "robert"
