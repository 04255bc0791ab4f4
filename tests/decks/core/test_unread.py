"""Of very many lines that could not be read some are shown and the rest are counted; and a large list costs
what it costs.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from cardsdb.games import games
from decks.core.judging import read_text

# Lists are judged in memory and nothing is stored. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

MANY = "\n".join(f"1 Nobody of that name {n}" for n in range(4_900))


@pytest.mark.parametrize("address", ["/check/", "/check/verdict/", "/decks/new/", "/decks/import/"])
def test_the_first_hundred_lines_are_shown_and_the_rest_counted(client: Client, address: str) -> None:
    page = client.post(
        address, {"game": "spycraft", "name": "A", "text": MANY, "pasted": MANY}
    ).content.decode()
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
    assert [client.post("/check/verdict/", sent).status_code for sent in (small, large, small, large)] == [
        200,
        200,
        200,
        429,
    ]
    cache.clear()


def likely(game: str, line: str) -> tuple[tuple[str, ...], str]:
    (unread,) = read_text(games()[game], line).unread
    return unread.suggestions, unread.likely


def test_a_sole_suggestion_is_surely_meant() -> None:
    name = "Section Chief Scott Blevins"
    assert likely("xfiles", "2 Blevins") == ((name,), name)


def test_of_one_name_of_several_cards_all_are_suggested() -> None:
    suggestions, sure = likely("spycraft", "2 Tracr")
    assert (suggestions[:2], sure) == (("Tracer (ON)", "Tracer (ML)"), "")


def test_a_person_is_suggested_by_the_last_name() -> None:
    assert "Assistant Director Walter Skinner" in likely("xfiles", "Skinner")[0]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("2 termit (ON) 12", "Termite"),
        ("1 caught in thea ct (on) 12", "Caught in the Act"),
        ("3x dr. skipjback #blue", "Dr. Skipjack"),
        ("1 leave him wtth nothing", "Leave Him with Nothing"),
    ],
)
def test_a_name_with_a_slip_is_found_whatever_stands_behind_it(line: str, name: str) -> None:
    reading = read_text(games()["spycraft"], f"1 Kai\n{line}")
    assert name.casefold() in [one.casefold() for one in reading.unread[0].suggestions][:1]
