"""Browsers get the cookie by which they are known again, and get it anew as long as they come back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from cardsdb.identity.viewer import GIVEN, TOKEN, hashed, token_of
from cardsdb.models.browsers import COOKIE_DAYS, RENEWED_AFTER, Browser


class KnownBrowsers:
    """Sends the cookie with the answer to a request that was given a token, has it in its session alone, or in an old cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "public" not in response.headers.get("Cache-Control", "") and (token := _due(request)):
            today = date.today()
            # A row that is not written now makes the browser look older by RENEWED_AFTER days at most, which KEPT_DAYS allows for.
            with suppress(DatabaseError):
                Browser.objects.filter(hash=hashed(token)).update(seen=today)
            name, value = settings.CUTOUT_BROWSER_COOKIE, f"{token}.{today.toordinal()}"
            age, is_secure = COOKIE_DAYS * 24 * 60 * 60, settings.SESSION_COOKIE_SECURE
            response.set_cookie(name, value, max_age=age, secure=is_secure, httponly=True, samesite="Lax")
        return response


def _due(request: HttpRequest) -> str:
    """The token whose cookie is due; empty for none."""
    if GIVEN in request.META:
        return str(request.META[GIVEN])
    if sent := TOKEN.fullmatch(request.COOKIES.get(settings.CUTOUT_BROWSER_COOKIE, "")):
        return sent[1] if int(sent[2]) + RENEWED_AFTER <= date.today().toordinal() else ""
    session = getattr(request, "session", None)
    return token_of(request) if session is not None and session.accessed else ""
