"""Tables of decks and of collections: ours, and those of other sites and programs."""

import csv
import io
import time
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.box.reading.tables import guarded, unguarded
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import Unreadable, export, format_of, read_any
from decks.formats.tables import COLUMNS, OwnedRow, Table, parse, read_owned, write_owned
from tests.support.awkward_names import codes, everything
from tests.support.deck_files import cards

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]


# -- ours


def test_csv_has_crlf_and_the_documented_columns(game):
    reading = everything(game)
    text = export("csv", game, reading).text
    # A row for each entry, the header, and the six rows that are no cards (``besides``).
    assert text.count("\r\n") == text.count("\n") == len(reading.deck.entries) + 1 + 6
    every = list(csv.DictReader(io.StringIO(text, newline="")))
    rows = [row for row in every if row["section"] != "//"]
    assert tuple(rows[0]) == COLUMNS
    besides = {row["name"]: row["note"] for row in every if row["section"] == "//"}
    assert besides == {
        "game": "awkward", "name": 'Traps & "quotes" ]]>', "format": "open", "detail players": "4",
        "comment": "two of each",
        "not read sideboard": "7 Nobody Knows This One",
    }  # fmt: skip
    assert [row["name"].removeprefix("'") for row in rows] == [entry.card.name for entry in reading.deck]
    assert sum(int(row["count"]) for row in rows) == reading.deck.size
    assert next(row for row in rows if row["name"] == "2Shy") == {
        "section": "deck", "count": "2", "name": "2Shy", "set": "ONE", "number": "3",
        "type": "agent", "code": "c3",
        "facts": "", "note": "", "tags": "", "keep": "",
    }  # fmt: skip


def test_csv_names_no_set_if_the_line_left_the_print_open(game):
    row = next(csv.DictReader(io.StringIO(export("csv", game, read_deck(game, "1 Boss")).text)))
    assert (row["set"], row["number"]) == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_cells_never_start_like_a_formula_and_the_mark_can_be_taken_off(start):
    for text in (f"{start}1+1", f"'{start}1+1"):
        assert guarded(text) == f"'{text}"
        assert unguarded(guarded(text)) == text
    assert guarded("'Til Death") == "'Til Death"


def test_csv_reports_the_names_it_marked(game):
    written = export("csv", game, read_deck(game, '1 =HYPERLINK("x") | agent\n1 -=Zero=-\n1 X'))
    assert codes(written)["formula_marked"] == 1
    assert "'=HYPERLINK" in written.text
    assert "'-=Zero=-" in written.text


# -- of other sites


TABLES = {
    "Archidekt": (
        "Quantity,Name,Finish,Edition Name,Edition Code,Scryfall ID,Collector"
        " Number\n2,Kai,Normal,Nightfall,ON,x,\n"
    ),
    "Deckbox": "Count,Tradelist Count,Name,Edition,Edition Code,Card Number\n2,,Kai,Nightfall,ON,\n",
    "Moxfield": "Count,Tradelist Count,Name,Edition,Condition,Foil,Collector Number\n2,,Kai,ON,Mint,,\n",
    "DragonShield": (
        '"sep=,"\nFolder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card'
        " Number,Printing\nBox,2,0,Kai,ON,Nightfall,,Normal\n"
    ),
    "MTGO": "Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium\nKai,2,1,C,ON,,No\n",
    "a table": "name;copies\nKai;2\n",
}


@pytest.mark.parametrize("title", TABLES)
def test_tables_of_other_sites_are_recognised_by_their_headers(title):
    data = TABLES[title].encode("utf-8-sig")
    assert format_of(data) == "csv"
    read = read_any(SPYCRAFT, data)
    assert read.dialect == title
    assert cards(read.reading) == [(2, "Kai")]
    assert not read.reading.notices


