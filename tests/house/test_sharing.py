"""Each view declares its answers public (the same for everybody) or private, and really answers so.

Every address is asked by every kind of visitor, with and without data of their own. The second part tests
conditional requests (ETag, 304), the third what turns a public page private.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings

from cardsdb.box.intake import take
from cardsdb.box.placing import add
from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed
from cardsdb.models import Edition
from cardsdb.models.box import Place
from cardsdb.site.sharing import HEADER as OFFLINE
from tests.support.answers import body
from tests.support.guests import guest, known_as, named_token
from tests.support.made_decks import named_deck
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.permission_table import path_to
from tests.support.pictures import coded, painted
from tests.support.visitors import (
    ANONYMOUS,
    GAME,
    OWNER,
    STAFF,
    STRANGER,
    World,
    addresses,
    answered,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.engine("sqlite"),
    pytest.mark.usefixtures("nothing_counted"),
]
SPYCRAFT = games()[GAME]
CARD = f"/cards/{GAME}/kai/"
# Headers that must be equal in all copies of a public answer.
COMPARED = ("Cache-Control", "Vary", "ETag", "Content-Security-Policy", OFFLINE)
# Texts that only an owner's page has, and the form token of one browser.
SECRETS = (CANARY, "Brass Falcon", "csrfmiddlewaretoken", "/pictures/files/")
# Addresses with other parameters than in other tests.
SAMPLES = {"set": "/sets/spycraft/ON/", "document": "/games/agentdecker/documents/rulebook/"}
# The part of these pages that a script requests is public; the whole page, with a form or a message, is not.
PIECES = {"card_decks": f"{CARD}decks/", "card_reviews": f"{CARD}reviews/"}
# Further queries of addresses, which are asked besides those of the table.
QUERIES = (
    "/cards/?q=kai+or+shiatsu&view=faces",
    "/cards/?q=zeppelin",
    "/cards/?q=falcon",
    f"{CARD}?q=zeppelin+or+kai",
    "/search/suggest/?q=fal",
    "/compare/?card=spycraft:kai&card=spycraft:li",
)


def is_public(answer: Any) -> bool:
    return "public" in answer.get("Cache-Control", "")


def everything(answer: Any) -> tuple[Any, ...]:
    """Return all of an answer that must be equal for every visitor: status, body, headers."""
    return (answer.status_code, body(answer), *(answer.get(name) for name in COMPARED))


def bring_everything(viewer: Viewer) -> None:
    """Give this visitor an own text, an own card and a picture, of a card that many pages show."""
    save_text(viewer, SPYCRAFT, "kai", f"{CANARY}: hide it.")
    own_card(own_set(viewer))
    add(viewer, take(coded(painted(size=(125, 175)))), "kai.jpg", Place(GAME, "kai", "front"))


@dataclass(frozen=True)
class Visitors:
    """All kinds of visitors. The owner of all decks and a guest have data of their own, the others none."""

    world: World
    owners: dict[str, Client]
    others: dict[str, Client]

    @property
    def all(self) -> dict[str, Client]:
        return self.others | self.owners


@pytest.fixture(scope="module")
def visitors(module_db, tmp_path_factory):
    with override_settings(CUTOUT_PICTURES=str(tmp_path_factory.mktemp("pictures"))):
        world = World()
        bring_everything(Viewer(world.users[OWNER].pk))
        bring_everything(guest(world.browser))
        others = {visitor: world.clients[visitor] for visitor in (STRANGER, STAFF, ANONYMOUS)}
        yield Visitors(
            world,
            {OWNER: world.clients[OWNER], "guest": world.browser},
            others | {"new guest": known_as("new")},
        )


# -- what views declare ----------------------------------------------------------------------


def test_each_view_declares_its_sharing():
    silent = [
        address.name
        for address in addresses()
        if getattr(address.pattern.callback, "sharing", None) not in ("public", "private")
        or (address.route.startswith("accounts/") and address.pattern.callback.sharing != "private")
    ]
    assert silent == []


def test_each_address_answers_every_visitor_as_its_view_declares(visitors):
    """``test_permissions.py`` asks the private views."""
    decks = visitors.world.decks
    secrets = (*SECRETS, decks["private"].link, decks["browser"].link)
    for address in addresses():
        if address.name in PIECES or address.pattern.callback.sharing == "private":
            continue
        usual = SAMPLES.get(address.name, path_to(address, decks["public"].link, code="kai"))
        for path in (usual, *(query for query in QUERIES if query.split("?")[0] == usual)):
            answers = {visitor: answered(client, "get", path) for visitor, client in visitors.all.items()}
            contents = {visitor: everything(answer) for visitor, answer in answers.items()}
            anonymous = contents[ANONYMOUS]
            for visitor, answer in answers.items():
                case = (path, visitor, answer.get("Cache-Control"))
                if answer.status_code != 200:
                    # Redirects of a public view may be public.
                    assert is_public(answer) <= (answer.status_code < 400), case
                elif visitor in visitors.others or is_public(answer):
                    assert contents[visitor] == anonymous and is_public(answer), case
                    assert not answer.cookies and "Cutout-Viewer" not in answer, case
                else:
                    assert "private" in answer["Cache-Control"], case
            if answers[ANONYMOUS].status_code == 200:
                assert [secret for secret in secrets if secret.encode() in anonymous[1]] == [], path


@pytest.mark.parametrize("path", PIECES.values())
def test_a_piece_of_a_card_page_is_the_same_for_everybody(visitors, path):
    pieces = [client.get(path, headers={"HX-Request": "true"}) for client in visitors.all.values()]
    assert len({everything(piece) for piece in pieces}) == 1 and is_public(pieces[0])
    assert not any(piece.cookies for piece in pieces)


def test_owners_find_their_own_data_on_pages(visitors):
    for owner, client in visitors.owners.items():
        for path in (CARD, f"/cards/?q={CANARY}", "/cards/?q=falcon", "/cards/?q=kai&view=faces"):
            page = client.get(path)
            assert any(secret in page.text for secret in SECRETS), (owner, path)
            assert page["Cache-Control"] == "private, no-cache" and page[OFFLINE] == "viewer"


# -- conditional requests ----------------------------------------------------------------------


# The headers that a 304 must repeat.
HEADERS = (
    *COMPARED[:4],
    "Permissions-Policy",
    "Referrer-Policy",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Cross-Origin-Opener-Policy",
)


def test_an_unchanged_page_is_304_with_the_same_headers(client):
    for packed in ("gzip", "identity"):
        whole = client.get(CARD, headers={"Accept-Encoding": packed})
        headers = {"If-None-Match": whole["ETag"], "Accept-Encoding": packed}
        unchanged = client.get(CARD, headers=headers)
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert [unchanged.get(name) for name in HEADERS] == [whole.get(name) for name in HEADERS]
    head = client.head(CARD)
    assert (head.content, head["ETag"]) == (b"", client.get(CARD)["ETag"])


def test_an_unchanged_page_is_not_rendered_again(client, django_assert_num_queries):
    address = "/cards/?q=kai"
    tag = client.get(address)["ETag"]
    with django_assert_num_queries(2):  # the edition, and whether everyone has something
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304


def test_owners_never_get_304_for_the_public_page(visitors):
    for path in (CARD, "/cards/?q=kai&view=faces", "/sets/spycraft/ON/", "/decks/newest/"):
        tag = visitors.others[ANONYMOUS].get(path).get("ETag", "*")
        for client in visitors.owners.values():
            own = client.get(path, headers={"If-None-Match": tag} if tag != "*" else {})
            assert own.status_code == 200 and "private" in own["Cache-Control"], path


def test_tags_differ_by_release_edition_address_and_part(client, monkeypatch):
    """Faces have tags of their own, pieces of a card's page have none."""
    usual = [
        SAMPLES.get(address.name, path_to(address, "x", code="kai"))
        for address in addresses()
        if address.pattern.callback.sharing == "public"
    ]
    paths = {path for path in (*usual, *QUERIES) if "/face" not in path}

    def tags(**headers: str) -> list[str]:
        # A browser that has any copy gets a 304 with the tag, for which no page is made.
        answers = [client.get(path, headers={"If-None-Match": "*", **headers}) for path in paths]
        return [
            answer["ETag"]
            for answer in answers
            if "ETag" in answer and answer.get("Cache-Control") == "public, no-cache"
        ]

    first, parts, old = tags(), tags(**{"HX-Request": "true"}), client.get(CARD)["ETag"]
    Edition.objects.create()
    of_edition = tags()
    monkeypatch.setattr("cardsdb.site.sharing.release", lambda: "the next one")
    made = [*first, *parts, *of_edition, *tags()]
    assert len(set(made)) == len(made) == 4 * len(first) > 4 * 30
    assert old in first and client.get(CARD, headers={"If-None-Match": old}).status_code == 200


