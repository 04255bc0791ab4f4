"""Where an account is logged in: each browser that is, until when, and how one is ended from another."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from decks.models import AccountSession

MAX_SHOWN = 100
# What stands in the name that a browser gives itself, and what people call it. Most claim to be others too:
# the first that fits is meant.
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "a Mac",
    "Linux": "Linux",
}


def browser_named(agent: str) -> str:
    """What a person would call the browser: ``Firefox on Linux``. Without a version, for nobody needs one to
    know their browser again.
    """
    browser = next((name for part, name in BROWSERS.items() if part in agent), "A browser")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    return f"{browser} on {system}" if system else browser


def end_after_a_year(request: HttpRequest) -> None:
    """Give the session its last moment. Without one it lasts for a year from each time it is written, and so
    for ever.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def note_session(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember that this session, which has just begun or got another key, is the account's."""
    if not request.session.session_key:
        request.session.create()
    browser = browser_named(request.META.get("HTTP_USER_AGENT", "")[:500])
    row = AccountSession(user_id=user.pk, key=request.session.session_key, browser=browser)
    AccountSession.objects.bulk_create([row], ignore_conflicts=True)


def sessions_of(viewer: Viewer) -> list[AccountSession]:
    """Where the account is logged in, the latest first, MAX_SHOWN at most."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(AccountSession.objects.of(viewer).filter(key__in=alive).order_by("-began", "-pk")[:MAX_SHOWN])


@transaction.atomic
def end_sessions(viewer: Viewer, keep: str | None, only: int | None = None) -> int:
    """Log the account out everywhere but in the session of this key, or in one place alone; return in how
    many.
    """
    rows = AccountSession.objects.of(viewer).exclude(key=keep or "")
    ended = rows if only is None else rows.filter(pk=only)
    number, _ = Session.objects.filter(session_key__in=list(ended.values_list("key", flat=True))).delete()
    ended.delete()
    return number


def forget_ended_sessions() -> None:
    """Delete the rows of sessions that are no more."""
    ended = AccountSession.objects.all_owners("those whose session is no more go").exclude(
        key__in=Session.objects.values("session_key")
    )
    ended.delete()
