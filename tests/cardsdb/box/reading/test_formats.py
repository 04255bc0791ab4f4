"""File formats: each is recognised by its content and yields the same rows; faults are reported with their
place.
"""

import json
from dataclasses import replace

import pytest

from cardsdb.box.reading import contents, tables
from cardsdb.box.reading.container import BadPackage, open_folder
from cardsdb.box.reading.formats import MAX_JSON, package_of
from cardsdb.box.reading.matching import Matcher
from cardsdb.box.reading.rows import MAX_COLUMNS, NotUnderstood, Package, guessed
from cardsdb.box.reading.tables import guarded, unguarded
from cardsdb.games import games
from cardsdb.games.kit import Card
from tests.support.packages import (
    cockatrice_cards,
    files_of,
    gccg_set,
    lackey_table,
    octgn_set,
    package,
    tarred,
    workbook,
    zipped,
)

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
# Cards whose names need no escape in any format and encoding; and cards that GCCG names by a code.
AGENTS = [
    card for card in SPYCRAFT.cards if card.type == "agent" and card.name.isascii() and "&" not in card.name
][:3]
X_CARDS = [
    card for card in XFILES.cards if any(print_.set == "PRE" and print_.code for print_ in card.prints)
][:3]
WORDS = [(card, f"Invented words {number}.") for number, card in enumerate(AGENTS)]
X_WORDS = [(card, f"Invented words {number}.") for number, card in enumerate(X_CARDS)]
NAMED = [(card.name, text) for card, text in WORDS]
TABLE = "\n".join(["Card Name,Rules Text,Craft", *(f'"{name}","{text}",4' for name, text in NAMED)])


def read(found: Package, slug: str = "spycraft") -> tuple[list[tuple[str, str]], list[tuple[int, str]]]:
    """Return ((card code, text) of every row with a card, (row, reason) of every problem)."""
    columns, matcher = guessed(found, games()[slug]), Matcher(games()[slug])
    problems: list[NotUnderstood] = []
    stated = [columns.read(row) for row in found.rows(problems.append)]
    cards = [(card.code, row.text) for row in stated if (card := matcher.match(row).card)]
    for problem in problems:
        assert found.name in problem.file or problem.file in found.tables
    return cards, [(problem.row, problem.reason) for problem in problems]


def expected(words: list[tuple[Card, str]]) -> list[tuple[str, str]]:
    return [(card.code, text) for card, text in words]


def cells(data: bytes, name: str) -> list[dict[str, str]]:
    return [dict(row.cells) for row in package(data, name).rows()]


# -- recognising a format --------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "name", "data"),
    [
        ("octgn", "a.o8g", zipped({"definition.xml": b"<game/>", "Sets/One/set.xml": octgn_set(WORDS)})),
        (
            "octgn",
            "a.nupkg",
            zipped({"def/definition.xml": b"<game/>", "def/Sets/set.xml": octgn_set(WORDS)}),
        ),
        ("octgn", "set.xml", octgn_set(WORDS).decode().encode("utf-16")),
        ("cockatrice", "cards.xml", cockatrice_cards(WORDS)),
        ("lackey", "a.zip", zipped({"spy/info.txt": b"<plugin/>", "spy/sets/one.txt": lackey_table(WORDS)})),
        ("lackey", "one.txt", lackey_table(WORDS, "\r\n").decode().encode("utf-16-le")),
        ("csv", "mine.csv", TABLE.encode("utf-8-sig")),
        ("csv", "mine.csv", ("sep=;\r\n" + TABLE.replace(",", ";")).encode()),
        (
            "json",
            "mine.json",
            json.dumps({"cards": [{"name": n, "text": text} for n, text in NAMED]}).encode(),
        ),
        ("json", "mine.json", json.dumps(dict(NAMED)).encode()),
        ("xlsx", "mine.xlsx", workbook([["name", "", "text"], *([name, "", text] for name, text in NAMED)])),
        ("xlsx", "mine.xlsx", workbook([["name", "text"], *NAMED], shared=False)),
        ("pasted", "pasted.txt", "\n\n".join(f"{name}\n{text}" for name, text in NAMED).encode()),
        ("pasted", "pasted.txt", "\n\n".join(f"{name}: {text}" for name, text in NAMED).encode()),
    ],
)
def test_each_format_is_known_and_its_cards_get_their_text(format, name, data):
    found = package(data, name)
    assert (found.format.name, read(found)) == (format, (expected(WORDS), []))


