"""Who asks: an account, or somebody who holds the edit keys of a few decks."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest

SESSION_KEY = "deck_keys"
# A browser remembers this many decks; the edit links of older ones still work.
MOST_KEYS = 200


@dataclass(frozen=True, slots=True)
class Visitor:
    """A user's id, if there is one, and the hashes of the edit keys held."""

    user_id: int | None = None
    key_hashes: tuple[str, ...] = ()


def new_key() -> str:
    """128 random bits, for links that cannot be guessed."""
    return secrets.token_urlsafe(16)


def hashed(key: str) -> str:
    """What the database keeps of an edit key: whoever reads it cannot edit."""
    return hashlib.sha256(key.encode()).hexdigest()


def visitor_of(request: HttpRequest) -> Visitor:
    """The visitor of a page: their account and the keys their browser holds."""
    held = request.session.get(SESSION_KEY, [])
    return Visitor(request.user.pk, tuple(hashed(key) for key in held))


def api_visitor_of(request: HttpRequest) -> Visitor:
    """The visitor of the API: their account, or the one key in ``X-Deck-Key``. Never the cookie's keys."""
    key = request.headers.get("X-Deck-Key", "")
    return Visitor(request.user.pk, (hashed(key),) if key else ())


@transaction.atomic
def remember(request: HttpRequest, key: str, show_link_of: int | None = None) -> None:
    """Let this browser edit the deck from now on; ``show_link_of`` is a deck whose edit link its page shows once.

    The stored session is read again under a lock: two decks saved at once by one browser must both be remembered.
    """
    session = request.session
    # Looked at first: loading a session that is gone forgets its key, and a new one then needs its cookie.
    held_here = session.get(SESSION_KEY, [])
    new = session.session_key is None
    if not new:
        list(Session.objects.select_for_update().filter(session_key=session.session_key))
        stored = type(session)(session.session_key).load()
        session[SESSION_KEY] = [*held_here, *stored.get(SESSION_KEY, [])]
    held = [other for other in dict.fromkeys(session.get(SESSION_KEY, [])) if other != key]
    session[SESSION_KEY] = [*held, key][-MOST_KEYS:]
    if show_link_of is not None:
        session["show_edit_link"] = show_link_of
    session.save()
    # Saved under the lock already; only a new session still needs its cookie.
    session.modified = new


def key_of(request: HttpRequest, key_hash: str) -> str:
    """The key with this hash, if this browser holds it; empty otherwise."""
    return next((key for key in request.session.get(SESSION_KEY, []) if hashed(key) == key_hash), "")
