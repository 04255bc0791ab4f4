"""Where an account is logged in is listed to it alone, and ended by it alone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.accounts.backend import browser_named, forget_ended_sessions, sessions_of
from decks.models import AccountSession

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"
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
def mallory() -> User:
    return User.objects.create_user("Mallory", password=PASSWORD)


def logged_in(agent: str = FIREFOX, name: str = "Mallory") -> Client:
    client = Client(HTTP_USER_AGENT=agent)
    assert client.post("/accounts/login/", {"login": name, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def listed(client: Client) -> list[str]:
    return re.findall(r'<li class="row"><span class="name">([^<]*)</span>', client.get(PAGE).content.decode())


@pytest.mark.both_databases
def test_each_browser_is_listed_and_ended_by_itself_or_with_all_others(mallory: User) -> None:
    here, there, phone, edge = logged_in(), logged_in(), logged_in(PHONE), logged_in(EDGE)
    assert listed(here) == ["Edge on Windows", "Safari on an iPhone", "Firefox on Linux", "Firefox on Linux"]
    assert here.get(PAGE).content.decode().count("this browser") == 1
    gone = AccountSession.objects.get(browser="Safari on an iPhone")
    assert here.post(PAGE, {"session": gone.pk})["Location"] == PAGE
    assert [is_in(client) for client in (here, there, phone, edge)] == [True, True, False, True]
    here.post(PAGE, {"session": "others"})
    assert [is_in(client) for client in (here, there, edge)] == [True, False, False] and listed(here) == [
        "Firefox on Linux"
    ]


@pytest.mark.both_databases
def test_nobody_ends_the_log_in_of_another(mallory: User) -> None:
    User.objects.create_user("Trent", password=PASSWORD)
    hers, his = logged_in(), logged_in(name="Trent")
    for session in (AccountSession.objects.get(user=mallory).pk, "others", "", "x", "\x00", "9" * 30):
        his.post(PAGE, {"session": session})
    assert is_in(hers) and is_in(his) and listed(his) == ["Firefox on Linux"]
    assert sessions_of(Viewer()) == sessions_of(Viewer(browser="x" * 64)) == []


def test_it_asks_who_one_is(client: Client, mallory: User) -> None:
    client.force_login(mallory)
    for answer in (client.get(PAGE), client.post(PAGE, {"session": "others"})):
        assert answer["Location"].startswith("/accounts/reauthenticate/")


@pytest.mark.both_databases
def test_after_a_new_password_this_browser_alone_is_listed(mallory: User) -> None:
    here, other, new = logged_in(), logged_in(EDGE), "another field at dusk"
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert not is_in(other) and listed(here) == ["Firefox on Linux"]


def test_what_has_ended_is_not_listed_and_is_forgotten(mallory: User) -> None:
    here, other = logged_in(), logged_in(EDGE)
    Session.objects.get(pk=other.session.session_key).delete()
    assert listed(here) == ["Firefox on Linux"] and AccountSession.objects.count() == 2
    forget_ended_sessions()
    assert AccountSession.objects.count() == 1


def test_a_browser_that_says_nothing_of_itself_is_a_browser() -> None:
    assert [browser_named(agent) for agent in ("", "Mozilla/5.0 (X11; Linux)", "curl/8")] == [
        "A browser",
        "A browser on Linux",
        "A browser",
    ]