def test_a_module_of_gccg_is_read_from_its_archive_and_its_folder_with_its_pictures(tmp_path):
    files = {
        "xml/Xf/one.xml": gccg_set(X_WORDS),
        "xml/Xf.xml": b"<ccg/>",
        "graphics/Xf/invented/a.jpg": b"...",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    with files_of(tarred(files)) as packed:
        for found in (package_of(packed, "gccg-xf.tgz"), package_of(open_folder(tmp_path), "folder")):
            assert (found.format.name, found.pictures) == ("gccg", ("graphics/Xf/invented/a.jpg",))
            assert read(found, "xfiles") == (expected(X_WORDS), [])


def test_pictures_alone_are_a_package():
    found = package(zipped({"1/Sets/2/Cards/abc.jpg": b"...", "README.txt": b"hello"}), "images.o8c")
    assert (found.format.name, found.pictures) == ("pictures", ("1/Sets/2/Cards/abc.jpg",))


def test_files_with_the_ending_of_a_table_come_before_plain_texts():
    table = b"name,text\nKai,x\n"
    assert package(zipped({"a.txt": table, "b.csv": table}), "a.zip").tables == ("b.csv", "a.txt")


# -- cells of rows ---------------------------------------------------------------------


def test_bytes_that_are_not_utf_8_are_read_as_western_letters():
    assert cells(b"name,text\nKai,\x81\xff\n", "a.csv")[0]["text"] == "\x81\xff"
    latin = gccg_set([(X_CARDS[0], "Café Zürich")])
    assert cells(latin, "one.xml")[0]["text"] == "Café Zürich"


def test_line_ends_written_as_numbers_are_line_ends():
    data = octgn_set([(AGENTS[0], "One.@Two.")]).replace(b"@", b"&#xD;&#xA;")
    assert cells(data, "set.xml")[0]["Rules"] == "One.\r\nTwo."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_of_a_table_have_the_numbers_of_their_lines_in_the_file(end):
    table = f'sep=;{end}{end}name;text{end}{end}{end}One;"A{end}{end}B"{end};{end}Two;C{end}'
    assert [row.number for row in package(table.encode()).rows()] == [6, 10]


COCKATRICE = b"<cockatrice_carddatabase>%s</cockatrice_carddatabase>"


@pytest.mark.parametrize(
    ("name", "data", "wanted"),
    [
        (
            "a.xml",
            b'<ccg-setinfo><cards><card name="Back" graphics="back.jpg"/><card name="Kai" text="x"/></cards>'
            b"</ccg-setinfo>",
            [{"name": "Kai", "text": "x", "set": "", "graphics": ""}],
        ),
        (
            "a.xml",
            b'<ccg-setinfo:a xmlns:ccg-setinfo="b"><card name="Kai" text="x"/></ccg-setinfo:a>',
            [{"name": "Kai", "text": "x", "graphics": ""}],
        ),
        (
            "a.xml",
            b'<set name="A"><set name="B"><card name="b"/></set><card name="a"><property name=" " value="x"/>'
            b"</card></set>",
            [{"id": "", "name": "b", "set": "B"}, {"id": "", "name": "a", "set": "A"}],
        ),
        (
            "a.xml",
            COCKATRICE % b"<cards><card><name>Kai</name></card></cards>",
            [{"name": "Kai"}],
        ),
        (
            "a.json",
            b'[{"name": "Kai", "text": null, "foil": true, "texts": ["a", 1],'
            b' "set": {"code": "EA", "more": {"x": 1}}}]',
            [{"name": "Kai", "foil": "yes", "texts": "a; 1", "set code": "EA"}],
        ),
        (
            "a.xlsx",
            zipped(
                {
                    "other/xl/sharedStrings.xml": b"<sst><si><t>theirs</t></si></sst>",
                    # A guide to pronunciation is no part of a text.
                    "xl/sharedStrings.xml": b"<sst><si><t>name</t><rPh><t>neim</t></rPh></si></sst>",
                    "xl/worksheets/sheet1.xml": b"<a><row><c t='s'><v>0</v></c><c t='str'><v>foil</v></c>"
                    b"<c><v>2.0</v></c></row><row><c t='str'><v>Kai</v></c><c t='b'><v>1</v></c><c><v>3.0</v>"
                    b"</c></row><row><c><v>Li</v></c><c t='b'><v>0</v></c><c t='s'><v>9</v></c></row></a>",
                }
            ),
            [{"name": "Kai", "foil": "yes", "2": "3"}, {"name": "Li", "foil": "no", "2": ""}],
        ),
    ],
    ids=["a back", "outside of a set", "nearest", "of no set", "json", "sheet"],
)
def test_cells_are_what_the_file_says_of_its_cards(name, data, wanted):
    assert cells(data, name) == wanted


def test_elements_outside_of_the_list_of_cards_are_ignored():
    card = b"<card><name>Kai</name></card>"
    problems: list[NotUnderstood] = []
    data = COCKATRICE % (b"<sets>%s</sets><cards>%s<card/></cards>" % (card, card))
    (row,) = package(data, "cards.xml").rows(problems.append)
    assert (row.number, [problem.row for problem in problems]) == (1, [2])


@pytest.mark.parametrize(
    ("name", "data", "problems"),
    [
        ("a.csv", b"name,text\nKai,a,b,c\nKai,b\n", [(2, "The row has 4 cells, the header 2.")]),
        ("a.xlsx", workbook(["nt", "Kabc", "Kb"]), [(2, "The row has 4 cells, the header 2.")]),
        (
            "a.txt",
            b"Name\tSet\tImageFile\n\t\nKai\tEA\tx\ty\n",
            [(3, "The line has 4 cells, the header 3.")],
        ),
        (
            "a.json",
            b'["Words.", 7, {}, {"name": "Kai"}]',
            [(number, "It is not an object with a card's name and text.") for number in (2, 3)],
        ),
        (
            "a.txt",
            b"Kai\n\nLi: Words.\n",
            [(1, "Write the card's name, and its text in the lines below.")],
        ),
        ("a.xml", cockatrice_cards([(replace(AGENTS[0], name=""), "x")]), [(1, "The card has no name.")]),
        (
            "a.xml",
            b'<ccg-setinfo><cards><card name=" " text="x"/></cards></ccg-setinfo>',
            [(1, "The card has no name.")],
        ),
        ("a.xml", b"<set><cards><card/></cards></set>", [(1, "The card has neither an id nor a name.")]),
    ],
    ids=["csv", "xlsx", "lackey", "json", "pasted", "cockatrice", "gccg", "octgn"],
)
def test_a_row_that_cannot_be_read_is_reported_with_its_place(name, data, problems):
    assert read(package(data, name))[1] == problems


# -- refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (
            "a.xml",
            b'<!DOCTYPE set [<!ENTITY a "b">]><set><cards><card id="&a;" name="x"/></cards></set>',
            "entities",
        ),
        ("a.xml", b"<set>\n<cards>\n<card></set>", "line 3"),
        # Two byte order marks and a false encoding.
        (
            "a.xml",
            b"\xef\xbb\xbf\xef\xbb\xbf<?xml version='1.0' encoding='utf-7'?><set/>",
            "is no XML that can be",
        ),
        ("a.csv", b"name,name\na,b\n", "twice"),
        ("a.csv", b"a," * (MAX_COLUMNS + 1), "must name the columns"),
        # More than the 131,072 characters that Python's reader takes in a cell.
        ("a.csv", b'name,text\nKai,"' + b"x\n" * 70_000, "quotation mark is not closed"),
        ("a.csv", b"name\n\0", "NUL"),
        ("a.csv", b"", "empty"),
        ("a.json", b"[1", "JSON"),
        ("a.json", b"3", "no list of cards"),
        ("a.json", b'{"cards": 3}', "no list of cards"),
        ("a.json", b"[" + b" " * MAX_JSON + b"]", "more than 16 MB"),
        ("a.bin", b"\x7fELF....", "is understood"),
        ("a.xlsx", b"name,text", "damaged"),
        ("a.xlsx", zipped({"readme.txt": b"name"}), "is no spreadsheet"),
    ],
    ids=range(15),
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(name, data, sentence):
    with pytest.raises(BadPackage) as refused:
        list(package(data, name).rows())
    assert sentence in refused.value.message


