"""Tables: CSV with any separator, TSV, JSON, and text that is pasted for one card or many."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from cardsdb.box.reading import decoding
from cardsdb.box.reading.container import BadPackage, Files
from cardsdb.box.reading.decoding import first_line, lines_of, long_row, plain_tag, text_of, xml_events
from cardsdb.box.reading.rows import MAX_COLUMNS, NotUnderstood, PackageFormat, Report, Row
from cardsdb.site.strict_json import BadJson, read_json

# Of a file that is read in one piece and takes many times its size then.
MAX_JSON = 16 * 1024 * 1024
# Blank rows of one table.
MAX_BLANK = 100_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# Where the list of cards stands in JSON files of other tools.
_LISTS = ("cards", "data", "items", "rows")


def finds_csv(files: Files) -> tuple[str, ...]:
    """By their endings; of plain texts those whose first line names columns."""
    return (
        *files.ending(".csv", ".tsv", ".tab"),
        *(name for name in files.ending(".txt") if _names_columns(files.beginning(name))),
    )


def _names_columns(begin: bytes) -> bool:
    cells = {cell.strip(' "').casefold() for cell in re.split("[,;\t|]", first_line(begin))}
    return len(cells) > 1 and bool(cells & {"name", "card name", "card", "title", "id", "code"})


def separated(text: str) -> tuple[str, str, int]:
    """(the text of a table, what stands between its cells, the number of lines above it). Spreadsheets in
    some languages state the separator in the first line.
    """
    declared = re.match(r'"?sep=(.)"?[^\r\n]*(?:\r\n|\r|\n)', text, re.IGNORECASE)
    rest = text[declared.end() :] if declared else text
    first = re.match(r"\s*([^\r\n]*)", rest)
    separator = declared[1] if declared else max(",;\t|", key=(first[1] if first else "").count)
    return rest, separator, 1 if declared else 0


def csv_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each row that is not blank, with the number of its first line in the file.

    Raises BadPackage for a table without a header, for too many blank rows, for a row of too many letters,
    and for a quotation mark that never closes.
    """
    text = text_of(data, name)
    rest, separator, above = separated(text)
    letters = 0

    def lines() -> Iterator[str]:
        nonlocal letters
        for line in _LINE.finditer(rest):
            letters += line.end() - line.start()
            if letters > decoding.MAX_ROW:
                raise long_row(name, before + 1)
            yield line[0]

    table = csv.reader(lines(), delimiter=separator)
    columns: list[str] = []
    before, blank = above, 0
    try:
        for cells in table:
            line, before, letters = before + 1, table.line_num + above, 0
            if not any(cell.strip() for cell in cells):
                blank += 1
                if blank > MAX_BLANK:
                    raise BadPackage(
                        "too_long", f"{name} has more than {MAX_BLANK:,} blank rows. Delete them.", name
                    )
            elif not columns:
                columns = header(cells, name)
            elif row := row_of(name, line, columns, [unguarded(cell) for cell in cells], report):
                yield row
    except csv.Error:
        # The reader stops at nothing else: a mark that is not closed makes one cell of the rest.
        why = f"a cell has more than {csv.field_size_limit():,} letters, or its quotation mark is not closed"
        raise BadPackage(
            "bad_table", f"{name}: line {table.line_num + above} is no row of a table: {why}.", name
        ) from None


def csv_line(cells: Iterable[str]) -> str:
    """A row of a table, as a line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def guarded(text: str) -> str:
    """The text with a ' before it if a spreadsheet would calculate it, as with "+2 Craft", or if it has such
    a ' of its own.
    """
    return f"'{text}" if re.match(r"'*[=+\-@\t\r]", text) else text


def unguarded(text: str) -> str:
    """The text without the ' that ``guarded`` put before it."""
    return text[1:] if re.match(r"'+[=+\-@\t\r]", text) else text


