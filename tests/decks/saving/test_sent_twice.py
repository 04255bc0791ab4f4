"""A change whose answer was lost on the way is sent again by the browser, and is applied once."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck, DeckRevision
from tests.decks.editor.test_editor import HTMX, cards, make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
FIRST, SECOND = "0b7e7f6a-1111-4222-8333-444455556666", "0b7e7f6a-1111-4222-8333-444455557777"


@pytest.fixture
def editor(client: Client) -> str:
    return make_deck(client)


def press(client: Client, editor: str, request_id: str, edit: str = "+1 deck kai", revision: int = 0) -> str:
    answer = client.post(editor, {"edit": edit, "revision": revision, "request_id": request_id}, headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_same_request_is_applied_once_and_its_answer_shows_the_deck(client: Client, editor: str) -> None:
    before = cards()["deck kai"]
    press(client, editor, FIRST)
    again = press(client, editor, FIRST)
    assert cards()["deck kai"] == before + 1
    assert f'data-count="{before + 1}"' in again
    assert "Meanwhile changed elsewhere" not in again, "the change is the author's own"


@pytest.mark.both_databases
def test_two_requests_of_one_kind_are_two_changes(client: Client, editor: str) -> None:
    before = cards()["deck kai"]
    press(client, editor, FIRST)
    press(client, editor, SECOND, revision=1)
    assert cards()["deck kai"] == before + 2
    assert set(DeckRevision.objects.values_list("request_id", flat=True)) == {"", FIRST, SECOND}


@pytest.mark.parametrize("request_id", ["", "1", FIRST.upper() + "x", "é" * 36, "9" * 5_000])
def test_what_is_no_such_name_is_a_change_each_time(client: Client, editor: str, request_id: str) -> None:
    before = cards()["deck kai"]
    for revision in range(2):
        press(client, editor, request_id, revision=revision)
    assert cards()["deck kai"] == before + 2


def test_a_request_of_one_deck_says_nothing_about_another(client: Client, editor: str) -> None:
    press(client, editor, FIRST)
    other = make_deck(client)
    deck = Deck.objects.get(link=other.split("/")[2])
    press(client, other, FIRST)
    deck.refresh_from_db()
    assert deck.revision == 1


@pytest.mark.parametrize("step", ["undo", "redo"])
def test_a_step_through_the_history_is_made_once(client: Client, editor: str, step: str) -> None:
    before = cards()["deck kai"]
    for name in "abc":
        press(client, editor, FIRST.replace("0b", f"0{name}"), edit="+1 deck kai", revision=0)
    states = DeckRevision.objects.count()
    if step == "redo":
        press(client, editor, FIRST.replace("0b", "0d"), "undo", states - 1)
    now = cards()["deck kai"]
    for _ in range(2):
        assert "That did not work" not in press(
            client, editor, SECOND, step, DeckRevision.objects.count() - 1
        )
    assert cards()["deck kai"] == (now - 1 if step == "undo" else now + 1) != before
