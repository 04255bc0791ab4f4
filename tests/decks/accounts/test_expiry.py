"""What hangs on browsers that do not come back for a year is cleared: no more than that."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from cardsdb.models import Browser, OwnText, UploadedPicture
from cardsdb.models.site import COOKIE_DAYS, KEPT_DAYS, RENEWED_AFTER
from decks.accounts.account_kinds import forget_browsers
from decks.models import AccountSession, BrowserAccess, Collection, Deck
from printing.models import PrinterCalibration, PrintJob
from tests.support.guests import guest, known_as, token_of
from tests.support.picture_pages import bring
from tests.support.pictures import coded, painted
from tests.support.print_jobs import BIG, no_files_of_others, stored_job  # noqa: F401

pytestmark = pytest.mark.django_db


def make_deck(client: Client, text: str) -> Deck:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": text})
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def gone_for(client: Client, days: int) -> None:
    """The browser was seen last so many days ago."""
    Browser.objects.update_or_create(
        hash=guest(client).browser, defaults={"seen": timezone.now().date() - timedelta(days=days)}
    )


def test_a_browser_that_does_not_come_back_for_a_year_is_forgotten_and_its_deck_is_not(
    client: Client, agency_text: str
) -> None:
    gone = make_deck(client, agency_text)
    Collection.objects.create(browser=BrowserAccess.objects.get().browser)
    other = Client()
    kept = make_deck(other, agency_text)
    gone_for(client, KEPT_DAYS + 1)
    assert forget_browsers() == 1
    assert [held.deck for held in BrowserAccess.objects.all()] == [kept]
    assert not Collection.objects.exists()
    assert Deck.objects.filter(pk=gone.pk).exists()
    assert other.get(f"/decks/{kept.link}/edit/").status_code == 200


def test_a_browser_whose_cookie_may_still_live_is_not_forgotten(client: Client, agency_text: str) -> None:
    """One that was last seen a day before its cookie was due anew has it for a year from then on."""
    make_deck(client, agency_text)
    gone_for(client, COOKIE_DAYS + RENEWED_AFTER)
    assert forget_browsers() == 0 and BrowserAccess.objects.exists()


def test_one_that_comes_back_counts_as_seen(agency_text: str) -> None:
    browser = known_as("ada", timezone.now().date() - timedelta(days=300))
    make_deck(browser, agency_text)
    gone_for(browser, KEPT_DAYS + 1)
    browser.cookies["browser"] = (
        known_as("ada", timezone.now().date() - timedelta(days=300)).cookies["browser"].value
    )
    browser.get("/pictures/")
    assert forget_browsers() == 0 and Browser.objects.get().seen == timezone.now().date()


def test_one_that_is_met_first_counts_as_seen_today(client: Client, agency_text: str) -> None:
    make_deck(client, agency_text)
    assert (forget_browsers(), Browser.objects.get().hash, Browser.objects.get().seen) == (
        0,
        guest(client).browser,
        timezone.now().date(),
    )


def bring_all(client: Client, seed: int) -> None:
    """A picture, a text and a printer of this browser's own."""
    bring(client, ("one.jpg", coded(painted(size=(300, 420 + seed)))))
    client.post("/print/texts/spycraft/kai/", {"text": "It counts double on Tuesdays."})
    client.post(
        "/print/calibration/",
        {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0.2", "middle": "0"},
    )


def test_its_pictures_texts_and_printers_go_and_those_of_others_stay(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path)
    gone, other = client, Client()
    for seed, browser in enumerate((gone, other)):
        bring_all(browser, seed)
    tables = UploadedPicture, OwnText, PrinterCalibration
    assert [table.objects.count() for table in tables] == [2, 2, 2]
    gone_for(gone, KEPT_DAYS + 1)
    assert forget_browsers() == 1
    assert [table.objects.count() for table in tables] == [1, 1, 1]
    assert "Tuesdays" in other.get("/print/texts/spycraft/kai/").content.decode()


def test_print_jobs_stay_for_their_days(client: Client) -> None:
    """The key of a job that was asked for by the API is no browser's, and whoever asked has it still."""
    answer = client.post("/api/v1/sheets/", json.dumps(BIG), content_type="application/json").json()
    browser = Client()
    stored_job(browser)
    gone_for(browser, KEPT_DAYS + 1)
    forget_browsers()
    assert PrintJob.objects.count() == 2
    assert Client().get(answer["address"], headers={"X-Job-Key": answer["key"]}).status_code == 200


def test_what_belongs_to_accounts_is_no_browsers(client: Client) -> None:
    owner = User.objects.create_user("ann")
    Collection.objects.create(owner=owner)
    AccountSession.objects.create(user=owner, key="x", browser="Firefox on Linux")
    Browser.objects.create(
        hash="Firefox on Linux", seen=timezone.now().date() - timedelta(days=KEPT_DAYS + 1)
    )
    assert forget_browsers() == 1
    assert Collection.objects.get().owner == owner and AccountSession.objects.exists()


def test_the_command_clears_sessions_that_have_ended_too(client: Client, agency_text: str) -> None:
    make_deck(client, agency_text)
    gone_for(client, KEPT_DAYS + 1)
    Client().session.save()
    Session.objects.create(session_key="x", session_data="", expire_date=timezone.now() - timedelta(days=1))
    out = io.StringIO()
    call_command("clear_browsers", stdout=out)
    assert "1 browser forgotten, 0 decks deleted" in out.getvalue()
    assert not Session.objects.filter(pk="x").exists() and not BrowserAccess.objects.exists()
    assert token_of(client)
