"""How long one is logged in: a year from the log-in, however much the session is used, and then one logs in anew."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone


def end_after_a_year(request: HttpRequest) -> None:
    """Give the session its last moment. Without one it lasts for a year from each time it is written, and so for ever."""
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))
