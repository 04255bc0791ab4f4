"""Every address of the site, requested by every kind of visitor, answers as ``permission_table`` says.
The table must have a row for each address.

The addresses are visited once, and several tests judge the recorded answers: whom they let in, their security
headers, who may store them, and the queries that they took.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.test import override_settings

from cardsdb.identity.viewer import new_key
from cardsdb.models import Card
from cardsdb.site.sharing import EMBEDDED_POLICY, FILE_POLICY, POLICY
from decks.models import Deck
from printing.render import png
from tests.support.exports import blank_card
from tests.support.pages import page_of
from tests.support.permission_table import OF_A_DECK, ROWS, Row, path_to
from tests.support.visitors import (
    ANONYMOUS,
    GAME,
    HIDDEN,
    OWNER,
    STAFF,
    STRANGER,
    World,
    addresses,
    answered,
    few_of_a_starter,
    kind_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]
ADDRESSES = {address.name: address for address in addresses()}
# The same conditions select the rows on both engines; on PostgreSQL it is enough that each address answers.
ON_POSTGRESQL = {("private", OWNER), ("browser", ANONYMOUS), ("public", STRANGER)}


@pytest.fixture(scope="module")
def world(module_db):
    assert not User.objects.exists(), "a new database has no account"
    with override_settings(ACCOUNT_RATE_LIMITS=False, MFA_RATE_LIMITS=False):
        yield World()


def test_the_table_lists_every_address():
    assert sorted(set(ADDRESSES) - set(ROWS)) == [], (
        "say in tests/support/permission_table.py who may go there"
    )
    assert sorted(set(ROWS) - set(ADDRESSES)) == []
    assert len(ADDRESSES) == len(list(addresses())), "no two addresses share a name"


# -- one visit of each visitor to each address -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visit:
    """A request to an address, and how it was answered."""

    name: str
    method: str
    visibility: str
    visitor: str
    status: int
    kind: str
    headers: dict[str, str]
    queries: list[str]

    def __str__(self) -> str:
        return f"{self.method} {self.name} by {self.visitor} of the {self.visibility} deck: {self.status}"

    @property
    def policy(self) -> str:
        """The content policy that the answer should have."""
        if self.name == "deck_embed" and self.method == "get":
            return EMBEDDED_POLICY
        return FILE_POLICY if self.headers.get("Content-Type", "").startswith("image/") else POLICY


def noting(queries: list[str]) -> Callable[..., Any]:
    """Return a wrapper for the database connection that notes each query, with its values."""

    def execute(send: Callable[..., Any], sql: str, values: Any, *rest: Any) -> Any:
        queries.append(f"{sql} {values}")
        return send(sql, values, *rest)

    return execute


def visits_of(world: World, game: str) -> Iterator[Visit]:
    """Visit the addresses that only decks of this game have, or with "" all others, as every visitor."""
    code = Card.objects.in_game("spycraft").order_by("code").values_list("code", flat=True)[0]
    decks = world.decks_of(game) if game else world.decks
    for visibility, visitor, deck, client in world.visits(decks):
        if connection.vendor == "postgresql" and (visibility, visitor) not in ON_POSTGRESQL:
            continue
        comment = deck.comments.get().pk
        for name, row in ROWS.items():
            if row.game != game:
                continue
            path = path_to(ADDRESSES[name], deck.link, code=code, pk=comment)
            for method, rule in (("get", row.get), ("post", row.post)):
                if visibility != "private" and rule not in OF_A_DECK:
                    continue
                queries: list[str] = []
                with connection.execute_wrapper(noting(queries)):
                    answer = answered(client, method, path, row.sent(deck.link))
                yield Visit(
                    name,
                    method,
                    visibility,
                    visitor,
                    answer.status_code,
                    kind_of(answer),
                    answer.headers,
                    queries,
                )


@pytest.fixture(scope="module")
def visits(world):
    """All visits, whose changes are undone."""
    before = transaction.savepoint()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(png, "card_image", blank_card)
        cache.clear()
        made = [
            visit for game in sorted({row.game for row in ROWS.values()}) for visit in visits_of(world, game)
        ]
    transaction.savepoint_rollback(before)
    return made


def unexpected(visits: Iterable[Visit], rows: dict[str, Row]) -> list[str]:
    """Return a sentence for each visit that was not answered as its row says."""
    return [
        f"{visit}, not {expected}"
        for visit in visits
        if visit.name in rows
        and visit.kind
        != (expected := getattr(rows[visit.name], visit.method)(visit.visibility, visit.visitor))
    ]


def test_each_visitor_gets_the_answer_of_the_table(visits):
    assert unexpected(visits, ROWS) == []


def test_a_wrong_row_of_the_table_is_found(visits):
    row = ROWS["deck"]
    assert unexpected(visits, {"deck": Row(row.post, row.get)})


def test_the_answer_of_every_address_has_its_policy(visits):
    wrong = [
        str(visit)
        for visit in visits
        if visit.headers.get("Content-Security-Policy") != visit.policy
        or visit.headers.get("X-Content-Type-Options") != "nosniff"
    ]
    assert wrong == []


# Only the pieces of these pages that a script requests are public.
PIECES = ("card_decks", "card_reviews")


def test_no_cache_may_store_an_answer_that_its_view_does_not_call_public(visits):
    """``test_sharing.py`` asks the public views of visitors who have cards and texts of their own."""
    wrong = [
        str(visit)
        for visit in visits
        if "public" in visit.headers.get("Cache-Control", "")
        and (
            visit.status >= 400
            or visit.name in PIECES
            or ADDRESSES[visit.name].pattern.callback.sharing == "private"
        )
    ]
    assert wrong == []


# allauth queries this table as often as it likes.
OF_OTHERS = "mfa_authenticator"
# Here a deck is compared with itself.
TWICE = "deck_compare"
# Statements that only open or close a transaction.
FRAMES = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN")


def test_no_page_sends_a_query_twice(visits):
    wrong = {}
    for visit in visits:
        sent = Counter(sql for sql in visit.queries if not sql.startswith(FRAMES) and OF_OTHERS not in sql)
        repeated = [sql for sql, times in sent.items() if times > 1]
        if repeated and visit.method == "get" and visit.name != TWICE:
            wrong[str(visit)] = repeated
    assert wrong == {}


@pytest.mark.engine("sqlite")
def test_a_page_of_a_deck_sends_at_most_seven_queries(visits):
    """Visitor, deck, its lines, edition, visitor's collection, likes, comments."""
    (queries,) = (
        visit.queries
        for visit in visits
        if (visit.name, visit.method, visit.visibility, visit.visitor) == ("deck", "get", "public", ANONYMOUS)
    )
    assert len([sql for sql in queries if not sql.startswith(FRAMES)]) <= 7, queries


