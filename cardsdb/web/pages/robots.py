"""What search engines and browsers ask for by name: where robots may go, and how to search here from the address bar."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

A_DAY = 24 * 60 * 60


@require_safe
@cache_control(max_age=A_DAY, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """All may be read. A random card is no page of its own, and an edit page is its owner's."""
    lines = ["User-agent: *", "Allow: /", f"Disallow: {reverse('random_card')}", "Disallow: /decks/*/edit"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=A_DAY, public=True)
def opensearch(request: HttpRequest) -> HttpResponse:
    """The site as a search engine for the browser's address bar."""
    site = request.build_absolute_uri("/").rstrip("/")
    return render(request, "cardsdb/opensearch.xml", {"site": site}, content_type="application/opensearchdescription+xml; charset=utf-8")
