"""Every request passes this: text that no database takes is refused, and every answer carries the same
headers. Cookies of a browser are values that it keeps for a visitor and cannot change, and the one by which
it is known again, sent anew as long as it comes back. Each private page says whose it is.
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

# Bytes of a form with files: a picture or a table, and the fields beside it.
MAX_FORM = 8 * 1024**2


class SecurityHeaders(MiddlewareMixin):
    """Content Security Policy without inline script or style, no needless browser powers, and no copies of
    what no view calls public.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        give_policy(response)
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
        )
        keep_private(response)
        return response


class Refusals(MiddlewareMixin):
    """Refuses what no view takes, before anything reads it, and answers with a readable page where a view
    refuses and shows no form of its own with the reason.

    A public site's host with a port that it is not known by is foreign, as to Django a foreign host: links,
    feeds and letters are made with whatever ``Host`` says, and ``ALLOWED_HOSTS`` looks at no port.
    """

    def process_request(self, request: HttpRequest) -> None:
        port = re.search(":[0-9]+$", request.get_host()) if settings.PORTS else None
        if port and port[0] not in settings.PORTS:
            raise DisallowedHost(
                f"The site is not known by the port of {request.get_host()}: name it in ALLOWED_HOSTS if"
                " it is."
            )
        # This site sets no such cookie: it counts as none.
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
    """The refusal of a form with files that is larger than its page takes: Django bounds all of a form but
    its files. A body that says no length is empty to Django.
    """
    most, advice = getattr(view, "takes", (MAX_FORM, "Send less at once."))
    if (
        whole_number(request.META.get("CONTENT_LENGTH") or "0", most) is not None
        or request.content_type != "multipart/form-data"
    ):
        return None
    refused = Refused(Fault("too_large", f"This is more than {most // 1024**2} MB. {advice}"), status=413)
    return refusal(request, refused, "Too much at once", "Nothing was kept. Go back and try again.")


def _invalid(request: HttpRequest, view: Callable[..., Any], kwargs: dict[str, Any]) -> HttpResponse | None:
    """The refusal of fields and parameters with a character that no database takes, naming the field; a path
    with one is not found.

    Bodies of the API are read by ``cardsdb.site.decoding``, which refuses the same.
    """
    if any(isinstance(value, str) and INVALID.search(value) for value in kwargs.values()):
        raise Http404
    found = invalid_field(request.GET)
    # A view without the usual check of the form's token reads its body itself, or not as a form.
    if found is None and request.method == "POST" and not getattr(view, "csrf_exempt", False):
        try:
            found = invalid_field(request.POST)
        except (
            UnreadablePostError
        ):  # The sender went away, or was sent away (cardsdb.site.overload): no sender reads this answer.
            return HttpResponse(status=400)
    return None if found is None else bad_character(request, *found)


def takes(most: int, advice: str) -> Callable[[View[P]], View[P]]:
    """Mark a view whose form may have files of so many bytes together; ``advice``: what to do with more."""

    def marked(view: View[P]) -> View[P]:
        view.takes = most, advice  # type: ignore[attr-defined]
        return view

    return marked


def sent_from_here(view: View[P]) -> View[P]:
    """Guard a view that stores something and takes a form of a page that caches store for all visitors, which
    so holds no token.

    Browsers say where a form stands: one of this very site needs no token; any other needs it as ever, which
    another site cannot have.
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
    """The name, fit to be shown, of the first field with such a character in its name or values, and its line
    there; None for none.
    """
    for name, values in sent.lists():
        found = next((value[: match.start()] for value in values if (match := INVALID.search(value))), None)
        if found is not None or INVALID.search(name):
            return INVALID.sub("\ufffd", name)[:60], 1 + len(re.findall("\r\n|\r|\n", found or ""))
    return None


# -- cookies -----------------------------------------------------------------------------

DAY = 60 * 60 * 24
YEAR = 365 * DAY
# Under this name a request holds the cookies that are due anew, with their values.
DUE = "cutout.cookies"
# Browsers take 4,096 bytes for a cookie with its name and its words on where it goes.
MAX_BYTES = 3_600


@dataclass(frozen=True)
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
        if self.fits(value):
            _set(response, self.name, self._written(value), YEAR, self.path)

    def _written(self, value: Any) -> str:
        return signing.dumps(value, salt=self.salt, compress=True)


def _set(response: HttpResponseBase, name: str, value: str, age: int, path: str = "/") -> None:
    """Set a cookie that no script reads and no other site's form sends."""
    is_secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, age, path=path, secure=is_secure, httponly=True, samesite="Lax")


class KnownBrowsers(MiddlewareMixin):
    """Sends the cookie to a browser that was given a token, or that comes back with an old cookie; and other
    old cookies that were read. Says on each private page whose it is, so that a browser keeps none of
    another's.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if "public" in response.headers.get("Cache-Control", ""):
            return response
        if is_viewers_page(response):
            response[HEADER] = viewer_tag(request)
        if token := request.META.get(GIVEN) or _seen_again(request):
            value = f"{token}.{date.today().toordinal()}"
            _set(response, settings.CUTOUT_BROWSER_COOKIE, value, COOKIE_DAYS * DAY)
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
