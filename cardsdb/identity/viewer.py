"""Who asks: an account, a browser with access to decks, or a program with one deck's edit key."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

from cardsdb.games.kit.model.dataclass import dataclass

if TYPE_CHECKING:
    from django.http import HttpRequest

# The session's only key of decks: a random token of the browser. BrowserAccess says which decks the browser may edit.
BROWSER = "browser"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A user's id, the hash of the edit key that was sent, the hash of the browser's token; each may be missing.

    ``is_nobody``: no visitor of the site, but a command that needs no database; nothing is looked up for it.
    """

    user_id: int | None = None
    key_hash: str = ""
    browser: str = ""
    is_nobody: bool = False


NOBODY = Viewer(is_nobody=True)


def owner_alone(viewer: Viewer) -> dict[str, Any]:
    """Who owns what this visitor owns, as ``OwnedQuerySet.of`` asks for it: the account, the browser of one without, or nobody."""
    return {"user_id": viewer.user_id, "browser": "" if viewer.user_id else viewer.browser, "is_nobody": viewer.is_nobody}


def new_key() -> str:
    """128 random bits, for links that cannot be guessed."""
    return secrets.token_urlsafe(16)


def hashed(key: str) -> str:
    """The hash of a key, which the database stores: who reads it there cannot edit with it."""
    return hashlib.sha256(key.encode()).hexdigest()


def viewer_of(request: HttpRequest) -> Viewer:
    """The visitor of a page: their account and their browser."""
    token = request.session.get(BROWSER, "")
    return Viewer(request.user.pk, browser=hashed(token) if token else "")


def api_viewer_of(request: HttpRequest) -> Viewer:
    """The visitor of the API: their account, or the one key in ``X-Deck-Key``. Never the browser's decks."""
    key = request.headers.get("X-Deck-Key", "")
    return Viewer(request.user.pk, key_hash=hashed(key) if key else "")


def browser_of(request: HttpRequest) -> str:
    """The hash of this browser's token; one that has none gets one."""
    session = request.session
    if BROWSER not in session:
        # A command knows who asks too, and has no session.
        from django.contrib.sessions.backends.base import UpdateError

        session[BROWSER] = new_key()
        try:
            session.save()
        except UpdateError:
            # The visitor logged out in another tab meanwhile and stays so; the browser gets a new session.
            session.flush()
            session[BROWSER] = new_key()
            session.save()
    return hashed(session[BROWSER])


def owner_of(request: HttpRequest) -> Viewer:
    """Whoever stores something of their own: an account; else the browser, which gets a token now if it has none."""
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))
