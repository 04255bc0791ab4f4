"""Which answers a browser may keep for the time without a network.

A browser keeps an answer only where its view says so, in the header ``Cutout-Offline``. That is a list of
what may be kept and not of what may not: a page with a secret, an account's settings or a form of the admin
is kept by nobody's mistake. ``docs/decisions/0029`` says why.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponseBase

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

HEADER = "Cutout-Offline"
# Pictures of cards: a page may show hundreds, so that they have a room of their own in the browser.
FACE = {HEADER: "face"}
# A message that waits for its reader lies in this cookie.
MESSAGES = "messages"


def kept_offline(view: View[P]) -> View[P]:
    """For a view whose pages the visitor's own browser may show again without a network, though no cache on
    the way may store them.
    """

    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return mark_kept(request, view(request, *args, **kwargs), "viewer")

    return marked


def mark_kept(request: HttpRequest, response: HttpResponseBase, room: str) -> HttpResponseBase:
    """The response, marked as one to be kept: as the ``viewer``'s, or as ``public``.

    A part of a page is none to be kept, nor a file to be stored, nor one with a message or that sets or
    deletes a cookie: it shows what is shown once, such as a new edit link.
    """
    is_whole = "HX-Request" not in request.headers and not response.has_header("Content-Disposition")
    shows_once = response.cookies or request.COOKIES.get(MESSAGES)
    if request.method in ("GET", "HEAD") and response.status_code == 200 and is_whole and not shows_once:
        response[HEADER] = room
    return response
