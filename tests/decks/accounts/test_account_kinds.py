"""The things that a guest (a browser without an account) has made: nothing that happens to an account takes
them away, an account can take them along, and they are deleted only when the browser has not come back for a
year.
"""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from cardsdb.models import Browser, OwnText, UploadedPicture
from cardsdb.models.site import COOKIE_DAYS, KEPT_DAYS, RENEWED_AFTER
from cardsdb.site import middleware
from decks.accounts.account_kinds import forget_browsers
from decks.accounts.kinds import kinds
from decks.models import AccountSession, BrowserAccess, Collection, Deck
from printing.models import PrinterCalibration, PrintJob
from tests.support.accounts import (
    PASSWORD,
    change_password,
    is_in,
    log_out,
    logged_in,
    show_who_one_is,
    sign_up,
)
from tests.support.guests import guest, known_as, token_of
from tests.support.made_decks import edit_link, make_deck, open_edit_link
from tests.support.own_sets import own_card, own_set
from tests.support.pages import page, page_of
from tests.support.picture_pages import JPEG, OTHER, bring
from tests.support.pictures import coded, painted
from tests.support.print_jobs import (
    BIG,
    no_files_of_others,  # noqa: F401 (empties the folder of print jobs before each test)
    stored_job,
)

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
READ = {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0.2", "middle": "0"}
TEXT = "/print/texts/spycraft/kai/"
# Kind -> the words for what the guest ``maker`` has of it.
COUNTED = {
    "decks": "1 deck",
    "collection": "3 collected cards",
    "formats": "1 format",
    "searches": "1 search",
    "sets": "1 set",
    "texts": "1 text",
    "pictures": "1 picture",
    "printers": "1 printer",
    "jobs": "1 print job",
    "prints": "1 print",
}
# Kind -> the number of it.
ALL = {key: int(words.split()[0]) for key, words in COUNTED.items()}


@pytest.fixture(autouse=True)
def pictures(settings, tmp_path):
    """Uploaded pictures are stored in a folder of the test."""
    settings.CUTOUT_PICTURES = str(tmp_path)


@pytest.fixture
def maker(client, agency_text):
    """A browser without an account that has made one thing of each kind."""
    deck = make_deck(client, agency_text)
    client.post("/collection/import/", {"text": "count,code,game\n3,kai,spycraft\n"})
    client.post("/formats/", {"name": "Tuesday", "base": "spycraft/agency"})
    bring(client, ("kai.jpg", JPEG))
    client.post(TEXT, {"text": "It counts double on Tuesdays."})
    own_card(own_set(guest(client)))
    client.post("/print/calibration/", READ)
    stored_job(client)
    client.post("/search/saved/", {"name": "Krypt people", "q": "krypt"})
    client.get(f"/print/sheets.pdf?deck={deck.link}")
    assert held(guest(client)) == ALL
    return client


def held(viewer: Viewer) -> dict[str, int]:
    """Kind -> how many things the viewer has."""
    return {kind.key: kind.count(viewer) for kind in kinds() if kind.take}


def signed_up(client) -> Client:
    assert sign_up(client).status_code == 302
    return client


def delete_the_account(client):
    show_who_one_is(client)
    gone = page_of(client.post("/account/delete/", {"sure": "yes"}, follow=True))
    assert "What this browser has without it stays here" in gone.text


def new_password_elsewhere(client):
    change_password(logged_in())


def log_out_from_elsewhere(client):
    mine = AccountSession.objects.get().pk
    logged_in().post("/account/log-ins/", {"session": mine})


def let_the_session_end(client):
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))


# Five ways in which a log-in ends.
@pytest.mark.parametrize(
    "leave",
    [log_out, delete_the_account, new_password_elsewhere, log_out_from_elsewhere, let_the_session_end],
)
def test_a_guests_things_stay_with_the_browser_however_a_log_in_ends(maker, leave):
    before = guest(maker)
    leave(signed_up(maker))
    assert not is_in(maker)
    assert guest(maker) == before and held(before) == ALL
    for address, words in ((TEXT, "It counts double"), ("/search/saved/", "Krypt people")):
        assert words in page(maker, address).text
    assert maker.get(f"/decks/{Deck.objects.get().link}/edit/").status_code == 200


