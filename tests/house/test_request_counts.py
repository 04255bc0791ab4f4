"""Everything that is sent is counted, and every page that is made for whoever asks; the catalogue's own pages
are free to read.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.permission_table import ROWS, nobody
from tests.support.visitors import addresses

# Counted before an engine is asked.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
ADDRESSES = {address.name: address for address in addresses()}
# Under these stand decks, collections and accounts, of which no two visitors see the same.
OF_PEOPLE = ("decks", "d/", "collection/", "account/", "mine/", "sitemap")
ELSEWHERE = {"aid", "card_decks"}
# A picture that is there already is handed out; one that has to be drawn is counted.
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
    """Whatever is counted is one too many."""
    cache.clear()
    settings.CUTOUT_READS_PER_MINUTE = settings.CUTOUT_WORKS_PER_MINUTE = 0


def path_of(name: str) -> str:
    return ADDRESSES[name].path("x" * 22, **{"code": "kai", **ROWS[name].values})


def test_whatever_is_sent_is_counted(client):
    answers = {name: client.post(path_of(name)) for name in ROWS}
    assert {name: one.status_code for name, one in answers.items() if one.status_code != 429} == {}
    assert all(int(one["Retry-After"]) <= 60 for one in answers.values())


def test_a_page_that_is_made_for_whoever_asks_is_counted(client):
    names = {name for name in ROWS if ADDRESSES[name].route.startswith(OF_PEOPLE)} | ELSEWHERE
    made = sorted(name for name in names - WHEN_DRAWN if ROWS[name].get is not nobody)
    assert len(made) > 40
    assert [name for name in made if client.get(path_of(name)).status_code != 429] == []


def test_the_catalogue_and_the_faces_that_its_pages_show_are_free_to_read(client):
    paths = (*CATALOGUE, "/cards/spycraft/kai/face.svg")
    assert [path for path in paths if client.get(path).status_code != 200] == []


def test_a_form_without_its_token_uses_up_nothing(settings):
    settings.CUTOUT_READS_PER_MINUTE = 1
    strict = Client(enforce_csrf_checks=True)
    assert [strict.post("/decks/nothing/delete/").status_code for _ in range(3)] == [403] * 3


def test_reads_do_not_use_up_works_nor_works_reads(client, settings):
    settings.CUTOUT_READS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 200
    assert client.post("/check/", {"game": "spycraft", "text": "1 Kai"}).status_code == 429
    settings.CUTOUT_WORKS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 429
