"""The table of copies and the boxes of sections, as fields of a form and as the one way in which options say
the same.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.http import QueryDict

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from printing.options.copies import copies_in
from printing.request import selection
from printing.request.lists import PrintList
from printing.request.selection import (
    COPIES_OF,
    NUMBER,
    SHOWN,
    SentRow,
    copy_rows,
    counts_option,
    out_of_date,
    rows_pressed,
    rows_sent,
    sections_of,
)

SPYCRAFT = games()["spycraft"]
DECK = PrintList(
    SPYCRAFT, read_deck(SPYCRAFT, "Leaders:\n1 Minx\nDeck:\n5 Kai\n4 Termite").deck, "Night Watch"
)
# What is printed without any option: a count for each key.
PLAIN = copies_in([DECK.deck.entries])


def sent(shown: str, *numbers: str) -> QueryDict:
    data = QueryDict(mutable=True)
    data[SHOWN] = shown
    data.setlist(NUMBER, list(numbers))
    return data


def rows(**numbers: tuple[int, str]) -> dict[str, SentRow]:
    return {card: SentRow(*one) for card, one in numbers.items()}


def test_a_row_is_what_stood_in_its_field_and_what_was_typed() -> None:
    assert rows_sent(sent("kai:5,termite:4", " 3 ", "4")) == rows(kai=(5, "3"), termite=(4, "4"))
    assert [one.changed for one in rows_sent(sent("kai:5,termite:4", "3", "4")).values()] == [True, False]


@pytest.mark.parametrize(
    "data",
    [
        sent(""),
        sent("kai:5", "1", "2"),
        sent("kai:5,termite:4", "1"),
        sent("kai:many", "1"),
        sent("kai", "1"),
    ],
)
def test_fields_that_do_not_fit_together_are_none(data: QueryDict) -> None:
    assert rows_sent(data) == {}


def test_more_rows_than_a_table_has_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "MAX_ROWS", 1)
    assert rows_sent(sent("kai:5,termite:4", "1", "1")) == {} and copy_rows([DECK], None, {}) == ()


@pytest.mark.parametrize(
    ("pressed", "there"),
    [("spycraft/kai:3", {"spycraft/kai": SentRow(-1, "3")}), ("kai", {}), (":3", {}), ("", {})],
)
def test_the_card_whose_button_was_pressed_was_changed(pressed: str, there: dict[str, SentRow]) -> None:
    data = QueryDict(mutable=True)
    data[COPIES_OF] = pressed
    assert rows_pressed(data) == there and all(row.changed for row in there.values())


@pytest.mark.parametrize(
    ("before", "table", "after"),
    [
        ("kai=2", rows(kai=(2, "2")), "kai=2"),
        ("", rows(kai=(5, "3")), "kai=3"),
        ("kai=2,termite=1", rows(kai=(2, "3")), "termite=1,kai=3"),
        # Emptied, or as many as are printed anyway.
        ("kai=2,termite=1", rows(kai=(2, "")), "termite=1"),
        ("kai=2", rows(kai=(2, "5")), ""),
        # No number: whoever reads the option refuses it.
        ("", rows(kai=(5, "many")), "kai=many"),
        ("three of everything", rows(kai=(5, "3")), "three of everything,kai=3"),
        # No card of the lists.
        ("kai=2", rows(nobody=(5, "3")), "kai=2"),
    ],
)
def test_what_was_changed_in_the_table_is_in_the_option(
    before: str, table: dict[str, SentRow], after: str
) -> None:
    assert counts_option(before, table, [DECK], PLAIN) == after


@pytest.mark.parametrize(
    ("counts", "left"),
    [("kai=2,nobody=3", "kai=2"), ("three of everything", "three of everything"), ("", "")],
)
def test_counts_of_cards_that_are_gone_go_too(counts: str, left: str) -> None:
    assert counts_option(counts, {}, [DECK], {}, only_there=True) == left


def test_a_table_is_out_of_date_when_other_cards_or_numbers_are_there() -> None:
    table = copy_rows([DECK], None, {})
    back = {row.card: SentRow(row.shown, row.typed) for row in table}
    first = table[0].card
    assert not out_of_date(table, back)
    assert not out_of_date(table, {**back, first: SentRow(9, "8")}), (
        "a row that was changed shows what was typed"
    )
    assert out_of_date(table, {**back, first: SentRow(9, "9")})
    assert out_of_date(table, {card: row for card, row in back.items() if card != first})


def test_while_nobody_knows_what_is_chosen_rows_stay_as_they_were_sent() -> None:
    shown = {row.card: (row.typed, row.shown) for row in copy_rows([DECK], None, rows(kai=(5, "many")))}
    assert (shown["kai"], shown["termite"]) == (("many", 5), ("4", 4))


def test_cards_of_a_section_that_the_game_no_longer_has_are_in_no_box() -> None:
    gone = replace(
        DECK,
        deck=replace(DECK.deck, entries=(*DECK.deck.entries, replace(DECK.deck.entries[0], section="gone"))),
    )
    assert list(sections_of("", [gone]).boxes) == list(sections_of("", [DECK]).boxes) == ["leaders", "deck"]
