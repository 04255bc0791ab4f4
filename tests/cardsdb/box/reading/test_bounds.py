"""Small files that would keep a server busy, or fill its memory, are refused or read in a moment."""

from __future__ import annotations

import io
import json
import time

import pytest
from rapidfuzz import process

from cardsdb.box.reading import container, formats, matching
from cardsdb.box.reading import rows as contract
from cardsdb.box.reading.container import BadPackage, elements_of, open_file, text_of
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.matching import Matcher
from cardsdb.box.reading.rows import NotUnderstood, Package, Stated
from cardsdb.games import games
from cardsdb.site import decoding as site_decoding
from tests.support.packages import octgn_set, workbook, zipped

SPYCRAFT = games()["spycraft"]


def opened(data: bytes, name: str) -> Package:
    return package_of(open_file(io.BytesIO(data), name), name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_more_elements_than_a_package_of_cards_has_are_refused_in_all_its_files_together(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setattr(container, "MAX_ELEMENTS", 20)
    package = opened(
        zipped({f"{n}.xml": ("<set>" + "<x/>" * 9 + "</set>").encode(encoding) for n in range(3)}), "x.zip"
    )
    with pytest.raises(BadPackage, match="more than 20 elements"):
        list(package.rows())
    two = opened(zipped({f"{n}.xml": b"<set>" + b"<x/>" * 9 + b"</set>" for n in range(2)}), "x.zip")
    assert [len(list(two.rows())) for _ in range(3)] == [0, 0, 0]


def test_blank_rows_of_a_table_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_BLANK", 20)
    monkeypatch.setattr(container, "MAX_LINES", 22)
    assert len(list(opened(b"name,text" + b"\n" * 21 + b"Nobody,Words.", "a.csv").rows())) == 1
    with pytest.raises(BadPackage, match="more than 20 blank rows"):
        list(opened(b"name,text" + b"\n" * 22 + b"Nobody,Words.", "a.csv").rows())
    for head in (b"Name\tSet\tImageFile\tText", b"Nobody: Words."):
        with pytest.raises(BadPackage, match="more than 22 lines"):
            list(opened(head + b"\r" * 23, "a.txt").rows())


@pytest.mark.parametrize(
    ("name", "head", "row"),
    [
        ("a.csv", b"name,text", b"," * 40),
        ("a.csv", b"name,text", b'",\n",,,,,,' * 4),
        ("a.txt", b"Name\tSet\tImageFile", b"\t" * 40),
    ],
)
def test_a_row_is_taken_apart_up_to_so_many_letters(
    name: str, head: bytes, row: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table of 50 MB without line ends took 1.7 GB: each of its cells is an object."""
    monkeypatch.setattr(container, "MAX_ROW", 40)
    assert len(row) == 40 and list(opened(head + b"\n\n" + row, name).rows()) == []
    with pytest.raises(BadPackage, match="line 3 has more than 40 letters"):
        list(opened(head + b"\n\n" + row + b",", name).rows())


def test_lines_of_a_table_are_taken_apart_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["Name\tSet", "Kai\tOne", "Termite\tOne"])
    monkeypatch.setattr(formats, "lines_of", lambda data, name: lines)
    row = next(formats.lackey_rows(open_file(io.BytesIO(b"-"), "a.txt"), "a.txt"))
    assert (row.number, row.cells, next(lines)) == (2, {"Name": "Kai", "Set": "One"}, "Termite\tOne")


def test_similar_names_are_looked_up_for_so_many_names_of_a_package_and_once_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(matching, "MAX_SUGGESTED", 2)
    looked_up, extract = [], process.extract
    monkeypatch.setattr(
        process, "extract", lambda name, *args, **kw: looked_up.append(name) or extract(name, *args, **kw)
    )
    matcher, name = Matcher(SPYCRAFT), next(card.name for card in SPYCRAFT.cards if len(card.name) > 12)
    found = [bool(matcher.match(Stated(name=name[:-1] + letter)).candidates) for letter in "zzaazc"]
    assert len(looked_up) == 2 and found == [True, True, True, True, True, False]


def test_elements_leave_their_parents_when_they_were_read() -> None:
    data = b"<set>" + b"<a><b/></a><card><p><q/></p></card>" * 5_000 + b"</set>"
    inside, beside = set(), set()
    for above, card in elements_of(data, "set.xml", "card"):
        inside.add(sum(1 for _ in card.iter()))
        beside.add(len(above["set"]))
    # Some of them are read ahead.
    assert inside == {3} and max(beside) < 1_000


def test_elements_that_lie_deep_are_found_as_fast_as_others() -> None:
    names = [f"a{number}" for number in range(4_000)]
    data = f"<{'><'.join(names)}>{'<card/>' * 4_000}</{'></'.join(reversed(names))}>".encode()
    began = time.monotonic()
    assert len([around for around, _ in elements_of(data, "set.xml", "card") if "a3999" in around]) == 4_000
    assert time.monotonic() - began < 2


def test_rows_of_a_sheet_count_blank_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_SHEET_ROWS", 20)
    rows = [["name", "text"], *([[""]] * 18), ["Nobody", "Words."]]
    assert len(list(opened(workbook(rows), "a.xlsx").rows())) == 1
    with pytest.raises(BadPackage, match="more than 20 rows"):
        list(opened(workbook([*rows, [""]]), "a.xlsx").rows())


def test_columns_and_cells_are_bounded_in_every_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "MAX_COLUMNS", 5)
    monkeypatch.setattr(contract, "MAX_CELL", 10)
    problems: list[NotUnderstood] = []
    cards = [{"name": "Nobody", "text": "x" * 11}, {"name": "Somebody", "text": "Words."}]
    assert [row.number for row in opened(json.dumps(cards).encode(), "a.json").rows(problems.append)] == [2]
    assert [(problem.row, problem.column) for problem in problems] == [(1, "text")]
    many = [{"name": "Nobody", f"column {number}": "x"} for number in range(5)]
    card = SPYCRAFT.cards[0]
    for data, name in (
        (json.dumps(many).encode(), "a.json"),
        (octgn_set([(card, "Words.")], a="1", b="2", c="3"), "set.xml"),
        (b"Name\tSet\tImageFile\ta\tb\tc\nNobody\tX\tx\t1\t2\t3", "a.txt"),
    ):
        with pytest.raises(BadPackage, match="5 columns at most"):
            list(opened(data, name).rows())


def test_a_name_that_is_a_long_run_of_blanks_is_matched_in_a_moment() -> None:
    matcher, start = Matcher(SPYCRAFT), time.process_time()
    assert matcher.match(Stated(name="a" + " " * 20_000 + "b")).card is None
    assert time.process_time() - start < 0.5
    card = SPYCRAFT.cards[0]
    assert matcher.match(Stated(name=f"{card.name}   (promo) ")) == matcher.match(Stated(name=card.name))


@pytest.mark.parametrize(
    "encoding",
    ["undefined", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "utf-7", "hex", "nothing"],
)
def test_an_encoding_that_is_none_of_letters_is_not_used(encoding: str) -> None:
    data = f'<?xml version="1.0" encoding="{encoding}"?><a>Caf'.encode() + b"\xe9 \\ud800</a>"
    assert "Café \\ud800" in text_of(data, "a.xml")


@pytest.mark.parametrize(
    "encoding", ["iso-8859-2", "windows-1250", "koi8-r", "shift_jis", "gbk", "euc-jp", "utf-16", "latin1"]
)
def test_an_encoding_of_letters_is_used(encoding: str) -> None:
    letters = {
        "koi8-r": "Шпион",
        "shift_jis": "カード",
        "gbk": "卡片",
        "euc-jp": "カード",
        "latin1": "Café",
    }.get(encoding, "Łódź")
    assert letters in text_of(
        f'<?xml version="1.0" encoding="{encoding}"?><a>{letters}</a>'.encode(encoding), "a.xml"
    )


def test_halves_of_letters_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_decoding, "decoded", lambda data, of_any: ("\ud800", "utf-8"))
    with pytest.raises(BadPackage, match="half a letter"):
        text_of(b"x", "a.csv")
