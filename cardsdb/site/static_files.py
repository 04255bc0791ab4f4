"""Static files under hashed names, each with twins packed by gzip and brotli, sent in the packing that the browser takes.

They are packed once, when they are collected: a browser's first visit then costs a quarter of the bytes, and no request any work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What the names of a file's packed twins end with.
PACKED = (".gz", ".br")
# A name that carries the hash of its content.
HASHED = r"\.[0-9a-f]{12}\.\w+$"
# Seconds for which browsers keep a file whose name carries no hash.
PLAIN_MAX_AGE = 3600
# What a browser may do with a static file that is opened as a page of its own.
HEADERS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}

Application = Callable[..., Any]


def with_static_files(application: Application) -> Application:
    """A WSGI application that answers ``/static/`` with the files that were collected before it was made, and passes on all else."""
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    files: Application = WhiteNoise(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        max_age=PLAIN_MAX_AGE,
        immutable_file_test=HASHED,
        allow_all_origins=False,
        add_headers_function=lambda headers, path, url: [headers.__setitem__(*header) for header in HEADERS.items()],
    )
    return files


class OurFilesAlone(Compressor):  # type: ignore[misc]
    """Packs what visitors' pages load. The files of the admin and of the API's own pages are ten times as many, and few ever see them."""

    def should_compress(self, filename: str) -> bool:
        return bool(super().should_compress(filename)) and not filename.startswith(("admin/", "rest_framework/", "django_htmx/ext/"))


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Hashed names where ``collectstatic`` has made them; plain names before (tests, commands) and for files it has not seen."""

    manifest_strict = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """Remembered for files with a hashed name: a page has seventeen, and one costs as much as a line of a list."""
        if force or settings.DEBUG or name not in self.hashed_files:
            return str(super().url(name, force))
        if name not in self._addresses:
            self._addresses[name] = str(super().url(name))
        return self._addresses[name]

    def save_manifest(self) -> None:
        super().save_manifest()
        self._addresses.clear()

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


@require_safe
@cache_control(public=True, max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for the icon by themselves."""
    return HttpResponseRedirect(static("cutout/favicon.svg"))
