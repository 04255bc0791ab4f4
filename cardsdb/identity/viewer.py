"""The viewer of a request: an account, a browser without one, or a program with the edit key of a deck.

All querysets of private things are filtered by a ``Viewer``. A browser is known by a random token in a
cookie; the database stores only its hash, and so it does with edit keys. ``viewer_tag`` names a viewer on
private pages without revealing who it is. The last part tells whether a visitor has own texts, cards or
pictures: those who have none get the shared pages of the catalogue.

Every room with pages calls this one; ``cardsdb/site/middleware.py`` sends the cookie and the tag.
Tests: ``tests/cardsdb/identity/test_viewer.py``.
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

# The value of a browser's cookie: a random token (``new_key``), and the day (as an ordinal number) on which
# the cookie was sent. The token is not kept in the session: a session ends at a log-out, or when its account
# gets a new password elsewhere, and the browser's own things must stay its own.
TOKEN = re.compile(r"([\w-]{22})\.([0-9]{6})", re.ASCII)
# The key of the token in sessions that are older than the cookie.
BROWSER = "browser"
# The key of ``request.META`` for a token that is to be sent as a cookie (cardsdb.site.middleware).
GIVEN = "cutout.browser"
# The header with the viewer's tag; and the tag of a viewer with neither account nor token.
HEADER = "Cutout-Viewer"
ANONYMOUS = "nobody"


@dataclass(frozen=True)
class Viewer:
    """The id of an account, the hash of a sent edit key, and the hash of the browser's token; each may be
    missing. ``Viewer()`` is a visitor with none of them.

    ``is_nobody``: not a visitor but a command that uses no database; nothing is looked up for it.
    """

    user_id: int | None = None
    key_hash: str = ""
    browser: str = ""
    is_nobody: bool = False


NOBODY = Viewer(is_nobody=True)


def new_key() -> str:
    """Return 128 random bits as 22 characters, for links that cannot be guessed."""
    return secrets.token_urlsafe(16)


def hashed(key: str) -> str:
    """Return the hash of a key or token. The database stores only hashes, so it reveals no keys."""
    return hashlib.sha256(key.encode()).hexdigest()


def token_in(cookies: Mapping[str, str]) -> str:
    """Return the browser's token among these cookies; empty without one."""
    match = TOKEN.fullmatch(cookies.get(settings.CUTOUT_BROWSER_COOKIE, ""))
    return match[1] if match else ""


def token_of(request: HttpRequest) -> str:
    """Return the token of the request's browser; empty if it has none. It is the one that this request was
    given already (``keep_token``), else the cookie's, else that of an old session, which is then sent as a
    cookie.
    """
    token: str = request.META.get(GIVEN) or token_in(request.COOKIES)
    if not token and (token := request.session.get(BROWSER, "")):
        request.META[GIVEN] = token
    return token


def keep_token(request: HttpRequest) -> str:
    """Return the token of the request's browser, making a new one if needed, and send it with the answer if
    the browser has no cookie.
    """
    token = token_of(request) or new_key()
    if not token_in(request.COOKIES):
        request.META[GIVEN] = token
    return token


def viewer_of(request: HttpRequest) -> Viewer:
    """Return the viewer of a page: account and browser."""
    token = token_of(request)
    return Viewer(request.user.pk, browser=hashed(token) if token else "")


def api_viewer_of(request: HttpRequest) -> Viewer:
    """Return the viewer of the API: account, and edit key in ``X-Deck-Key``. The browser is ignored."""
    key = request.headers.get("X-Deck-Key", "")
    return Viewer(request.user.pk, key_hash=hashed(key) if key else "")


def browser_of(request: HttpRequest) -> str:
    """Return the hash of the browser's token, which it is given if it has none."""
    return hashed(keep_token(request))


def owner_of(request: HttpRequest) -> Viewer:
    """Return the viewer who will own something to be stored: the account, else the browser, which is given a
    token if it has none.
    """
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))


def viewer_tag(request: HttpRequest) -> str:
    """Return an irreversible tag of the viewer: the same for an account in all browsers, or one for each
    browser without an account.
    """
    if account := request.session.get(SESSION_KEY):
        return _tag(f"account {account}")
    token = token_of(request)
    return _tag(f"browser {token}") if token else ANONYMOUS


def is_viewers_page(response: HttpResponse) -> bool:
    """True if the answer is a private page, or a redirect from one."""
    is_page = response.get("Content-Type", "").startswith("text/html") and response.status_code < 500
    return is_page and "private" in response.get("Cache-Control", "")


def _tag(viewer: str) -> str:
    # Another salt would make the pages useless that browsers keep for offline use, so it keeps the name of a
    # module of earlier releases. 24 hexadecimal digits are 96 bits.
    return salted_hmac("decks.identity.viewer_tag", viewer, algorithm="sha256").hexdigest()[:24]


# -- own things on pages of the catalogue ------------------------------------------------

# The *reader* of such a page is its viewer; for a viewer who owns nothing that a page could show it is
# ``Viewer()``, so that all these get the same page.

M = TypeVar("M", bound=models.Model)
# The key of ``request.META`` for the result of ``reader_of``.
READER = "cutout.reader"

# Models marked by ``shown_on_pages``: ``OwnBox`` and ``UploadedPicture`` in ``cardsdb/models/box.py``.
_owning: list[Any] = []


def shown_on_pages(model: type[M]) -> type[M]:
    """Decorate a model whose rows are shown to their owners on pages of the catalogue. Its manager needs the
    methods ``of`` and ``for_everyone`` (``EveryonesQuerySet``).
    """
    _owning.append(model)
    return model


def reader_of(request: HttpRequest) -> Viewer:
    """Return the reader of a page of the catalogue. The session is read only if a cookie names an account or
    a browser, so that most requests need no database query.
    """
    if READER not in request.META:
        is_named = {settings.SESSION_COOKIE_NAME, settings.CUTOUT_BROWSER_COOKIE} & request.COOKIES.keys()
        viewer = viewer_of(request) if is_named else Viewer()
        request.META[READER] = viewer if owns_something(viewer) else Viewer()
    reader: Viewer = request.META[READER]
    return reader


def owns_something(viewer: Viewer) -> bool:
    """True if the account, or else the browser, has anything of its own. It takes one query, or none without
    account and browser.
    """
    return _any_row(model.objects.of(viewer) for model in _owning)


def everyone_has_something() -> bool:
    """True if anything belongs to everyone, which a private site shows to all. One query per request."""
    rows = (model.objects.for_everyone() for model in _owning)
    return once_a_request("everyone", lambda: _any_row(rows))


def may_see_own(reader: Viewer) -> bool:
    """True if own things, or things of everyone, may be shown on this viewer's pages. One query at most."""
    return reader != Viewer() or everyone_has_something()


def _any_row(queries: Iterable[Any]) -> bool:
    """True if any of these querysets finds a row. One query for all of them; a queryset that is known to be
    empty (``none()``) takes none.
    """
    keys = [query.order_by().values("pk") for query in queries]
    return bool(keys and keys[0].union(*keys[1:], all=True).exists())
