"""Pages that say the same to everyone are made once per edition of the catalogue, and then answered from memory before Django.

A view marks its page as such by ``public_by_edition``. ``PageCache`` stands around the WSGI
application and stores those pages, each with the edition that was current before it was made. A stored
page is sent only while that edition is still current; one small query a request finds that out, so
nothing is ever stale, whichever process loaded the cards. A request with a cookie is never answered from memory.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from cardsdb.site.kept_pages import mark_kept

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]
# An edition of the catalogue: its number and when it was made. The number alone would not do:
# the number of an edition whose transaction failed is used again.
# The third says in which state everyone's box is: on a private site pages may show what is in it (``shows_own``).
EditionKey = tuple[int, str, int | None]
_EVERYONES = "(SELECT state FROM cardsdb_ownbox WHERE everyone)"
CURRENT_EDITION = f"SELECT number, CAST(made AS text), {_EVERYONES} FROM cardsdb_edition ORDER BY number DESC LIMIT 1"  # noqa: S608

# Bytes of all stored pages, and of the largest page that is stored.
MAX_CACHE_BYTES = 64 * 1024 * 1024
MAX_PAGE_BYTES = 512 * 1024
# Headers that a stored page may depend on: the key has those of them that anonymous visitors send.
KEYED = {"accept-encoding", "cookie"}
# Requests with one of these are Django's: they are somebody's own, or ask for more than the page.
PERSONAL = ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_IF_MATCH")
# Under this name a request that PageCache passes on carries the note for its view to fill in.
NOTE = "cutout.page_cache"
# Under this name a request says that its page shows something of a box (cardsdb/models/own.py).
_OWN = "cutout.shows_own"

_GZIP = re.compile(r"\bgzip\b")


@dataclass(slots=True)
class _Note:
    """What ``public_by_edition`` tells PageCache about the page it made: the edition, None for a page that is not to be stored."""

    edition: EditionKey | None = None


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it was answered: the headers, with and without those of the body."""

    edition: EditionKey
    headers: Headers
    short_headers: Headers
    etag: str
    body: bytes
    size: int


def public_by_edition(view: View[P]) -> View[P]:
    """For a view whose page depends on the address and the catalogue alone, when the visitor sends no cookie.

    Gives the page an ETag, answers 304, and says how caches may store it: everybody's pages publicly,
    but to be checked each time; those of visitors with cookies in their own browser only. A page with a
    Cache-Control of its own is left alone; one with a session or a form's token in it is private.
    """

    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        note = request.META.get(NOTE)
        if note:
            # Before the page is made: if the catalogue changes meanwhile, the page counts as the old edition's.
            note.edition = current_edition()
        response = view(request, *args, **kwargs)
        if getattr(response, "is_rendered", True):
            return _with_tag(request, response)
        response.add_post_render_callback(lambda rendered: _with_tag(request, rendered))  # type: ignore[attr-defined]
        return response

    return marked


