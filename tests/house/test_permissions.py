"""Every address of the site, requested by every kind of visitor, answers as ``permission_table`` says.
The table must have a row for each address.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection

from cardsdb.identity.viewer import new_key
from cardsdb.models import Card
from decks.models import Comment, Deck
from tests.support.exports import blank_cards
from tests.support.pages import page_of
from tests.support.permission_table import ROWS, Row, path_to
from tests.support.visitors import (
    ANONYMOUS,
    HIDDEN,
    OWNER,
    STAFF,
    STRANGER,
    Address,
    World,
    addresses,
    answered,
    few_of_a_starter,
    met,
)

__all__ = ["blank_cards"]
pytestmark = pytest.mark.django_db
ADDRESSES = {address.name: address for address in addresses()}
WORLDS = sorted({row.game for row in ROWS.values()})


@pytest.fixture(autouse=True)
def fresh(settings):
    """Clear the rate limits, so that no request is refused with 429 because of earlier ones."""
    settings.ACCOUNT_RATE_LIMITS = False
    settings.MFA_RATE_LIMITS = False
    cache.clear()
    yield
    cache.clear()


def test_the_table_lists_every_address():
    assert sorted(set(ADDRESSES) - set(ROWS)) == [], (
        "say in tests/support/permission_table.py who may go there"
    )
    assert sorted(set(ROWS) - set(ADDRESSES)) == []
    assert len(ADDRESSES) == len(list(addresses())), "no two addresses share a name"


# The same conditions select the rows on both engines; on PostgreSQL it is enough that each address answers.
ON_POSTGRESQL = {("private", OWNER), ("browser", ANONYMOUS), ("public", STRANGER)}


def _wrong(world: World, address: Address, row: Row) -> list[str]:
    """Return a sentence for each visitor whom this address does not answer as the row says."""
    code = Card.objects.in_game("spycraft").order_by("code").values_list("code", flat=True)[0]
    wrong = []
    for visibility, visitor, deck, client in world.visits():
        if visibility != "private" and not row.is_about_a_deck:
            continue
        if connection.vendor == "postgresql" and (visibility, visitor) not in ON_POSTGRESQL:
            continue
        comment = deck.comments.first()
        path = path_to(address, deck.link, code=code, pk=comment.pk if comment else 1)
        data = {name: text.replace("{link}", deck.link) for name, text in row.data.items()}
        for method, rule in (("get", row.get), ("post", row.post)):
            answer, expected = met(client, method, path, data), rule(visibility, visitor)
            if answer != expected:
                wrong.append(f"{method} by {visitor} of the {visibility} deck: {answer}, not {expected}")
    return wrong


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("game", WORLDS)
def test_each_visitor_gets_the_answer_of_the_table(game):
    world = World(game) if game else World()
    for deck in world.decks.values():
        Comment.objects.create(deck=deck, author=world.users[STRANGER], text="Too many leaders.")
    wrong = {
        name: found
        for name, row in ROWS.items()
        if row.game == game and (found := _wrong(world, ADDRESSES[name], row))
    }
    assert wrong == {}


def test_a_wrong_row_of_the_table_is_found():
    row = ROWS["deck"]
    assert _wrong(World(), ADDRESSES["deck"], Row(row.post, row.get))


# Headers that differ between any two answers.
DIFFER = ("X-Request-ID", "Expires", "Last-Modified")


def test_a_private_deck_is_answered_like_a_missing_one():
    world, missing = World(), new_key()
    private = world.decks["private"].link
    different, compared = {}, 0
    for name, row in ROWS.items():
        if row.game or not row.is_about_a_deck:
            continue
        for method, rule in (("get", row.get), ("post", row.post)):
            if rule("private", STRANGER) != HIDDEN:
                continue
            compared += 1
            answers = []
            for link in (private, missing):
                path = path_to(ADDRESSES[name], link, code="kai")
                data = {field: text.replace("{link}", link) for field, text in row.data.items()}
                answer = answered(world.clients[STRANGER], method, path, data)
                headers = {key: value for key, value in answer.items() if key not in DIFFER}
                answers.append((answer.status_code, answer.text.replace(link, "LINK"), headers))
            if answers[0] != answers[1]:
                different[f"{method} {name}"] = answers
    assert compared > 20
    assert different == {}


def test_a_missing_deck_page_explains_that_it_may_be_private():
    world = World()
    refused = world.clients[STRANGER].get(f"/decks/{world.decks['private'].link}/")
    text = page_of(refused, status=404).main.text
    assert "or it is private" in text and "Unlisted" in text
    assert world.decks["private"].name not in refused.text
    assert world.users[OWNER].username not in refused.text


def test_a_private_deck_is_in_no_list_no_count_and_no_search(agency_text):
    world = World()
    deck = world.decks["private"]
    Deck.objects.filter(pk=deck.pk).update(tags=["hush"], likes=9)
    card = deck.lines.exclude(card=None).select_related("card")[0].card
    assert card is not None
    lists = (
        "/ /decks/ /decks/?q=A+private+one /decks/?game=spycraft /decks.atom /api/v1/decks/ /changes/".split()
    )
    lists += ["/games/spycraft/", "/account/favourites/"]
    lists += [f"/cards/spycraft/{card.code}/", f"/cards/spycraft/{card.code}/decks/"]
    secrets = ["hush", *(world.decks[visibility].link for visibility in ("private", "browser", "unlisted"))]
    for visitor in (STRANGER, STAFF, ANONYMOUS):
        for path in lists:
            text = world.clients[visitor].get(path).text
            assert [secret for secret in secrets if secret in text] == [], (visitor, path)
    api = world.clients[STRANGER].get("/api/v1/decks/").json()
    assert (api["count"], [deck["id"] for deck in api["results"]]) == (1, [world.decks["public"].link])


# Values for protected fields, which a hostile body sends along.
FIELDS = {
    "owner": 1,
    "owner_id": 1,
    "likes": 99,
    "id": "mine",
    "link": "mine",
    "edit_hash": "x",
    "verdict": "legal",
}
FIELDS |= {
    "judged_by": "me",
    "revision": 77,
    "created": "2000-01-01",
    "changed": "2000-01-01",
    "is_staff": True,
}
FIELDS |= {"forked_from": 1, "partner": 1}
# The columns that must not change.
KEPT = ("owner_id", "likes", "link", "edit_hash", "verdict", "judged_by", "forked_from_id", "partner_id")


def _facts(deck: Deck) -> dict[str, Any]:
    return {name: getattr(Deck.objects.get(pk=deck.pk), name) for name in KEPT}


def test_no_request_sets_protected_fields():
    world = World()
    client, deck, text = world.clients[OWNER], world.decks["public"], few_of_a_starter("spycraft")
    before = _facts(deck)
    assert before["verdict"] == "incomplete"
    client.post(f"/decks/{deck.link}/edit/text/", {**FIELDS, "revision": 0, "name": deck.name, "text": text})
    client.post(
        f"/decks/{deck.link}/settings/", {**FIELDS, "revision": 0, "name": deck.name, "visibility": "public"}
    )
    body = json.dumps({**FIELDS, "game": "spycraft", "name": deck.name, "text": text})
    for method in ("put", "patch"):
        getattr(client, method)(f"/api/v1/decks/{deck.link}/", body, content_type="application/json")
    after = _facts(deck)
    assert after | {"judged_by": before["judged_by"]} == before
    assert after["judged_by"] != "me"
    stored = Deck.objects.get(pk=deck.pk)
    assert stored.created.year > 2000 and stored.revision != 77


def test_a_new_deck_belongs_to_its_maker_whatever_the_body_says(agency_text):
    world = World()
    client, stranger = world.clients[OWNER], world.users[STRANGER]
    body = {
        **FIELDS,
        "owner": stranger.pk,
        "owner_id": stranger.pk,
        "game": "spycraft",
        "name": "Mine",
        "text": agency_text,
    }
    assert client.post("/api/v1/decks/", json.dumps(body), content_type="application/json").status_code == 400
    client.post("/decks/new/", body)
    deck = Deck.objects.get(name="Mine")
    assert (deck.owner, deck.likes, deck.forked_from_id) == (world.users[OWNER], 0, None)
    assert deck.link != "mine" and deck.judged_by != "me" and deck.created.year > 2000


def test_no_form_grants_staff_rights(client):
    assert not User.objects.exists(), "a new database has no account"
    rights = {"is_staff": "1", "is_superuser": "1", "groups": "1"}
    client.post(
        "/accounts/signup/",
        {"username": "Mallory", "email": "", "password1": "a quiet field at noon", **rights},
    )
    user = User.objects.get()
    assert not user.is_staff and not user.is_superuser
    assert client.get("/admin/").status_code == 302


def test_moderators_see_only_public_decks():
    world = World()
    text = world.clients[STAFF].get("/admin/decks/deck/").text
    assert "A public one" in text and "A private one" not in text and "A unlisted one" not in text
    assert (
        world.clients[STAFF].get(f"/admin/decks/deck/{world.decks['private'].pk}/change/").status_code == 302
    )
