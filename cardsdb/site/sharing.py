"""Caching and Content Security Policy of answers. A test demands one of these decorators on every view:

- ``public``: the page is the same for all visitors until the edition or the code changes. It has the entity
  tag of the edition and ``Cache-Control: public, no-cache``: stored by any cache, which asks again each time.
- ``public_or_own``: the same, but visitors who have own cards, texts or pictures get a page of their own,
  ``private, no-cache``.
- ``public_for_now``: the page is the same for all but changes within an edition, so the view itself sets
  how long caches may store it.
- ``private``: the page is made for one visitor and is not cached: ``private, no-store``.

Answers that set nothing themselves are not cached either (``cardsdb.site.middleware``). A browser keeps a
page for offline use only if it has the header ``Cutout-Offline``: what may be kept is listed, not what may
not, so that no page with a secret is kept by mistake. Every answer has a policy without inline script or
style, except a 304, whose copy keeps its own. Decision 0010 gives reasons; ``tests/house/test_sharing.py``
and ``test_policies.py`` check all addresses.
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
# The policy of the small page of a deck, which other sites may embed in a frame.
EMBEDDED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
# The policy of all answers that are not pages: nothing in them runs, whatever a browser takes them for.
# Images as data: are allowed because a drawn face of a card contains its owner's picture.
FILE_POLICY = (
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)

NOT_MODIFIED = 304

# The header that lets a browser keep an answer for offline use. Its value is the name of the browser's cache
# in service_worker.js: "public", "viewer" or "face".
HEADER = "Cutout-Offline"
# The headers of pictures of cards. A page may show hundreds of them, so they have a cache of their own.
FACE = {HEADER: "face"}
# The name of Django's cookie with messages that wait to be shown.
MESSAGES = "messages"

# Values of the attribute ``sharing`` of a view.
PUBLIC = "public"
PRIVATE = "private"
# Suffixes of the files that determine answers (see ``release``).
MADE_OF = (".py", ".html", ".js", ".json", ".toml", ".csv", ".txt")
# Files that do not, because they are loaded into the database, where the edition stands for them.
LOADED = ("cards.csv", "claims.csv")

# A view: a function of the request and of further arguments (P), which its decorators leave as they are.
P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def give_policy(response: HttpResponseBase) -> None:
    """Set the policy of an answer by Django that has none: pictures get the policy of files, because a
    browser can open them like a page.
    """
    if response.status_code != NOT_MODIFIED:
        is_picture = response.get("Content-Type", "").startswith("image/")
        response.headers.setdefault("Content-Security-Policy", FILE_POLICY if is_picture else POLICY)


def with_policy(application: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application so that answers without a policy get that of files. These are answers made
    without Django, such as static files and refusals under overload.
    """

    def answered(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def started(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            has_policy = any(name.lower() == "content-security-policy" for name, _ in headers)
            if not has_policy and not status.startswith(str(NOT_MODIFIED)):
                headers = [
                    *headers,
                    ("Content-Security-Policy", FILE_POLICY),
                    ("X-Content-Type-Options", "nosniff"),
                ]
            return start_response(status, headers, *error)

        return application(environ, started)

    return answered


def kept_offline(view: View[P]) -> View[P]:
    """Decorate a view whose pages the browser may keep for offline use, though no other cache may."""

    @wraps(view)
    def marked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return mark_kept(request, view(request, *args, **kwargs), "viewer")

    return marked


def mark_kept(request: HttpRequest, response: HttpResponseBase, kept_as: str) -> HttpResponseBase:
    """Set the header for offline use on a successful page; ``kept_as`` is "viewer" or "public". Return the
    response.

    Parts of pages and downloads are not marked, nor are answers that set a cookie or show a message: these
    may show something once only, such as a new edit link.
    """
    is_whole = "HX-Request" not in request.headers and not response.has_header("Content-Disposition")
    shows_once = response.cookies or request.COOKIES.get(MESSAGES)
    if request.method in ("GET", "HEAD") and response.status_code == 200 and is_whole and not shows_once:
        response[HEADER] = kept_as
    return response


def public(view: View[P]) -> View[P]:
    """Decorate a view whose page is the same for all visitors."""
    return _shared(view, brings_nothing)


def public_or_own(view: View[P]) -> View[P]:
    """Decorate a view whose page also shows what visitors have of their own, or what everyone shares on a
    private site. The page of all others is cached until the next edition, so a number that changes more
    often, such as that of decks, must be loaded by htmx from another view.
    """
    return _shared(view, _has_nothing)


def public_for_now(view: View[P]) -> View[P]:
    """Decorate a view that sets ``Cache-Control`` itself."""
    return _marked(view, PUBLIC)


def private(view: View[P]) -> View[P]:
    """Decorate a view whose answer depends on the visitor. By default it is not cached."""

    @wraps(view)
    def answered(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        keep_private(response)
        return response

    return _marked(answered, PRIVATE)


def keep_private(response: HttpResponseBase) -> None:
    """Forbid caching of an answer without ``Cache-Control``. A 304 is left alone, because the cached copy
    keeps its own headers.
    """
    if not response.has_header("Cache-Control") and response.status_code != NOT_MODIFIED:
        add_never_cache_headers(response)


def all_private(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Make all views of a third-party app's URL patterns private. Return the patterns."""
    listed = list(patterns)
    for pattern in listed:
        if isinstance(pattern, URLResolver):
            all_private(pattern.url_patterns)
        else:
            pattern.callback = private(pattern.callback)
    return listed


def _marked(view: View[P], sharing: str) -> View[P]:
    """Set the attribute ``sharing`` of a view, which tests read. Return the view."""
    view.sharing = sharing  # type: ignore[attr-defined]
    return view


def _shared(view: View[P], is_for_all: Callable[[HttpRequest], bool]) -> View[P]:
    """Return a view whose page is shared by all visitors for whose requests ``is_for_all`` is true.

    The shared page has the entity tag of the edition, so that a 304 is sent before the page is made; a
    visitor's own page is tagged by its content, so it must be made first. Any cache may store the shared
    page, only the browser the own one; both must ask again before they show it. Errors and redirects have no
    tag, and the middleware decides how they are cached.
    """
    shared: Any = condition(etag_func=edition_tag)(view)
    own: Any = conditional_page(view)

    @wraps(view)
    def answered(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        for_all = is_for_all(request)
        response: HttpResponseBase = (shared if for_all else own)(request, *args, **kwargs)
        if response.status_code not in (200, NOT_MODIFIED):
            del response["ETag"]
            return response
        response["Cache-Control"] = "public, no-cache" if for_all else "private, no-cache"
        # Set here because ``give_policy`` skips a 304, and a 304 must have the headers of the 200.
        response.headers.setdefault("Content-Security-Policy", POLICY)
        patch_vary_headers(response, ("Cookie", "Accept-Encoding"))
        return mark_kept(request, response, "public" if for_all else "viewer")

    return _marked(answered, PUBLIC)


def brings_nothing(request: HttpRequest) -> bool:
    """True if the request brings nothing that keeps the shared page from being sent: no message waits to be
    shown, and no cookie of an ended session has to be deleted.
    """
    has_ended = settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.is_empty()
    return not request.COOKIES.get(MESSAGES) and not has_ended


def _has_nothing(request: HttpRequest) -> bool:
    """True if the shared page can be sent, and the visitor has no own cards, texts or pictures to be
    shown on it.
    """
    return not may_see_own(reader_of(request)) and brings_nothing(request)


def edition_tag(request: HttpRequest, *args: Any, **kwargs: Any) -> str | None:
    """Return the entity tag of a shared page, or of a part of it for htmx: a digest of address, edition and
    release, ``W/"<32 digits>"``. It is weak (W/), because the page may be sent compressed. None in DEBUG,
    where templates change.
    """
    part = request.headers.get("HX-Request", "")
    made_of = (*catalogue().state, release(), request.build_absolute_uri(), part)
    return None if settings.DEBUG else f'W/"{digest_of(*made_of)}"'


def digest_of(*parts: object) -> str:
    """Return a digest of these parts as text, in their order: 32 hexadecimal digits."""
    text = "\n".join(map(str, parts))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def release() -> str:
    """Return a digest of the site's files, read once in a process. It is part of entity tags, because another
    release may answer otherwise from the same edition.
    """
    digest = blake2b(digest_size=8)
    base = Path(settings.BASE_DIR)
    folders = [base / name for name in ("cardsdb", "decks", "printing", "templates")]
    paths = [path for root in (*folders, *roots()) for path in sorted(root.rglob("*"))]
    # This list has the hashed names of static files, which pages link to.
    for path in (*paths, Path(settings.STATIC_ROOT, "staticfiles.json")):
        if path.suffix in MADE_OF and path.name not in LOADED and path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
