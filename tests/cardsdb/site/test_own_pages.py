"""Views that do what a public page must not: what they answer is not kept, and does not call itself
public.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import path

from cardsdb.site.page_cache import public_by_edition
from cardsdb.urls import urlpatterns as site_urls
from tests.support.cached_site import Server, server

__all__ = ["server"]

pytestmark = pytest.mark.django_db


@public_by_edition
def _with_form(request: HttpRequest) -> HttpResponse:
    return HttpResponse(get_token(request))


@public_by_edition
def _with_session(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(request.session.get("name")))


@public_by_edition
def _with_cookie(request: HttpRequest) -> HttpResponse:
    answer = HttpResponse("x")
    answer.set_cookie("name", "value")
    return answer


@public_by_edition
def _by_language(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.headers.get("Accept-Language", ""), headers={"Vary": "Accept-Language"})


@public_by_edition
def _for_scripts(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.headers.get("HX-Request", ""), headers={"Vary": "HX-Request"})


@public_by_edition
def _with_its_own_word(request: HttpRequest) -> HttpResponse:
    return HttpResponse("not yet", headers={"Cache-Control": "no-store"})


@public_by_edition
def _large(request: HttpRequest) -> HttpResponse:
    return HttpResponse("x" * 600_000)


urlpatterns = [
    path(f"{view.__name__[1:]}/", view)
    for view in (
        _with_form,
        _with_session,
        _with_cookie,
        _by_language,
        _for_scripts,
        _with_its_own_word,
        _large,
    )
]
urlpatterns += site_urls
handler404 = "cardsdb.site.errors.not_found"


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    "name",
    ["with_form", "with_session", "with_cookie", "by_language", "for_scripts", "with_its_own_word", "large"],
)
def test_a_page_that_turns_out_to_be_somebodys_or_too_large_is_not_kept(server: Server, name: str) -> None:
    first, second = server.get(f"/{name}/"), server.get(f"/{name}/")
    assert (first.status, second.status, server.made) == (200, 200, 2)


def greeting(get_response: Any) -> Any:
    """A middleware that gives every visitor a cookie."""

    def greet(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        answer.set_cookie("greeting", "hello")
        return answer

    return greet


def test_a_page_that_leaves_with_a_cookie_is_not_kept(settings: Any) -> None:
    settings.MIDDLEWARE = [f"{__name__}.greeting", *settings.MIDDLEWARE]
    server = Server()
    server.get()
    server.get()
    assert server.made == 2


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("name", ["with_form", "with_session", "with_cookie"])
def test_a_page_that_turns_out_to_be_somebodys_does_not_call_itself_public(server: Server, name: str) -> None:
    assert server.get(f"/{name}/").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.urls(__name__)
def test_a_view_that_says_how_it_may_be_kept_is_taken_at_its_word(server: Server) -> None:
    assert server.get("/with_its_own_word/").headers["Cache-Control"] == "no-store"
