"""The print page's fields for the choice of cards, read and shown: the table of copies and the sections."""

from dataclasses import replace

import pytest
from django.http import QueryDict

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry
from cardsdb.games.kit.listtext.deck import read_deck
from printing.options.copies import copies_in
from printing.request.choice_fields import (
    COPIES_OF,
    MAX_ROWS,
    NUMBER,
    SHOWN,
    SentRow,
    copy_rows,
    counts_option,
    only_option,
    out_of_date,
    rows_pressed,
    rows_sent,
    sections_of,
)
from printing.request.lists import PrintList

SPYCRAFT = games()["spycraft"]
DECK = PrintList(
    SPYCRAFT, read_deck(SPYCRAFT, "Leaders:\n1 Minx\nDeck:\n5 Kai\n4 Termite").deck, "Night Watch"
)
# The copies that are printed without any option, by the key of each card.
PLAIN = copies_in([DECK.deck.entries])
MANY = tuple(f"c{number}" for number in range(MAX_ROWS + 1))


def sent(shown: str, *numbers: str) -> QueryDict:
    """The fields of a table that was sent: what its rows showed, and the numbers typed in them."""
    data = QueryDict(mutable=True)
    data[SHOWN] = shown
    data.setlist(NUMBER, list(numbers))
    return data


def rows(**numbers: tuple[int, str]) -> dict[str, SentRow]:
    """Rows by card from (shown number, typed text)."""
    return {card: SentRow(*row) for card, row in numbers.items()}


def test_a_sent_row_has_the_shown_number_and_the_typed_text():
    table = rows_sent(sent("kai:5,termite:4", " 3 ", "4"))
    assert table == rows(kai=(5, "3"), termite=(4, "4"))
    assert [row.changed for row in table.values()] == [True, False]


@pytest.mark.parametrize(
    "data",
    [
        sent(""),
        sent("kai:5", "1", "2"),
        sent("kai:5,termite:4", "1"),
        sent("kai:many", "1"),
        sent("kai", "1"),
        sent(",".join(f"{code}:5" for code in MANY), *("1" for _ in MANY)),
    ],
)
def test_a_table_whose_fields_do_not_match_or_are_too_many_is_ignored(data):
    assert rows_sent(data) == {}


@pytest.mark.parametrize(("cards", "table_rows"), [(MAX_ROWS, MAX_ROWS), (MAX_ROWS + 1, 0)])
def test_a_list_with_too_many_cards_has_no_table(cards, table_rows):
    entries = tuple(Entry(Card("spycraft", code, code, "agent"), 1, "deck") for code in MANY[:cards])
    assert len(copy_rows([replace(DECK, deck=Decklist(entries))], None, {})) == table_rows


@pytest.mark.parametrize(
    ("pressed", "row"),
    [("spycraft/kai:3", {"spycraft/kai": SentRow(-1, "3")}), ("kai", {}), (":3", {}), ("", {})],
)
def test_the_card_whose_button_was_pressed_is_a_changed_row(pressed, row):
    data = QueryDict(mutable=True)
    data[COPIES_OF] = pressed
    assert rows_pressed(data) == row and all(sent_row.changed for sent_row in row.values())


@pytest.mark.parametrize(
    ("before", "table", "after"),
    [
        ("kai=2", rows(kai=(2, "2")), "kai=2"),
        ("", rows(kai=(5, "3")), "kai=3"),
        ("kai=2,termite=1", rows(kai=(2, "3")), "termite=1,kai=3"),
        # The field was emptied, or has the number that is printed anyway.
        ("kai=2,termite=1", rows(kai=(2, "")), "termite=1"),
        ("kai=2", rows(kai=(2, "5")), ""),
        # Text that is no number stays, and is refused when the option is read.
        ("", rows(kai=(5, "many")), "kai=many"),
        ("three of everything", rows(kai=(5, "3")), "three of everything,kai=3"),
        # The row is of no card of the lists.
        ("kai=2", rows(nobody=(5, "3")), "kai=2"),
    ],
)
def test_changed_rows_of_the_table_replace_their_cards_in_the_option(before, table, after):
    assert counts_option(before, table, [DECK], PLAIN) == after


@pytest.mark.parametrize(
    ("counts", "left"),
    [("kai=2,nobody=3", "kai=2"), ("three of everything", "three of everything"), ("", "")],
)
def test_counts_of_cards_that_the_lists_no_longer_have_are_dropped(counts, left):
    assert counts_option(counts, {}, [DECK], {}, only_there=True) == left


def test_a_table_with_other_cards_or_numbers_is_out_of_date():
    table = copy_rows([DECK], None, {})
    same = {row.card: SentRow(row.shown, row.typed) for row in table}
    first = table[0].card
    for sent_rows, is_old in (
        (same, False),
        # The visitor changed this row, so its number may differ.
        ({**same, first: SentRow(9, "8")}, False),
        ({**same, first: SentRow(9, "9")}, True),
        ({card: row for card, row in same.items() if card != first}, True),
    ):
        assert out_of_date(table, sent_rows) is is_old


def test_rows_show_again_what_was_sent_if_the_request_could_not_be_read():
    shown = {row.card: (row.typed, row.shown) for row in copy_rows([DECK], None, rows(kai=(5, "many")))}
    assert (shown["kai"], shown["termite"]) == (("many", 5), ("4", 4))


@pytest.mark.parametrize(
    ("ticked", "typed", "option"),
    [
        (["leaders"], "", "leaders"),
        (["leaders"], "t:leader", "leaders; t:leader"),
        ([], "t:agent", "t:agent"),
        (["leaders", "deck"], "", ""),
        ([], "Leaders", "leaders"),
        ([], "all", ""),
    ],
)
def test_ticked_sections_and_a_query_are_one_short_option(ticked, typed, option):
    assert only_option(ticked, typed, [DECK]) == option


def test_a_list_of_one_section_has_no_boxes():
    agents = replace(DECK, deck=Decklist(DECK.deck.entries[1:]))
    assert not sections_of("", [agents]).boxes


def test_a_section_that_the_game_no_longer_has_gets_no_box():
    first, *others = DECK.deck.entries
    gone = replace(DECK, deck=Decklist((first, *others, replace(first, section="gone"))))
    assert list(sections_of("", [gone]).boxes) == list(sections_of("", [DECK]).boxes) == ["leaders", "deck"]
