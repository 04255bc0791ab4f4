"""The viewer, who asks: an account, a browser with access to decks, or a program with one deck's edit key;
and a name for the viewer that tells nothing of them, by which the browser sees when the pages it keeps are
another's. The question if a visitor has anything of their own that stands on pages of the catalogue, texts,
cards, pictures: who has nothing sees what all see.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from cardsdb.watch.requests import once_a_request

# The value of a browser's cookie: a random token, on whose hash hangs what the browser has without an
# account, and the day on which it got the cookie. It is no part of the session, for a session ends with its
# log-in: here, from another browser, by a new password.
TOKEN = re.compile(r"([\w-]{22})\.([0-9]{6})", re.ASCII)
# Sessions of before that cookie hold the token under this name.
BROWSER = "browser"
# Under this name a request holds the token that goes out with its answer (cardsdb.site.middleware).
GIVEN = "cutout.browser"
# The header with the tag of the viewer, and that of one without an account and a token.
HEADER = "Cutout-Viewer"
ANONYMOUS = "nobody"


@dataclass(frozen=True)
class Viewer:
    """A user's id, the hash of the edit key that was sent, the hash of the browser's token; each may be
    missing.

    ``is_nobody``: no visitor of the site, but a command that needs no database; nothing is looked up for it.
    """

    user_id: int | None = None
    key_hash: str = ""
    browser: str = ""
    is_nobody: bool = False


NOBODY = Viewer(is_nobody=True)


def new_key() -> str:
    """128 random bits, for links that cannot be guessed."""
    return secrets.token_urlsafe(16)


def hashed(key: str) -> str:
    """The hash of a key, which the database stores: who reads it there cannot edit with it."""
    return hashlib.sha256(key.encode()).hexdigest()


def token_in(cookies: Mapping[str, str]) -> str:
    """The browser's token among these cookies; empty without one."""
    match = TOKEN.fullmatch(cookies.get(settings.CUTOUT_BROWSER_COOKIE, ""))
    return match[1] if match else ""


def token_of(request: HttpRequest) -> str:
    """The token of the browser that asks; empty for one without. One that its session alone holds goes out
    with the answer.
    """
    token: str = request.META.get(GIVEN) or token_in(request.COOKIES)
    if not token and (token := request.session.get(BROWSER, "")):
        request.META[GIVEN] = token
    return token


def keep_token(request: HttpRequest) -> str:
    """The token of the browser, which goes out with the answer whatever becomes of the session; a browser
    without one gets one.
    """
    token = token_of(request) or new_key()
    if not token_in(request.COOKIES):
        request.META[GIVEN] = token
    return token


def viewer_of(request: HttpRequest) -> Viewer:
    """The visitor of a page: their account and their browser."""
    token = token_of(request)
    return Viewer(request.user.pk, browser=hashed(token) if token else "")


def api_viewer_of(request: HttpRequest) -> Viewer:
    """The visitor of the API: their account, or the one key in ``X-Deck-Key``. Never the browser's decks."""
    key = request.headers.get("X-Deck-Key", "")
    return Viewer(request.user.pk, key_hash=hashed(key) if key else "")


def browser_of(request: HttpRequest) -> str:
    """The hash of this browser's token; one that has none gets one."""
    return hashed(keep_token(request))


def owner_of(request: HttpRequest) -> Viewer:
    """The viewer who stores something of their own: an account; else the browser, which gets a token now if
    it has none.
    """
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))


def viewer_tag(request: HttpRequest) -> str:
    """A tag: one for an account wherever it is logged in, one for a browser without an account; it cannot be
    turned back into either.
    """
    if account := request.session.get(SESSION_KEY):
        return _tag(f"account {account}")
    token = token_of(request)
    return _tag(f"browser {token}") if token else ANONYMOUS


def is_viewers_page(response: HttpResponse) -> bool:
    """Say if the answer is a page, or leads to one, that its view calls private."""
    is_page = response.get("Content-Type", "").startswith("text/html") and response.status_code < 500
    return is_page and "private" in response.get("Cache-Control", "")


def _tag(viewer: str) -> str:
    return salted_hmac("decks.identity.viewer_tag", viewer, algorithm="sha256").hexdigest()[:24]


# -- what is their own -------------------------------------------------------------------

M = TypeVar("M", bound=models.Model)
# Under this name a request says who reads its page.
READER = "cutout.reader"

_owning: list[Any] = []


def shown_on_pages(model: type[M]) -> type[M]:
    """Mark a model whose rows, each of an ``owner``, a ``browser`` or ``everyone``, are shown to these on
    pages of the catalogue.
    """
    _owning.append(model)
    return model


def reader_of(request: HttpRequest) -> Viewer:
    """The visitor of a page that is the same for all unless something of theirs stands on it. One who has
    nothing of their own is ``Viewer()`` here. A session is looked at only where a cookie names an account
    or a browser.
    """
    if READER not in request.META:
        is_named = {settings.SESSION_COOKIE_NAME, settings.CUTOUT_BROWSER_COOKIE} & request.COOKIES.keys()
        viewer = viewer_of(request) if is_named else Viewer()
        request.META[READER] = viewer if owns_something(viewer) else Viewer()
    reader: Viewer = request.META[READER]
    return reader


def owns_something(viewer: Viewer) -> bool:
    """Say if the account, or the browser of one without, has anything of its own. One query, none without
    either.
    """
    return _any_row(model.objects.of(viewer) for model in _owning)


def everyone_has_something() -> bool:
    """Say if anything stands in the place of everyone, which a private site shows to all. One query a
    request.
    """
    rows = (model.objects.for_everyone() for model in _owning)
    return once_a_request("everyone", lambda: _any_row(rows))


def may_see_own(reader: Viewer) -> bool:
    """Say if anything of their own, or of everyone's, may stand on a page for this reader. One query at
    most.
    """
    return reader != Viewer() or everyone_has_something()


def _any_row(queries: Iterable[Any]) -> bool:
    first, *others = (query.order_by().values("pk") for query in queries)
    return bool(first.union(*others, all=True).exists())