def _with_tag(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    note = request.META.get(NOTE)
    if response.status_code != 200 or not isinstance(response, HttpResponse) or response.has_header("Cache-Control"):
        if note:
            note.edition = None
        return response
    public = not any(request.META.get(name) for name in PERSONAL[:2]) and not _is_somebodys(request) and not response.cookies
    response["Cache-Control"] = "public, no-cache" if public else "private, no-cache"
    response["ETag"] = f'W/"{blake2b(response.content, digest_size=12).hexdigest()}"'
    patch_vary_headers(response, ("Cookie",))
    mark_kept(request, response)
    if note and public:
        return response  # PageCache answers If-None-Match, so that it gets the page to store.
    if note:
        note.edition = None
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def shows_own(request: HttpRequest) -> None:
    """Note that the page shows what somebody brought along: it is nobody's but theirs, and stored in no cache that others share."""
    request.META[_OWN] = True
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        request.session.accessed = True


def _is_somebodys(request: HttpRequest) -> bool:
    """Whether making the page used the visitor's session or a form's token, or looked into a box."""
    session = getattr(request, "session", None)
    return bool(session is not None and session.accessed) or "CSRF_COOKIE" in request.META or _OWN in request.META


class _Here(threading.local):
    """This thread's own connection; to ask Django for it each time costs as much as the query."""

    def __init__(self) -> None:
        self.database = connections[DEFAULT_DB_ALIAS]


_here = _Here()


def current_edition() -> EditionKey | None:
    """The edition that is current now; None if there is none or the database does not answer.

    Asked for each stored page, and so without Django's cursors, which take five times as long as the query.
    """
    database = _here.database
    try:
        if database.connection is None:
            database.ensure_connection()
        row: EditionKey | None = database.connection.execute(CURRENT_EDITION).fetchone()
    except (Error, database.Database.Error):
        # Django tries the connection before the next request then, and opens another if it is broken.
        database.errors_occurred = True
        return None
    return row


class PageCache:
    """A WSGI application around Django's that answers stored pages by itself. Safe for threads; each process has its own."""

    def __init__(self, application: Application, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self.application = application
        self._max_bytes = max_bytes
        self._bytes = 0
        self._pages: OrderedDict[tuple[object, ...], _Page] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        key = None if settings.DEBUG else _key(environ)
        if key is None:
            return self.application(environ, start_response)
        page = self._pages.get(key)
        if page is None:
            return self._make(key, environ, start_response)
        if page.edition != current_edition():
            return self._make(key, environ, start_response)
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
        return _answer(page, environ, start_response)

    def _make(self, key: tuple[object, ...], environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Django's answer; stored if its view allows it."""
        note = environ[NOTE] = _Note()
        started: list[Any] = []

        def start(status: str, headers: Headers, exc_info: Any = None) -> None:
            started[:] = (status, headers)

        response = self.application(environ, start)
        status, headers = started
        if note.edition is None or not isinstance(response, HttpResponse) or not _may_be_stored(status, headers):
            start_response(status, headers)
            return response
        page = _page(note.edition, headers, response.content)
        response.close()
        self._store(key, page)
        return _answer(page, environ, start_response)

    def _store(self, key: tuple[object, ...], page: _Page) -> None:
        if page.size > MAX_PAGE_BYTES:
            return
        self._drop(key)
        with self._lock:
            self._pages[key] = page
            self._bytes += page.size
            while self._bytes > self._max_bytes:
                _, oldest = self._pages.popitem(last=False)
                self._bytes -= oldest.size

    def _drop(self, key: tuple[object, ...]) -> None:
        with self._lock:
            page = self._pages.pop(key, None)
            self._bytes -= page.size if page else 0


def _key(environ: dict[str, Any]) -> tuple[object, ...] | None:
    """All of an anonymous request that its answer may depend on; None for a request that is Django's."""
    get = environ.get
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or get("CONTENT_LENGTH") not in (None, "", "0"):
        return None
    for name in PERSONAL:
        if name in environ:
            return None
    query = get("QUERY_STRING", "")
    if len(query) > 4_000:
        return None
    return (
        get("PATH_INFO"),
        query,
        get("HTTP_HOST"),
        get("wsgi.url_scheme"),
        get("HTTP_X_FORWARDED_PROTO"),
        _GZIP.search(get("HTTP_ACCEPT_ENCODING", "")) is not None,
    )


def _may_be_stored(status: str, headers: Headers) -> bool:
    varies = {name.strip().lower() for header, value in headers if header.lower() == "vary" for name in value.split(",")}
    return status.startswith("200") and varies <= KEYED and not any(name.lower() == "set-cookie" for name, _ in headers)


def _page(edition: EditionKey, headers: Headers, body: bytes) -> _Page:
    short = [(name, value) for name, value in headers if not name.lower().startswith("content-") or name == "Content-Security-Policy"]
    etag = next(value for name, value in headers if name == "ETag")
    return _Page(edition, headers, short, etag, body, len(body) + 4_096)


def _answer(page: _Page, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    if_none_match = environ.get("HTTP_IF_NONE_MATCH")
    if if_none_match and _names(if_none_match, page.etag):
        start_response("304 Not Modified", page.short_headers)
        return [b""]
    start_response("200 OK", page.headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else page.body]


def _names(if_none_match: str, etag: str) -> bool:
    """Whether If-None-Match names the tag; weak and strong tags are the same here, as RFC 9110 demands."""
    opaque = etag.removeprefix("W/")
    return if_none_match.strip() == "*" or opaque in re.findall(r'(?:W/)?("[^"]*")', if_none_match)