def header(cells: list[str], name: str) -> list[str]:
    """The names of the columns. Raises BadPackage for a first row that names none, or one twice."""
    columns = [" ".join(cell.split()) for cell in cells]
    named = [column.casefold() for column in columns if column]
    if not named or len(columns) > MAX_COLUMNS:
        raise BadPackage(
            "bad_header", f"{name}: the first row must name the columns, {MAX_COLUMNS} at most.", name
        )
    if twice := next((column for column in columns if column and named.count(column.casefold()) > 1), ""):
        raise BadPackage(
            "bad_header",
            f"{name}: the column {twice[:40]} is there twice. Give one of them another name.",
            name,
        )
    return columns


def row_of(name: str, number: int, columns: list[str], cells: list[str], report: Report) -> Row | None:
    """The row, unless it cannot be one of this table."""
    if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
        report(NotUnderstood(name, number, "", f"The row has {len(cells)} cells, the header {len(columns)}."))
        return None
    return Row(
        name, number, {column: cell.strip() for column, cell in zip(columns, cells, strict=False) if column}
    )


# -- JSON ------------------------------------------------------------------------------


def finds_json(files: Files) -> tuple[str, ...]:
    return files.ending(".json")


def json_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each object of a list, or of the list under ``cards``; or for each name of an object name ->
    text.
    """
    if len(data) > MAX_JSON:
        raise BadPackage(
            "too_large",
            f"{name} has more than {MAX_JSON >> 20} MB. Send it in parts, or as a CSV table.",
            name,
        )
    try:
        value = read_json(text_of(data, name))
    except BadJson as error:
        raise BadPackage("bad_json", f"{name} {error}", name) from None
    for number, (key, card) in enumerate(_cards(value, name), 1):
        cells = (
            _flat(card) if isinstance(card, Mapping) else {"text": str(card)} if isinstance(card, str) else {}
        )
        if key:
            cells.setdefault("id" if isinstance(card, Mapping) else "name", key)
        if cells:
            yield Row(name, number, cells)
        else:
            report(NotUnderstood(name, number, "", "It is no object with the card's name and text."))


def _cards(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    while isinstance(value, Mapping) and (
        inner := next((value[key] for key in _LISTS if isinstance(value.get(key), list | dict)), None)
    ):
        value = inner
    if isinstance(value, list):
        yield from (("", card) for card in value)
    elif (
        isinstance(value, Mapping)
        and value
        and all(isinstance(card, str | Mapping) for card in value.values())
    ):
        yield from value.items()
    else:
        raise BadPackage(
            "bad_json",
            f"{name}: no list of cards is in it. Write a list of objects, each with a name and a text.",
            name,
        )


def _flat(card: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """The values as cells; a value inside another is ``outer inner``, several of one are joined."""
    cells: dict[str, str] = {}
    for key, value in card.items():
        called = f"{before} {key}".strip()
        if isinstance(value, Mapping) and not before:
            cells |= _flat(value, called)
        elif isinstance(value, bool):
            cells[called] = "yes" if value else "no"
        elif isinstance(value, list):
            cells[called] = "; ".join(str(one) for one in value if isinstance(one, str | int | float))
        elif value is not None and not isinstance(value, Mapping):
            cells[called] = str(value).strip()
    return cells


# -- pasted ----------------------------------------------------------------------------


def pasted_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """Blocks between empty lines, each a card's name with its text below; or lines ``Name: text`` alone."""
    lines = lines_of(data, name)
    start = 0
    for end in (*(number for number, line in enumerate(lines) if not line.strip()), len(lines)):
        block = [line.strip() for line in lines[start:end]]
        if len(block) > 1:
            yield Row(name, start + 1, {"name": block[0].rstrip(":"), "text": "\n".join(block[1:])})
        elif block and block[0]:
            called, colon, text = block[0].partition(": ")
            if colon and text.strip():
                yield Row(name, start + 1, {"name": called, "text": text.strip()})
            else:
                report(
                    NotUnderstood(
                        name, start + 1, "", "Write the card's name, and its text in the lines below."
                    )
                )
        start = end + 1


