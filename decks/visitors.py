"""Who asks: an account, or somebody who holds the edit keys of a few decks."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

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


def remember(request: HttpRequest, key: str) -> None:
    """Let this browser edit the deck from now on."""
    held = [other for other in request.session.get(SESSION_KEY, []) if other != key]
    request.session[SESSION_KEY] = [*held, key][-MOST_KEYS:]


def key_of(request: HttpRequest, key_hash: str) -> str:
    """The key with this hash, if this browser holds it; empty otherwise."""
    return next((key for key in request.session.get(SESSION_KEY, []) if hashed(key) == key_hash), "")
