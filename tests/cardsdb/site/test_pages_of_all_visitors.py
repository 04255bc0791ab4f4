"""Every stored page for every visitor, whoever had it made: from memory comes what Django would have made for
them, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from cardsdb.site.page_cache import public_by_edition
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import OwnBox
from cardsdb.own.texts import box_for_everyone, box_of, save_text
from cardsdb.urls import urlpatterns as site_urls
from printing.models import UploadedPicture
from printing.uploads.intake import take
from printing.uploads.pictures import add
from tests.support.cached_site import CARD, Answer, Server, cookies_of, server
from tests.support.guests import guest, named_token
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pictures import coded, painted, picture_folder
from tests.support.public_decks import make_deck
from tests.support.visitors import GAME, addresses

__all__ = ["picture_folder", "server"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()[GAME]
# Those of the visitors for whom every page is made.
FEW = (
    "nobody",
    "strangers' cookies",
    "a form's token",
    "browser with a text",
    "account with a text",
    "staff",
)
# Addresses whose parameters are not the ones of other tests.
SAMPLES = {"set": "/sets/spycraft/ON/", "document": "/games/agentdecker/documents/rulebook/"}
# Pages of one address that differ by what is asked.
QUERIES = (
    "/cards/?q=kai+or+shiatsu&view=grid",
    f"/cards/?q={CANARY}",
    "/cards/?q=falcon",
    "/cards/?q=craft%3E%3D4",
    f"{CARD}?q={CANARY}+or+kai",
    "/cards/spycraft/li/",
    "/search/suggest/?q=fal",
)


def stored_addresses() -> list[str]:
    """Those of views that say that their page is everybody's."""
    marked = [
        one
        for one in addresses()
        if getattr(one.pattern.callback, "is_public_by_edition", False) and one.name not in SAMPLES
    ]
    return [*(one.path("", code="kai") for one in marked), *SAMPLES.values(), *QUERIES]


@pytest.fixture
def visitors(picture_folder: object) -> dict[str, str]:
    """Who comes -> the cookies that they send. Three of them have something of their own."""
    clients = {
        name: Client()
        for name in (
            "browser",
            "browser with a text",
            "account",
            "account with a text",
            "account with a picture",
            "staff",
        )
    }
    for name, client in clients.items():
        if name.startswith("browser"):
            make_deck(client, "One", "2 Kai")
            continue
        user = User.objects.create_user(name, is_staff=name == "staff", is_superuser=name == "staff")
        client.force_login(user)
        if name == "account with a text":
            save_text(Viewer(user.pk), SPYCRAFT, "kai", f"{CANARY}: hide it.")
            own_card(own_set(Viewer(user.pk)))
        elif name == "account with a picture":
            add(Viewer(user.pk), take(coded(painted(size=(125, 175)))), "kai.jpg", (GAME, "kai", "front"))
    save_text(_browser(clients["browser with a text"]), SPYCRAFT, "kai", f"{CANARY}: hide it.")
    form = Client()
    form.get("/check/")
    assert form.cookies["csrftoken"]
    return {
        "nobody": "",
        "strangers' cookies": "_ga=GA1.2.3; consent=yes; theme=dark; decks=7; =x; odd",
        "a form's token": cookies_of(form),
        "a message waiting": "messages=x",
        "a session that ended": "sessionid=" + "0" * 32,
        "no session": "sessionid=x",
    } | {name: cookies_of(client) for name, client in clients.items()}


def _browser(client: Client) -> Viewer:
    return guest(client)


def asked(server: Server, address: str, cookies: str) -> Answer:
    return server.get(address, **_sent(cookies))


def _sent(cookies: str) -> dict[str, str]:
    return {"HTTP_COOKIE": cookies} if cookies else {}


@pytest.mark.engine("sqlite")
def test_from_memory_comes_what_would_be_made_for_whoever_asks(visitors: dict[str, str]) -> None:
    few = {who: visitors[who] for who in FEW}
    given = set()
    for address in stored_addresses():
        servers = {who: Server() for who in few}
        made = {who: asked(servers[who], address, cookies) for who, cookies in few.items()}
        everybodys = made["nobody"]
        assert everybodys.status == 200, address
        for answer in made.values():
            if "public" in answer.headers["Cache-Control"]:
                assert (answer.body, "Set-Cookie" in answer.headers, "Cutout-Viewer" in answer.headers) == (
                    everybodys.body,
                    False,
                    False,
                )
        for maker, visitor in product(few, few):
            kept = servers[maker].kept(address, **_sent(visitors[visitor]))
            if kept:
                assert kept.body == made[visitor].body, (address, maker, visitor)
                given.add((maker, visitor))
    assert given == set(product(few, repeat=2)), "games.css, for one"


def who_is_given(server: Server, address: str, visitors: dict[str, str]) -> set[str]:
    server.get(address)
    return {who for who, cookies in visitors.items() if server.kept(address, **_sent(cookies))}


def test_a_page_that_may_show_ones_own_comes_from_memory_for_all_who_have_nothing(
    server: Server, visitors: dict[str, str]
) -> None:
    theirs = {"browser with a text", "account with a text", "account with a picture", "a message waiting"}
    assert who_is_given(server, CARD, visitors) == set(visitors) - theirs
    assert who_is_given(server, "/cards/?q=kai", visitors) == set(visitors) - theirs


def test_a_page_that_shows_nobodys_own_comes_from_memory_for_all(
    server: Server, visitors: dict[str, str]
) -> None:
    assert who_is_given(server, "/games/", visitors) == set(visitors) - {"a message waiting"}


