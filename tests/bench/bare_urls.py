"""The site's addresses, an empty view to measure Django by, and two pages as one would first write them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from cardsdb import urls
from tests.bench import plain_page, plain_serializer
from tests.bench.bare_paths import EMPTY, PLAIN, SERIALIZED

handler400, handler403, handler404, handler500 = (
    urls.handler400,
    urls.handler403,
    urls.handler404,
    urls.handler500,
)


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [
    path(EMPTY[1:], empty),
    path(PLAIN[1:], plain_page.page),
    path(f"{SERIALIZED[1:]}/<slug:code>", plain_serializer.CardJSON.as_view()),
    *urls.urlpatterns,
]
