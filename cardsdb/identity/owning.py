"""The question if a visitor has anything of their own that stands on pages of the catalogue: texts, cards,
pictures. Who has nothing sees what all see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from django.conf import settings
from django.db import models
from django.http import HttpRequest

from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.watch.requests import once_a_request

M = TypeVar("M", bound=models.Model)
# Under this name a request says who reads its page.
READER = "cutout.reader"

_owning: list[Any] = []


def shown_on_pages(model: type[M]) -> type[M]:
    """For a model whose rows, each of an ``owner``, a ``browser`` or ``everyone``, are shown to these on
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