def test_rows_with_bad_counts_are_unread_at_their_lines():
    table = (
        'count,name\r\n0,Kai\r\n\r\n-1,Kai\r\n2,"Kai"\r\n1e1,Termite\r\n'
        '²,Termite\r\n"1",Garotte\r\n100,Chen\r\n'
    )
    read = read_any(SPYCRAFT, table.encode())
    assert cards(read.reading) == [(2, "Kai"), (1, "Garotte")]
    assert [(loss.message, loss.where) for loss in read.losses] == [
        ("Left out: a row of 0 copies.", "line 2, column 1 (count)")
    ]
    assert [(u.line, u.code) for u in read.reading.unread] == [
        (4, "bad_count"),
        (6, "bad_count"),
        (7, "bad_count"),
        (9, "bad_count"),
    ]


def test_quotes_commas_and_line_ends_in_cells_are_read():
    table = (
        'count,name,type\r\n1,"RS-9, ""The Koffin""","two\r\nlines"\r\n1,"RS-9, "The Koffin"",gear\r\n'
        '2,""Alice"",agent\r\n1,Nobody At All,\r\n'
    )
    reading = read_any(SPYCRAFT, table.encode()).reading
    koffin = 'RS-9, "The Koffin"'
    assert cards(reading) == [(2, koffin), (2, '"Alice"')]
    assert [line.line for line in reading.unread] == [6]


@pytest.mark.parametrize(("data", "where"), [(b"a,b\n1,2\n", "line 1"), (b"", "file")])
def test_a_table_without_the_columns_is_refused_with_its_line(data, where):
    with pytest.raises(Unreadable) as refused:
        parse(data)
    assert refused.value.where == where


@pytest.mark.parametrize(
    "bad", ['1,"open', "1," + "x" * 140_000, '1,"Nobody "At" All"', '1,"Nobody, "At" All",more', '"1"x,Kai']
)
def test_one_malformed_row_is_unread_and_the_others_are_read(bad):
    table = f'count,name,note\n2,Kai,"two\nlines"\n{bad}\n3,"Termite","two\nlines"\n'
    reading = read_any(SPYCRAFT, table.encode()).reading
    assert cards(reading) == [(2, "Kai"), (3, "Termite")]
    assert [line.line for line in reading.unread] == [4]


def test_a_table_of_malformed_rows_is_read_in_linear_time():
    begun = time.process_time()
    assert len(Table("count,name\n" + '1,"a"b\n' * 30_000).rows) == 30_000
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    "table",
    [
        "count,name,maybeboard\n2,Kai,false\n1,Termite,true\n",
        "count,name,sideboard\n2,Kai,\n1,Termite,x\n",
        "count,name,board\n2,Kai,main\n1,Termite,Maybeboard{noDeck}{noPrice}\n",
        'count,name,Category\n2,Kai,\n1,Termite,"Spies,Maybeboard"\n',
        "count,name,section,location\n2,Kai,deck,Box 1\n1,Termite,deck,wish list\n",
        "section,count,name,set,number,type,code\ndeck,2,Kai,,,,\nwishlist,1,Termite,,,,\n",
    ],
)
def test_a_row_beside_the_deck_does_not_count(table):
    read = read_any(SPYCRAFT, table.encode())
    assert cards(read.reading) == [(2, "Kai")]
    assert "beside_the_deck" in [loss.code for loss in read.losses]


# -- codes of prints


@pytest.mark.parametrize(
    "data",
    [
        '{"name": "Dark", "cards": {"XF96-0002v1": 1, "xf97-0001v2": 2, "XF96-9999v1": 1}}',
        '#,Set,Title,Type,Quantity\nXF96-0002v1,Premiere,"First "Aid"",Combat,1\n0001,the truth is out there,'
        '"Aura Of Invulnerability",Combat,2\n3,Premiere,"No "Such, Card"",Event,1\n',
    ],
    ids=["json", "csv"],
)
def test_cards_are_found_by_the_codes_or_numbers_of_their_prints(data):
    read = read_any(None, data.encode())
    assert (read.game.slug, len(read.reading.unread)) == ("xfiles", 1)
    assert [(e.count, e.card.code, e.marks.prints.label) for e in read.reading.deck] == [
        (1, "first-aid", "PRE 2"),
        (2, "aura-of-invulnerability", "TRU 1"),
    ]
    assert not read.reading.notices


PRINTS = ("Premiere Edition,2", "pre,002", "Premiere,2/354", ",XF96-0002v1", "PRE,xf96-0002V1")


