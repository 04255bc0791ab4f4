"""The lists to print from: decks, single cards, starters and a pasted list, and what of them cannot be."""

from __future__ import annotations

import pytest
from django.http import Http404

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY, Viewer
from printing.request import lists
from printing.request.lists import pasted_list, single_cards, starter_lists, stored_decks
from tests.support.own_sets import own_card, own_set
from tests.support.print_lists import entries_of, parse_lists

pytestmark = pytest.mark.one_database
SPYCRAFT = games()["spycraft"]
FIRST, SECOND = (f"spycraft/{starter.slug}" for starter in SPYCRAFT.starters[:2])


def codes(*given: object, read: object = parse_lists) -> list[str]:
    with pytest.raises(Refused) as refused:
        read(*given)  # type: ignore[operator]
    return [fault.code for fault in refused.value.faults]


def test_starters_are_printed_by_game_and_name() -> None:
    found = parse_lists({"starter": [FIRST, SECOND]}, NOBODY)
    names = [starter.name for starter in SPYCRAFT.starters[:2]]
    assert [one.title for one in found] == names and found[0].page.endswith(
        f"starter={SPYCRAFT.starters[0].slug}"
    )
    assert [one.format and one.format.slug for one in found] == [
        starter.format for starter in SPYCRAFT.starters[:2]
    ]


def test_each_starter_that_there_is_not_is_named() -> None:
    assert (
        codes([FIRST, "spycraft/none", "chess/none", "none"], read=starter_lists) == ["unknown_starter"] * 3
    )


@pytest.mark.parametrize("read", [starter_lists, lambda wanted: stored_decks(wanted, NOBODY)])
def test_one_print_takes_so_many_decks(read: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_DECKS", 1)
    assert codes([FIRST, SECOND], read=read) == ["too_many_decks"]


def test_single_cards_are_named_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MAX_SINGLE", 1)
    assert codes(["spycraft/kai", "spycraft/li"], read=single_cards) == ["too_many_cards"]


def test_what_can_be_no_address_of_a_deck_is_not_looked_up() -> None:
    with pytest.raises(Http404):
        stored_decks(["a\0b"], NOBODY)


@pytest.mark.django_db
def test_own_cards_are_printed_for_whoever_may_see_them() -> None:
    card = own_card(own_set(Viewer(browser="b" * 64)))
    wanted = [f"spycraft/{card.code}"]
    assert [entry.card.name for entry in entries_of(single_cards(wanted, Viewer(browser="b" * 64)))] == [
        card.name
    ]
    assert codes(wanted, Viewer(browser="c" * 64), read=single_cards) == ["unknown_card"]


def test_a_list_of_another_game_than_its_field_says_is_taken_for_the_game_that_it_says_itself() -> None:
    text = "2 Agent Fox Mulder\n1 Agent Dana Scully\n1 Agent Jack Willis"
    assert pasted_list("spycraft", text, partly=True).game.slug == "xfiles"
    with pytest.raises(Refused):
        pasted_list("spycraft", text)


def test_of_many_lines_that_were_not_read_the_first_are_named_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lists, "MAX_UNREAD", 2)
    with pytest.raises(Refused) as refused:
        pasted_list("spycraft", "1 Kai\n1 Nobody\n1 No One\n1 Somebody\n1 Else")
    assert [fault.where for fault in refused.value.faults] == ["line 2", "line 3", "text"]
    assert refused.value.faults[-1].message == "2 more lines were not read; the last is line 5."
