"""Verdicts with very many violations or unread lines show the gravest or first of them and count the rest.
What a verdict is, by which format and by which reading, is tested in ``test_used_format.py``,
``test_pasted_text.py`` and ``tests/decks/check``.
"""

from typing import Any

import pytest

from tests.support.made_decks import make_deck
from tests.support.pages import page_of

# SQLite is enough: every address is requested on PostgreSQL too, in tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# A list with 120 violations: each of these 40 characters causes three.
CHARACTERS = "\n".join(f"1 Agent {number} | character" for number in range(40))
LIST, GRAVEST = {"game": "steamspy", "text": CHARACTERS}, "These are the gravest 100 of 120."


def shown(answer: Any) -> int:
    return len(page_of(answer).all(class_="violation-message"))


def test_the_verdict_while_typing_shows_only_the_gravest_violations(client):
    """No violation that is left out is graver than one that is shown."""
    answer = client.post("/check/verdict/", LIST | {"text": f"{CHARACTERS}\n4 Bob | ally"})
    ranks = [view.violation.severity for view in answer.context["violations"]]
    assert ranks == sorted(ranks, reverse=True)
    assert len(ranks) > 120
    assert (answer.context["judged"].verdict, shown(answer)) == ("illegal", 100)
    # A script asks for it while a list is being typed, so it must be small.
    assert len(answer.content) < 120_000
    part = page_of(answer)
    assert answer.context["grave"][0].message in part.text
    assert "These are the gravest 100 of" in part.text
    assert part.one("button", name="findings", value="all")["formaction"] == "/check/"


def test_all_violations_are_shown_on_request(client):
    first, all_of_them = client.post("/check/", LIST), client.post("/check/", LIST | {"findings": "all"})
    assert (shown(first), shown(all_of_them)) == (100, 120)
    assert GRAVEST in page_of(first).text
    assert "These are the gravest" not in page_of(all_of_them).text


def test_the_pages_of_a_deck_link_to_all_violations(client):
    deck = make_deck(client, CHARACTERS, game="steamspy")
    for address in (f"/decks/{deck.link}/", f"/decks/{deck.link}/edit/"):
        answer = client.get(address)
        assert shown(answer) == 100
        assert any(link.endswith("?findings=all#verdict") for link in page_of(answer).links)
    assert shown(client.get(f"/decks/{deck.link}/?findings=all")) == 120


@pytest.mark.parametrize(
    ("address", "lines"),
    [("/check/", 300), ("/check/verdict/", 1_500), ("/decks/new/", 300), ("/decks/import/", 300)],
)
def test_the_first_hundred_unread_lines_are_shown_and_the_rest_counted(client, address, lines):
    text = "\n".join(f"1 Nobody of that name {n}" for n in range(lines))
    answer = client.post(address, {"game": "spycraft", "name": "A", "text": text, "pasted": text})
    unread = page_of(answer, status=answer.status_code).all(class_="unread-text")
    assert 100 <= len(unread) <= 200
    assert f"{lines - 100:,} more lines" in answer.text
    assert len(answer.content) < 1_000_000
