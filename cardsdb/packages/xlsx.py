"""Spreadsheets (``.xlsx``): the sheets of a workbook as tables, their values as they were last calculated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cardsdb.packages.container import BadPackage, Files
from cardsdb.packages.contract import PackageFormat, Report, Row
from cardsdb.packages.decoding import plain_tag, xml_events
from cardsdb.packages.tables import header, row_of

# Of one sheet, blank ones too.
MAX_ROWS = 120_000
_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,4})\.xml", re.IGNORECASE)
# Columns further right than a table can have: letters of a cell's address.
_ADDRESS = re.compile(r"([A-Z]{1,3})\d+")


def finds(files: Files) -> tuple[str, ...]:
    return files.ending(".xlsx")


def rows(files: Files, name: str, report: Report) -> Iterator[Row]:
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
            texts.append(_text(element))
    return texts


def _lines(data: bytes, name: str, shared: list[str]) -> Iterator[tuple[int, list[str]]]:
    number = there = 0
    for event, element in xml_events(data, name, "row"):
        if event == "end" and plain_tag(element) == "row":
            there += 1
            if there > MAX_ROWS:
                raise BadPackage(
                    "too_long",
                    f"A sheet has more than {MAX_ROWS:,} rows. Delete its blank rows, or save it as .csv.",
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
        return _text(cell)
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


def _text(element: Element) -> str:
    """All texts inside but those that say how a word is spoken."""
    return "".join(part.text or "" for part in element.iter() if plain_tag(part) == "t")


FORMAT = PackageFormat("xlsx", "Spreadsheet (XLSX)", finds, rows_within=rows)