# -- what no answer tells, and no request changes ------------------------------------------------

# Headers that differ between any two answers.
DIFFER = ("X-Request-ID", "Expires", "Last-Modified")


def test_a_private_deck_is_answered_like_a_missing_one(world):
    private, missing = world.decks["private"].link, new_key()
    different, compared = {}, 0
    for name, row in ROWS.items():
        for method, rule in (("get", row.get), ("post", row.post)):
            if row.game or rule not in OF_A_DECK or rule("private", STRANGER) != HIDDEN:
                continue
            compared += 1
            answers = []
            for link in (private, missing):
                path = path_to(ADDRESSES[name], link, code="kai")
                answer = answered(world.clients[STRANGER], method, path, row.sent(link))
                headers = {key: value for key, value in answer.items() if key not in DIFFER}
                answers.append((answer.status_code, answer.text.replace(link, "LINK"), headers))
            if answers[0] != answers[1]:
                different[f"{method} {name}"] = answers
    assert compared > 20
    assert different == {}


def test_a_missing_deck_page_explains_that_it_may_be_private(world):
    refused = world.clients[STRANGER].get(f"/decks/{world.decks['private'].link}/")
    text = page_of(refused, status=404).main.text
    assert "or it is private" in text and "Unlisted" in text
    assert world.decks["private"].name not in refused.text
    assert world.users[OWNER].username not in refused.text