def test_debug_mode_sends_no_tags(client, settings):
    settings.DEBUG = True
    assert "ETag" not in client.get(CARD)


# -- what makes a public page private ------------------------------------------------------------


def test_a_waiting_message_makes_the_page_private(client):
    storage, waiting = CookieStorage(RequestFactory().get("/")), HttpResponse()
    storage.add(messages.INFO, f"{CANARY} was stored.")
    storage.update(waiting)
    client.cookies["messages"] = waiting.cookies["messages"].value
    tag = Client().get("/games/")["ETag"]
    page = client.get("/games/", headers={"If-None-Match": tag})
    assert CANARY in page.text and page["Cache-Control"] == "private, no-cache"
    assert OFFLINE not in page and is_public(client.get("/games/"))


@pytest.mark.parametrize("path", ["/games/", CARD])
@pytest.mark.parametrize("key", ["x", "0" * 32])
def test_an_answer_that_deletes_a_session_cookie_is_not_public(client, path, key):
    client.cookies["sessionid"] = key
    answer = client.get(path)
    assert is_public(answer) != ("sessionid" in answer.cookies)


def test_data_for_everyone_makes_pages_private(client):
    tag = client.get(CARD)["ETag"]
    box = box_for_everyone()
    box.owntexts.create(game=GAME, card_code="kai", text="Dirigible.")
    box.changed()
    page = client.get(CARD, headers={"If-None-Match": tag})
    assert "Dirigible" in page.text and page["Cache-Control"] == "private, no-cache"
    assert is_public(client.get("/games/"))
    box.delete()
    assert is_public(client.get(CARD))