_OURS = {"id": ("id",), "name": ("name",), "text": ("text",)}
CSV = PackageFormat("csv", "Table (CSV, TSV)", finds_csv, csv_rows)
JSON = PackageFormat("json", "JSON", finds_json, json_rows)
PASTED = PackageFormat("pasted", "Text", lambda files: files.ending(".txt", ".md"), pasted_rows, _OURS)  # type: ignore[arg-type]


# Of one sheet, blank ones too.
MAX_SHEET_ROWS = 120_000
_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,4})\.xml", re.IGNORECASE)
# Columns further right than a table can have: letters of a cell's address.
_ADDRESS = re.compile(r"([A-Z]{1,3})\d+")


def finds_xlsx(files: Files) -> tuple[str, ...]:
    return files.ending(".xlsx")


def xlsx_rows(files: Files, name: str, report: Report) -> Iterator[Row]:
    """A row for each row below the first that is not blank, of every sheet."""
    with files.inside(name) as book:
        sheets = sorted((int(match[1]), path) for path in book.names if (match := _SHEET.fullmatch(path)))
        if not sheets:
            raise BadPackage(
                "bad_table", f"{name} is no spreadsheet that can be read. Save it as .xlsx or .csv.", name
            )
        shared = _shared(book)
        for number, path in sheets:
            called = f"{name}, sheet {number}" if len(sheets) > 1 else name
            yield from _table(called, _lines(book.text_file(path), path, shared), report)


def _table(name: str, lines: Iterator[tuple[int, list[str]]], report: Report) -> Iterator[Row]:
    columns: list[str] = []
    for number, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = header(cells, name)
        elif row := row_of(name, number, columns, cells, report):
            yield row


def _shared(book: Files) -> list[str]:
    """The texts that cells name by number."""
    path = next((path for path in book.names if path.casefold() == "xl/sharedstrings.xml"), None)
    texts = []
    for event, element in xml_events(book.text_file(path), path, "si") if path else ():
        if event == "end" and plain_tag(element) == "si":
            texts.append(_xlsx_text(element))
    return texts


def _lines(data: bytes, name: str, shared: list[str]) -> Iterator[tuple[int, list[str]]]:
    number = there = 0
    for event, element in xml_events(data, name, "row"):
        if event == "end" and plain_tag(element) == "row":
            there += 1
            if there > MAX_SHEET_ROWS:
                raise BadPackage(
                    "too_long",
                    f"A sheet has more than {MAX_SHEET_ROWS:,} rows. Delete its blank rows, or save it as .csv.",
                    name,
                )
            number = (
                int(said)
                if (said := element.get("r", "")).isascii() and said.isdigit() and len(said) < 9
                else number + 1
            )
            cells: list[str] = []
            for cell in element:
                place = _place(cell.get("r", ""), len(cells))
                cells += [""] * (place - len(cells))
                cells.append(_value(cell, shared))
            yield number, cells


def _place(address: str, otherwise: int) -> int:
    """The column of a cell, from 0. One that goes back, or far to the right, follows the last."""
    match = _ADDRESS.fullmatch(address)
    place = 0
    for letter in match[1] if match else "":
        place = place * 26 + ord(letter) - 64
    return place - 1 if otherwise < place <= 1_000 else otherwise


def _value(cell: Element, shared: list[str]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _xlsx_text(cell)
    value = next((child.text or "" for child in cell if plain_tag(child) == "v"), "")
    if kind == "s":
        return (
            shared[int(value)]
            if value.isascii() and value.isdigit() and len(value) < 9 and int(value) < len(shared)
            else ""
        )
    if kind == "b":
        return "yes" if value == "1" else "no"
    return value.removesuffix(".0")


def _xlsx_text(element: Element) -> str:
    """All texts inside but those that say how a word is spoken."""
    return "".join(part.text or "" for part in element.iter() if plain_tag(part) == "t")


XLSX = PackageFormat("xlsx", "Spreadsheet (XLSX)", finds_xlsx, rows_within=xlsx_rows)
