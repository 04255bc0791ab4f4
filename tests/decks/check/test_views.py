"""A list to check is sent in the body alone, without a token, and its judging is counted."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.html import strip_tags

pytestmark = pytest.mark.django_db

ADDRESSES = ("/check/", "/check/verdict/")
ILLEGAL = {"game": "spycraft", "text": "4 Kai"}
LARGE = {"game": "spycraft", "text": "4 Kai\n// " + "x" * 21_000}


@pytest.fixture
def strict() -> Client:
    return Client(enforce_csrf_checks=True)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_list_is_judged_without_a_token(strict: Client, address: str) -> None:
    answer = strict.post(address, ILLEGAL)
    assert (answer.status_code, "4 copies of Kai; 3 at most." in strip_tags(answer.content.decode())) == (
        200,
        True,
    )


def test_no_list_is_judged_by_its_address(client: Client) -> None:
    answer = client.get("/check/", ILLEGAL | {"format": "agency", "house": "AG-3.at_least=40"})
    page = answer.content.decode()
    assert answer.status_code == 200 and "4 Kai" not in page and "verdict-title" not in page
    assert 'value="spycraft" selected' in page and "AG-3.at_least=40" in page, (
        "an address says by which rules"
    )
    assert client.get("/check/verdict/", ILLEGAL).status_code == 405


@pytest.mark.parametrize("address", ADDRESSES)
def test_judging_is_counted_as_work(strict: Client, settings: Any, address: str) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    assert [strict.post(address, LARGE).status_code for _ in range(2)] == [200, 429]
    cache.clear()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_list_with_a_character_that_is_no_text_is_refused(strict: Client, address: str) -> None:
    answer = strict.post(address, ILLEGAL | {"text": "4 Kai\0"})
    assert (
        answer.status_code,
        "sent as “text” has a character that is no text" in answer.content.decode(),
    ) == (400, True)


@pytest.mark.django_db
def test_unread_lines_that_notes_have_no_room_for_are_not_cut_off(client: Client) -> None:
    lines = "\n".join(f"1 nobody of that name {number} {'x' * 130}" for number in range(60))
    answer = client.post(
        "/check/save/",
        {"text": f"2 Kai\n{lines}", "game": "spycraft", "unread": "notes"},
        headers={"Origin": "http://testserver"},
    )
    assert answer.status_code == 400 and "characters that notes may have" in answer.content.decode()
