"""Pages that say the same to everyone are made once per edition of the catalogue, and then answered from
memory before Django.

A view marks its page as such by ``public_by_edition``. ``PageCache`` stands around the WSGI
application and stores those pages, each with the edition that was current before it was made. A stored
page is sent only while that edition is still current; each request finds that out, by one small query,
so nothing is ever stale, whichever process loaded the cards.

What a visitor sends does not make a page theirs, but what its making looked at: a page is stored only if it
looked at no cookie that was sent, no session and no form's token, and at no visitor who has anything of their
own. It notes which cookies it would have looked at, and whether it asks who reads it; only visitors for whom
neither can make a difference get it from memory.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from typing import Any, Concatenate, ParamSpec
from wsgiref.types import StartResponse, WSGIApplication

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from cardsdb.identity.owning import READER, first_row, may_own_something, names_somebody
from cardsdb.identity.viewer import Viewer
from cardsdb.site.kept_pages import mark_kept
from cardsdb.watch.requests import kept_page, view_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
Headers = list[tuple[str, str]]
# An edition of the catalogue: its number and when it was made. The number alone would not do:
# the number of an edition whose transaction failed is used again.
# The third says in which state everyone's box is: on a private site pages may show what is in it
# (``shows_own``).
EditionKey = tuple[int, str, int | None]
_EVERYONES = "(SELECT state FROM cardsdb_ownbox WHERE everyone)"
CURRENT_EDITION = (
    f"SELECT number, CAST(made AS text), {_EVERYONES} FROM cardsdb_edition ORDER BY number DESC LIMIT 1"  # noqa: S608 (names of tables)
)

# Bytes of all stored pages, and of the largest page that is stored.
MAX_CACHE_BYTES = 64 * 1024 * 1024
MAX_PAGE_BYTES = 512 * 1024
# Headers that a stored page may depend on: the key has the one, and what the page looked at of the other is
# noted.
KEYED = {"accept-encoding", "cookie"}
# The name of a cookie whose name nobody knows: a page that looked at all cookies may depend on any.
ANY = ""
# Under this name a request that PageCache passes on carries the note for its view to fill in.
NOTE = "cutout.page_cache"
# Under this name a request says that its page shows something of a box (cardsdb/models/own.py).
_OWN = "cutout.shows_own"

_GZIP = re.compile(r"\bgzip\b")


@dataclass(slots=True)
class _Note:
    """What ``public_by_edition`` tells PageCache about the page it made.

    ``edition``: None for a page that is not to be stored. ``cookies``: the names of those it looked for.
    ``asks_reader``: whether it shows those who have something of their own another page. ``view``: the name
    of its address.
    """

    edition: EditionKey | None = None
    view: str = ""
    cookies: frozenset[str] = frozenset()
    asks_reader: bool = False


class _WatchedCookies(dict[str, str]):
    """A request's cookies, which note what is looked for: ``ANY`` for whoever goes through all of them."""

    def __init__(self, cookies: dict[str, str]) -> None:
        super().__init__(cookies)
        self.looked_for: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.looked_for.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.looked_for.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.looked_for.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.looked_for.add(ANY)
        return super().__iter__()

    def __len__(self) -> int:
        self.looked_for.add(ANY)
        return super().__len__()

    def keys(self) -> Any:
        self.looked_for.add(ANY)
        return super().keys()

    def values(self) -> Any:
        self.looked_for.add(ANY)
        return super().values()

    def items(self) -> Any:
        self.looked_for.add(ANY)
        return super().items()

    def copy(self) -> Any:
        self.looked_for.add(ANY)
        return super().copy()


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it was answered: the headers, with and without those of the body; and the name of its
    address.
    """

    edition: EditionKey
    view: str
    headers: Headers
    short_headers: Headers
    etag: str
    body: bytes
    size: int
    cookies: frozenset[str]
    asks_reader: bool


def public_by_edition(view: View[P]) -> View[P]:
    """For a view whose page depends on the address and the catalogue, and on nobody but those who have
    something of their own.

    Gives the page an ETag, answers 304, and says how caches may store it: everybody's pages publicly,
    but to be checked each time; what turns out to be somebody's in their own browser only. A page with a
    Cache-Control of its own is left alone; one with a session or a form's token in it is private.
    """

    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        note = request.META.get(NOTE)
        if note:
            # Before the page is made: if the catalogue changes meanwhile, the page counts as the old
            # edition's.
            note.edition = current_edition()
            note.view = view_of(request)
        cookies = _WatchedCookies(request.COOKIES)
        request.COOKIES = cookies  # type: ignore[misc]
        response = view(request, *args, **kwargs)
        if getattr(response, "is_rendered", True):
            return _with_tag(request, response, cookies)
        response.add_post_render_callback(lambda rendered: _with_tag(request, rendered, cookies))  # type: ignore[attr-defined]
        return response

    marked.is_public_by_edition = True  # type: ignore[attr-defined]
    return marked


def _with_tag(request: HttpRequest, response: HttpResponseBase, cookies: _WatchedCookies) -> HttpResponseBase:
    note = request.META.get(NOTE)
    if (
        response.status_code != 200
        or not isinstance(response, HttpResponse)
        or response.has_header("Cache-Control")
    ):
        if note:
            note.edition = None
        return response
    # Whoever reads the cookie of a session or a browser shows that by the session itself, or by asking for
    # the reader.
    looked_for = frozenset(
        cookies.looked_for - {settings.SESSION_COOKIE_NAME, settings.CUTOUT_BROWSER_COOKIE}
    )
    public = not _is_somebodys(request, looked_for) and not response.cookies
    response["Cache-Control"] = "public, no-cache" if public else "private, no-cache"
    response["ETag"] = f'W/"{blake2b(response.content, digest_size=12).hexdigest()}"'
    patch_vary_headers(response, ("Cookie",))
    mark_kept(request, response)
    if note and public:
        note.cookies, note.asks_reader = looked_for, READER in request.META
        return response  # PageCache answers If-None-Match, so that it gets the page to store.
    if note:
        note.edition = None
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def shows_own(request: HttpRequest) -> None:
    """Note that the page shows what somebody brought along: it is nobody's but theirs, and stored in no cache
    that others share.
    """
    request.META[_OWN] = True
    if names_somebody(request.COOKIES):
        request.session.accessed = True


def has_own(request: HttpRequest) -> bool:
    """Whether the page shows what somebody brought along."""
    return _OWN in request.META


def _is_somebodys(request: HttpRequest, looked_for: frozenset[str]) -> bool:
    """Whether making the page used what the visitor sent: a cookie, the session, a form's token, or looked
    into a box.
    """
    sent = request.META
    session = getattr(request, "session", None)
    if session is not None and (
        session.accessed or (settings.SESSION_COOKIE_NAME in request.COOKIES and session.is_empty())
    ):
        return True  # A session that is not there is taken from the browser by this very answer.
    if (
        any(name in sent.get("HTTP_COOKIE", "") for name in looked_for)
        or sent.get(READER, Viewer()) != Viewer()
    ):
        return True
    return "CSRF_COOKIE_NEEDS_UPDATE" in sent or has_own(request) or "HTTP_AUTHORIZATION" in sent


def current_edition() -> EditionKey | None:
    """The edition that is current now; None if there is none or the database does not answer."""
    row: EditionKey | None = first_row(CURRENT_EDITION)
    return row


class PageCache:
    """A WSGI application around Django's that answers stored pages by itself. Safe for threads; each process
    has its own.
    """

    def __init__(self, application: WSGIApplication, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self.application = application
        self._max_bytes = max_bytes
        self._bytes = 0
        self._pages: OrderedDict[tuple[object, ...], _Page] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        key = _key(environ)
        if key is None:
            return self.application(environ, start_response)
        page = self._pages.get(key)
        if page is None or page.edition != current_edition():
            return self._make(key, environ, start_response)
        if "HTTP_COOKIE" in environ and not _is_for(page, environ["HTTP_COOKIE"]):
            return self.application(environ, start_response)
        try:
            # The dict itself lets one thread at a time in: a lock would be a sixteenth of all that is done
            # here.
            self._pages.move_to_end(key)
        except KeyError:
            # Another thread has dropped it meanwhile.
            self._store(key, page)
        known = _known(page, environ)
        # Django, which sees to that otherwise, hears nothing of this request.
        kept_page(environ, page.view, known, len(page.body))
        return _answer(page, known, environ, start_response)

    def _make(
        self, key: tuple[object, ...], environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        """Django's answer; stored if its view allows it."""
        note = environ[NOTE] = _Note()
        started: list[Any] = []

        def start(status: str, headers: Headers, exc_info: Any = None) -> None:
            started[:] = (status, headers)

        response = self.application(environ, start)
        status, headers = started
        if (
            note.edition is None
            or not isinstance(response, HttpResponse)
            or not _may_be_stored(status, headers)
        ):
            start_response(status, headers)
            return response
        page = _page(note, note.edition, headers, response.content)
        response.close()
        self._store(key, page)
        return _answer(page, _known(page, environ), environ, start_response)

    def _store(self, key: tuple[object, ...], page: _Page) -> None:
        if page.size > MAX_PAGE_BYTES:
            return
        with self._lock:
            # Another thread may have stored it meanwhile.
            old = self._pages.pop(key, None)
            self._bytes -= old.size if old else 0
            self._pages[key] = page
            self._bytes += page.size
            while self._bytes > self._max_bytes:
                _, oldest = self._pages.popitem(last=False)
                self._bytes -= oldest.size


