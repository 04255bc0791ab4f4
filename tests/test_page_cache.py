"""Pages answered from memory: the same bytes as Django's, never older than the catalogue, never one visitor's page for another."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory
from django.urls import path

from cardsdb.games import games
from cardsdb.holdings import state
from cardsdb.models import Card, Edition
from cardsdb.open_index import index_path
from cardsdb.page_cache import PageCache, public_by_edition
from cardsdb.urls import urlpatterns as site_urls

pytestmark = pytest.mark.django_db
CARD = "/cards/spycraft/kai/"


class Answer:
    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.headers, self.body = int(status[:3]), dict(headers), body

    @property
    def everything(self) -> tuple[int, dict[str, str], bytes]:
        return self.status, self.headers, self.body


@contextmanager
def one_connection() -> Iterator[None]:
    """The connection of the test's transaction is not closed between requests, as Django's own test client sees to."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


class Server:
    """The site behind its page cache; ``made`` counts the answers that Django made."""

    def __init__(self, **options: Any) -> None:
        self.made = 0
        self._django = WSGIHandler()
        self._cache = PageCache(self._counted, **options)

    def _counted(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.made += 1
        return self._django(environ, start_response)

    def get(self, address: str = CARD, method: str = "GET", **environ: str) -> Answer:
        where, _, query = address.partition("?")
        asked = RequestFactory()._base_environ(PATH_INFO=where, QUERY_STRING=query, REQUEST_METHOD=method, HTTP_HOST="testserver")
        asked.pop("HTTP_COOKIE")
        started: list[Any] = []
        with one_connection():
            body = b"".join(self._cache({**asked, **environ}, lambda status, headers, exc_info=None: started.extend((status, headers))))
        return Answer(*started, body)


@pytest.fixture
def server() -> Server:
    return Server()


def new_edition() -> None:
    Edition.objects.create()


def test_a_kept_page_is_the_page_that_django_made(server: Server) -> None:
    made, kept = server.get(), server.get()
    assert server.made == 1
    assert made.everything == kept.everything


def test_the_page_is_the_one_that_is_made_without_the_cache(server: Server, client: Client) -> None:
    plain = client.get(CARD)
    assert server.get().everything == (200, dict(plain.headers), plain.content)


def test_a_new_edition_is_seen_at_once(server: Server) -> None:
    server.get()
    Card.objects.filter(game="spycraft", code="kai").update(name="Kai the Renamed")
    new_edition()
    assert "Kai the Renamed" in server.get().body.decode()


def test_a_page_made_while_the_catalogue_changed_counts_as_the_old_editions(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardsdb.pages import views

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
    from cardsdb.catalogue import load

    server.get("/")
    load(sixth_game)
    assert "Dead Drop" in server.get("/").body.decode()


@pytest.mark.parametrize("name", ["HTTP_COOKIE", "HTTP_AUTHORIZATION"])
def test_whoever_says_who_they_are_is_answered_by_django(server: Server, name: str) -> None:
    server.get()
    server.get(**{name: "sessionid=x"})
    server.get(**{name: "sessionid=x"})
    assert server.made == 3


def test_a_visitors_own_page_is_kept_by_their_browser_alone(client: Client) -> None:
    client.cookies["sessionid"] = "x"
    assert client.get(CARD)["Cache-Control"] == "private, no-cache"


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


def test_the_tag_changes_with_the_page(server: Server) -> None:
    before = server.get().headers["ETag"]
    Card.objects.filter(game="spycraft", code="kai").update(name="Kai the Renamed")
    new_edition()
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
    [{"HTTP_HOST": "localhost"}, {"wsgi.url_scheme": "https"}, {"HTTP_X_FORWARDED_PROTO": "https"}, {"QUERY_STRING": "q=kai"}],
)
def test_a_request_that_differs_in_what_a_page_may_show_is_another_page(server: Server, different: dict[str, str]) -> None:
    server.get()
    server.get(**different)
    assert server.made == 2


def test_a_visitor_who_came_by_https_is_not_given_the_page_of_one_who_did_not(server: Server, settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    server.get()
    page = server.get(HTTP_X_FORWARDED_PROTO="https").body.decode()
    assert f"https://testserver{CARD}" in page and "http://testserver" not in page


@pytest.mark.parametrize("header", ["HTTP_HX_REQUEST", "HTTP_ACCEPT_LANGUAGE", "HTTP_USER_AGENT", "HTTP_X_WHATEVER"])
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


def test_a_database_that_is_down_is_no_reason_to_give_out_what_is_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.get()

    monkeypatch.setattr("cardsdb.page_cache.CURRENT_EDITION", "SELECT gone FROM nowhere")
    with transaction.atomic():
        server.get()
        transaction.set_rollback(True)
    assert server.made == 2


def test_a_page_made_before_the_index_was_there_is_made_again_with_it(server: Server, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    server.get()
    server.get()
    assert server.made == 1
    path = index_path(state())
    path.parent.mkdir()
    path.touch()
    server.get()
    assert server.made == 2


def test_an_empty_catalogue_keeps_nothing(server: Server) -> None:
    Edition.objects.all().delete()
    server.get("/games/")
    server.get("/games/")
    assert server.made == 2


def test_what_is_kept_is_bounded_and_the_least_used_goes_first() -> None:
    room = 6 * len(Server().get().body)
    server = Server(most_bytes=room)
    codes = Card.objects.current().in_game("spycraft").by_name().values_list("code", flat=True)[:20]
    addresses = [f"/cards/spycraft/{code}/" for code in codes]
    for address in addresses:
        server.get(addresses[0])
        server.get(address)
        assert server._cache._bytes <= room
    assert server.made == len(addresses), "the page that was asked for each time has gone"
    server.get(addresses[1])
    assert server.made == len(addresses) + 1


def test_nothing_is_kept_while_the_site_is_being_worked_on(server: Server, settings: Any) -> None:
    settings.DEBUG = True
    server.get()
    server.get()
    assert server.made == 2


# -- views that do what a public page must not ------------------------------------


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
    for view in (_with_form, _with_session, _with_cookie, _by_language, _for_scripts, _with_its_own_word, _large)
]
urlpatterns += site_urls
handler404 = "cardsdb.errors.not_found"


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("name", ["with_form", "with_session", "with_cookie", "by_language", "for_scripts", "with_its_own_word", "large"])
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


def test_the_games_colours_are_asked_for_each_time_and_not_sent_again(server: Server) -> None:
    sheet = server.get("/games.css")
    assert sheet.headers["Cache-Control"] == "public, no-cache"
    assert server.get("/games.css", HTTP_IF_NONE_MATCH=sheet.headers["ETag"]).status == 304
