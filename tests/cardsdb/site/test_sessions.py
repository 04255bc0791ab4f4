"""Sessions are Django's, read by a query that is written once."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as StoredSessions
from django.contrib.sessions.models import Session
from django.utils import timezone

from cardsdb.site.sessions import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def stored() -> str:
    """The key of a session that Django's own store wrote."""
    session = StoredSessions()
    session["browser"] = "token"
    session.create()
    return str(session.session_key)


def test_the_site_reads_its_sessions_so() -> None:
    assert import_module(settings.SESSION_ENGINE).SessionStore is SessionStore


def test_a_session_that_django_stored_is_read_and_what_is_stored_here_django_reads() -> None:
    session = SessionStore(stored())
    assert session["browser"] == "token"
    session["browser"] = "another"
    session.save()
    assert StoredSessions(session.session_key)["browser"] == "another"


def test_a_session_that_has_ended_holds_nothing_and_its_key_is_given_up() -> None:
    key = stored()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    session = SessionStore(key)
    assert session.get("browser") is None
    assert session.session_key is None


def test_a_key_that_no_session_has_holds_nothing_and_is_given_up() -> None:
    session = SessionStore("abcdefgh" * 4)
    assert session.get("browser") is None
    assert session.session_key is None
