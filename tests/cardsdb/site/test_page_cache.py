"""Pages answered from memory: the same bytes as Django's, never older than the catalogue, never one visitor's
page for another.
"""

from __future__ import annotations

import gzip
import sys
import threading
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from cardsdb.games import games
from cardsdb.models import Card, Edition
from cardsdb.site.page_cache import PageCache, _Page
from cardsdb.site.server import whole_site
from tests.support.cached_site import CARD, Server, server
from tests.support.game_folders import told_otherwise

__all__ = ["server"]

# Counted and kept in the memory of the process.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def new_edition() -> None:
    Edition.objects.create()


def test_a_kept_page_is_the_page_that_django_made(server: Server) -> None:
    made, kept = server.get(), server.get()
    assert server.made == 1
    assert made.everything == kept.everything


def test_the_page_is_the_one_that_is_made_without_the_cache(server: Server, client: Client) -> None:
    plain = client.get(CARD)
    assert server.get().everything == (200, dict(plain.headers), plain.content)


def rename_kai(monkeypatch: pytest.MonkeyPatch) -> None:
    told_otherwise(monkeypatch, "kai", name="Kai the Renamed")
    new_edition()


def test_a_new_edition_is_seen_at_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.get()
    rename_kai(monkeypatch)
    assert "Kai the Renamed" in server.get().body.decode()


def test_a_page_made_while_the_catalogue_changed_counts_as_the_old_editions(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardsdb.web.pages import views

    real = views.render

    def render_slowly(*args: Any, **kwargs: Any) -> HttpResponse:
        page = real(*args, **kwargs)
        new_edition()
        return page

    with monkeypatch.context() as slow:
        slow.setattr(views, "render", render_slowly)
        server.get()
    server.get()
    assert server.made == 2


def test_loading_cards_that_changed_makes_every_page_anew(server: Server, sixth_game: Any) -> None:
    from cardsdb.catalogue.loader import load

    server.get("/")
    load(sixth_game)
    assert "Dead Drop" in server.get("/").body.decode()


def test_whoever_says_who_they_are_is_answered_by_django(server: Server) -> None:
    server.get()
    server.get(HTTP_AUTHORIZATION="Basic x")
    server.get(HTTP_AUTHORIZATION="Basic x")
    assert server.made == 3


def test_everybodys_page_may_be_kept_by_all_and_is_checked_each_time(client: Client) -> None:
    answer = client.get(CARD)
    assert answer["Cache-Control"] == "public, no-cache"
    assert set(answer["Vary"].split(", ")) == {"Cookie", "Accept-Encoding"}
    assert not answer.cookies


@pytest.mark.parametrize("game", sorted(games()))
def test_no_public_page_has_a_forms_token(server: Server, game: str) -> None:
    card = Card.objects.current().in_game(game).by_name()[0]
    for address in ("/", "/games/", f"/games/{game}/rules/", f"/cards/{game}/{card.code}/"):
        answer = server.get(address)
        assert answer.headers["Cache-Control"] == "public, no-cache", address
        assert "csrfmiddlewaretoken" not in answer.body.decode()
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("spelling", ["{}", "{strong}", '"other", {}', "*", '"other",{strong}'])
def test_an_unchanged_page_is_not_sent_again(server: Server, kept: bool, spelling: str) -> None:
    etag = server.get().headers["ETag"]
    asking = server if kept else Server()
    asked = spelling.format(etag, strong=etag.removeprefix("W/"))
    answer = asking.get(HTTP_IF_NONE_MATCH=asked)
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["ETag"] == etag
    assert "Content-Length" not in answer.headers
    assert "Content-Security-Policy" in answer.headers


def test_a_page_first_asked_for_by_its_tag_is_kept_all_the_same(server: Server) -> None:
    server.get(HTTP_IF_NONE_MATCH='"old"')
    assert server.get().status == 200
    assert server.made == 1


@pytest.mark.parametrize("asked", ['"other"', "nonsense", "W/"])
def test_another_tag_gets_the_page(server: Server, asked: str) -> None:
    server.get()
    assert server.get(HTTP_IF_NONE_MATCH=asked).status == 200


def test_without_the_cache_an_unchanged_page_is_not_sent_again_either(client: Client) -> None:
    etag = client.get(CARD)["ETag"]
    assert client.get(CARD, headers={"If-None-Match": etag}).status_code == 304


def test_the_tag_changes_with_the_page(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    before = server.get().headers["ETag"]
    rename_kai(monkeypatch)
    assert server.get(HTTP_IF_NONE_MATCH=before).status == 200


@pytest.mark.parametrize("kept", [False, True])
def test_a_head_request_gets_the_headers_of_the_page_and_no_body(server: Server, kept: bool) -> None:
    whole = server.get()
    head = (server if kept else Server()).get(method="HEAD")
    assert head.body == b""
    assert head.headers == whole.headers


def test_a_browser_that_reads_gzip_gets_gzip_and_another_plain_text(server: Server) -> None:
    packed = [server.get(HTTP_ACCEPT_ENCODING="gzip, br") for _ in range(2)][1]
    plain = [server.get(HTTP_ACCEPT_ENCODING="br") for _ in range(2)][1]
    assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.body) == plain.body
    assert server.made == 2


@pytest.mark.parametrize(
    "different",
    [
        {"HTTP_HOST": "localhost"},
        {"wsgi.url_scheme": "https"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"QUERY_STRING": "q=kai"},
    ],
)
def test_a_request_that_differs_in_what_a_page_may_show_is_another_page(
    server: Server, different: dict[str, str]
) -> None:
    server.get()
    server.get(**different)
    assert server.made == 2


def test_a_visitor_who_came_by_https_is_not_given_the_page_of_one_who_did_not(
    server: Server, settings: Any
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    server.get()
    page = server.get(HTTP_X_FORWARDED_PROTO="https").body.decode()
    assert f"https://testserver{CARD}" in page and "http://testserver" not in page


@pytest.mark.parametrize(
    "header", ["HTTP_HX_REQUEST", "HTTP_ACCEPT_LANGUAGE", "HTTP_USER_AGENT", "HTTP_X_WHATEVER"]
)
def test_what_no_public_page_looks_at_makes_no_second_copy(server: Server, header: str) -> None:
    server.get()
    for value in ("true", "1", "x"):
        server.get(**{header: value})
    assert server.made == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "TRACE"])