@pytest.mark.both_databases
@pytest.mark.parametrize("leave", [log_out, new_password_elsewhere])
def test_things_made_by_the_account_do_not_stay_with_the_browser(maker, agency_text, leave):
    bring(signed_up(maker), ("termite.jpg", OTHER))
    deck = make_deck(maker, agency_text, name="Of the account")
    open_edit_link(maker, edit_link(maker, deck))
    assert maker.get(f"/decks/{deck.link}/edit/").status_code == 200
    leave(maker)
    assert held(guest(maker)) == ALL and "termite.jpg" not in page(maker, "/pictures/").text
    assert [maker.get(f"/decks/{deck.link}/{part}").status_code for part in ("", "edit/")] == [404, 404]


def test_the_account_page_offers_each_kind_and_takes_along_what_is_ticked(maker):
    browser = guest(signed_up(maker))
    offered = page(maker, "/account/").one("section", aria_labelledby="held-title")
    assert "Dragons" in offered.text
    whole = {box["value"]: box.parent.one(class_="hint").text for box in offered.all("input", name="kind")}
    assert whole == {key: words for key, words in COUNTED.items() if key != "decks"}
    ticked = {"deck": [Deck.objects.get().link], "kind": ["sets", "printers"]}
    answer = page_of(maker.post("/account/take/", ticked, follow=True))
    assert "1 printer is now your account’s." in answer.text
    assert held(browser) == ALL | {"decks": 0, "sets": 0, "printers": 0}
    maker.post("/account/take/", {"kind": list(whole)})
    assert set(held(browser).values()) == {0} and held(Viewer(User.objects.get().pk)) == ALL
    assert "not yet in your account" not in page(maker, "/account/").text


def test_things_of_another_browser_cannot_be_taken_along(maker):
    other = signed_up(Client())
    other.post("/account/take/", {"kind": list(ALL), "deck": [Deck.objects.get().link]})
    assert held(guest(maker)) == ALL and set(held(Viewer(User.objects.get().pk)).values()) == {0}


def test_a_log_in_on_the_way_to_another_page_tells_what_the_browser_has(maker):
    User.objects.create_user("Trent", password=PASSWORD)
    sent = {"login": "Trent", "password": PASSWORD, "next": "/decks/"}
    for client, is_told in ((maker, True), (Client(), False)):
        answer = page_of(client.post("/accounts/login/", sent, follow=True))
        assert (f"This browser has {', '.join(COUNTED.values())} without" in answer.text) is is_told
        client.post("/accounts/logout/")
        client.post("/accounts/login/", sent)
        out = page_of(client.post("/accounts/logout/", follow=True)).text
        assert ("This browser has" in out) is is_told, "an unread message outlasts the log-out"


# -- the cookie


def test_the_cookie_is_hidden_from_scripts_and_lasts_a_year(client, agency_text):
    for address in ("/", "/cards/", "/decks/", "/pictures/", "/account/"):
        client.get(address)
    assert "browser" not in client.cookies, "reading pages sets no cookie"
    make_deck(client, agency_text)
    cookie = client.cookies["browser"]
    assert [cookie[name] for name in ("httponly", "samesite", "path", "max-age")] == [
        True,
        "Lax",
        "/",
        365 * 24 * 60 * 60,
    ]


def test_the_cookie_is_renewed_for_a_browser_that_comes_back_after_a_month():
    today = timezone.now().date()
    for days, is_anew in ((29, False), (31, True)):
        browser = known_as("ada", today - timedelta(days=days))
        answer = browser.get("/pictures/")
        assert ("browser" in answer.cookies) is is_anew and token_of(browser).startswith("ada-")


def test_a_browser_from_before_the_cookie_gets_it_at_its_first_log_out(client):
    """Before the cookie, a browser's token stood in the session."""
    made = known_as("old")
    session = signed_up(client).session
    session["browser"] = token_of(made)
    session.save()
    log_out(client)
    assert guest(client) == guest(made)


