"""Middleware for every request, and signed cookies.

``Refusals`` refuses invalid characters, large forms and foreign hosts before any view runs, and turns
``Refused`` into a page. ``SecurityHeaders`` sets the headers of all answers. ``KnownBrowsers`` sends and
renews cookies, and marks private pages with the tag of their viewer. ``SignedCookie`` is a value that a
browser keeps and cannot change.

Tests in ``tests``: of ``Refusals`` and ``takes`` ``cardsdb/site/test_middleware.py`` (of ports
``cardsdb/test_settings.py``), of ``SecurityHeaders`` ``house/test_policies.py`` and ``house/test_sharing.py``
(caching), of ``KnownBrowsers`` ``decks/accounts/test_account_kinds.py`` (cookies) and ``test_kept_pages.py``
there (tags), of ``SignedCookie`` ``printing/request/test_settings.py``, of ``sent_from_here``
``decks/check/test_views.py``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.csrf import csrf_exempt

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import whole_number
from cardsdb.identity.viewer import GIVEN, HEADER, TOKEN, hashed, is_viewers_page, viewer_tag
from cardsdb.models.site import COOKIE_DAYS, RENEWED_AFTER, Browser
from cardsdb.models.turns import short_wait
from cardsdb.site.decoding import INVALID
from cardsdb.site.errors import bad_character, refusal, try_later
from cardsdb.site.sharing import P, View, give_policy, keep_private

# Bytes of a form with files, if its view does not set its own limit by ``takes``.
MAX_FORM = 8 * 1024**2


class SecurityHeaders(MiddlewareMixin):
    """Sets the Content Security Policy, switches off browser features that the site does not use, and forbids
    caching of answers that no view calls public.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        give_policy(response)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
        )
        keep_private(response)
        return response


class Refusals(MiddlewareMixin):
    """Refuses invalid requests before their view runs, and answers with a page if a view raises ``Refused``.

    It also refuses unknown ports in the ``Host`` header of a public site. Links, feeds and mails are made
    with that header, and Django's ``ALLOWED_HOSTS`` ignores the port.
    """

    def process_request(self, request: HttpRequest) -> None:
        port = re.search(":[0-9]+$", request.get_host()) if settings.PORTS else None
        if port and port[0] not in settings.PORTS:
            raise DisallowedHost(
                f"The site is not known by the port of {request.get_host()}: name it in ALLOWED_HOSTS if"
                " it is."
            )
        # This site sets no cookies with such characters, so they are ignored.
        for name in [name for name, value in request.COOKIES.items() if INVALID.search(name + value)]:
            del request.COOKIES[name]

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        return _too_large(request, view) or _invalid(request, view, kwargs)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Refused):
            return None
        if exception.status in (429, 503, 507):
            return try_later(request, exception)
        return refusal(
            request,
            exception,
            "That was not done",
            "Nothing was changed or lost. Go back, put it right and try again.",
        )


def _too_large(request: HttpRequest, view: Callable[..., Any]) -> HttpResponse | None:
    """Refuse a form with files that is larger than its view takes, by its declared length; Django bounds all
    parts of a form except files. (Django reads a body without a declared length as empty.)
    """
    # The decorator ``takes`` sets this attribute.
    limit, advice = getattr(view, "takes", (MAX_FORM, "Send less at once."))
    # ``whole_number`` gives None for a number above the limit.
    is_in_limit = whole_number(request.META.get("CONTENT_LENGTH") or "0", limit) is not None
    if is_in_limit or request.content_type != "multipart/form-data":
        return None
    refused = Refused(Fault("too_large", f"This is more than {limit // 1024**2} MB. {advice}"), status=413)
    return refusal(request, refused, "Too much at once", "Nothing was kept. Go back and try again.")


def _invalid(request: HttpRequest, view: Callable[..., Any], kwargs: dict[str, Any]) -> HttpResponse | None:
    """Refuse fields and parameters with a character that no database stores, naming the field. A path with
    one raises Http404. (JSON bodies of the API are checked by ``cardsdb.site.decoding``.)
    """
    if any(isinstance(value, str) and INVALID.search(value) for value in kwargs.values()):
        raise Http404
    found = invalid_field(request.GET)
    # A view without Django's CSRF check reads its body itself, or not as a form.
    if found is None and request.method == "POST" and not getattr(view, "csrf_exempt", False):
        try:
            found = invalid_field(request.POST)
        except UnreadablePostError:
            # The sender went away or was cut off (cardsdb.site.overload), and will not read this.
            return HttpResponse(status=400)
    return None if found is None else bad_character(request, *found)


def takes(most: int, advice: str) -> Callable[[View[P]], View[P]]:
    """Decorate a view whose form may have ``most`` bytes in all. ``advice``: what to do with more."""

    def marked(view: View[P]) -> View[P]:
        view.takes = most, advice  # type: ignore[attr-defined]
        return view

    return marked


