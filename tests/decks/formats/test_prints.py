"""The prints that a line asks for travel through every format, or the file says that they do not."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks, Prints
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.decklist import as_printed
from decks.formats import FORMATS, export, read_any
from decks.formats.deck_link import read_link, write_link

XFILES = games()["xfiles"]
SEVERAL = [card for card in XFILES.cards if card.print_labels]
# Of one set alone the number says which is meant: there are several prints of these cards in it.
TWICE_IN_A_SET = [card for card in SEVERAL if len({one.set for one in card.prints}) < len(card.prints)]


def lines(text: str) -> list[tuple[int, str, str]]:
    reading = read_deck(XFILES, text)
    assert not reading.unread
    return [(entry.count, entry.card.name, str(entry.marks.prints)) for entry in reading.deck]


def prints(deck: Decklist) -> dict[str, str]:
    return {entry.card.code: str(entry.marks.prints) for entry in deck}


def copies(deck: Decklist) -> dict[tuple[str, str], dict[str, int]]:
    """Section and card -> print -> copies; those of any print under an empty word."""
    return {(entry.section, entry.card.code): dict(entry.marks.prints.groups(entry.count)) for entry in deck}


def summed(counts: dict[tuple[str, str], dict[str, int]]) -> dict[str, Counter[str]]:
    """Card -> print -> copies in all sections."""
    cards: dict[str, Counter[str]] = {}
    for (_, code), of_print in counts.items():
        cards.setdefault(code, Counter()).update(of_print)
    return cards


# -- reading -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["1 Eve (TRU) 154", "1 eve [tru#154]", "1 Eve TRU 154", "1 Eve (TRU)", "1 [TRU] Eve", "Eve (TRU) 154 x1"],
)
def test_a_line_asks_for_a_print(line: str) -> None:
    assert lines(line) == [(1, "Eve", "TRU 154")]


@pytest.mark.parametrize("line", ["1 Eve", "1 2Shy (X1) 385"])
def test_a_line_without_a_set_and_a_card_with_one_print_ask_for_none(line: str) -> None:
    assert lines(line)[0][2] == ""


def test_a_set_that_has_two_prints_of_a_card_is_kept_without_guessing_which() -> None:
    assert lines("1 Agent Fox Mulder (PRE)") == [(1, "Agent Fox Mulder", "PRE")]
    assert lines("1 Agent Fox Mulder (PRE) 163") == [(1, "Agent Fox Mulder", "PRE 163")]


def test_a_print_that_nobody_knows_is_said() -> None:
    reading = read_deck(XFILES, "1 Eve (TRU) 999")
    assert [notice.message for notice in reading.notices] == [
        "No print “999” of Eve is known; the card was taken without it."
    ]
    assert prints(reading.deck) == {"eve": "TRU 154"}, "the set alone says which"


def test_two_prints_of_one_card_stand_side_by_side_in_one_section() -> None:
    assert lines("Deck:\n2 First Aid (TRU) 2 #blue\n1 First Aid (PRE) 2\n") == [
        (3, "First Aid", "TRU 2 ×2, PRE 2 ×1")
    ]
    assert lines("Deck:\n1 First Aid (TRU) 2\n1 First Aid\n") == [(2, "First Aid", "TRU 2 ×1")]
    assert lines("Deck:\n1 First Aid (TRU) 2\n1 First Aid (TRU) 2\n") == [(2, "First Aid", "TRU 2")]


def test_each_print_of_a_line_is_written_as_a_line() -> None:
    text = "Bureau deck:\n2 First Aid (TRU) 2 #blue\n1 First Aid (PRE) 2\n1 First Aid\n"
    assert write_deck(XFILES, read_deck(XFILES, text).deck) == text


def test_the_card_is_printed_as_its_line_asks() -> None:
    (entry,) = as_printed(read_deck(XFILES, "1 Eve (TRU) 154").deck)
    assert (entry.card.prints[0].set, entry.card.prints[0].number, len(entry.card.prints)) == (
        "TRU",
        "154",
        2,
    )
    (entry,) = as_printed(read_deck(XFILES, "1 Eve").deck)
    assert entry.card is XFILES.card("eve")
    split = as_printed(read_deck(XFILES, "2 Eve (TRU) 154\n1 Eve (PRE)\n1 Eve").deck)
    assert [(entry.count, entry.card.prints[0].set) for entry in split] == [
        (2, "TRU"),
        (1, "PRE"),
        (1, "PRE"),
    ]


# -- round trips ---------------------------------------------------------------------


@st.composite
def decks(draw: st.DrawFn) -> Decklist:
    """Cards with several prints, most lines asking for one."""
    entries = []
    cards = draw(st.lists(st.sampled_from(SEVERAL), min_size=1, max_size=6, unique_by=lambda card: card.code))
    for card in (*cards, *draw(st.lists(st.sampled_from(TWICE_IN_A_SET), max_size=1))):
        if card.code not in {entry.card.code for entry in entries}:
            for section in {
                XFILES.section_for(card.type),
                draw(st.sampled_from(["sideboard", XFILES.section_for(card.type)])),
            }:
                labels = st.sampled_from(("", *card.print_labels))
                groups = draw(st.lists(st.tuples(labels, st.integers(1, 2)), min_size=1, max_size=3))
                marks = Marks(
                    draw(st.sampled_from(("", "for later"))), (), draw(st.booleans()), Prints.split(groups)
                )
                entries.append(Entry(card, sum(count for _, count in groups), section, marks))
    return Decklist(tuple(entries))


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=15, deadline=None)
@given(deck=decks())
def test_every_format_keeps_the_print_or_says_what_it_lost(name: str, deck: Decklist) -> None:
    written = export(name, XFILES, Reading(deck))
    read = copies(read_any(XFILES, written.data, written.filename, name).reading.deck)
    losses = {loss.code for loss in written.losses}
    if name == "mpc":
        assert not any(entry.marks.prints for entry in deck) or {"print_dropped", "marks_dropped"} & losses
        return
    if name in ("cod", "dek", "gccg"):
        # What stands in which of the sections that share a zone is for the rules to say; the prints of all
        # copies are the same.
        assert summed(read) == summed(copies(deck)) or losses & {"print_chosen", "print_number"}
        return
    assert read == copies(deck)


@settings(max_examples=20, deadline=None)
@given(deck=decks())
def test_an_address_keeps_the_print(deck: Decklist) -> None:
    link = write_link(XFILES, deck, XFILES.formats[0])
    assert copies(read_deck(XFILES, read_link(link, games()).text).deck) == copies(deck)


@settings(max_examples=20, deadline=None)
@given(deck=decks())
def test_a_deck_is_written_as_it_is_read(deck: Decklist) -> None:
    text = write_deck(XFILES, deck)
    assert write_deck(XFILES, read_deck(XFILES, text).deck) == text


# -- other programs' files -----------------------------------------------------------


def test_the_set_and_the_number_stand_where_each_format_has_a_place() -> None:
    reading = read_deck(XFILES, "1 Eve (TRU) 154\n")
    assert "\r\nxfile,1,Eve,TRU,154,x-file,eve," in export("csv", XFILES, reading).text
    (card,) = json.loads(export("json", XFILES, reading).text)["cards"]
    assert (card["set"], card["number"]) == ("TRU", "154")
    assert (
        '<card number="1" name="Eve" setShortName="TRU" collectorNumber="154" />'
        in export("cod", XFILES, reading).text
    )
    assert "1 EVE (TRU)\n" in export("gccg", XFILES, reading).text
    assert "<set>TRU</set>" in export("dek", XFILES, reading).text
    assert "Marked: 1 Eve (TRU) 154" in export("o8d", XFILES, reading).text
    assert "print_dropped" in {loss.code for loss in export("mpc", XFILES, reading).losses}


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("a.csv", "count,name,set code,collector number\n1,Eve,TRU,154\n"),
        ("b.csv", "section,count,name,set,number,type,code\nxfile,1,Eve,TRU,154,x-file,eve\n"),
        (
            "c.deck",
            "#\n# GCCG v0.9.8.1 The X-Files CCG deck\n#\n#      A\n#\n\n####\nDeck\n####\n\n1 EVE (TRU)\n",
        ),
        (
            "d.cod",
            (
                '<cockatrice_deck version="1"><zone name="main"><card number="1" name="Eve"'
                ' setShortName="TRU"/></zone></cockatrice_deck>'
            ),
        ),
    ],
)
def test_a_print_in_a_file_of_another_program_is_kept(filename: str, content: str) -> None:
    assert prints(read_any(XFILES, content.encode(), filename).reading.deck) == {"eve": "TRU 154"}


def test_a_print_that_a_table_invents_is_said() -> None:
    table = "section,count,name,set,number,type,code\nxfile,1,Eve,NOPE,9,x-file,eve\n"
    reading = read_any(XFILES, table.encode(), "a.csv").reading
    assert "No print “NOPE 9” of Eve is known" in reading.notices[0].message and prints(reading.deck) == {
        "eve": ""
    }
