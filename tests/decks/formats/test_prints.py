"""The prints that lines ask for survive every format and deck link, or the file reports their loss
(``decks/formats/notes.py`` and each format).
"""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks, Prints
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.decklist import as_printed
from decks.formats import FORMATS, export, read_any
from decks.formats.deck_link import read_link, write_link

XFILES = games()["xfiles"]
SEVERAL = [card for card in XFILES.cards if card.print_labels]
# Cards with several prints in one set, which only the number tells apart.
TWICE_IN_A_SET = [card for card in SEVERAL if len({p.set for p in card.prints}) < len(card.prints)]


def copies(deck: Decklist) -> dict[tuple[str, str], dict[str, int]]:
    """(section, code) -> print -> copies; copies of any print under the empty text."""
    return {(entry.section, entry.card.code): dict(entry.marks.prints.groups(entry.count)) for entry in deck}


def summed(counts: dict[tuple[str, str], dict[str, int]]) -> dict[str, Counter[str]]:
    """Code -> print -> copies in all sections."""
    cards: dict[str, Counter[str]] = {}
    for (_, code), of_print in counts.items():
        cards.setdefault(code, Counter()).update(of_print)
    return cards


def test_a_line_with_a_print_gives_that_print():
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


@st.composite
def decks(draw: st.DrawFn) -> Decklist:
    """Decks of cards with several prints; most lines ask for one."""
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
@settings(max_examples=8, deadline=None)
@given(deck=decks())
def test_every_format_keeps_prints_or_reports_their_loss(name, deck):
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
def test_a_deck_link_keeps_prints(deck):
    link = write_link(XFILES, deck, XFILES.formats[0])
    assert copies(read_deck(XFILES, read_link(link, games()).text).deck) == copies(deck)


def test_set_and_number_are_written_where_each_format_has_them():
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
