"""Every format is known by what is in it, and yields the same rows; what is wrong is said with its place."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cardsdb.box.reading.container import BadPackage, open_file, open_folder
from cardsdb.box.reading.formats import guarded, package_of, unguarded
from cardsdb.box.reading.matching import Match, Matcher
from cardsdb.box.reading.rows import NotUnderstood, Package, Stated, changed, guessed, shown_meanings
from cardsdb.games import games
from tests.support.packages import (
    cockatrice_cards,
    gccg_set,
    lackey_table,
    octgn_set,
    tarred,
    workbook,
    zipped,
)

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]
AGENTS = [
    card for card in SPYCRAFT.cards if card.type == "agent" and card.name.isascii() and "&" not in card.name
][:3]
X_CARDS = [card for card in XFILES.cards if any(one.set == "PRE" and one.code for one in card.prints)][:3]
WORDS = [(card, f"Invented words {number}.") for number, card in enumerate(AGENTS)]
X_WORDS = [(card, f"Invented words {number}.") for number, card in enumerate(X_CARDS)]
TABLE = "\n".join(["Card Name,Rules Text,Craft", *(f'"{card.name}","{text}",4' for card, text in WORDS)])


def opened(data: bytes, name: str) -> Package:
    return package_of(open_file(io.BytesIO(data), name), name)


def read(package: Package, slug: str) -> tuple[list[tuple[str, str]], list[NotUnderstood]]:
    """(code of the card, its text) of every row that has a card."""
    columns, matcher = guessed(package, games()[slug]), Matcher(games()[slug])
    problems: list[NotUnderstood] = []
    found = []
    for row in package.rows(problems.append):
        stated = columns.read(row)
        if card := matcher.match(stated).card:
            found.append((card.code, stated.text))
    return found, problems


def expected(words: list[tuple[object, str]]) -> list[tuple[str, str]]:
    return [(card.code, text) for card, text in words]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("format", "name", "data"),
    [
        (
            "octgn",
            "spycraft.o8g",
            zipped({"definition.xml": b"<game/>", "Sets/One/set.xml": octgn_set(WORDS)}),
        ),
        (
            "octgn",
            "package.nupkg",
            zipped({"def/definition.xml": b"<game/>", "def/Sets/One/set.xml": octgn_set(WORDS)}),
        ),
        ("octgn", "set.xml", octgn_set(WORDS)),
        ("octgn", "set.xml", octgn_set(WORDS).decode().encode("utf-16")),
        ("cockatrice", "cards.xml", cockatrice_cards(WORDS)),
        ("cockatrice", "cards.xml", cockatrice_cards(WORDS).decode().encode("utf-16-be")),
        (
            "lackey",
            "plugin.zip",
            zipped({"spy/plugininfo.txt": b"<plugin/>", "spy/sets/one.txt": lackey_table(WORDS)}),
        ),
        ("lackey", "one.txt", lackey_table(WORDS, "\r\n")),
        ("lackey", "one.txt", lackey_table(WORDS, "\r\n").decode().encode("utf-16-le")),
        ("csv", "mine.csv", TABLE.encode("utf-8-sig")),
        ("csv", "mine.csv", TABLE.replace("\n", "\r").encode("utf-16")),
        ("csv", "mine.tsv", TABLE.replace(",", "\t").encode()),
        ("csv", "mine.csv", ("sep=;\r\n" + TABLE.replace(",", ";")).encode()),
        (
            "json",
            "mine.json",
            json.dumps({"cards": [{"name": card.name, "text": text} for card, text in WORDS]}).encode(),
        ),
        ("json", "mine.json", json.dumps({card.name: text for card, text in WORDS}).encode()),
        (
            "xlsx",
            "mine.xlsx",
            workbook([["name", "", "text"], *([card.name, "", text] for card, text in WORDS)]),
        ),
        (
            "xlsx",
            "mine.xlsx",
            workbook([["name", "text"], *([card.name, text] for card, text in WORDS)], shared=False),
        ),
        ("pasted", "pasted.txt", "\n\n".join(f"{card.name}\n{text}" for card, text in WORDS).encode()),
        ("pasted", "pasted.txt", "\n\n".join(f"{card.name}: {text}" for card, text in WORDS).encode()),
    ],
)
def test_each_format_is_known_and_its_cards_get_their_text(format: str, name: str, data: bytes) -> None:
    package = opened(data, name)
    assert package.format.name == format
    assert read(package, "spycraft") == (expected(WORDS), [])


def test_a_module_of_gccg_is_read_from_its_archive_with_its_pictures(tmp_path: Path) -> None:
    files = {
        "xml/Xf/one.xml": gccg_set(X_WORDS),
        "xml/Xf.xml": b"<ccg/>",
        "graphics/Xf/invented/a.jpg": b"...",
    }
    with open_file(io.BytesIO(tarred(files)), "gccg-xf.tgz") as packed:
        package = package_of(packed, "gccg-xf.tgz")
        assert (package.format.name, package.pictures) == ("gccg", ("graphics/Xf/invented/a.jpg",))
        assert read(package, "xfiles") == (expected(X_WORDS), [])
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert read(package_of(open_folder(tmp_path), "folder"), "xfiles") == (expected(X_WORDS), [])


def test_letters_of_a_file_that_does_not_say_its_encoding_are_read_right() -> None:
    card = AGENTS[0]
    for encoding in ("utf-8", "cp1252", "utf-16"):
        package = opened(f"name,text\n{card.name},Café “Zürich”\n".encode(encoding), "mine.csv")
        assert read(package, "spycraft")[0] == [(card.code, "Café “Zürich”")]
    latin = gccg_set([(X_CARDS[0], "Café Zürich")])
    assert read(opened(latin, "one.xml"), "xfiles")[0] == [(X_CARDS[0].code, "Café Zürich")]


def test_line_ends_written_as_numbers_are_line_ends() -> None:
    data = octgn_set([(AGENTS[0], "One.@Two.")]).replace(b"@", b"&#xD;&#xA;")
    assert read(opened(data, "set.xml"), "spycraft")[0] == [(AGENTS[0].code, "One.\r\nTwo.")]


def test_pictures_alone_are_a_package() -> None:
    package = opened(zipped({"1/Sets/2/Cards/abc.jpg": b"...", "README.txt": b"hello"}), "images.o8c")
    assert (package.format.name, package.pictures) == ("pictures", ("1/Sets/2/Cards/abc.jpg",))


def test_columns_are_guessed_and_can_be_changed() -> None:
    package = opened(b"Card,Game Text,ExpenseRating,Craft,Notes\nKai,a,1,2,b\n", "mine.csv")
    columns = guessed(package, SPYCRAFT)
    assert columns.meanings == {
        "Card": "name",
        "Game Text": "text",
        "ExpenseRating": "",
        "Craft": "fact:craft",
        "Notes": "",
    }
    both = changed(columns, {"Notes": "text", "ExpenseRating": "fact:expense"}, SPYCRAFT)
    (row,) = package.rows()
    said = both.read(row)
    assert said.text == "a\nb" and said.facts == {"craft": "2", "expense": "1"}
    assert changed(columns, {"Notes": "name"}, SPYCRAFT).meanings["Card"] == ""
    for wrong in ({"Nothing": "text"}, {"Notes": "fact:nothing"}, {"Notes": "words"}):
        with pytest.raises(ValueError, match=r"no column|nothing that a column"):
            changed(columns, wrong, SPYCRAFT)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_of_a_table_have_the_numbers_of_their_lines_in_the_file(end: str) -> None:
    table = f'sep=;{end}{end}name;text{end}{end}{end}One;"A{end}{end}B"{end};{end}Two;C{end}'
    assert [row.number for row in opened(table.encode(), "mine.csv").rows()] == [6, 10]


def test_a_row_that_is_no_row_is_said_with_its_place() -> None:
    _, problems = read(opened(b"name,text\nKai,a,b,c\nKai,b\n", "mine.csv"), "spycraft")
    assert [(one.file, one.row) for one in problems] == [("mine.csv", 2)]
    _, problems = read(opened(b"Name\tSet\tImageFile\n\t\nKai\tEA\tx\ty\n", "one.txt"), "spycraft")
    assert [(one.row, one.reason) for one in problems] == [(3, "The line has 4 cells, the header 3.")]
    _, problems = read(
        opened(
            b'["Words.", 7, {}, {"name": "Kai", "foil": true, "texts": ["a", 1], "set": {"code": "EA"}}]',
            "x.json",
        ),
        "spycraft",
    )
    assert [(one.row, one.reason) for one in problems] == [
        (number, "It is no object with the card's name and text.") for number in (2, 3)
    ]
    _, problems = read(opened(b"Kai\n\nLi: Words.\n", "pasted.txt"), "spycraft")
    assert [(one.row, one.reason[:21]) for one in problems] == [(1, "Write the card's name")]
    nameless = cockatrice_cards([(replace(AGENTS[0], name=""), "x")])
    _, problems = read(opened(nameless, "cards.xml"), "spycraft")
    assert [(one.row, one.reason) for one in problems] == [(1, "The card has no name.")]
    _, problems = read(
        opened(b'<ccg-setinfo><cards><card name=" " text="x"/></cards></ccg-setinfo>', "set.xml"), "spycraft"
    )
    assert [(one.row, one.reason) for one in problems] == [(1, "The card has no name.")]
    _, problems = read(
        opened(workbook([["name", "text"], ["Kai", "a", "b", "c"], ["Kai", "b"]]), "mine.xlsx"), "spycraft"
    )
    assert [(one.row, one.reason) for one in problems] == [(2, "The row has 4 cells, the header 2.")]
    _, problems = read(opened(b"<set><cards><card/></cards></set>", "set.xml"), "spycraft")
    assert [(one.row, one.reason) for one in problems] == [(1, "The card has neither an id nor a name.")]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (
            "set.xml",
            b'<!DOCTYPE set [<!ENTITY a "b">]><set><cards><card id="&a;" name="x"/></cards></set>',
            "entities",
        ),
        ("set.xml", b"<set>\n<cards>\n<card></set>", "line 3"),
        ("x.csv", b"name,name\na,b\n", "twice"),
        ("x.csv", b"a," * 201, "must name the columns"),
        ("x.csv", b'name,text\nKai,"' + b"x\n" * 70_000, "quotation mark is not closed"),
        ("x.csv", b"name\n\0", "NUL"),
        ("x.json", b"[1", "JSON"),
        ("x.json", b"3", "no list of cards"),
        ("x.bin", b"\x7fELF....", "is understood"),
        ("x.xlsx", b"name,text", "damaged"),
        ("x.csv", b"", "empty"),
        ("x.xlsx", zipped({"readme.txt": b"name"}), "is no spreadsheet"),
        # What says twice that it begins, and then how it is written.
        (
            "set.xml",
            b"\xef\xbb\xbf\xef\xbb\xbf<?xml version='1.0' encoding='utf-7'?><set/>",
            "is no XML that can be read",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(name: str, data: bytes, sentence: str) -> None:
    with pytest.raises(BadPackage) as refused:
        list(opened(data, name).rows())
    assert sentence in refused.value.message


def test_ids_come_before_numbers_and_numbers_before_names() -> None:
    first, second = X_CARDS[:2]
    one = second.prints[0]
    match = Matcher(XFILES).match
    assert (
        match(Stated(id=first.prints[0].code, set=one.set, number=one.number, name=second.name)).how == "id"
    )
    assert match(Stated(id="nothing", set=one.set, number=one.number, name=first.name)).card == second
    assert (match(Stated(name=first.name.upper())).card, match(Stated(name=first.name)).how) == (
        first,
        "name",
    )


def test_a_card_is_named_by_ids_and_by_no_other_fact_that_is_none_of_play() -> None:
    card = next(card for card in SPYCRAFT.cards if "octgn_id" in card.facts)
    signed = replace(card, facts={**card.facts, "artist": "Ann Only"})
    match = Matcher(SPYCRAFT.with_cards([signed])).match
    assert match(Stated(id=str(card.facts["octgn_id"]))).card == signed
    assert match(Stated(id="Ann Only")).card is None


def test_a_name_of_several_cards_fits_none_until_one_is_chosen() -> None:
    twins = [card for card in SPYCRAFT.cards if card.name == "Tracer"]
    assert Matcher(SPYCRAFT).match(Stated(name="Tracer")) == Match(candidates=tuple(twins))
    assert (
        Matcher(SPYCRAFT).match(Stated(name="Tracer", set=twins[0].prints[0].set, type=twins[0].type)).card
        == twins[0]
    )
    chosen = Matcher(SPYCRAFT, {Stated(name="Tracer").key: twins[1].code}).match(Stated(name="Tracer"))
    assert (chosen.card, chosen.how) == (twins[1], "choice")


def test_a_choice_of_a_card_that_is_gone_counts_for_nothing() -> None:
    stated = Stated(name=AGENTS[0].name)
    match = Matcher(SPYCRAFT, {stated.key: "gone"}).match(stated)
    assert (match.card, match.how) == (AGENTS[0], "name")


def test_a_misspelt_name_fits_no_card_but_names_those_that_may_be_meant() -> None:
    match = Matcher(SPYCRAFT).match(Stated(name="Party Crafters"))
    assert match.card is None and "Party Crashers" in [card.name for card in match.candidates]


def test_json_that_would_take_all_memory_is_refused() -> None:
    with pytest.raises(BadPackage) as refused:
        list(opened(b"[" + b" " * (16 * 1024 * 1024) + b"]", "x.json").rows())
    assert refused.value.code == "too_large"


def test_a_picture_that_a_program_needs_is_no_card() -> None:
    data = (
        b'<ccg-setinfo><cards><card name="Back" graphics="back.jpg"/><card name="Kai"'
        b' text="x"/></cards></ccg-setinfo>'
    )
    assert [row.cells["name"] for row in opened(data, "set.xml").rows()] == ["Kai"]


def test_a_card_outside_of_a_set_and_a_property_without_a_name_say_what_they_do() -> None:
    bare = b'<ccg-setinfo:a xmlns:ccg-setinfo="b"><card name="Kai" text="x"/></ccg-setinfo:a>'
    (row,) = opened(bare, "set.xml").rows()
    assert row.cells == {"name": "Kai", "text": "x", "graphics": ""}
    nameless = octgn_set(WORDS[:1]).replace(b'name="Type"', b'name=" "')
    (row,) = opened(nameless, "set.xml").rows()
    assert set(row.cells) == {"id", "name", "set", "Rules"}


def test_what_stands_outside_of_the_cards_is_none_and_does_not_count() -> None:
    card = b"<card><name>Kai</name></card>"
    data = b"<cockatrice_carddatabase><sets>%s</sets><cards>%s<card/></cards></cockatrice_carddatabase>"
    problems: list[NotUnderstood] = []
    (row,) = opened(data % (card, card), "cards.xml").rows(problems.append)
    assert (row.number, [one.row for one in problems]) == (1, [2])


def test_names_of_what_stands_round_a_card_are_those_of_the_nearest() -> None:
    data = b'<set name="A"><set name="B"><card name="b"/></set><card name="a"/></set>'
    assert [row.cells["set"] for row in opened(data, "set.xml").rows()] == ["B", "A"]


def test_tables_that_say_so_by_their_ending_come_before_plain_texts() -> None:
    table = b"name,text\nKai,x\n"
    assert opened(zipped({"a.txt": table, "b.csv": table}), "a.zip").tables == ("b.csv", "a.txt")


def test_texts_that_a_spreadsheet_names_by_number_are_its_own() -> None:
    book = zipped(
        {
            "other/xl/sharedStrings.xml": b"<sst><si><t>theirs</t></si></sst>",
            "xl/sharedStrings.xml": b"<sst><si><t>name</t></si></sst>",
            "xl/worksheets/sheet1.xml": b"<a><row><c t='s'><v>0</v></c></row><row>"
            b"<c><v>Kai</v></c></row></a>",
        }
    )
    assert [row.cells for row in opened(book, "a.xlsx").rows()] == [{"name": "Kai"}]


def test_a_card_of_no_set_is_a_row() -> None:
    data = b"<cockatrice_carddatabase><cards><card><name>Kai</name></card></cards></cockatrice_carddatabase>"
    assert [row.cells for row in opened(data, "cards.xml").rows()] == [{"name": "Kai"}]


def test_letters_that_no_other_encoding_has_are_read_as_bytes() -> None:
    (row,) = opened(b"name,text\nKai,\x81\xff\n", "mine.csv").rows()
    assert row.cells["text"] == "\x81\xff"


def test_of_json_what_is_nothing_or_lies_too_deep_is_no_cell() -> None:
    (row,) = opened(
        b'[{"name": "Kai", "text": null, "set": {"code": "EA", "more": {"x": 1}}}]', "x.json"
    ).rows()
    assert row.cells == {"name": "Kai", "set code": "EA"}


def test_values_of_a_spreadsheet_are_words_as_a_table_has_them() -> None:
    words = ("name", "foil", "craft"), ("Kai", "1", "3.0"), ("Li", "0", "")
    kinds = ("str", "str", "str"), ("str", "b", "n"), ("str", "b", "n")
    lines = (
        "".join(f'<c t="{kind}"><v>{word}</v></c>' for word, kind in zip(row, kinds_of_row, strict=True))
        for row, kinds_of_row in zip(words, kinds, strict=True)
    )
    sheet = f"<worksheet><sheetData><row>{'</row><row>'.join(lines)}</row></sheetData></worksheet>"
    rows = opened(zipped({"xl/worksheets/sheet1.xml": sheet.encode()}), "mine.xlsx").rows()
    assert [tuple(row.cells.values()) for row in rows] == [("Kai", "yes", "3"), ("Li", "no", "")]


def test_what_a_spreadsheet_would_calculate_is_marked_and_the_mark_comes_off_again() -> None:
    words = ["+2 Craft", "=1", "'+2", "'", "Kai", "-", "@x", "\tx", ""]
    assert [guarded(word) for word in words] == [
        "'+2 Craft",
        "'=1",
        "''+2",
        "'",
        "Kai",
        "'-",
        "'@x",
        "'\tx",
        "",
    ]
    assert [unguarded(guarded(word)) for word in words] == words


def test_a_column_may_mean_a_part_of_a_row_or_a_fact_of_the_game() -> None:
    meanings = dict(shown_meanings(SPYCRAFT))
    assert meanings[""] == "nothing" and {"id", "set", "number", "name", "text"} <= set(meanings)
    assert [title for key, title in meanings.items() if key.endswith("craft")] == [
        SPYCRAFT.facts_by_key["craft"].title
    ]
