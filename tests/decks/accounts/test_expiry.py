"""What browsers held that never come back is cleared: no more than that, and only where it is certain."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from cardsdb.models import OwnText
from decks.accounts import browsers
from decks.accounts.browsers import forget_browsers
from decks.models import BrowserAccess, Collection, Deck
from printing.models import PrinterCalibration, PrintJob, UploadedPicture
from tests.support.picture_pages import bring
from tests.support.pictures import coded, painted
from tests.support.print_jobs import BIG, no_files_of_others, stored_job  # noqa: F401

pytestmark = pytest.mark.django_db


def make_deck(client: Client, text: str) -> Deck:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": text})
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def end_session(client: Client) -> None:
    Session.objects.filter(pk=client.session.session_key).update(expire_date=timezone.now() - timedelta(days=1))


def test_a_browser_whose_session_has_ended_is_forgotten_and_its_deck_is_not(client: Client, agency_text: str) -> None:
    gone = make_deck(client, agency_text)
    Collection.objects.create(browser=BrowserAccess.objects.get().browser)
    other = Client()
    kept = make_deck(other, agency_text)
    end_session(client)
    assert forget_browsers(moment=0) == 1
    assert [held.deck for held in BrowserAccess.objects.all()] == [kept]
    assert not Collection.objects.exists()
    assert Deck.objects.filter(pk=gone.pk).exists()
    assert other.get(f"/decks/{kept.link}/edit/").status_code == 200


def bring_all(client: Client, seed: int) -> None:
    """A picture, a text and a printer of this browser's own."""
    bring(client, ("one.jpg", coded(painted(size=(300, 420 + seed)))))
    client.post("/print/texts/spycraft/kai/", {"text": "It counts double on Tuesdays."})
    client.post("/print/calibration/", {"name": "Hall", "paper": "a4", "way": "long", "top": "0.4", "foot": "0.2", "middle": "0"})


def test_its_pictures_texts_and_printers_go_and_those_of_others_stay(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.CUTOUT_PICTURES = str(tmp_path)
    gone, other = client, Client()
    for seed, browser in enumerate((gone, other)):
        bring_all(browser, seed)
    tables = UploadedPicture, OwnText, PrinterCalibration
    assert [table.objects.count() for table in tables] == [2, 2, 2]
    end_session(gone)
    assert forget_browsers(moment=0) == 1
    assert [table.objects.count() for table in tables] == [1, 1, 1]
    assert "Tuesdays" in other.get("/print/texts/spycraft/kai/").content.decode()


def test_print_jobs_stay_for_their_days(client: Client) -> None:
    """The key of a job that was asked for by the API stands in no session, and whoever asked has it still."""
    answer = client.post("/api/v1/sheets/", json.dumps(BIG), content_type="application/json").json()
    browser = Client()
    stored_job(browser)
    end_session(browser)
    assert forget_browsers(moment=0) == 0
    assert PrintJob.objects.count() == 2
    assert Client().get(answer["address"], headers={"X-Job-Key": answer["key"]}).status_code == 200


def test_a_collection_of_an_account_is_no_browsers(client: Client) -> None:
    owner = User.objects.create_user("ann")
    Collection.objects.create(owner=owner)
    assert forget_browsers(moment=0) == 0
    assert Collection.objects.get().owner == owner


def test_whoever_logs_in_while_it_looks_is_still_there(client: Client, agency_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the old session and the new one the token stands in none: what is missing is looked for twice."""
    deck = make_deck(client, agency_text)
    session = Session.objects.get()
    Session.objects.all().delete()
    monkeypatch.setattr(browsers.time, "sleep", lambda seconds: session.save(force_insert=True))
    assert forget_browsers() == 0
    assert client.get(f"/decks/{deck.link}/edit/").status_code == 200


def test_with_a_key_that_opens_no_session_nothing_is_cleared(client: Client, agency_text: str, settings: Any) -> None:
    make_deck(client, agency_text)
    old = Client()
    make_deck(old, agency_text)
    end_session(old)
    settings.SECRET_KEY = "another key altogether, as of a timer without the site's settings"
    with pytest.raises(CommandError, match="secret key"):
        call_command("clear_browsers")
    assert (BrowserAccess.objects.count(), Session.objects.count()) == (2, 2)


def test_the_command_clears_sessions_that_have_ended_too(client: Client, agency_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsers.time, "sleep", lambda seconds: None)
    make_deck(client, agency_text)
    end_session(client)
    out = io.StringIO()
    call_command("clear_browsers", stdout=out)
    assert "1 browser forgotten, 0 decks deleted" in out.getvalue()
    assert not Session.objects.exists() and not BrowserAccess.objects.exists()
