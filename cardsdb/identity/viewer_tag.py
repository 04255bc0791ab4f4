"""A name for the viewer that tells nobody who it is: the browser sees by it when the pages it keeps are
another's.
"""

from __future__ import annotations

from collections.abc import Callable

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


def is_viewers_own(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether the answer may be about who asks: the session was looked at, and no cache is told to store the
    answer for others.
    """
    session = getattr(request, "session", None)
    return (
        session is not None and bool(session.accessed) and "public" not in response.get("Cache-Control", "")
    )


def _tag(viewer: str) -> str:
    return salted_hmac("decks.identity.viewer_tag", viewer, algorithm="sha256").hexdigest()[:24]


class ViewerTag:
    """Says on each page that looked at the session whose it is. Other pages say nothing: they are everybody's
    and may be stored as such.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and is_viewers_own(request, response):
            response[HEADER] = viewer_tag(request)
        return response