def test_a_table_may_have_only_so_many_blank_rows(monkeypatch):
    monkeypatch.setattr(tables, "MAX_BLANK", 2)
    assert len(cells(b"name,text\n\n\nNobody,Words.", "a.csv")) == 1
    with pytest.raises(BadPackage, match="more than 2 blank rows"):
        cells(b"name,text\n\n\n\nNobody,Words.", "a.csv")


def test_a_sheet_may_have_only_so_many_rows_blank_ones_included(monkeypatch):
    def sheet(rows: int) -> bytes:
        row = b"<a><row><c><v>name</v></c></row>%s</a>" % (b"<row/>" * rows)
        return zipped({"xl/worksheets/sheet1.xml": row})

    monkeypatch.setattr(tables, "MAX_SHEET_ROWS", 3)
    assert cells(sheet(2), "a.xlsx") == []
    with pytest.raises(BadPackage, match="more than 3 rows"):
        cells(sheet(3), "a.xlsx")


@pytest.mark.parametrize("begin", [b",", b'",\n",'])
def test_a_row_of_a_table_may_have_only_so_many_characters(monkeypatch, begin):
    monkeypatch.setattr(contents, "MAX_ROW", 30)
    row = begin.ljust(30, b",")
    assert len(cells(b"name,text\n\n" + row, "a.csv")) < 2
    with pytest.raises(BadPackage, match="line 3 has more than 30 letters"):
        cells(b"name,text\n\n" + row + b",", "a.csv")


def test_a_text_that_a_spreadsheet_would_calculate_is_guarded_and_unguarded_again():
    words = ["+2 Craft", "=1", "'+2", "'", "Kai", "-", "@x", "\tx", ""]
    marked = ["'+2 Craft", "'=1", "''+2", "'", "Kai", "'-", "'@x", "'\tx", ""]
    assert [guarded(word) for word in words] == marked
    assert [unguarded(word) for word in marked] == words
