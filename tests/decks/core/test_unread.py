"""Of very many lines that could not be read some are shown and the rest are counted; and a large list costs what it costs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

# Lists are judged in memory and nothing is stored. Each address is asked on PostgreSQL too, in tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

MANY = "\n".join(f"1 Nobody of that name {n}" for n in range(4_900))


@pytest.mark.parametrize("address", ["/check/", "/check/verdict/", "/decks/new/", "/decks/import/"])
def test_the_first_hundred_lines_are_shown_and_the_rest_counted(client: Client, address: str) -> None:
    page = client.post(address, {"game": "spycraft", "name": "A", "text": MANY, "pasted": MANY}).content.decode()
    shown = page.count('class="unread-text"')
    assert 100 <= shown <= 200 and "4,800 more lines" in page
    assert len(page) < 1_000_000


def test_a_few_lines_are_all_shown(client: Client) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": "1 Nobody\n1 No One"}).content.decode()
    assert page.count('class="unread-text"') == 2 and "more line" not in page


def test_a_large_list_counts_as_work_also_while_it_is_typed(client: Client, settings: Any) -> None:
    cache.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    large = {"game": "spycraft", "text": "// " + "x" * 21_000}
    small = {"game": "spycraft", "text": "1 Kai"}
    assert [client.post("/check/verdict/", sent).status_code for sent in (small, large, small, large)] == [200, 200, 200, 429]
    cache.clear()
