"""A verdict with thousands of violations is shown with the gravest of them, and with all to whoever asks."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
# Of every character three things are noted.
CHARACTERS = "\n".join(f"1 Agent {number} | character" for number in range(400))
LIST = {"game": "steamspy", "text": CHARACTERS}


def shown(page: str) -> int:
    return page.count('class="violation-message"')


def test_the_verdict_that_is_made_while_one_types_stays_small(client: Client) -> None:
    answer = client.post("/check/verdict/", LIST)
    page = answer.content.decode()
    violations = answer.context["violations"]
    assert (len(violations), shown(page)) == (1_200, 100)
    assert len(answer.content) < 120_000
    assert "These are the gravest 100 of 1,200." in page
    assert 'form="list-form" formaction="/check/" name="findings" value="all"' in page


def test_what_is_left_out_is_never_graver_than_what_is_shown(client: Client) -> None:
    answer = client.post("/check/verdict/", LIST | {"text": f"{CHARACTERS}\n4 Bob | ally"})
    violations = answer.context["violations"]
    ranks = [view.violation.severity for view in violations]
    assert ranks == sorted(ranks, reverse=True)
    assert answer.context["judged"].verdict == "illegal"
    assert answer.context["grave"][0].message in answer.content.decode()
    assert shown(answer.content.decode()) == 100


def test_whoever_asks_for_all_gets_all(client: Client) -> None:
    assert shown(client.post("/check/", LIST).content.decode()) == 100
    page = client.post("/check/", LIST | {"findings": "all"}).content.decode()
    assert shown(page) == 1_200
    assert "These are the gravest" not in page


def test_a_kept_deck_says_where_all_are(client: Client) -> None:
    client.post("/decks/new/", LIST | {"name": "A crowd"})
    deck = Deck.objects.get()
    for address in (f"/decks/{deck.link}/", f"/decks/{deck.link}/edit/"):
        page = client.get(address).content.decode()
        assert shown(page) == 100
        assert "?findings=all#verdict" in page
    assert shown(client.get(f"/decks/{deck.link}/?findings=all").content.decode()) == 1_200


def test_few_findings_are_all_shown_and_nothing_is_said_of_more(client: Client, agency_text: str) -> None:
    page = client.post(
        "/check/", {"game": "spycraft", "text": agency_text.replace("\n2 ", "\n4 ")}
    ).content.decode()
    assert 0 < shown(page) < 100
    assert "These are the gravest" not in page