def test_what_everyone_on_this_machine_sees_is_stored_for_nobody(
    server: Server, visitors: dict[str, str]
) -> None:
    box = box_for_everyone()
    box.owntexts.create(game=GAME, card_code="kai", text="Dirigible.")
    box.changed()
    assert who_is_given(server, CARD, visitors) == who_is_given(server, "/cards/?q=kai", visitors) == set()
    assert who_is_given(server, "/cards/spycraft/li/", visitors) != set()


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(User.objects.create_user("ada"))
    return client


def shown(server: Server, client: Client) -> str:
    return server.get(HTTP_COOKIE=cookies_of(client)).body.decode()


@pytest.mark.both_databases
def test_who_brings_the_first_text_sees_it_at_once_in_every_browser(server: Server, ada: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(User.objects.get())
    assert CANARY not in shown(server, ada) + shown(server, elsewhere)
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, "kai", f"{CANARY}.")
    assert CANARY in shown(server, ada) and CANARY in shown(server, elsewhere)
    OwnBox.objects.all().delete()
    assert CANARY not in shown(server, ada) + shown(server, elsewhere)
    assert server.made == 3


def test_a_browser_that_brings_something_is_shown_it_from_then_on(server: Server, client: Client) -> None:
    client.session.save()
    assert CANARY not in shown(server, client)
    make_deck(client, "One", "2 Kai")
    save_text(_browser(client), SPYCRAFT, "kai", f"{CANARY}.")
    assert CANARY in shown(server, client)


def test_a_browser_of_before_its_cookie_is_shown_what_its_session_names(
    server: Server, client: Client
) -> None:
    session = client.session
    session["browser"] = named_token("old")
    session.save()
    save_text(Viewer(browser=hashed(named_token("old"))), SPYCRAFT, "kai", f"{CANARY}.")
    assert CANARY in shown(server, client)


def test_who_logs_out_is_given_everybodys_page_and_the_session_that_ended_is_nobodys(
    server: Server, ada: Client
) -> None:
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, "kai", f"{CANARY}.")
    before = cookies_of(ada)
    server.get()
    assert CANARY in shown(server, ada)
    ada.logout()
    made = server.made
    assert CANARY not in server.get(HTTP_COOKIE=before).body.decode() and server.made == made


def test_an_own_picture_counts_as_something_of_ones_own(
    server: Server, ada: Client, picture_folder: object
) -> None:
    server.get()
    assert server.kept(HTTP_COOKIE=cookies_of(ada))
    add(
        Viewer(User.objects.get().pk),
        take(coded(painted(size=(125, 175)))),
        "kai.jpg",
        (GAME, "kai", "front"),
    )
    assert UploadedPicture.objects.count() == 1 and not server.kept(HTTP_COOKIE=cookies_of(ada))


@pytest.mark.both_databases
@pytest.mark.parametrize("table", ["django_session", "printing_uploadedpicture"])
def test_who_cannot_be_looked_up_is_answered_by_django(server: Server, table: str) -> None:
    client = Client()
    client.force_login(User.objects.create_user("ben"))
    server.get()

    def refused(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if table in sql:
            raise OperationalError("the database does not answer")
        return execute(sql, *rest)

    assert server.kept(HTTP_COOKIE=cookies_of(client))
    with connection.execute_wrapper(refused):
        assert not server.kept(HTTP_COOKIE=cookies_of(client))


@pytest.mark.both_databases
def test_nothing_that_is_tampered_with_in_a_session_says_whose_it_is(server: Server, ada: Client) -> None:
    save_text(Viewer(User.objects.get().pk), SPYCRAFT, "kai", f"{CANARY}.")
    Session.objects.update(session_data="forged")
    assert CANARY not in shown(server, ada)


def test_a_box_that_was_made_and_never_filled_still_asks_django(server: Server, ada: Client) -> None:
    box_of(Viewer(User.objects.get().pk))
    server.get()
    assert not server.kept(HTTP_COOKIE=cookies_of(ada))


# -- views that look at cookies ------------------------------------------------------------


@public_by_edition
def _by_theme(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.COOKIES.get("theme", "light"))


@public_by_edition
def _by_all(request: HttpRequest) -> HttpResponse:
    return HttpResponse(repr(sorted(request.COOKIES)))


@public_by_edition
def _by_number(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.COOKIES)))


@public_by_edition
def _by_account(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(request.user))


urlpatterns = [path(f"{view.__name__[1:]}/", view) for view in (_by_theme, _by_all, _by_number, _by_account)]
urlpatterns += site_urls
handler404 = "cardsdb.site.errors.not_found"
SENT = ("", "theme=dark", "other=1", "other=1; theme=dark", "nothing; theme =dark", "theme=light")


def pages(name: str) -> Iterator[tuple[Server, dict[str, bytes]]]:
    """A server for each of these cookies that was the first to ask it, and what Django answers to each."""
    made = {cookies: asked(Server(), f"/{name}/", cookies).body for cookies in SENT}
    for first in SENT:
        asking = Server()
        asked(asking, f"/{name}/", first)
        yield asking, made


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("name", ["by_theme", "by_all", "by_number", "by_account"])
def test_a_page_that_looks_at_a_cookie_is_never_given_to_whom_it_says_something_else(name: str) -> None:
    for asking, made in pages(name):
        for cookies, body in made.items():
            kept = asking.kept(f"/{name}/", **_sent(cookies))
            assert kept is None or kept.body == body


@pytest.mark.urls(__name__)
def test_a_page_that_looks_at_one_cookie_is_given_to_all_who_do_not_send_it(server: Server) -> None:
    server.get("/by_theme/")
    assert server.kept("/by_theme/", HTTP_COOKIE="other=1") and not server.kept(
        "/by_theme/", HTTP_COOKIE="other=1; theme=light"
    )
    server.get("/by_all/")
    assert not server.kept("/by_all/", HTTP_COOKIE="other=1")
