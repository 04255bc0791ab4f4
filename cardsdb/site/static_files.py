"""Static files under hashed names."""

from __future__ import annotations

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


class HashedFiles(ManifestStaticFilesStorage):
    """Hashed names where ``collectstatic`` has made them; plain names before (tests, commands) and for files it has not seen."""

    manifest_strict = False

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
