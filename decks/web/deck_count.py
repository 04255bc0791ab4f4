"""How many decks a visitor has, in a cookie that a script reads: pages are kept for everybody, and no count
may stand in them.

The cookie is nobody's secret and nothing trusts it. It is counted anew where decks come and go, which is
answered by leading on to another page, and where there is none yet; so no page that only shows something
costs a query more.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.identity.viewer_tag import is_viewers_page
from decks.models import Deck

COOKIE = "decks"
# The script says "99+" from here on.
MAX_COUNTED = 100
LEADING_ON = (301, 302, 303)


class DeckCount:
    """Keeps the cookie true on private pages; a public one leaves with no cookie, and stays
    everybody's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # The API's programs want no cookie.
        if not is_viewers_page(response) or request.path.startswith("/api/"):
            return response
        known = request.COOKIES.get(COOKIE)
        if known is not None and response.status_code not in LEADING_ON:
            return response
        viewer = viewer_of(request)
        if viewer == Viewer():
            if known is not None:
                response.delete_cookie(COOKIE, samesite="Lax")
            return response
        count = str(Deck.objects.editable_by(viewer).order_by()[:MAX_COUNTED].count())
        if count != known:
            response.set_cookie(
                COOKIE,
                count,
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
            )
        return response
