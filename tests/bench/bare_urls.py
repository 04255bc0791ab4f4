"""The site's addresses, and an empty view to measure Django by."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from cardsdb import urls
from tests.bench.bare_paths import EMPTY

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path(EMPTY[1:], empty), *urls.urlpatterns]
