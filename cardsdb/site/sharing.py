"""Each view says by a decorator who may share its answers: ``view.sharing`` is ``public`` or ``private``. An
answer of which no view says anything is for no cache to store (``cardsdb.site.middleware``).

- ``public``: the page is the same for all who bring nothing, until the edition of the catalogue or the code
  changes.
- ``public_or_own``: so is this page, but readers who have something of their own get a page for themselves.
- ``public_for_now``: the page is the same for all, but it shows decks, files or times, which change within an
  edition: the view itself says how long caches may store it.
- ``private``: the page is made for the visitor who asks.

A browser keeps an answer for the time without a network only where its view says so, in the header
``Cutout-Offline``. That is a list of what may be kept and not of what may not: a page with a secret, an
account's settings or a form of the admin is not kept by mistake. ``docs/decisions/0010`` says why.

Beside it stands what a browser may do with an answer: its Content Security Policy, without inline script or
style. No answer leaves without one, but for a 304 that states none: it says that a browser's copy is still
right, and the copy keeps the policy that it came with.

The tests of every address stand in ``tests/house``: ``test_sharing.py`` and ``test_policies.py``; those of
pages without a network in ``tests/cardsdb/site/test_sharing.py``.
"""

from collections.abc import Callable, Iterable
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any, Concatenate, ParamSpec
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.views.decorators.http import condition, conditional_page

from cardsdb.catalogue.current import catalogue
from cardsdb.games import roots
from cardsdb.identity.viewer import may_see_own, reader_of

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
    )
)
# Of the small page of a deck, which any site may frame.
EMBEDDED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
# Of what is no page of ours: nothing in it runs, whatever a browser takes it for. A drawn face has its
# owner's picture inside.
FILE_POLICY = (
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)

NOT_MODIFIED = 304


def give_policy(response: HttpResponseBase) -> None:
    """Give Django's answer its policy if it states none: a picture is no page, though a browser opens it as
    one.
    """
    if response.status_code != NOT_MODIFIED:
        is_picture = response.get("Content-Type", "").startswith("image/")
        response.headers.setdefault("Content-Security-Policy", FILE_POLICY if is_picture else POLICY)


