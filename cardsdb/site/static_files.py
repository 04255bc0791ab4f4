"""Static files: collecting, serving, and the parts of the site that work offline or let it be installed.

``collectstatic`` puts imported style sheets and scripts into one file, gives it a name with the hash of its
content, and compresses it with gzip and brotli (``HashedFiles``). ``with_static_files`` serves the results
before Django is asked. The colours of all games are generated into the style sheet (``game_colours``), so
that a new game needs no edit of it. Tests: ``tests/cardsdb/site/test_static_files.py``.
"""

import re
from collections.abc import Iterator
from typing import Any
from wsgiref.headers import Headers
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.site.sharing import FILE_POLICY, public, public_for_now

# Endings of the compressed copies of a file, which ``prepare`` deletes with it.
PACKED = (".gz", ".br")
# A name with the hash of the file's content: "cutout.0123456789ab.css".
HASHED = r"\.[0-9a-f]{12}\.\w+$"
# Seconds for which browsers keep a file whose name has no hash.
PLAIN_MAX_AGE = 3600
# Headers of static files; they matter if a file is opened as a page of its own.
HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": FILE_POLICY}

# The folder of our own files.
OURS = "cutout/"
# A line that imports one of them, and is replaced by it: '@import "fans.css";' in a style sheet, whose first
# group is "fans.css", or 'import "./site.js";' in a script, whose second group is "site.js".
IMPORT = re.compile(r'^(?:@import "([\w./]+)";|import "\./([\w.]+)";)\n', re.MULTILINE)

# Name of a file -> (storage that has it, its name there); collectstatic passes this on.
Found = dict[str, tuple[Storage, str]]


def game_colours() -> str:
    """Return the style sheet ``/games.css``: the colours of games and their values as custom properties, such
    as ``.game-spycraft { --hue: #7b3327; --hue-dark: #e3a391; }``. ``collectstatic`` puts it into the main
    style sheet.
    """
    return "\n".join(_rules()) + "\n"


def colour_class(game: Game, value: str) -> str:
    """Return the CSS class for the colour of a fact's value; empty if the game declares no colour for it."""
    return f"value-{game.slug}-{slugify(value)}" if value in game.colours else ""


def _rules() -> Iterator[str]:
    """Yield the CSS rules for the colours of games, and of values of their facts."""
    for game in games().values():
        yield f".game-{game.slug} {{ --hue: {game.hue[0]}; --hue-dark: {game.hue[1]}; }}"
    for game in games().values():
        yield from (
            f".{colour_class(game, value)} {{ --value: {colour}; }}"
            for value, colour in game.colours.items()
            if slugify(value)
        )