def sent_from_here(view: View[P]) -> View[P]:
    """Decorate a view that takes a form from a page shared by all visitors, which cannot contain a CSRF
    token.

    A form whose ``Origin`` header is this site needs no token. All others need one as usual, and other sites
    have none.
    """
    guarded = CsrfViewMiddleware(lambda request: HttpResponse())

    @csrf_exempt
    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method == "POST" and (found := invalid_field(request.POST)):
            return bad_character(request, *found)
        if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
            if refusal := guarded.process_view(request, view, args, kwargs):
                return refusal
        return view(request, *args, **kwargs)

    return marked


def invalid_field(sent: QueryDict) -> tuple[str, int] | None:
    """Return (name, line from 1) of the first field with an invalid character in its name or a value, with
    the name made printable; None if there is none. ``text=2 Kai%0A1 Li%00`` gives ("text", 2).
    """
    for name, values in sent.lists():
        bad_values = [value for value in values if INVALID.search(value)]
        if bad_values or INVALID.search(name):
            before = INVALID.split(bad_values[0], maxsplit=1)[0] if bad_values else ""
            return INVALID.sub("\ufffd", name)[:60], 1 + len(re.findall("\r\n|\r|\n", before))
    return None


# -- cookies -----------------------------------------------------------------------------

# Seconds. RENEWED_AFTER and COOKIE_DAYS are days.
DAY = 60 * 60 * 24
YEAR = 365 * DAY
# The key of ``request.META`` for cookies to be renewed: SignedCookie -> value.
DUE = "cutout.cookies"
# Bytes of a value. Browsers accept 4,096 bytes for a cookie with its name and attributes.
MAX_BYTES = 3_600


@dataclass(frozen=True)
class SignedCookie:
    """A cookie with a signed JSON value for the addresses below ``path``. It lasts a year, and is renewed
    when it is read after a month.

    Never change a ``salt``: cookies that browsers already have could no longer be read.
    """

    name: str
    salt: str
    path: str

    def read(self, request: HttpRequest) -> Any:
        """Return the value; note it for renewal if it is old. Raises KeyError without the cookie,
        BadSignature for one of another site.
        """
        sent = request.COOKIES[self.name]
        try:
            return signing.loads(sent, salt=self.salt, max_age=RENEWED_AFTER * DAY)
        except signing.SignatureExpired:
            # ``KnownBrowsers`` sends it again.
            value = signing.loads(sent, salt=self.salt)
            request.META.setdefault(DUE, {})[self] = value
            return value

    def fits(self, value: Any) -> bool:
        """True if a value is small enough for a cookie."""
        return len(self._written(value)) <= MAX_BYTES

    def send(self, response: HttpResponseBase, value: Any) -> None:
        """Set the cookie. A value that is too large is not sent, and the browser keeps the old one."""
        if self.fits(value):
            _set(response, self.name, self._written(value), YEAR, self.path)

    def _written(self, value: Any) -> str:
        return signing.dumps(value, salt=self.salt, compress=True)


def _set(response: HttpResponseBase, name: str, value: str, age: int, path: str = "/") -> None:
    """Set a cookie that scripts cannot read and forms of other sites do not send."""
    is_secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, age, path=path, secure=is_secure, httponly=True, samesite="Lax")


class KnownBrowsers(MiddlewareMixin):
    """Sends the browser's token as a cookie when it was just given one, and renews old cookies. Marks private
    pages with the tag of their viewer, so that a browser does not show a page that it kept to another viewer.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if "public" in response.headers.get("Cache-Control", ""):
            return response
        if is_viewers_page(response):
            response[HEADER] = viewer_tag(request)
        if token := request.META.get(GIVEN) or _seen_again(request):
            # The day (its number since the year 1) tells ``_seen_again`` when to renew the cookie. ``TOKEN``
            # of ``identity/viewer.py`` reads both parts.
            value = f"{token}.{date.today().toordinal()}"
            _set(response, settings.CUTOUT_BROWSER_COOKIE, value, COOKIE_DAYS * DAY)
        for cookie, kept in request.META.get(DUE, {}).items():
            if cookie.name not in response.cookies:
                cookie.send(response, kept)
        return response


def _seen_again(request: HttpRequest) -> str:
    """Return the token of a browser whose cookie is old enough to be renewed, after noting today as its last
    visit; empty for others, or if the database takes no note.
    """
    sent = TOKEN.fullmatch(request.COOKIES.get(settings.CUTOUT_BROWSER_COOKIE, ""))
    if sent is None:
        return ""
    # The cookie is "<token>.<day>", as ``KnownBrowsers`` sent it.
    token, day = sent[1], int(sent[2])
    if day + RENEWED_AFTER > date.today().toordinal():
        return ""
    try:
        with short_wait():
            Browser.objects.filter(hash=hashed(token)).update(seen=date.today())
    except DatabaseError:
        return ""
    return token
