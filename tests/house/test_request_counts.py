"""Everything that is sent is counted, and every page that is made for whoever asks; the catalogue's own pages
are free to read.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.permission_table import ROWS
from tests.support.visitors import addresses

# Counted before an engine is asked.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
ADDRESSES = {address.name: address for address in addresses()}


@pytest.fixture(autouse=True)
def nothing_allowed(settings: Any) -> None:
    """Whatever is counted is one too many."""
    cache.clear()
    settings.CUTOUT_READS_PER_MINUTE = settings.CUTOUT_WORKS_PER_MINUTE = 0


def path_of(name: str) -> str:
    return ADDRESSES[name].path("x" * 22, **{"code": "kai", **ROWS[name].values})


@pytest.mark.parametrize("name", sorted(ROWS))
def test_whatever_is_sent_is_counted(client: Client, name: str) -> None:
    answer = client.post(path_of(name))
    assert (answer.status_code, int(answer["Retry-After"]) <= 60) == (429, True)


MADE_ANEW = (
    "deck deck_files deck_file deck_numbers deck_odds deck_hands deck_qr deck_list_qr deck_edit deck_history"
    " deck_share deck_embed"
)
MADE_ANEW += (
    " deck_compare deck_missing deck_list decks_feed card_decks collection collection_csv buildable"
    " starter_missing aid account account_export mine sitemap sitemap_section"
)


@pytest.mark.parametrize("name", MADE_ANEW.split())
def test_a_page_that_is_made_for_whoever_asks_is_counted(client: Client, name: str) -> None:
    assert client.get(path_of(name)).status_code == 429


@pytest.mark.parametrize(
    "path",
    ["/", "/cards/", "/cards/?q=kai", "/cards/spycraft/kai/", "/sets/", "/games/spycraft/", "/changes.atom"],
)
def test_the_catalogue_is_free_to_read(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_faces_of_which_a_page_shows_many_are_free_to_look_at(client: Client) -> None:
    assert client.get("/cards/spycraft/kai/face.svg").status_code == 200


def test_a_form_without_its_token_uses_up_nothing(settings: Any) -> None:
    settings.CUTOUT_READS_PER_MINUTE = 1
    strict = Client(enforce_csrf_checks=True)
    assert [strict.post("/decks/nothing/delete/").status_code for _ in range(3)] == [403] * 3


def test_reads_do_not_use_up_works_nor_works_reads(client: Client, settings: Any) -> None:
    settings.CUTOUT_READS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 200
    assert client.post("/check/", {"game": "spycraft", "text": "1 Kai"}).status_code == 429
    settings.CUTOUT_WORKS_PER_MINUTE = 2
    assert client.get("/decks/").status_code == 429
