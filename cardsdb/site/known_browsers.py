"""Browsers get the cookie by which they are known again, and get it anew as long as they come back; and each
private page says whose it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from cardsdb.identity.viewer import GIVEN, TOKEN, hashed
from cardsdb.identity.viewer_tag import HEADER, is_viewers_page, viewer_tag
from cardsdb.models.browsers import COOKIE_DAYS, RENEWED_AFTER, Browser
from cardsdb.site.signed_cookie import DAY, DUE
from cardsdb.site.turns import short_wait


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
