"""Static files under hashed names, each with twins packed by gzip and brotli, sent in the packing that the
browser takes.

They are packed once, when they are collected: a browser's first visit then costs a quarter of the bytes, and
no request any work.

The colours of the games stand in the stylesheet as custom properties, so that a new game needs no edit of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.utils.text import slugify
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.site.sharing import FILE_POLICY, public_for_now


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
    """Those style sheets and scripts that import others, whole."""
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
