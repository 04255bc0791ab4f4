"""Damaged, cut and hostile files: they are refused at once with a sentence and a place, never raise another
exception, and are never taken for another format.
"""

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS, Unreadable, export, format_of, read_any
from decks.formats.text import read as read_list
from tests.support.deck_files import XML

SPYCRAFT = games()["spycraft"]
JSON = [name for name, format in FORMATS.items() if "json" in format.content_type]


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
    "another root": (b"<cockatrice_carddatabase/>", "wrong_format"),
    "an order without fronts": (b"<order><details/></order>", "wrong_format"),
    "levels of JSON": (LEVELS.encode(), "bad_json"),
    "a key twice": (b'{"cutout": 1, "cutout": 1}', "bad_json"),
    "no number": (b'{"cutout": NaN}', "bad_json"),
    "a huge number": (b'{"cutout": 1e400}', "bad_json"),
    "many digits": (b'{"cutout": ' + b"9" * 5_000 + b"}", "bad_json"),
    "half a character": (b'{"cutout": 1, "name": "\\ud800"}', "bad_json"),
    "a key with a NUL that is written out": (b'{"cutout": 1, "ke\\u0000y": 1}', "bad_json"),
    "JSON that breaks off": (b'{"cutout": 1, "cards": [', "bad_json"),
    "JSON of something else": (b'{"name": "Kai"}', "wrong_format"),
    "a newer version": (b'{"cutout": 2}', "newer_version"),
    "Shift-JIS": ("2 Kai\n1 スパイ大作戦\n".encode("shift-jis"), "bad_encoding"),
    "western letters before a sign": (("aé" * 60 + "¤").encode("latin-1"), "bad_encoding"),
    "half of UTF-16": ("2 Kai".encode("utf-16")[:-1], "bad_encoding"),
    "too many bytes": (b"2 Kai\n" * 60_000, "too_large"),
    "a long line": (b"x" * 250_000, "foreign_game"),
    "a zip": (b"PK\x03\x04" + b"\0" * 50, "not_a_deck"),
    "a picture called a deck": (b"\x89PNG\r\n\x1a\n", "not_a_deck"),
    "nothing": (b"", "empty"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_refused_with_a_sentence(what):
    data, code = DAMAGED[what]
    with pytest.raises(Unreadable) as refused:
        read_any(None, data, "deck.o8d")
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("name", FORMATS)
def test_every_encoding_is_read_as_the_same_deck(name, encoding):
    xfiles = games()["xfiles"]
    reading = read_list(xfiles, "2 Død Kalm\n1 Abduction\n".encode(), "").reading
    text = export(name, xfiles, reading).text.replace(' encoding="UTF-8"', "")
    read = read_any(xfiles, text.encode(encoding), f"deck{FORMATS[name].suffix}")
    assert {(e.count, e.card.name) for e in read.reading.deck} == {(2, "Død Kalm"), (1, "Abduction")}
    # GCCG writes no UTF-8, so its files are read in another encoding without a loss.
    is_told = encoding == "cp1252" and FORMATS[name].encoding == "utf-8"
    assert ("encoding_taken" in {loss.code for loss in read.losses}) == is_told


# -- where it is wrong


def refused(data: str | bytes, filename: str = "") -> Unreadable:
    with pytest.raises(Unreadable) as found:
        read_any(SPYCRAFT, data.encode() if isinstance(data, str) else data, filename)
    return found.value


def test_a_wrong_encoding_is_refused_with_the_line():
    assert refused("2 Kai\r1 Termite\r\n1 スパイ".encode("shift-jis")).where == "line 3"


BROKEN = [
    ('<?xml version="1.0"?>\n<cockatrice_dec', "", "line 2, column 1"),
    ('<deck><section name="Deck"><card qty="2">Kai</card>', "", "line 1, column 52"),
    ("<deck>\n<card>2 Kai</card>", "deck.o8d", "line 2, column 19"),
    ("<cockatrice>\n2 Kai\n", "deck.cod", "line 3, column 1"),
    ("<x\n2 Kai\n", "deck.xml", "line 2, column 1"),
    ('<deck version="0.8"><superzone name="Deck">\n<card><name>Kai</na', "", "line 2, column 16"),
]


@pytest.mark.parametrize(("data", "filename", "where"), BROKEN)
def test_broken_xml_is_refused_with_line_and_column_and_taken_for_nothing_else(data, filename, where):
    error = refused(data, filename)
    assert (error.code, error.where) == ("bad_xml", where)
    assert where in error.message


def test_other_xml_is_refused_with_its_root_tag():
    error = refused("<html><body>2 Kai</body></html>")
    assert (error.code, error.where) == ("wrong_format", "line 1, column 1")
    assert "begins with <html>" in error.message


@pytest.mark.parametrize(
    "data",
    [
        "2 Kai\nTer\0mite",
        "count,name\n1,K\0ai",
        '<deck game="x">\n\0',
        '{"cutout": 1,\n"a": "\0"}',
        "# GCCG v1 a deck\n\0",
    ],
)
def test_a_nul_is_refused_with_its_line(data):
    error = refused(data)
    assert (error.code, error.where) == ("bad_character", "line 2")
    assert error.message.startswith("Line 2 holds a NUL")


def test_an_escaped_nul_is_refused_with_its_place():
    assert refused('{"cutout": 1,\n "name": "Ni\\u0000ght"}').where == "line 2, column 10"


@settings(max_examples=20, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("name", [*XML, *JSON])
def test_a_cut_file_is_refused_or_has_a_loss(name, data):
    whole = export(name, SPYCRAFT, read_deck(SPYCRAFT, SPYCRAFT.starters[0].text)).text.rstrip()
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    # The beginning of an XML file is enough to recognise its format; that of a JSON file is not.
    is_recognised = name not in JSON and ">" in cut[30:]
    try:
        assert not is_recognised or format_of(cut.encode()) == name
        found = read_any(SPYCRAFT, cut.encode(), "", name)
    except Unreadable as error:
        assert error.message
    else:
        assert found.losses


# -- hostile files


# Files on which a badly written parser or regular expression would take very long.
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
    b"\n".join([b"2 Kai " + b"#a // ^keep | " * 20] * 300),
    b"count,name\n" + b"1,Kai (Kai \n" * 2_000,
    b"count,name\n1," + b"Kai (ON) " * 12_000,
    b"count,name\n" + b'1,"Kai "x" (ON)\n' * 2_000,
    b'{"cards": {' + b",".join(b'"XF96-%05d": 1' % n for n in range(4_900)) + b"}}",
    b"count" + b",count" * 40_000,
    b"### \n" * 4_900,
    b"#\n# GCCG v1 " + b"deck " * 45_000,
    b"######\nDeck\n######\n" + b"1 KAI (ON " * 20_000,
    (b"1x a" + b" (ab) x" * 20 + b"[" * 120 + b"\n") * 200,
    (b"1x a (ab) x " + b"[a" * 140 + b"\n") * 200,
    (b"1 Kai" + b" " * 280 + b"!b\n") * 200,
    b"<order><fronts><card><slots>" + b"0," * 120_000 + b"</slots><name>Kai</name></card></fronts></order>",
    b'{"ObjectStates": [' + b'{"CardID": 1, "Nickname": "Kai"},' * 10_000 + b'{"DeckIDs": [1]}]}',
    b'{"cutout": 1, "cards": [' + b'{"name": "Kai", "count": 1, "tags": ["a"]},' * 2_000 + b"{}]}",
    b'{"cutout": 1, "cards": [{"name": "' + b"Kai (" * 150_000 + b'"}]}',
]


@pytest.mark.parametrize("bait", BAITS, ids=range(len(BAITS)))
def test_hostile_files_are_read_in_bounded_time(bait):
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
@settings(max_examples=50, deadline=None)
@pytest.mark.parametrize("name", FORMATS)
def test_any_bytes_raise_nothing_but_unreadable(name, data):
    for damaged in (data, _head(name) + data):
        try:
            read_any(games()["spycraft"], damaged, "", name)
        except Unreadable as refused:
            assert refused.message


@cache
def _head(name: str) -> bytes:
    """The beginning of a file in this format."""
    some = read_list(games()["spycraft"], b"// name: n\n2 Kai ^keep #a // b\n1 Termite", "").reading
    return export(name, games()["spycraft"], some).data[:200]
