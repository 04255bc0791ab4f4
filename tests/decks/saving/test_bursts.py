"""Presses that follow one another are one change to undo; a sitting is one row of the history."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.models import Deck, DeckRevision
from decks.saving.history import name_version, redo, sittings, states, undo
from decks.saving.save import save_edit, save_whole
from tests.decks.saving.test_history import SPYCRAFT, having, made, stored
from tests.support.public_decks import starter

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def press(deck: Deck, me: Viewer, count: int, code: str = "kai") -> None:
    """So many copies from now on, as whoever presses a button sees the deck."""
    save_edit(deck.link, me, having(count, code), seen=Deck.objects.get(pk=deck.pk).revision)


def later(deck: Deck, by: timedelta) -> None:
    """Let time pass: what is kept was made so much earlier."""
    DeckRevision.objects.filter(deck=deck).update(made=F("made") - by)


def shown(deck: Deck) -> list[int]:
    return list(DeckRevision.objects.of(deck.pk).shown().values_list("number", flat=True))


def test_one_undo_takes_back_one_burst_and_redo_makes_it_again() -> None:
    deck, me = made()
    for count in (3, 4, 5):
        press(deck, me, count)
    undo(deck.link, me)
    assert stored(deck) == {"kai": 2}
    redo(deck.link, me)
    assert stored(deck) == {"kai": 5}


@pytest.mark.both_databases
def test_a_burst_is_one_row_and_nothing_of_it_is_rewritten() -> None:
    deck, me = made()
    for count in (3, 4, 5):
        press(deck, me, count)
    assert shown(deck) == [0, 3]
    counts = [
        row["lines"][0]["count"] for row in DeckRevision.objects.of(deck.pk).values_list("content", flat=True)
    ]
    assert counts == [2, 3, 4, 5]


def test_a_first_copy_and_a_last_one_belong_to_the_burst() -> None:
    deck, me = made()
    press(deck, me, 1, "termite")
    press(deck, me, 2, "termite")
    assert shown(deck) == [0, 2]
    later(deck, timedelta(seconds=11))
    press(deck, me, 1, "termite")
    press(deck, me, 0, "termite")
    assert shown(deck) == [0, 2, 4]


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "between",
    ["time", "another card", "another author", "the other way", "a name", "somebody else", "nothing seen"],
)
def test_what_ends_a_burst(between: str, django_user_model: type) -> None:
    deck, me = made()
    press(deck, me, 3)
    if between == "time":
        later(deck, timedelta(seconds=11))
    elif between == "another card":
        press(deck, me, 1, "termite")
    elif between == "another author":
        user = django_user_model.objects.create_user("mallory")  # type: ignore[attr-defined]
        DeckRevision.objects.filter(number=1).update(by=user)
    elif between == "a name":
        name_version(deck.link, me, 1, "Three")
    elif between == "somebody else":
        save_edit(deck.link, me, having(4), seen=0)
        undo(deck.link, me)
        assert stored(deck) == {"kai": 3}
        return
    if between == "nothing seen":
        save_edit(deck.link, me, having(4))
    else:
        press(deck, me, 2 if between == "the other way" else 4)
    undo(deck.link, me)
    assert stored(deck)["kai"] == 3


def test_a_text_that_was_opened_within_a_burst_is_still_merged() -> None:
    deck, me = made("2 Kai\n1 Termite")
    press(deck, me, 3)
    seen = Deck.objects.with_cards().get()
    press(deck, me, 4)
    mine = having(3, "termite")(seen.content())
    save_whole(deck.link, mine, me, seen=seen.revision)
    assert stored(deck) == {"kai": 4, "termite": 3}


def test_a_sitting_is_one_row_with_its_net_change_verdict_and_cards(client: Client) -> None:
    made_at = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})["Location"]
    deck = Deck.objects.get()
    me = Viewer(key_hash=deck.edit_hash)
    for count, code in ((3, "kai"), (2, "kai"), (1, "termite"), (5, "bishop")):
        save_edit(deck.link, me, having(count, code))
    later(deck, timedelta(hours=1))
    save_edit(deck.link, me, having(3, "bishop"))
    answer = client.get(f"{made_at}history/")
    gathered = [(len(sitting.states), sitting.words) for sitting in answer.context["sittings"]]
    assert gathered == [(1, "-2 Bishop"), (4, "+1 Termite, +5 Bishop"), (1, "2 cards")]
    page = answer.content.decode()
    assert "4 steps" in page and "Not legal" in page and "6 cards" in page


def test_a_sitting_that_ended_worse_says_where_the_deck_was_legal_last(client: Client) -> None:
    made_at = client.post(
        "/decks/new/", {"game": "spycraft", "name": "Tiger", "text": starter("spycraft", "nine-tiger")}
    )["Location"]
    deck = Deck.objects.get()
    me = Viewer(key_hash=deck.edit_hash)
    save_edit(deck.link, me, lambda content: having(4)(having(1)(content)))
    for count in (2, 3, 9):
        save_edit(deck.link, me, having(count))
    page = client.get(f"{made_at}history/").content.decode()
    assert "4 steps" in page and "legal at version 3" in page


@pytest.mark.both_databases
def test_what_is_named_stands_by_itself() -> None:
    deck, me = made()
    for count in (3, 4, 5):
        save_edit(deck.link, me, having(count))
    name_version(deck.link, me, 2, "Four")
    rows = list(DeckRevision.objects.of(deck.pk).shown().select_related("by").order_by("-number"))
    found = sittings(SPYCRAFT, states(SPYCRAFT, rows))
    assert [[one.row.number for one in sitting.states] for sitting in found] == [[3], [2], [1], [0]]
