"""Whatever a reader does not take from a file is reported, with its place in the file."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import read_any
from decks.importing.file_import import as_text
from tests.support.deck_files import cards, told

SPYCRAFT = games()["spycraft"]


def ours(*rows: Any, **more: Any) -> str:
    """A file in our own JSON, one card a line from the second line on."""
    return (
        json.dumps({"cutout": 1, "game": "spycraft", **more, "cards": []})[:-2]
        + "\n"
        + ",\n".join(map(json.dumps, rows))
        + "]}"
    )


# -- counts


NO_COUNT = "Kai: no count is given; one copy was assumed."

TWICE = "Kai: the count “{}” was taken for 2."

COUNTED = {
    "csv, 2x": ("name,Qty\nKai,2x\n", TWICE.format("2x"), "line 2, column 2 (qty)"),
    "csv, its line": ("count,name\n1,Termite\n\n,Kai\n", NO_COUNT, "line 4, column 1 (count)"),
    "json, absent": (ours({"name": "Kai"}), NO_COUNT, "line 2, column 1 (count)"),
    "json, 2x": (ours({"name": "Kai", "count": "2x"}), TWICE.format("2x"), "line 2, column 1 (count)"),
    "krcg": ('{"library": {"cards": [{"name": "Kai", "count": ""}]}}', NO_COUNT, "line 1, column 24 (count)"),
    "o8d": (
        '<deck game="x"><section name="Deck">\n<card>Kai</card></section></deck>',
        NO_COUNT,
        "line 2, column 1 (qty)",
    ),
    "cod": (
        '<cockatrice_deck><zone name="main">\n <card number="x2" name="Kai"/></zone></cockatrice_deck>',
        TWICE.format("x2"),
        "line 2, column 2 (number)",
    ),
    "gccg": ("# GCCG v1 Spycraft deck\n\nKAI\n", NO_COUNT, "line 3"),
}


@pytest.mark.parametrize("what", COUNTED)
def test_an_assumed_count_is_reported_with_its_place(what):
    data, sentence, place = COUNTED[what]
    assert "Kai" in [name for _, name in cards(read_any(SPYCRAFT, data.encode()).reading)]
    assert told(SPYCRAFT, data) == [(sentence, place)]


@pytest.mark.parametrize("count", ["[1]", "{}", '"many"', "-1", "2.5", "true", "100"])
def test_a_bad_count_leaves_the_card_unread_in_our_text_too(count):
    # The count is put into the text of the JSON, since it may be a value of any kind.
    data = ours({"name": "Termite", "count": 1}).replace(
        '"count": 1', '"count": 1}, {"name": "Kai", "count": ' + count
    )
    found = read_any(SPYCRAFT, data.encode())
    assert cards(found.reading) == [(1, "Termite")]
    assert [(line.code, line.where) for line in found.reading.unread] == [
        ("bad_count", "line 2, column 34 (count)")
    ]
    again = read_deck(SPYCRAFT, as_text(found).text)
    assert cards(again) == [(1, "Termite")]
    assert len(again.unread) == 1


def test_many_assumed_counts_are_summed_up_in_one_loss():
    messages = [message for message, _ in told(SPYCRAFT, "count,name\n" + ",Kai\n" * 50)]
    # MAX_ASSUMED of them, and a sentence about the others.
    assert (len(messages), messages[-1]) == (21, "30 counts more were assumed, from here on.")


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(
        st.one_of(st.text("0129x×[]-., eE+", max_size=5), st.none(), st.integers(-2, 120)),
        min_size=1,
        max_size=6,
    )
)
def test_a_row_refused_in_the_file_is_unread_in_our_text(counts):
    names = ["Kai", "Termite", "Garotte", "Chen", "Shiatsu", "Clean Sweep"]
    rows = ({"name": name, "count": count} for name, count in zip(names, counts, strict=False))
    found = read_any(SPYCRAFT, ours(*rows).encode())
    again = read_deck(SPYCRAFT, as_text(found).text)
    assert sorted(cards(again)) == sorted(cards(found.reading))
    assert len(again.unread) == len(found.reading.unread)


# -- what is left out


LEFT_OUT = {
    "a value of another kind": (
        ours({"name": "Kai", "count": 1, "note": ["a"]}),
        [("Left out: “note” of the cards, which is a list, not a text.", "line 2, column 1 (note)")],
    ),
    "an element of LackeyCCG": (
        '<deck version="0.8"><superzone name="Deck"><card><name>Kai</name><foil>x</foil></card></superzone>'
        "</deck>",
        [("Left out: the element foil.", "line 1, column 66")],
    ),
    "a column": ("count,Foil,name\n1,yes,Kai\n", [("Left out: the column “Foil”.", "line 1, column 2")]),
    "a column that is there twice": (
        "count,name,count\n1,Kai,3\n",
        [("Left out: the column “count” that is there again.", "line 1, column 3")],
    ),
    "a column that says nothing": ("count,foil,name\n1,,Kai\n", []),
    "a cell beyond the header": (
        "count,name\n\n1,Kai,gold\n",
        [("Left out: the column 3, which has no name.", "line 3, column 3")],
    ),
    "a key of the deck": (
        ours({"name": "Kai", "count": 1}, mood="blue"),
        [("Left out: “mood” of the deck.", "line 1, column 1 (mood)")],
    ),
    "what is no card": (
        ours({"name": "Kai", "count": 1}, "2 Termite"),
        [
            (
                "Left out: “cards” of the deck, of which one is a text, not an object.",
                "line 1, column 1 (cards)",
            )
        ],
    ),
    "a key of MTGJSON": (
        '{"data": {"mainBoard": [{"name": "Kai", "count": 1, "rarity": "C"}], "tokens": [{"name": "Gun"}]}}',
        [
            ("Left out: “tokens” of the deck.", "line 1, column 10 (tokens)"),
            ("Left out: “rarity” of the cards.", "line 1, column 25 (rarity)"),
        ],
    ),
    "an element and an attribute": (
        (
            '<deck game="x"><section name="Deck"><card qty="1"'
            ' shiny="yes">Kai</card></section>\n<map/><map>a</map></deck>'
        ),
        [
            ("Left out: the attribute shiny of card.", "line 1, column 37"),
            ("Left out: the element map.", "line 2, column 7"),
        ],
    ),
    "text between elements": (
        '<cockatrice_deck><zone name="main"><card number="1" name="Kai"/>2 Termite</zone></cockatrice_deck>',
        [("Left out: text inside of zone.", "line 1, column 18")],
    ),
    "what is no card on a table": (
        '{"ObjectStates": [{"CardID": 1, "Nickname": "Kai"}, {"Name": "Die_6"}]}',
        [("Left out: “Die_6” of the table, no card and no deck.", "line 1, column 53 (Die_6)")],
    ),
    "a number without a set": (
        "count,name,number\n1,Kai,12\n",
        [("Kai: the number 12 says nothing without a set; it was left out.", "line 2")],
    ),
}


@pytest.mark.parametrize("what", LEFT_OUT)
def test_what_is_left_out_is_reported_once_with_its_place(what):
    data, losses = LEFT_OUT[what]
    assert "Kai" in [name for _, name in cards(read_any(SPYCRAFT, data.encode()).reading)]
    assert told(SPYCRAFT, data) == losses
