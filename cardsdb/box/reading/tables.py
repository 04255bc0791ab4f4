"""Tables read into rows: CSV with any separator, and spreadsheets (XLSX). Also lines of CSV written.

``formats.py`` names ``csv_rows`` and ``xlsx_rows`` as readers; ``texts.py``, ``sets.py`` and
``decks/formats`` write lines. Tests: ``tests/cardsdb/box/reading/test_formats.py``.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from cardsdb.box.reading.container import BadPackage, Files
from cardsdb.box.reading.contents import check_row, elements_of, plain_tag, text_of
from cardsdb.box.reading.rows import MAX_COLUMNS, Read, Row
from cardsdb.games.kit import whole_number

# Blank rows of one table.
MAX_BLANK = 100_000
# Rows of one sheet; each becomes a tree of elements.
MAX_SHEET_ROWS = 120_000
# Columns of a spreadsheet that are read; an address further right may be an attack on memory.
MAX_PLACE = 1_000
# One line with its end, or the last line without one.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# The path of a sheet in the zip that a spreadsheet is.
_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,4})\.xml", re.IGNORECASE)


def separated(text: str) -> tuple[str, str, int]:
    """Return (the table's text, the separator of its cells, the number of lines cut off above it).

    A first line such as ``sep=;``, which some spreadsheets write, states the separator; else it is the most
    frequent one in the first line. ``name;text`` gives ``("name;text", ";", 0)``.
    """
    if declared := re.match(r'"?sep=(.)"?[^\r\n]*(?:\r\n|\r|\n)', text, re.IGNORECASE):
        return text[declared.end() :], declared[1], 1
    first = text.lstrip().replace("\r", "\n").partition("\n")[0]
    return text, max(",;\t|", key=first.count), 0


def csv_rows(files: Files, name: str) -> Read:
    """Yield a row for each table row that is not blank, numbered by its first line in the file: a row may
    have several lines, as its quoted cells may have line breaks.

    Raises BadPackage for a table without a header, with too many blank rows, with a too long row, or with a
    quotation mark that is never closed.
    """
    rest, separator, above = separated(text_of(files.text_file(name), name))
    # Three generators pull from each other, a row at a time: ``_table`` <- ``numbered`` <- ``table`` (the csv
    # module's) <- ``lines``. They share ``before``, the lines before the row that is being read, and
    # ``letters``, the characters of that row so far. These are checked at each line, because an unclosed
    # quotation mark would make one row of the whole file.
    before, letters = above, 0

    def lines() -> Iterator[str]:
        nonlocal letters
        for line in _LINE.finditer(rest):
            letters += line.end() - line.start()
            check_row(name, before + 1, letters)
            yield line[0]

    # Reads a line of ``lines`` only when a row needs it.
    table = csv.reader(lines(), delimiter=separator)

    def numbered() -> Iterator[tuple[int, list[str]]]:
        """Yield (its first line in the file, its cells) of each row, blank ones too."""
        nonlocal before, letters
        blank = 0
        for cells in table:
            if not any(map(str.strip, cells)):
                blank += 1
            if blank > MAX_BLANK:
                message = f"{name} has more than {MAX_BLANK:,} blank rows. Delete them."
                raise BadPackage("too_long", message, name)
            yield before + 1, [unguarded(cell) for cell in cells]
            # ``line_num``: the lines that the reader has taken so far.
            before, letters = table.line_num + above, 0

    try:
        yield from _table(name, numbered())
    except csv.Error:
        # The reader raises for nothing else: an unclosed quotation mark makes one endless cell of the rest.
        why = f"a cell has more than {csv.field_size_limit():,} letters, or its quotation mark is not closed"
        message = f"{name}: line {table.line_num + above} is no row of a table: {why}."
        raise BadPackage("bad_table", message, name) from None


def csv_line(cells: Iterable[str]) -> str:
    """Return the cells as a line of CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def guarded(text: str) -> str:
    """Return the text with a leading ' if a spreadsheet would take it as a formula: "+2 Craft" -> "'+2
    Craft". A text that has a ' before such a sign gets another, so that ``unguarded`` gives it back.
    """
    return f"'{text}" if re.match(r"'*[=+\-@\t\r]", text) else text


def unguarded(text: str) -> str:
    """Return the text without the ' that ``guarded`` added."""
    return text[1:] if re.match(r"'+[=+\-@\t\r]", text) else text


def _table(name: str, lines: Iterator[tuple[int, list[str]]]) -> Read:
    """Yield a row for each numbered line below the header, which is the first line that is not blank. Raises
    BadPackage for a bad header.
    """
    columns: list[str] = []
    for number, cells in lines:
        if not any(map(str.strip, cells)):
            continue
        if not columns:
            columns = _header(cells, name)
            continue
        # A row may have fewer cells than the header, or more, which are reported unless they are blank.
        named = zip(columns, cells, strict=False)
        row = Row(name, number, {column: cell.strip() for column, cell in named if column})
        if any(map(str.strip, cells[len(columns) :])):
            yield row.problem(f"The row has {len(cells)} cells, the header {len(columns)}.")
        else:
            yield row


def _header(cells: list[str], name: str) -> list[str]:
    """Return the column names. Raises BadPackage if there are none, too many, or two alike."""
    columns = [" ".join(cell.split()) for cell in cells]
    named = [column.casefold() for column in columns if column]
    if not named or len(columns) > MAX_COLUMNS:
        message = f"{name}: the first row must name the columns, {MAX_COLUMNS} at most."
        raise BadPackage("bad_header", message, name)
    for column in columns:
        if named.count(column.casefold()) > 1:
            message = f"{name}: the column {column[:40]} is there twice. Give one of them another name."
            raise BadPackage("bad_header", message, name)
    return columns


# -- spreadsheets ----------------------------------------------------------------------


def xlsx_rows(files: Files, name: str) -> Read:
    """Yield a row for each row below the header, of every sheet. A spreadsheet is a zip of XML files
    (ECMA-376, part 1, section 18): ``xl/worksheets/sheet1.xml`` has ``<row r="2"><c r="A2"
    t="s"><v>0</v></c></row>``; the type "s" refers to the text number 0 of ``xl/sharedStrings.xml``.
    """
    with files.inside(name) as book:
        sheets = sorted((int(match[1]), path) for path in book.names if (match := _SHEET.fullmatch(path)))
        if not sheets:
            message = f"{name} is no spreadsheet that can be read. Save it as .xlsx or .csv."
            raise BadPackage("bad_table", message, name)
        # Cells refer to texts in this table by number.
        shared: list[str] = []
        if path := next((path for path in book.names if path.casefold() == "xl/sharedstrings.xml"), ""):
            shared = [_spoken(element) for _, element in elements_of(book.text_file(path), path, "si")]
        for number, path in sheets:
            called = f"{name}, sheet {number}" if len(sheets) > 1 else name
            yield from _table(called, _sheet(book, path, shared))


def _sheet(book: Files, path: str, shared: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, cells) of a sheet, with "" for cells that the file leaves out."""
    # The stated number of the row; a row without one follows the previous row.
    number = 0
    for count, (_, row) in enumerate(elements_of(book.text_file(path), path, "row"), 1):
        if count > MAX_SHEET_ROWS:
            rows = f"A sheet has more than {MAX_SHEET_ROWS:,} rows"
            raise BadPackage("too_long", f"{rows}. Delete its blank rows, or save it as .csv.", path)
        stated = whole_number(row.get("r", ""))
        number = number + 1 if stated is None else stated
        cells: list[str] = []
        for cell in row:
            left_out = _place(cell.get("r", ""), len(cells)) - len(cells)
            cells += [""] * left_out
            cells.append(_value(cell, shared))
        yield number, cells


def _place(address: str, following: int) -> int:
    """Return the column of a cell's address, from 0: "C7" -> 2. ``following``: the column after the previous
    cell, for a cell without a usable address, or with one that goes back or too far right.
    """
    match, number = re.fullmatch(r"([A-Z]{1,3})\d+", address), 0
    for letter in match[1] if match else "":
        # The letters are digits from 1 to 26: "A" is 1, "Z" 26, "AA" 27.
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1 if following < number <= MAX_PLACE else following


def _value(cell: Element, shared: list[str]) -> str:
    """Return the content of a cell as text: shared or inline texts, yes or no, numbers without a final .0.

    Its type ``t`` (ECMA-376, 18.18.11): "inlineStr", "s" shared text, "b" true or false, "n" number.
    """
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _spoken(cell)
    value = next((child.text or "" for child in cell if plain_tag(child) == "v"), "")
    if kind == "s":
        number = whole_number(value)
        return "" if number is None or number >= len(shared) else shared[number]
    if kind == "b":
        return "yes" if value == "1" else "no"
    return value.removesuffix(".0")


def _spoken(element: Element) -> str:
    """Return all texts (``t``) inside an element, without phonetic guides (``rPh``)."""
    guides = {text for part in element.iter() if plain_tag(part) == "rPh" for text in part}
    texts = (part for part in element.iter() if plain_tag(part) == "t" and part not in guides)
    return "".join(part.text or "" for part in texts)
