"""Without a network: the service worker that keeps pages, the page that stands in for others, and what
installing the site takes.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.site.sharing import public, public_for_now

# Pages that a service worker takes with it when it is installed, beside the files they are made with: few,
# and nobody's own.
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
    return render(request, "cardsdb/site/offline.html", {"here": "offline"})
