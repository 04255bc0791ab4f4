"""A name for the viewer that tells nobody who it is: the browser sees by it when the pages it keeps are
another's.
"""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from cardsdb.identity.viewer import token_of

HEADER = "Cutout-Viewer"
ANONYMOUS = "nobody"


def viewer_tag(request: HttpRequest) -> str:
    """The same for an account wherever it is logged in, the same for a browser without one; it cannot be
    turned back into either.
    """
    if account := request.session.get(SESSION_KEY):
        return _tag(f"account {account}")
    token = token_of(request)
    return _tag(f"browser {token}") if token else ANONYMOUS


def is_viewers_page(response: HttpResponse) -> bool:
    """Whether the answer is a page, or leads to one, that its view calls private."""
    is_page = response.get("Content-Type", "").startswith("text/html") and response.status_code < 500
    return is_page and "private" in response.get("Cache-Control", "")


def _tag(viewer: str) -> str:
    return salted_hmac("decks.identity.viewer_tag", viewer, algorithm="sha256").hexdigest()[:24]
