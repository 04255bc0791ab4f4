"""Rate limits: every POST counts, and every page that is made for one visitor.
The catalogue's own pages do not count.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.permission_table import ROWS, no_such_method
from tests.support.visitors import addresses

# Requests are counted before any database query, so one engine is enough.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
ADDRESSES = {address.name: address for address in addresses()}
# Routes of decks, collections and accounts: their pages differ between visitors.
OF_PEOPLE = ("decks", "d/", "collection/", "account/", "mine/", "sitemap")
ELSEWHERE = {"aid", "card_decks"}
# A stored picture is served freely; only drawing a new one counts.
WHEN_DRAWN = {"deck_picture"}
CATALOGUE = (
    "/",
    "/cards/",
    "/cards/?q=kai",
    "/cards/spycraft/kai/",
    "/sets/",
    "/games/spycraft/",
    "/changes.atom",
)


@pytest.fixture(autouse=True)
def nothing_allowed(settings):
    """Set the limits to zero: every counted request is refused."""
    cache.clear()
    settings.CUTOUT_READS_PER_MINUTE = settings.CUTOUT_WORKS_PER_MINUTE = 0


def path_of(name: str) -> str:
    """Return a path for this address, of a deck that does not exist."""
    return ADDRESSES[name].path("x" * 22, **{"code": "kai", **ROWS[name].values})


def test_every_post_is_counted(client):
    answers = {name: client.post(path_of(name)) for name in ROWS}
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 429} == {}
    assert all(int(answer["Retry-After"]) <= 60 for answer in answers.values())


def test_pages_made_for_one_visitor_are_counted(client):
    names = {name for name in ROWS if ADDRESSES[name].route.startswith(OF_PEOPLE)} | ELSEWHERE
    made = sorted(name for name in names - WHEN_DRAWN if ROWS[name].get is not no_such_method)
    assert len(made) > 40
    assert [name for name in made if client.get(path_of(name)).status_code != 429] == []


def test_the_catalogue_and_its_faces_are_not_counted(client):
    paths = (*CATALOGUE, "/cards/spycraft/kai/face.svg")
    assert [path for path in paths if client.get(path).status_code != 200] == []


def test_a_form_without_its_csrf_token_is_not_counted():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/decks/nothing/delete/").status_code == 403


def test_reads_and_works_are_counted_separately(client, settings):
    settings.CUTOUT_READS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 200
    assert client.post("/check/", {"game": "spycraft", "text": "1 Kai"}).status_code == 429
    settings.CUTOUT_WORKS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 429