def test_other_methods_are_djangos(server: Server, method: str) -> None:
    server.get()
    assert server.get(method=method).status in (403, 405)


def test_a_foreign_host_is_refused_though_the_page_is_kept(server: Server) -> None:
    server.get()
    assert server.get(HTTP_HOST="foreign.example").status == 400


def test_a_page_that_is_not_there_is_not_kept(server: Server) -> None:
    assert [server.get("/cards/spycraft/nobody/").status for _ in range(2)] == [404, 404]
    assert server.made == 2


def test_a_page_that_no_view_called_public_is_not_kept(server: Server) -> None:
    server.get("/check/")
    server.get("/check/")
    assert server.made == 2


def test_a_database_that_is_down_is_no_reason_to_give_out_what_is_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.get()

    monkeypatch.setattr("cardsdb.site.page_cache.CURRENT_EDITION", "SELECT gone FROM nowhere")
    with transaction.atomic():
        server.get()
        transaction.set_rollback(True)
    assert server.made == 2


def test_an_empty_catalogue_keeps_nothing(server: Server, empty_catalogue: None) -> None:
    server.get("/games/")
    server.get("/games/")
    assert server.made == 2


def test_what_is_kept_is_bounded_and_the_least_used_goes_first() -> None:
    room = 6 * len(Server().get().body)
    server = Server(max_bytes=room)
    codes = Card.objects.current().in_game("spycraft").by_name().values_list("code", flat=True)[:20]
    addresses = [f"/cards/spycraft/{code}/" for code in codes]
    for address in addresses:
        server.get(addresses[0])
        server.get(address)
        assert server._cache._bytes <= room
    assert server.made == len(addresses), "the page that was asked for each time has gone"
    server.get(addresses[1])
    assert server.made == len(addresses) + 1


def test_pages_that_several_threads_store_at_once_are_counted_once() -> None:
    cache = PageCache(lambda environ, start: [])
    pages = {number: _Page(None, "", [], [], "", b"", 100, frozenset(), False) for number in range(12)}

    def store() -> None:
        for _ in range(300):
            for number, page in pages.items():
                cache._store((number,), page)

    before, threads = sys.getswitchinterval(), [threading.Thread(target=store) for _ in range(4)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert (len(cache._pages), cache._bytes) == (12, 1_200)


def test_nothing_is_kept_while_the_site_is_being_worked_on(settings: Any) -> None:
    assert isinstance(whole_site(WSGIHandler()), PageCache)
    settings.DEBUG = True
    assert not isinstance(whole_site(WSGIHandler()), PageCache)


def test_the_games_colours_are_asked_for_each_time_and_not_sent_again(server: Server) -> None:
    sheet = server.get("/games.css")
    assert sheet.headers["Cache-Control"] == "public, no-cache"
    assert server.get("/games.css", HTTP_IF_NONE_MATCH=sheet.headers["ETag"]).status == 304
