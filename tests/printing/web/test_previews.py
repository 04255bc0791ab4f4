"""Previews are counted: enough for whoever tries many settings, too few to keep the machine busy, and apart
from what is made.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from cardsdb.site.ratelimits import LOOKS_A_WORK

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
LIST = {"card": "spycraft/kai", "paper": "a4"}


@pytest.fixture(autouse=True)
def two_works(settings: Any) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 2


def looks(client: Client, number: int, **headers: str) -> list[Any]:
    return [client.get("/print/", LIST, headers=headers) for _ in range(number)]


def test_more_is_looked_at_than_made_but_not_without_end(client: Client) -> None:
    most = 2 * LOOKS_A_WORK
    answers = looks(client, most + 1)
    assert [answer.status_code for answer in answers] == [200] * most + [429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60


def test_whoever_tries_twenty_settings_in_a_minute_is_never_stopped(client: Client, settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 60
    for copies in range(1, 21):
        # The form's whole choice is sent, and leads to its one address.
        answer = client.get(
            "/print/", LIST | {"copies": str(copies), "bleed": "auto", "marks": "corners"}, follow=True
        )
        assert answer.status_code == 200
    assert client.get("/print/sheets.pdf", LIST).status_code == 200


def test_looking_uses_up_nothing_that_is_made_nor_making_what_is_looked_at(client: Client) -> None:
    looks(client, 2 * LOOKS_A_WORK + 1)
    assert [client.get("/print/sheets.pdf", LIST).status_code for _ in range(3)] == [200, 200, 429]


def test_pasted_lists_are_counted_alike(client: Client) -> None:
    most = 2 * LOOKS_A_WORK
    answers = [
        client.post("/print/", {"game": "spycraft", "text": "1 Kai"}).status_code for _ in range(most + 1)
    ]
    assert answers == [200] * most + [429]


def test_in_the_place_of_the_preview_stands_how_long_to_wait(client: Client) -> None:
    answer = looks(client, 2 * LOOKS_A_WORK + 1, **{"HX-Request": "true"})[-1]
    # Another status htmx would not show.
    assert answer.status_code == 200 and answer["Retry-After"]
    text = answer.content.decode()
    assert (
        'role="alert"' in text
        and "more previews than one address may see in a minute" in text
        and "<svg" not in text
    )


def test_a_page_without_cards_and_a_size_to_come_cost_nothing(client: Client, settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    assert client.get("/print/").status_code == 200
    assert client.get("/print/", LIST | {"trim": "other"}, headers={"HX-Request": "true"}).status_code == 204
    assert client.get("/print/", LIST).status_code == 429
