"""What a guest has made is lost by nothing that happens to an account: a log-out, its deletion, a new
password, the end of a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from cardsdb.site import middleware
from decks.accounts.kinds import kinds
from decks.models import AccountSession, Deck
from printing.models import PrinterCalibration
from tests.support.guests import guest, known_as, token_of
from tests.support.own_sets import own_card, own_set
from tests.support.pages import page
from tests.support.picture_pages import JPEG, OTHER, bring
from tests.support.print_jobs import no_files_of_others, stored_job  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
PASSWORD = "a quiet field at noon"
READ = {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0.2", "middle": "0"}
ALL = {
    "decks": 1,
    "collection": 3,
    "formats": 1,
    "sets": 1,
    "texts": 1,
    "pictures": 1,
    "printers": 1,
    "jobs": 1,
    "prints": 1,
    "searches": 1,
}


@pytest.fixture(autouse=True)
def pictures(settings: Any, tmp_path: Path) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path)


@pytest.fixture
def maker(client: Client, agency_text: str) -> Client:
    """A guest who has made one of everything."""
    client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    client.post("/collection/import/", {"text": "count,code,game\n3,kai,spycraft\n"})
    client.post("/formats/", {"name": "Tuesday", "base": "spycraft/agency"})
    bring(client, ("kai.jpg", JPEG))
    client.post("/print/texts/spycraft/kai/", {"text": "It counts double on Tuesdays."})
    own_card(own_set(guest(client)))
    client.post("/print/calibration/", READ)
    stored_job(client)
    client.post("/search/saved/", {"name": "Krypt people", "q": "krypt"})
    client.get(f"/print/sheets.pdf?deck={Deck.objects.get().link}")
    assert held(guest(client)) == ALL
    return client


def held(viewer: Viewer) -> dict[str, int]:
    return {kind.key: kind.count(viewer) for kind in kinds() if kind.take}


def signed_up(client: Client, name: str = "Mallory") -> Client:
    answer = client.post("/accounts/signup/", {"username": name, "email": "", "password1": PASSWORD})
    assert answer.status_code == 302
    return client


def log_out(client: Client) -> None:
    client.post("/accounts/logout/")


def delete_the_account(client: Client) -> None:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert (
        "What this browser has without it stays here"
        in client.post("/account/delete/", {"sure": "yes"}, follow=True).content.decode()
    )


def new_password_elsewhere(client: Client) -> None:
    new, other = "another field at dusk", Client()
    other.post("/accounts/login/", {"login": "Mallory", "password": PASSWORD})
    other.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})


def log_out_from_elsewhere(client: Client) -> None:
    other, mine = Client(), AccountSession.objects.get().pk
    other.post("/accounts/login/", {"login": "Mallory", "password": PASSWORD})
    other.post("/account/log-ins/", {"session": mine})


def let_the_session_end(client: Client) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))


@pytest.mark.parametrize(
    "leave",
    [log_out, delete_the_account, new_password_elsewhere, log_out_from_elsewhere, let_the_session_end],
)
def test_a_guests_things_stay_with_the_browser_whatever_ends_the_log_in(
    maker: Client, leave: Callable[[Client], None]
) -> None:
    before = guest(maker)
    leave(signed_up(maker))
    assert maker.get("/account/").status_code == 302
    assert guest(maker) == before and held(before) == ALL
    assert "It counts double" in maker.get("/print/texts/spycraft/kai/").content.decode()
    assert "Hall" in maker.get("/print/calibration/").content.decode()
    assert "Krypt people" in maker.get("/search/saved/").content.decode()
    assert maker.get(f"/decks/{Deck.objects.get().link}/edit/").status_code == 200


def test_a_picture_alone_is_enough_to_be_kept(client: Client) -> None:
    bring(client, ("kai.jpg", JPEG))
    log_out(signed_up(client))
    assert held(guest(client))["pictures"] == 1 and "kai.jpg" in client.get("/pictures/").content.decode()


def test_what_the_account_made_does_not_stay_with_the_browser(maker: Client) -> None:
    bring(signed_up(maker), ("termite.jpg", OTHER))
    log_out(maker)
    assert held(guest(maker)) == ALL and "termite.jpg" not in maker.get("/pictures/").content.decode()


def test_the_account_page_offers_each_kind_and_takes_along_what_is_ticked(maker: Client) -> None:
    browser = guest(signed_up(maker))
    page = maker.get("/account/").content.decode()
    whole = [key for key in ALL if key != "decks"]
    assert all(f'name="kind" value="{key}"' in page for key in whole) and "Dragons" in page
    for words in (
        "3 collected cards",
        "1 format",
        "1 set",
        "1 text",
        "1 picture",
        "1 printer",
        "1 print job",
        "1 print",
        "1 search",
    ):
        assert f'<span class="hint">{words}</span>' in page
    answer = maker.post(
        "/account/take/", {"deck": [Deck.objects.get().link], "kind": ["sets", "printers"]}, follow=True
    )
    assert "1 printer is now your account’s." in answer.content.decode()
    left = ALL | {"decks": 0, "sets": 0, "printers": 0}
    assert held(browser) == left
    maker.post("/account/take/", {"kind": whole})
    assert set(held(browser).values()) == {0} and held(Viewer(User.objects.get().pk)) == ALL
    assert "not yet in your account" not in maker.get("/account/").content.decode()


def test_whoever_logs_in_on_the_way_to_another_page_is_told_what_the_browser_has(maker: Client) -> None:
    User.objects.create_user("Trent", password=PASSWORD)
    sent = {"login": "Trent", "password": PASSWORD, "next": "/decks/"}
    told = maker.post("/accounts/login/?next=/decks/", sent, follow=True).content.decode()
    assert "This browser has 1 deck, 3 collected cards" in told and "1 picture" in told
    assert (
        "This browser has"
        not in Client().post("/accounts/login/?next=/decks/", sent, follow=True).content.decode()
    )


def test_the_deletion_page_counts_what_goes_and_says_what_stays(maker: Client) -> None:
    bring(signed_up(maker), ("kai.jpg", JPEG))
    maker.post("/accounts/reauthenticate/", {"password": PASSWORD})
    told = page(maker, "/account/delete/")
    assert told.one("dt", text="Your pictures").parent.one("dd").text == "1 picture"
    assert "Your formats" not in told.text
    stays = (
        "This browser has 1 deck, 3 collected cards, 1 format, 1 search, 1 set, 1 text, 1 picture, 1 printer,"
        " 1 print job, 1 print without the account."
    )
    assert stays in told.text


def test_nobody_takes_along_what_another_browser_has(maker: Client) -> None:
    other = signed_up(Client())
    other.post("/account/take/", {"kind": list(ALL), "deck": [Deck.objects.get().link]})
    assert held(guest(maker)) == ALL and set(held(Viewer(User.objects.get().pk)).values()) == {0}


# -- the cookie


def test_the_cookie_is_out_of_reach_of_scripts_and_lasts_a_year(client: Client, agency_text: str) -> None:
    client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    cookie = client.cookies["browser"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (
        True,
        "Lax",
        "/",
        365 * 24 * 60 * 60,
    )


def test_who_only_looks_gets_no_cookie(client: Client) -> None:
    for address in ("/", "/cards/", "/decks/", "/pictures/", "/account/"):
        client.get(address)
    assert "browser" not in client.cookies


def test_the_cookie_is_sent_anew_to_a_browser_that_comes_back_after_a_month() -> None:
    today = timezone.now().date()
    for days, is_anew in ((29, False), (31, True)):
        browser = known_as("ada", today - timedelta(days=days))
        answer = browser.get("/pictures/")
        assert ("browser" in answer.cookies) is is_anew and token_of(browser).startswith("ada-")


def test_a_browser_of_before_the_cookie_gets_it_and_keeps_all(client: Client) -> None:
    made = known_as("old")
    made.post("/print/calibration/", READ)
    session = client.session
    session["browser"] = token_of(made)
    session.save()
    assert "Hall" in client.get("/print/calibration/").content.decode()
    assert token_of(client) == token_of(made)
    client.session.delete()
    assert PrinterCalibration.objects.of(guest(client)).count() == 1


def test_a_browser_of_before_the_cookie_that_logs_out_first_keeps_all(client: Client) -> None:
    made = known_as("old")
    made.post("/print/calibration/", READ)
    client.force_login(User.objects.create_user("Trent"))
    session = client.session
    session["browser"] = token_of(made)
    session.save()
    log_out(client)
    assert guest(client) == guest(made)


def test_a_browser_of_before_the_cookie_that_deletes_its_account_first_keeps_all(client: Client) -> None:
    made = known_as("old")
    made.post("/print/calibration/", READ)
    signed_up(client)
    session = client.session
    session["browser"] = token_of(made)
    session.save()
    delete_the_account(client)
    assert guest(client) == guest(made)


def test_while_the_database_is_busy_a_cookie_is_not_sent_anew_but_by_the_next_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser = known_as("ada", timezone.now().date() - timedelta(days=31))
    with monkeypatch.context() as busy:
        busy.setattr(middleware, "short_wait", locked)
        assert "browser" not in browser.get("/pictures/").cookies
    assert "browser" in browser.get("/pictures/").cookies


@contextmanager
def locked() -> Iterator[None]:
    raise OperationalError("database is locked")
    yield


# -- decks of the account


def test_where_a_log_in_was_ended_from_elsewhere_no_deck_of_the_account_is_opened(
    client: Client, agency_text: str
) -> None:
    signed_up(client)
    link = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})[
        "Location"
    ]
    shown = client.get(link).content.decode()
    edit_link = shown.split("http://testserver")[1].split('"')[0]
    client.post("/decks/edit/", {"edit_key": edit_link})
    assert client.get(f"{link}edit/").status_code == 200
    new_password_elsewhere(client)
    assert client.get(f"{link}edit/").status_code == 404