def test_a_public_site_makes_no_query_about_data_for_everyone(client, settings, django_assert_num_queries):
    settings.HTTPS = True
    client.get(CARD)
    with django_assert_num_queries(1):
        client.get(CARD)


def test_a_first_own_text_shows_at_once_in_every_browser(client):
    user, elsewhere = User.objects.create_user("ada"), Client()
    client.force_login(user)
    elsewhere.force_login(user)
    before = client.get(CARD)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", f"{CANARY}.")
    for browser in (client, elsewhere):
        assert CANARY in browser.get(CARD, headers={"If-None-Match": before["ETag"]}).text
    client.logout()
    assert is_public(client.get(CARD))


def test_a_browser_known_by_its_session_alone_sees_its_data(client):
    session = client.session
    session["browser"] = named_token("old")
    session.save()
    save_text(Viewer(browser=hashed(named_token("old"))), SPYCRAFT, "kai", f"{CANARY}.")
    assert CANARY in client.get(CARD).text


def test_a_forged_session_gives_no_access(client):
    user = User.objects.create_user("ada")
    client.force_login(user)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", f"{CANARY}.")
    Session.objects.update(session_data="forged")
    assert CANARY not in client.get(CARD).text


def test_the_page_of_an_own_card_is_private_to_every_reader():
    maker = Client()
    named_deck(maker, "One", "2 Kai")
    card = own_card(own_set(guest(maker), visibility="public"))
    for reader in (maker, Client()):
        page = reader.get(f"/cards/{GAME}/{card.code}/")
        assert page.status_code == 200 and page["Cache-Control"] == "private, no-store"
        assert "ETag" not in page


@pytest.mark.parametrize(
    "path", ["/nothing/", "/cards/spycraft/nobody/", "/cards/spycraft/kai", "/decks/nothing/"]
)
def test_answers_without_a_view_are_not_stored(client, path):
    answer = client.get(path)
    assert answer.status_code in (301, 404) and "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("table", ["django_session", "cardsdb_ownbox", "cardsdb_edition"])
def test_an_unknown_visitor_during_a_database_failure_gets_no_page(table):
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("ada"))

    def refused(execute: Any, sql: str, *rest: Any) -> Any:
        if table in sql:
            raise OperationalError("the database does not answer")
        return execute(sql, *rest)

    with connection.execute_wrapper(refused):
        answer = client.get(CARD)
    assert answer.status_code == 503 and not is_public(answer)
