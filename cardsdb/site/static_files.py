"""Static files under hashed names, each with twins packed by gzip and brotli, sent in the packing that the
browser takes; and, without a network, the service worker that keeps pages, the page that stands in for
others, and what installing the site takes.

They are packed once, when they are collected: a browser's first visit then costs a quarter of the bytes, and
no request any work.

The colours of the games stand in the stylesheet as custom properties, so that a new game needs no edit of it.
"""

import re
from collections.abc import Iterator
from typing import Any
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


def game_colours() -> str:
    """The sheet ``/games.css``, which stands in the stylesheet when that is collected."""
    return "\n".join(_rules()) + "\n"


def colour_class(game: Game, value: str) -> str:
    """The class that carries the colour of a fact's value; empty if the game gives it none."""
    return f"value-{game.slug}-{slugify(value)}" if value in game.colours else ""


def _rules() -> Iterator[str]:
    for game in games().values():
        yield f".game-{game.slug} {{ --hue: {game.hue[0]}; --hue-dark: {game.hue[1]}; }}"
    for game in games().values():
        yield from (
            f".{colour_class(game, value)} {{ --value: {colour}; }}"
            for value, colour in game.colours.items()
            if slugify(value)
        )


# What the names of a file's packed twins end with.
PACKED = (".gz", ".br")
# A name that carries the hash of its content.
HASHED = r"\.[0-9a-f]{12}\.\w+$"
# Seconds for which browsers keep a file whose name carries no hash.
PLAIN_MAX_AGE = 3600
# What a browser may do with a static file that is opened as a page of its own.
HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": FILE_POLICY}

# A line of a style sheet or script in whose place another of this folder stands when they are collected; the
# one address is ours.
OURS = "cutout/"
IMPORT = re.compile(r'^(?:@import "([\w./]+)";|import "\./([\w.]+)";)\n', re.MULTILINE)

# Names of files, each with the storage that has it and its name there, as collectstatic hands them on.
Found = dict[str, tuple[Storage, str]]


def with_static_files(application: WSGIApplication) -> WSGIApplication:
    """A WSGI application that answers ``/static/`` with the files that were collected before it was made, and
    passes on all else.
    """
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    files: WSGIApplication = WhiteNoise(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        max_age=PLAIN_MAX_AGE,
        immutable_file_test=HASHED,
        allow_all_origins=False,
        add_headers_function=lambda headers, path, url: [
            headers.__setitem__(*header) for header in HEADERS.items()
        ],
    )
    return files


class OurFilesAlone(Compressor):  # type: ignore[misc]
    """Packs what visitors' pages load. The files of the admin and of the API's own pages are ten times as
    many, and few ever see them.
    """

    def should_compress(self, filename: str) -> bool:
        return bool(super().should_compress(filename)) and not filename.startswith(
            ("admin/", "rest_framework/", "django_htmx/ext/")
        )


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Hashed names where ``collectstatic`` has made them; plain names before (tests, commands) and for files
    it has not seen.
    """

    manifest_strict = False

    def post_process(self, paths: Found, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Each file of ours is collected with its imports in it: what a page is made of comes in one
        request.
        """
        if not dry_run:
            paths = paths | dict(_assembled(paths))
        return iter(super().post_process(paths, dry_run, **options))

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return OurFilesAlone(**kwargs)

    def stored_name(self, name: str) -> str:
        if not self.hashed_files and not (settings.STATIC_ROOT / "staticfiles.json").exists():
            return name
        try:
            return super().stored_name(name)
        except ValueError:
            # A picture that is missing is a blemish; it must not take the page with it.
            return name


def _assembled(paths: Found) -> Iterator[tuple[str, tuple[Storage, str]]]:
    """The style sheets and scripts that import others, each whole."""
    whole = InMemoryStorage()
    for name in paths:
        if (
            name.startswith(OURS)
            and name.endswith((".css", ".js"))
            and IMPORT.search(text := _read(paths, name))
        ):
            yield name, (whole, whole.save(name, ContentFile(_with_imports(paths, text, set()).encode())))


def _with_imports(paths: Found, text: str, there: set[str]) -> str:
    """The text with each file that it imports in place of that line, once. What a script declares is seen in
    its own file alone.
    """

    def put_in(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name in there:
            return ""
        there.add(name)
        if name == "/games.css":
            return game_colours()
        part = _with_imports(paths, _read(paths, OURS + name), there)
        return f"{{\n{part}}}\n" if match[2] else part

    return IMPORT.sub(put_in, text)


def _read(paths: Found, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


@require_safe
@public_for_now
@cache_control(public=True, max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers to the icon from where they look for it by themselves."""
    return HttpResponseRedirect(static("cutout/favicon.svg"))


# -- without a network -------------------------------------------------------------------

# Pages that a service worker takes with it when it is installed, beside the files they are made with: few,
# and no visitor's own.
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
# The head of every page, in light and in dark.
LIGHT, DARK = "#ece5d6", "#12161b"


@require_safe
@public_for_now
@cache_control(no_cache=True, public=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. The names in it change with every release, so that browsers fetch what is new by
    themselves.
    """
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
    """Tell what a browser asks before it installs the site like a program."""
    picture = {"any": "cutout/favicon.svg", "maskable": "cutout/icon-maskable.svg"}
    icons = [
        {"src": static(name), "sizes": "any", "type": "image/svg+xml", "purpose": purpose}
        for purpose, name in picture.items()
    ]
    icons += [
        {
            "src": static(f"cutout/icon{kind}-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for purpose, kind in (("any", ""), ("maskable", "-maskable"))
        for size in (192, 512)
    ]
    mine = f"{reverse('deck_list')}?q=is%3Amine"
    said = {
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
    return JsonResponse(said, content_type="application/manifest+json")


@require_safe
@public
def offline_page(request: HttpRequest) -> HttpResponse:
    """Show what works without a network, and what of it this browser has. It stands in for a page that was
    not kept.
    """
    return render(request, "cardsdb/site/offline.html")
