"""Damaged and hostile files: a sentence that says what is wrong, at once, and never an exception of another
kind.
"""

from __future__ import annotations

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from decks.formats import FORMATS, Unreadable, export, read_any
from decks.formats.tables import Table
from decks.formats.text import read as read_list

ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE deck [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><deck'
    ' game="x"><notes>&b;</notes></deck>'
)
OUTSIDE = '<!DOCTYPE deck SYSTEM "http://127.0.0.1:9/deck.dtd"><deck game="x"/>'
LEVELS = '{"cutout": 1, "cards": ' + "[" * 10_000

DAMAGED = {
    "entities": (ENTITIES.encode(), "bad_xml"),
    "a document type elsewhere": (OUTSIDE.encode(), "bad_xml"),
    "entities for Lackey": (
        b'<deck version="0.8"><!ENTITY a "b"><superzone name="Deck"></superzone></deck>',
        "bad_xml",
    ),
    "XML that breaks off": (b"<order><details></details>\n<fronts></order", "bad_xml"),
    "another root": (b"<cockatrice_carddatabase/>", "wrong_format"),
    "an order without fronts": (b"<order><details/></order>", "wrong_format"),
    "levels of JSON": (LEVELS.encode(), "bad_json"),
    "a key twice": (b'{"cutout": 1, "cutout": 1}', "bad_json"),
    "no number": (b'{"cutout": NaN}', "bad_json"),
    "a huge number": (b'{"cutout": 1e400}', "bad_json"),
    "many digits": (b'{"cutout": ' + b"9" * 5_000 + b"}", "bad_json"),
    "half a character": (b'{"cutout": 1, "name": "\\ud800"}', "bad_json"),
    "a NUL that is written out": (b'{"cutout": 1, "name": "Ni\\u0000ght"}', "bad_json"),
    "a key with a NUL that is written out": (b'{"cutout": 1, "ke\\u0000y": 1}', "bad_json"),
    "JSON that breaks off": (b'{"cutout": 1, "cards": [', "bad_json"),
    "a list of JSON": (b'[{"name": "Kai"}]', "wrong_format"),
    "JSON of something else": (b'{"name": "Kai"}', "wrong_format"),
    "a newer version": (b'{"cutout": 2}', "newer_version"),
    "NUL": (b"2 Kai\n1 Ter\0mite\n", "bad_character"),
    "Shift-JIS": ("2 Kai\n1 スパイ大作戦\n".encode("shift-jis"), "bad_encoding"),
    "western letters before a sign": (("aé" * 60 + "¤").encode("latin-1"), "bad_encoding"),
    "half of UTF-16": ("2 Kai".encode("utf-16")[:-1], "bad_encoding"),
    "too many bytes": (b"2 Kai\n" * 60_000, "too_large"),
    "too many lines": (b"Kai\n" * 5_001, "too_large"),
    "a long line": (b"x" * 250_000, "foreign_game"),
    "a zip": (b"PK\x03\x04" + b"\0" * 50, "not_a_deck"),
    "a picture called a deck": (b"\x89PNG\r\n\x1a\n", "not_a_deck"),
    "nothing": (b"", "empty"),
    "spaces": (b" \r\n\t ", "empty"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_refused_with_a_sentence(what: str) -> None:
    data, code = DAMAGED[what]
    with pytest.raises(Unreadable) as refused:
        read_any(None, data, "deck.o8d")
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_what_is_no_utf_8_is_named_by_its_line() -> None:
    with pytest.raises(Unreadable) as refused:
        read_any(games()["spycraft"], "2 Kai\r1 Termite\r\n1 スパイ".encode("shift-jis"))
    assert refused.value.where == "line 3"
    with pytest.raises(Unreadable) as refused:
        read_any(None, b"<order>\n<fronts>\n</order")
    assert refused.value.where == "line 3, column 1"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("name", ["text", "csv", "json", "o8d", "cod", "dek"])
def test_the_same_deck_is_read_in_every_encoding(name: str, encoding: str) -> None:
    xfiles = games()["xfiles"]
    reading = read_list(xfiles, "2 Død Kalm\n1 Abduction\n".encode(), "").reading
    text = export(name, xfiles, reading).text.replace(' encoding="UTF-8"', "")
    read = read_any(xfiles, text.encode(encoding), f"deck{FORMATS[name].suffix}")
    assert {(e.count, e.card.name) for e in read.reading.deck} == {(2, "Død Kalm"), (1, "Abduction")}
    assert ("encoding_taken" in {loss.code for loss in read.losses}) == (encoding == "cp1252")


BAITS = [
    b"<deck " + b"a" * 200_000,
    b'<deck version="0.8"><superzone ' + b"a " * 90_000,
    b'<deck version="0.8">' + b"<card><name>" * 20_000,
    b"<" * 200_000,
    b"<!-->" * 50_000 + b"<x",
    b"<!--" + b"-->" * 80_000,
    b"<a>" * 60_000,
    b"Deck\n" * 4_000 + b"1 Kai (ON",
    b"2 Kai" + b" (Kai [Kai" * 25_000,
    b"2 Kai " + b"#a " * 80_000,
    b"\n".join([b"2 Kai " + b"#a // ^keep | " * 20] * 800),
    b"count,name\n" + b"1,Kai (Kai \n" * 4_900,
    b"count,name\n1," + b"Kai (ON) " * 12_000,
    b"count,name\n" + b'1,"Kai "x" (ON)\n' * 4_900,
    b'{"cards": {' + b",".join(b'"XF96-%05d": 1' % n for n in range(4_900)) + b"}}",
    b"count" + b",count" * 40_000,
    b"### \n" * 4_900,
    b"#\n# GCCG v1 " + b"deck " * 45_000,
    b"######\nDeck\n######\n" + b"1 KAI (ON " * 20_000,
    b"<order><fronts><card><slots>" + b"0," * 120_000 + b"</slots><name>Kai</name></card></fronts></order>",
    b'{"ObjectStates": [' + b'{"CardID": 1, "Nickname": "Kai"},' * 20_000 + b'{"DeckIDs": [1]}]}',
    b'{"cutout": 1, "cards": [' + b'{"name": "Kai", "count": 1, "tags": ["a"]},' * 4_999 + b"{}]}",
    b'{"cutout": 1, "cards": [{"name": "' + b"Kai (" * 150_000 + b'"}]}',
]


def test_a_table_of_bad_rows_alone_is_read_in_one_go() -> None:
    begun = time.process_time()
    assert len(Table("count,name\n" + '1,"a"b\n' * 100_000).rows) == 100_000
    assert time.process_time() - begun < 6


@pytest.mark.parametrize("bait", BAITS, ids=range(len(BAITS)))
def test_no_file_makes_the_reader_think_for_ever(bait: bytes) -> None:
    begun = time.process_time()
    for game in (None, games()["spycraft"]):
        try:
            read_any(game, bait, "")
        except Unreadable as refused:
            assert refused.message
    assert time.process_time() - begun < 6


@given(
    data=st.one_of(
        st.binary(max_size=300), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )
)
@settings(max_examples=200, deadline=None)
@pytest.mark.parametrize("name", FORMATS)
def test_no_bytes_whatever_raise_anything_but_a_refusal(name: str, data: bytes) -> None:
    for damaged in (data, _head(name) + data):
        try:
            read_any(games()["spycraft"], damaged, "", name)
        except Unreadable as refused:
            assert refused.message


@cache
def _head(name: str) -> bytes:
    """How a file of this format begins."""
    some = read_list(games()["spycraft"], b"// name: n\n2 Kai ^keep #a // b\n1 Termite", "").reading
    return export(name, games()["spycraft"], some).data[:200]


@pytest.mark.parametrize(
    "line",
    [
        "1x a" + " (ab) x" * 20 + "[" * 120,
        "1x a (ab) x " + "[a" * 140,
        "Deck",
        "a" + " " * 290 + "b",
        "1 Kai" + " " * 280 + "!b",
    ],
)
def test_lines_made_to_be_puzzled_over_are_read_like_any_other(line: str) -> None:
    read = read_any(games()["spycraft"], f"1 Kai\n{f'{line}{chr(10)}' * 200}".encode(), "deck.txt")
    assert any(entry.card.code == "kai" for entry in read.reading.deck.entries)