@pytest.mark.parametrize("asked", PRINTS)
def test_prints_are_found_in_every_usual_spelling(asked):
    table = f"count,name,set,number\n1,First Aid,{asked}\n"
    reading = read_any(XFILES, table.encode()).reading
    assert [entry.marks.prints.label for entry in reading.deck] == ["PRE 2"]
    assert not reading.notices


def test_an_unknown_print_is_reported():
    table = "section,count,name,set,number,type,code\nxfile,1,Eve,NOPE,9,x-file,eve\n"
    reading = read_any(XFILES, table.encode(), "a.csv").reading
    assert "No print “NOPE 9” of Eve is known" in reading.notices[0].message
    assert not reading.deck.entries[0].marks.prints


# -- tables of a collection

CELL = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=20).map(str.strip)

ROW = st.builds(OwnedRow, st.just(0), CELL, CELL.filter(bool), CELL, CELL, CELL, st.integers(1, 999))


@given(st.lists(ROW, max_size=8))
@settings(max_examples=60, deadline=None)
def test_a_written_collection_is_read_back_unchanged(rows):
    rows = [row for row in rows if row.code == row.code.lstrip("'=+-@")]
    again = read_owned("".join(write_owned(astuple(row)[1:] for row in rows))).rows
    assert [(r.game, r.code, r.name, r.set, r.number, r.count) for r in again] == [
        (r.game, r.code, r.name, r.set, r.number, r.count) for r in rows
    ]


def test_a_name_that_looks_like_a_formula_is_marked_in_a_collection():
    assert "'=1+1" in "".join(write_owned([("spycraft", "x", "=1+1", "", "", 1)]))


@pytest.mark.parametrize(
    "text",
    [
        "Count,Name,Edition,Collector Number\n2,Kai,ON,12\n",
        "sep=,\r\nQuantity,Card Name,Set Code,Card Number\r\n2,Kai,ON,12\r\n",
        "\ufeffname,count,set,number,condition\nKai,2,ON,12,mint\n",
    ],
)
def test_collections_of_other_sites_are_read_by_their_columns(text):
    (row,) = read_owned(text).rows
    assert (row.name, row.count, row.set, row.number) == ("Kai", 2, "ON", "12")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("what,is,this\n1,2,3\n", 1),
        ("count,name\n-1,Kai\n", 2),
        ("count,name\n9999999,Kai\n", 2),
        ("count,name\n2,\n", 2),
        ("count,name\n2,Ka\x00i\n", 2),
        ("count,name\n2," + "x" * 140_000 + "\n", 2),
    ],
)
def test_a_collection_that_cannot_be_read_names_the_line(text, line):
    try:
        faults = read_owned(text).faults
    except Refused as refused:
        faults = refused.faults
    assert faults[0].where == f"line {line}"


def test_a_column_left_out_of_a_collection_is_reported_with_its_place():
    assert read_owned("count;name;condition;;foil\n2;Kai;mint;x;\n").left_out == (
        "Left out: the column “condition”. (line 1, column 3)",
        "Left out: the column 4, which has no name. (line 2, column 4)",
    )


def test_a_row_of_several_lines_has_the_number_of_its_first():
    table = read_owned('count,name,note\n1,Kai,"two\nlines"\n-1,Termite,"a\nb"\n')
    assert ([row.line for row in table.rows], [fault.where for fault in table.faults]) == ([2], ["line 4"])


def test_counts_of_a_collection_are_read_as_in_decks():
    table = read_owned("count,name\n4x,Kai\n0,Bait\n2.0,Chen\n0,Garotte\n３,Termite\n")
    assert [(row.count, row.name) for row in table.rows] == [(4, "Kai"), (2, "Chen"), (3, "Termite")]
    assert table.left_out == ("Left out: a row of 0 copies, 2 times. (line 3, column 1 (count))",)


def test_our_table_of_a_deck_is_read_as_a_collection():
    game = SPYCRAFT
    table = read_owned(
        export("csv", game, read_deck(game, "// name: Mine\n// notes: For Friday\n2 Kai ^keep\n")).text
    )
    assert [(row.game, row.code, row.count) for row in table.rows] == [("spycraft", "kai", 2)]
    assert not table.faults
