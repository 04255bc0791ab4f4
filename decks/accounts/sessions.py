"""The sessions of an account: the list of its log-ins, each with the common name of its browser, and how they
are ended.

``backend.py`` notes each session when it begins, ``views.py`` shows and ends them, and ``clear_browsers``
deletes the rows of those that are over. The tests are in ``tests/decks/accounts/test_backend.py``.
"""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from decks.models import AccountSession

# Sessions that the list shows.
MAX_SHOWN = 100
# Characters that are read of a User-Agent header.
MAX_AGENT = 500
# Part of a User-Agent header -> the common name. The first match counts, because Edge and Opera also name
# Chrome, and Chrome names Safari.
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
# The same for systems: Android also names Linux, and an iPhone names Mac OS X.
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
    """A common name for a browser by its User-Agent: "Firefox on Linux". It has no version, which people do
    not need to recognise their browser.
    """
    browser = next((name for part, name in BROWSERS.items() if part in agent), "A browser")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    return f"{browser} on {system}" if system else browser


def end_after_a_year(request: HttpRequest) -> None:
    """Set the moment when the session ends. Otherwise it would last a year from each time it is written, and
    so for ever.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def note_session(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Store that this session, which has just begun or got a new key, belongs to the account."""
    if not request.session.session_key:
        request.session.create()
    browser = browser_named(request.META.get("HTTP_USER_AGENT", "")[:MAX_AGENT])
    row = AccountSession(user_id=user.pk, key=request.session.session_key, browser=browser)
    AccountSession.objects.bulk_create([row], ignore_conflicts=True)


def sessions_of(viewer: Viewer) -> list[AccountSession]:
    """The live sessions of the account, the latest first, at most MAX_SHOWN."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(AccountSession.objects.of(viewer).filter(key__in=alive).order_by("-began", "-pk")[:MAX_SHOWN])


@transaction.atomic
def end_sessions(viewer: Viewer, keep: str | None, only: int | None = None) -> int:
    """End the account's sessions, except that with the key ``keep``; with ``only``, the primary key of a row,
    just that one. Return how many were ended.
    """
    rows = AccountSession.objects.of(viewer).exclude(key=keep or "")
    ended = rows if only is None else rows.filter(pk=only)
    number, _ = Session.objects.filter(session_key__in=list(ended.values_list("key", flat=True))).delete()
    ended.delete()
    return number


def forget_ended_sessions() -> None:
    """Delete the rows of sessions that no longer exist."""
    ended = AccountSession.objects.all_owners("those whose session is no more go").exclude(
        key__in=Session.objects.values("session_key")
    )
    ended.delete()