def test_a_cookie_not_renewed_while_the_database_is_busy_is_renewed_by_the_next_page(monkeypatch):
    browser = known_as("ada", timezone.now().date() - timedelta(days=31))
    with monkeypatch.context() as busy:
        busy.setattr(middleware, "short_wait", locked)
        assert "browser" not in browser.get("/pictures/").cookies
    assert "browser" in browser.get("/pictures/").cookies


@contextmanager
def locked() -> Iterator[None]:
    """In place of ``short_wait``: the database is busy."""
    raise OperationalError("database is locked")
    yield


# -- browsers that do not come back


def gone_for(client, days):
    """Pretend that the browser was last seen so many days ago."""
    seen = timezone.now().date() - timedelta(days=days)
    Browser.objects.update_or_create(hash=guest(client).browser, defaults={"seen": seen})


def test_a_browser_is_forgotten_after_a_year_but_its_deck_and_all_of_others_stay(client, agency_text):
    other, tables = Client(), (UploadedPicture, OwnText, PrinterCalibration, BrowserAccess)
    for seed, browser in enumerate((client, other)):
        bring(browser, ("one.jpg", coded(painted(size=(300, 420 + seed)))))
        browser.post(TEXT, {"text": "It counts double on Tuesdays."})
        browser.post("/print/calibration/", READ)
        deck = make_deck(browser, agency_text)
    gone_for(client, KEPT_DAYS + 1)
    assert [table.objects.count() for table in (*tables, Deck)] == [2] * 5
    assert forget_browsers() == 1
    assert [table.objects.count() for table in (*tables, Deck)] == [1, 1, 1, 1, 2]
    assert "Tuesdays" in page(other, TEXT).text
    assert other.get(f"/decks/{deck.link}/edit/").status_code == 200
    assert Browser.objects.get().hash == guest(other).browser, "a browser without a row counts as seen today"
    assert Browser.objects.get().seen == timezone.now().date()


def test_a_browser_whose_cookie_may_still_be_valid_is_not_forgotten(client, agency_text):
    """At most COOKIE_DAYS + RENEWED_AFTER days lie between the last noted visit and the end of its cookie."""
    make_deck(client, agency_text)
    gone_for(client, COOKIE_DAYS + RENEWED_AFTER)
    assert forget_browsers() == 0 and BrowserAccess.objects.exists()


def test_a_browser_that_comes_back_counts_as_seen(agency_text):
    before = timezone.now().date() - timedelta(days=300)
    browser = known_as("ada", before)
    make_deck(browser, agency_text)
    gone_for(browser, KEPT_DAYS + 1)
    browser.cookies["browser"] = known_as("ada", before).cookies["browser"].value
    browser.get("/pictures/")
    assert forget_browsers() == 0 and Browser.objects.get().seen == timezone.now().date()


def test_print_jobs_outlast_a_forgotten_browser(client):
    """They expire by themselves. A job asked for by the API belongs to its key, not to a browser."""
    answer = client.post("/api/v1/sheets/", json.dumps(BIG), content_type="application/json").json()
    browser = Client()
    stored_job(browser)
    gone_for(browser, KEPT_DAYS + 1)
    forget_browsers()
    assert PrintJob.objects.count() == 2
    assert Client().get(answer["address"], headers={"X-Job-Key": answer["key"]}).status_code == 200


def test_forgetting_browsers_deletes_nothing_of_accounts():
    owner, named = User.objects.create_user("ann"), "Firefox on Linux"
    Collection.objects.create(owner=owner)
    AccountSession.objects.create(user=owner, key="x", browser=named)
    Browser.objects.create(hash=named, seen=timezone.now().date() - timedelta(days=KEPT_DAYS + 1))
    assert forget_browsers() == 1
    assert Collection.objects.get().owner == owner and AccountSession.objects.exists()


def test_the_command_also_deletes_ended_sessions(client, agency_text):
    make_deck(client, agency_text)
    gone_for(client, KEPT_DAYS + 1)
    Session.objects.create(session_key="x", session_data="", expire_date=timezone.now() - timedelta(days=1))
    out = io.StringIO()
    call_command("clear_browsers", stdout=out)
    assert "1 browser forgotten, 0 decks deleted" in out.getvalue()
    assert not Session.objects.filter(pk="x").exists() and not BrowserAccess.objects.exists()