def _key(environ: dict[str, Any]) -> tuple[object, ...] | None:
    """All of a request but its cookies that its answer may depend on; None for a request that is Django's."""
    get = environ.get
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or get("CONTENT_LENGTH") not in (None, "", "0"):
        return None
    if "HTTP_AUTHORIZATION" in environ or "HTTP_IF_MATCH" in environ:
        return None  # It is somebody's own, or asks for more than the page.
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


def _is_for(page: _Page, cookies: str) -> bool:
    """Whether these cookies cannot make the page another: it looks for none of them, and theirs who sends
    them is nothing it shows.

    A name that stands anywhere among the cookies counts as sent.
    """
    for name in page.cookies:
        if name in cookies:
            return False
    return not page.asks_reader or not names_somebody(cookies) or not may_own_something(cookies)


def _may_be_stored(status: str, headers: Headers) -> bool:
    varies = {
        name.strip().lower()
        for header, value in headers
        if header.lower() == "vary"
        for name in value.split(",")
    }
    return (
        status.startswith("200")
        and varies <= KEYED
        and not any(name.lower() == "set-cookie" for name, _ in headers)
    )


def _page(note: _Note, edition: EditionKey, headers: Headers, body: bytes) -> _Page:
    short = [
        (name, value)
        for name, value in headers
        if not name.lower().startswith("content-") or name == "Content-Security-Policy"
    ]
    etag = next(value for name, value in headers if name == "ETag")
    return _Page(
        edition, note.view, headers, short, etag, body, len(body) + 4_096, note.cookies, note.asks_reader
    )


def _known(page: _Page, environ: dict[str, Any]) -> bool:
    """Whether the browser has this very page."""
    if_none_match = environ.get("HTTP_IF_NONE_MATCH")
    return if_none_match == page.etag or (bool(if_none_match) and _names(if_none_match, page.etag))


def _answer(
    page: _Page, known: bool, environ: dict[str, Any], start_response: StartResponse
) -> Iterable[bytes]:
    if known:
        start_response("304 Not Modified", page.short_headers)
        return [b""]
    start_response("200 OK", page.headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else page.body]


def _names(if_none_match: str, etag: str) -> bool:
    """Whether If-None-Match names the tag; weak and strong tags are the same here, as RFC 9110 demands."""
    opaque = etag.removeprefix("W/")
    return if_none_match.strip() == "*" or opaque in re.findall(r'(?:W/)?("[^"]*")', if_none_match)