def with_policy(application: WSGIApplication) -> WSGIApplication:
    """The WSGI application, which gives the policy of files to those of its answers that have none: answers
    that are made before Django is asked, such as static files and refusals under overload.
    """

    def answered(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def started(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if not status.startswith(str(NOT_MODIFIED)) and not any(
                name.lower() == "content-security-policy" for name, _ in headers
            ):
                headers = [
                    *headers,
                    ("Content-Security-Policy", FILE_POLICY),
                    ("X-Content-Type-Options", "nosniff"),
                ]
            return start_response(status, headers, *error)

        return application(environ, started)

    return answered


P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

# The header that lets the browser keep an answer. Its value names the browser's cache that holds the copy,
# as service_worker.js calls them: "public", "viewer" or "face".
HEADER = "Cutout-Offline"
# The headers of a picture of a card: a page may show hundreds, so they have a cache of their own.
FACE = {HEADER: "face"}
# The name of the cookie in which a message waits for its reader.
MESSAGES = "messages"


def kept_offline(view: View[P]) -> View[P]:
    """Mark a view whose pages the visitor's own browser may show again without a network, though no cache on
    the way may store them.
    """

    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return mark_kept(request, view(request, *args, **kwargs), "viewer")

    return marked


def mark_kept(request: HttpRequest, response: HttpResponseBase, kept_as: str) -> HttpResponseBase:
    """The response, marked as one that the browser keeps: as the ``viewer``'s, or as ``public``.

    The mark is left out of a part of a page, of a file to be stored, and of an answer that sets a cookie or
    shows a message: such an answer shows what is shown once, such as a new edit link.
    """
    is_whole = "HX-Request" not in request.headers and not response.has_header("Content-Disposition")
    shows_once = response.cookies or request.COOKIES.get(MESSAGES)
    if request.method in ("GET", "HEAD") and response.status_code == 200 and is_whole and not shows_once:
        response[HEADER] = kept_as
    return response


PUBLIC, PRIVATE = "public", "private"
# The ends of the names of files of which answers are made (``release``). Files that a load brings into the
# database are left out: the edition stands for them.
MADE_OF = (".py", ".html", ".js", ".json", ".toml", ".csv", ".txt")
LOADED = ("cards.csv", "claims.csv")


def public(view: View[P]) -> View[P]:
    """Mark a view on whose page nothing stands that is one reader's."""
    return _shared(view, brings_nothing)


def public_or_own(view: View[P]) -> View[P]:
    """Mark a view whose page shows readers what is their own, or everyone's on a private site."""
    return _shared(view, _has_nothing)


def public_for_now(view: View[P]) -> View[P]:
    """Mark a view that says itself how long caches may store its answer, and what of it is one reader's."""
    return _marked(view, PUBLIC)


def private(view: View[P]) -> View[P]:
    """Mark a view that answers each visitor by who they are. No cache keeps a copy, unless the view says
    so.
    """

    @wraps(view)
    def answered(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        keep_private(response)
        return response

    return _marked(answered, PRIVATE)


def keep_private(response: HttpResponseBase) -> None:
    """Forbid caches to store an answer that does not say itself how they may. A 304 is left as it is: the
    copy keeps the headers that it came with.
    """
    if not response.has_header("Cache-Control") and response.status_code != NOT_MODIFIED:
        add_never_cache_headers(response)


def all_private(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """These addresses of an app that is not ours, each of their views private."""
    listed = list(patterns)
    for pattern in listed:
        if isinstance(pattern, URLResolver):
            all_private(pattern.url_patterns)
        else:
            pattern.callback = private(pattern.callback)
    return listed


def _marked(view: View[P], sharing: str) -> View[P]:
    """The view itself, with its sharing as an attribute that tests read."""
    view.sharing = sharing  # type: ignore[attr-defined]
    return view


def _shared(view: View[P], is_for_all: Callable[[HttpRequest], bool]) -> View[P]:
    """A view whose page is one for all readers of whose requests ``is_for_all`` is True, and otherwise the
    reader's own.

    The page for all has the tag of the edition, so that a copy is found right before the page is made; an own
    page is tagged by its bytes. Any cache may store the page for all, and the reader's browser an own page;
    each asks before it shows a copy again. An answer that is no page, such as an error or a redirect, has no
    tag, and the middleware says how it is stored.
    """
    everybodys: Any = condition(etag_func=edition_tag)(view)
    ones_own: Any = conditional_page(view)

    @wraps(view)
    def answered(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        for_all = is_for_all(request)
        response: HttpResponseBase = (everybodys if for_all else ones_own)(request, *args, **kwargs)
        if response.status_code not in (200, NOT_MODIFIED):
            del response["ETag"]
            return response
        response["Cache-Control"] = "public, no-cache" if for_all else "private, no-cache"
        # Set here, and not left to ``give_policy``, which passes over a 304: both answers have equal headers.
        response.headers.setdefault("Content-Security-Policy", POLICY)
        patch_vary_headers(response, ("Cookie", "Accept-Encoding"))
        return mark_kept(request, response, "public" if for_all else "viewer")

    return _marked(answered, PUBLIC)


def brings_nothing(request: HttpRequest) -> bool:
    """Return whether the page may be the same for all: no message waits, and the answer takes no cookie from
    the browser, as it does with the cookie of a session that ended.
    """
    has_ended = settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.is_empty()
    return not request.COOKIES.get(MESSAGES) and not has_ended


def _has_nothing(request: HttpRequest) -> bool:
    """Return whether a request brings nothing, and neither its reader nor everyone on a private site has
    cards, texts or pictures of their own.
    """
    return not may_see_own(reader_of(request)) and brings_nothing(request)


def edition_tag(request: HttpRequest, *args: Any, **kwargs: Any) -> str | None:
    """The entity tag of a page that follows from its address and the edition, or of a part of it that htmx
    asks for; None while templates are worked on (DEBUG).
    """
    part = request.headers.get("HX-Request", "")
    made_of = (*catalogue().state, release(), request.build_absolute_uri(), part)
    return None if settings.DEBUG else f'W/"{digest_of(*made_of)}"'


def digest_of(*parts: object) -> str:
    """A digest of these parts as text, in their order: 32 hexadecimal digits."""
    text = "\n".join(map(str, parts))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def release() -> str:
    """A digest of the files that make the answers, read once for each process: the next release may answer
    otherwise from the same catalogue.
    """
    digest = blake2b(digest_size=8)
    base = Path(settings.BASE_DIR)
    folders = [base / name for name in ("cardsdb", "decks", "printing", "templates")]
    paths = [path for root in (*folders, *roots()) for path in sorted(root.rglob("*"))]
    # Pages link static files by names that change with their bytes; this list has these names.
    for path in (*paths, Path(settings.STATIC_ROOT, "staticfiles.json")):
        if path.suffix in MADE_OF and path.name not in LOADED and path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
