"""Cookies of a browser: values that it keeps for a visitor and cannot change, and the one by which it is known
again, sent anew as long as it comes back. Each private page says whose it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.core import signing
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from cardsdb.identity.viewer import GIVEN, HEADER, TOKEN, hashed, is_viewers_page, viewer_tag
from cardsdb.models.site import COOKIE_DAYS, RENEWED_AFTER, Browser
from cardsdb.site.turns import short_wait

DAY = 60 * 60 * 24
YEAR = 365 * DAY
# Under this name a request holds the cookies that are due anew, with their values.
DUE = "cutout.cookies"
# Browsers take 4,096 bytes for a cookie with its name and its words on where it goes.
MAX_BYTES = 3_600


@dataclass(frozen=True, slots=True)
class SignedCookie:
    """A cookie of this name for the addresses below ``path``, kept for a year, and sent anew where it is read
    after a month.

    The salt stays whatever the file that declares it is called: cookies that browsers have must still be
    read.
    """

    name: str
    salt: str
    path: str

    def read(self, request: HttpRequest) -> Any:
        """The value as JSON holds it. Raises KeyError without the cookie, BadSignature for one that is not
        ours.
        """
        sent = request.COOKIES[self.name]
        try:
            return signing.loads(sent, salt=self.salt, max_age=RENEWED_AFTER * DAY)
        except signing.SignatureExpired:
            value = signing.loads(sent, salt=self.salt)
            request.META.setdefault(DUE, {})[self] = value
            return value

    def fits(self, value: Any) -> bool:
        """Return whether browsers take a cookie of this value."""
        return len(self._written(value)) <= MAX_BYTES

    def send(self, response: HttpResponseBase, value: Any) -> None:
        """Have the browser keep the value, unless it is too large for a cookie: then what it keeps stays."""
        written, is_secure = self._written(value), settings.SESSION_COOKIE_SECURE
        if len(written) <= MAX_BYTES:
            response.set_cookie(
                self.name,
                written,
                max_age=YEAR,
                path=self.path,
                secure=is_secure,
                httponly=True,
                samesite="Lax",
            )

    def _written(self, value: Any) -> str:
        return signing.dumps(value, salt=self.salt, compress=True)


class KnownBrowsers:
    """Sends the cookie to a browser that was given a token, or that comes back with an old cookie; and other
    old cookies that were read. Says on each private page whose it is, so that a browser keeps none of
    another's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "public" in response.headers.get("Cache-Control", ""):
            return response
        if is_viewers_page(response):
            response[HEADER] = viewer_tag(request)
        if token := request.META.get(GIVEN) or _seen_again(request):
            value, age = f"{token}.{date.today().toordinal()}", COOKIE_DAYS * DAY
            is_secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(
                settings.CUTOUT_BROWSER_COOKIE,
                value,
                max_age=age,
                secure=is_secure,
                httponly=True,
                samesite="Lax",
            )
        for cookie, kept in request.META.get(DUE, {}).items():
            if cookie.name not in response.cookies:
                cookie.send(response, kept)
        return response


def _seen_again(request: HttpRequest) -> str:
    """The token of a browser that comes back with an old cookie, once that is noted; empty for others, and
    where nothing can be noted.
    """
    sent = TOKEN.fullmatch(request.COOKIES.get(settings.CUTOUT_BROWSER_COOKIE, ""))
    if sent is None or int(sent[2]) + RENEWED_AFTER > date.today().toordinal():
        return ""
    try:
        with short_wait():
            Browser.objects.filter(hash=hashed(sent[1])).update(seen=date.today())
    except DatabaseError:
        return ""
    return sent[1]