def with_static_files(application: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application so that ``/static/`` is answered with the files that were collected before."""
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    files: WSGIApplication = WhiteNoise(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        max_age=PLAIN_MAX_AGE,
        immutable_file_test=HASHED,
        allow_all_origins=False,
        add_headers_function=_add_headers,
    )
    return files


def _add_headers(headers: Headers, path: str, url: str) -> None:
    """Add ``HEADERS`` to those of a static file. WhiteNoise calls this once for each file."""
    for name, value in HEADERS.items():
        headers[name] = value


class OurFilesAlone(Compressor):  # type: ignore[misc]
    """Compresses only the files that visitors' pages load. Those of the admin and of Django REST framework
    are ten times as many and rarely used.
    """

    def should_compress(self, filename: str) -> bool:
        return bool(super().should_compress(filename)) and not filename.startswith(
            ("admin/", "rest_framework/", "django_htmx/ext/")
        )


class HashedFiles(CompressedManifestStaticFilesStorage):
    """The storage of static files. Names are hashed once ``collectstatic`` has run; before that, and for
    files that it has not seen, they are plain.
    """

    manifest_strict = False

    def post_process(self, paths: Found, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Replace each of our files by one with its imports included, so that pages need one request for it,
        and go on as usual.
        """
        if not dry_run:
            paths = paths | dict(_assembled(paths))
        return iter(super().post_process(paths, dry_run, **options))

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return OurFilesAlone(**kwargs)

    def stored_name(self, name: str) -> str:
        """Return the hashed name of a file, or its plain name if it was not collected."""
        if not self.hashed_files and not (settings.STATIC_ROOT / "staticfiles.json").exists():
            return name
        try:
            return super().stored_name(name)
        except ValueError:
            # A missing file must not make the page fail.
            return name


def _assembled(paths: Found) -> Iterator[tuple[str, tuple[Storage, str]]]:
    """Yield (name, file) for the style sheets and scripts that import others, with the imports included."""
    whole = InMemoryStorage()
    for name in paths:
        if not (name.startswith(OURS) and name.endswith((".css", ".js"))):
            continue
        text = _read(paths, name)
        if IMPORT.search(text):
            content = _with_imports(paths, text, set()).encode()
            yield name, (whole, whole.save(name, ContentFile(content)))


def _with_imports(paths: Found, text: str, there: set[str]) -> str:
    """Return the text with each import replaced by the imported file, once. ``there``: names already
    included; more are added to it. A script is put into a block, so that its declarations stay local::

        import "./b.js";       {
        let x = 1;        ->   let y = 2;
                               }
                               let x = 1;
    """

    def included(match: re.Match[str]) -> str:
        name, is_script = match[1] or match[2], bool(match[2])
        if name in there:
            return ""
        there.add(name)
        if name == "/games.css":
            return game_colours()
        part = _with_imports(paths, _read(paths, OURS + name), there)
        return f"{{\n{part}}}\n" if is_script else part

    return IMPORT.sub(included, text)


def _read(paths: Found, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


@require_safe
@public_for_now
@cache_control(public=True, max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect ``/favicon.ico``, which browsers ask for by themselves, to the icon."""
    return HttpResponseRedirect(static("cutout/favicon.svg"))


# -- without a network -------------------------------------------------------------------

# Pages, and the files that these need, that the service worker stores when it is installed. They must be the
# same for all visitors.
SHELL_PAGES = ("offline", "check")
SHELL_FILES = (
    "cutout/cutout.css",
    "cutout/verdict.css",
    "cutout/offline.css",
    "cutout/site.js",
    "cutout/offline_page.js",
    "cutout/check_offline.js",
    "cutout/verdict.js",
    "cutout/favicon.svg",
    "django_htmx/htmx-2.min.js",
    "fonts/sans-regular.woff2",
    "fonts/serif-semibold.woff2",
)
# Background colours of the head of every page, in light and in dark; a test compares them with the
# stylesheet.
LIGHT = "#ece5d6"
DARK = "#12161b"


@require_safe
@public_for_now
@cache_control(no_cache=True, public=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker. Its file names change with every release, so browsers update it."""
    context = {
        "files": [static(name) for name in SHELL_FILES],
        "pages": [reverse(name) for name in SHELL_PAGES],
    }
    return render(
        request, "cardsdb/site/service_worker.js", context, content_type="text/javascript; charset=utf-8"
    )


@require_safe
@public_for_now
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Send the web app manifest, with which browsers can install the site like a program."""
    icons = [
        _icon("favicon.svg", "any", "any"),
        _icon("icon-maskable.svg", "any", "maskable"),
        *(_icon(f"icon-{size}.png", f"{size}x{size}", "any") for size in (192, 512)),
        *(_icon(f"icon-maskable-{size}.png", f"{size}x{size}", "maskable") for size in (192, 512)),
    ]
    mine = f"{reverse('deck_list')}?q=is%3Amine"
    app = {
        "id": "/",
        "name": "Cutout: cards, decks and proxies",
        "short_name": "Cutout",
        "description": "Catalogue, deck judge and proxy printer for five espionage card games.",
        "lang": "en-GB",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT,
        "theme_color": LIGHT,
        "icons": icons,
        "shortcuts": [{"name": "My decks", "url": mine}, {"name": "Check a list", "url": reverse("check")}],
    }
    return JsonResponse(app, content_type="application/manifest+json")


@require_safe
@public
def offline_page(request: HttpRequest) -> HttpResponse:
    """Show which pages work without a network and which of them this browser has stored. The service worker
    shows it in place of a page that is not stored.
    """
    return render(request, "cardsdb/site/offline.html")


def _icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    """Return an entry of the manifest's icons."""
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    return {"src": static(OURS + name), "sizes": sizes, "type": kind, "purpose": purpose}
