"""The browser sends a change again if its answer was lost. It is applied once: the editor's request
(decks/editor/changes.py) and its saving (decks/saving).
"""

import pytest

from decks.models import Deck, DeckRevision
from tests.support.editing import cards, open_editor, press

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
FIRST, SECOND = "0b7e7f6a-1111-4222-8333-444455556666", "0b7e7f6a-1111-4222-8333-444455557777"
MORE = "+1 deck kai"


@pytest.mark.both_databases
def test_a_request_sent_twice_is_applied_once(client, editor):
    for _ in range(2):
        shown = press(client, editor, MORE, revision=0, request_id=FIRST)
    assert cards()["deck kai"] == 3
    assert shown.one(data_key="deck kai", data_count=True)["data-count"] == "3"
    assert "Meanwhile changed elsewhere" not in shown.text, "the change is the author's own"
    press(client, editor, MORE, revision=1, request_id=SECOND)
    assert cards()["deck kai"] == 4
    assert set(DeckRevision.objects.values_list("request_id", flat=True)) == {"", FIRST, SECOND}


@pytest.mark.parametrize("request_id", ["", FIRST.upper() + "x", "é" * 36, "9" * 5_000])
def test_requests_without_a_valid_id_are_applied_each_time(client, editor, request_id):
    for revision in range(2):
        press(client, editor, MORE, revision=revision, request_id=request_id)
    assert cards()["deck kai"] == 4


def test_a_request_id_counts_for_one_deck_only(client, editor):
    for address in (editor, open_editor(client)):
        press(client, address, MORE, revision=0, request_id=FIRST)
    assert list(Deck.objects.values_list("revision", flat=True)) == [1, 1]


@pytest.mark.parametrize(("step", "kai"), [("undo", 4), ("redo", 5)])
def test_an_undo_or_redo_sent_twice_is_made_once(client, editor, step, kai):
    def newest() -> int:
        return DeckRevision.objects.count() - 1

    for name in "abc":
        press(client, editor, MORE, revision=0, request_id=FIRST.replace("0b", f"0{name}"))
    if step == "redo":
        press(client, editor, "undo", revision=newest(), request_id=FIRST.replace("0b", "0d"))
    for _ in range(2):
        shown = press(client, editor, step, revision=newest(), request_id=SECOND)
        assert "That did not work" not in shown.text
    assert cards()["deck kai"] == kai
