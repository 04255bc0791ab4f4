"""Whether a visitor has anything of their own that stands on pages of the catalogue: texts, cards, pictures.

Whoever has nothing sees what everybody sees. Pages that are stored for everybody are given to them too, so
this is asked before Django makes a page. An error marks the connection as Django does, which tries it before
the next request and opens another.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import DEFAULT_DB_ALIAS, Error, connections, models
from django.http import HttpRequest, parse_cookie

from cardsdb.identity.viewer import BROWSER, Viewer, hashed, token_in, viewer_of

M = TypeVar("M", bound=models.Model)
# Under this name a request says that its page depends on who reads it.
READER = "cutout.reader"
# Sessions whose content was read before; so many are remembered.
MAX_READ = 10_000

_owning: list[Any] = []
_read: dict[str, Viewer] = {}


def shown_on_pages(model: type[M]) -> type[M]:
    """For a model whose rows, each of an ``owner``, a ``browser`` or ``everyone``, are shown to these on
    pages of the catalogue.
    """
    _owning.append(model)
    return model


def first_row(query: str) -> Any:
    """The first row of a query; None without one, and where the database does not answer."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    try:
        if database.connection is None:
            database.ensure_connection()
        return database.connection.execute(query).fetchone()
    except (Error, database.Database.Error):
        # Django tries the connection before the next request then, and opens another if it is broken.
        database.errors_occurred = True
        return None


def reader_of(request: HttpRequest) -> Viewer:
    """The visitor of a page that is everybody's unless something of theirs stands on it
    (``page_cache.shows_own`` says so then).

    Whoever has nothing of their own is nobody here, so that their page is the one of everybody. A session is
    looked at only where a cookie names somebody, and having looked does not make the page theirs.
    """
    known: Viewer | None = request.META.get(READER)
    if known is None:
        known = request.META[READER] = _reader_of(request)
    return known


def _reader_of(request: HttpRequest) -> Viewer:
    if not names_somebody(request.COOKIES):
        return Viewer()
    accessed = request.session.accessed
    viewer = viewer_of(request)
    request.session.accessed = accessed
    return viewer if owns_something(viewer) else Viewer()


def names_somebody(cookies: Container[str]) -> bool:
    """True if these cookies, or the header of them, may name an account or a browser."""
    return settings.SESSION_COOKIE_NAME in cookies or settings.CUTOUT_BROWSER_COOKIE in cookies


def owns_something(viewer: Viewer) -> bool:
    """Whether the account or the browser has anything of its own. One query; who cannot be looked up counts
    as one who has.
    """
    if viewer == Viewer():
        return False
    owners = Viewer(viewer.user_id), Viewer(browser=viewer.browser)
    first, *others = (
        model.objects.of(owner).order_by().values("pk") for model in _owning for owner in owners
    )
    try:
        return bool(first.union(*others, all=True).exists())
    except Error:
        return True


def everyone_has_something() -> bool:
    """Whether anything stands in the place of everyone, which a private site shows to all. One query at most,
    as above.
    """
    row = first_row(_everyones_query())
    return row is None or bool(row[0])


def may_see_own(reader: Viewer) -> bool:
    """Whether anything of their own, or of everyone's, may stand on a page for this reader. One query at
    most.
    """
    return reader != Viewer() or everyone_has_something()


def may_own_something(cookies: str) -> bool:
    """True if whoever sends these cookies may own something: a session names an account, a cookie of its own
    the browser.

    An account counts though its session may have ended, and a session that is not there is nobody's.
    """
    sent = parse_cookie(cookies)
    key, token, viewer = sent.get(settings.SESSION_COOKIE_NAME), token_in(sent), Viewer()
    if key is not None:
        sessions = SessionStore.get_model_class().objects.filter(session_key=key)
        try:
            data = sessions.values_list("session_data", flat=True).first()
        except Error:
            return True
        viewer = viewer if data is None else _viewer_in(data)
    return owns_something(Viewer(viewer.user_id, browser=hashed(token) if token else viewer.browser))


def _viewer_in(data: str) -> Viewer:
    """Whom a session's content names. Its content is signed, and read once."""
    viewer = _read.get(data)
    if viewer is None:
        session = SessionStore().decode(data)
        account, token = session.get(SESSION_KEY), session.get(BROWSER, "")
        viewer = Viewer(int(account) if account else None, browser=hashed(token) if token else "")
        if len(_read) >= MAX_READ:
            _read.clear()
        _read[data] = viewer
    return viewer


@cache
def _everyones_query() -> str:
    return f"SELECT {' OR '.join(f'EXISTS (SELECT 1 FROM {model._meta.db_table} WHERE everyone)' for model in _owning)}"  # noqa: S608 (names of tables)