def test_a_private_deck_is_in_no_list_no_count_and_no_search(world):
    deck = world.decks["private"]
    Deck.objects.filter(pk=deck.pk).update(tags=["hush"], likes=9)
    card = deck.lines.exclude(card=None).select_related("card")[0].card
    lists = [
        *"/ /decks/ /decks/?q=A+private+one /decks/?game=spycraft /decks.atom /api/v1/decks/".split(),
        *"/changes/ /games/spycraft/ /account/favourites/".split(),
        *(f"/cards/spycraft/{card.code}/", f"/cards/spycraft/{card.code}/decks/"),
    ]
    secrets = ["hush", *(world.decks[visibility].link for visibility in ("private", "browser", "unlisted"))]
    for visitor in (STRANGER, STAFF, ANONYMOUS):
        for path in lists:
            text = world.clients[visitor].get(path).text
            assert [secret for secret in secrets if secret in text] == [], (visitor, path)
    api = world.clients[STRANGER].get("/api/v1/decks/").json()
    assert (api["count"], [deck["id"] for deck in api["results"]]) == (1, [world.decks["public"].link])


# Values for protected fields, which a hostile body sends along.
FIELDS: dict[str, Any] = {
    **dict.fromkeys(("owner", "owner_id", "forked_from", "partner", "is_staff"), 1),
    **dict.fromkeys(("id", "link", "edit_hash", "judged_by"), "mine"),
    **dict.fromkeys(("created", "changed"), "2000-01-01"),
    "verdict": "legal",
    "likes": 99,
    "revision": 77,
}
# The columns that must not change.
KEPT = ("owner_id", "likes", "link", "edit_hash", "verdict", "created", "forked_from_id", "partner_id")


def test_no_request_sets_protected_fields(world):
    client, deck = world.clients[OWNER], world.decks["public"]
    rows = Deck.objects.filter(pk=deck.pk)
    sent = {**FIELDS, "game": GAME, "name": deck.name, "text": few_of_a_starter(GAME), "visibility": "public"}
    before = rows.values(*KEPT).get()
    assert before["verdict"] == "incomplete"
    for form in ("edit/text", "settings"):
        client.post(f"/decks/{deck.link}/{form}/", {**sent, "revision": 0})
    for method in (client.put, client.patch):
        method(f"/api/v1/decks/{deck.link}/", json.dumps(sent), content_type="application/json")
    assert rows.values(*KEPT).get() == before
    stored = rows.get()
    assert stored.judged_by != "mine" and stored.revision != 77


def test_a_new_deck_belongs_to_its_maker_whatever_the_body_says(world, agency_text):
    client, stranger = world.clients[OWNER], world.users[STRANGER].pk
    body = {
        **FIELDS,
        "owner": stranger,
        "owner_id": stranger,
        "game": GAME,
        "name": "Mine",
        "text": agency_text,
    }
    assert client.post("/api/v1/decks/", json.dumps(body), content_type="application/json").status_code == 400
    client.post("/decks/new/", body)
    deck = Deck.objects.get(name="Mine")
    assert (deck.owner, deck.likes, deck.forked_from_id) == (world.users[OWNER], 0, None)
    assert "mine" not in (deck.link, deck.judged_by) and deck.created.year > 2000


def test_no_form_grants_staff_rights(client):
    rights = {"is_staff": "1", "is_superuser": "1", "groups": "1"}
    client.post("/accounts/signup/", {"username": "Mallory", "password1": "a quiet field at noon", **rights})
    user = User.objects.get(username="Mallory")
    assert not user.is_staff and not user.is_superuser
    assert client.get("/admin/").status_code == 302


def test_moderators_see_only_public_decks(world):
    staff, private = world.clients[STAFF], world.decks["private"]
    text = staff.get("/admin/decks/deck/").text
    assert "A public one" in text and "A private one" not in text and "A unlisted one" not in text
    assert staff.get(f"/admin/decks/deck/{private.pk}/change/").status_code == 302
