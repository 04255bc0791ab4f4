"""The formats that are read: packages of other programs, tables, text that is pasted; and a file as a
package: the first format that finds something in it has it, and pictures alone are a format too.

* OCTGN: a game package (``.o8g``, ``.nupkg``, its folder), ``Sets/*/set.xml``:
  ``<set name id><cards><card id name><property name value/></card></cards></set>``; an ``alternate`` is
  another side and no card. Its image packs (``.o8c``) are archives of pictures that are named by card id.
* GCCG: a module (``.tgz`` or folder) with ``xml/<game>/*.xml``, a file a set: ``<ccg-setinfo name abbrev dir
  game><cards><card name text graphics><attr key value/></card></cards></ccg-setinfo>``. The pictures lie in
  ``graphics/<game>/<dir>/`` under the names of ``graphics``.
* Cockatrice: a card database (``cards.xml``, versions 3 and 4), pictures beside it in folders by set:
  ``<card><name/><text/><prop><.../></prop><set num uuid>CODE</set></card>``; before version 4 properties
  stand in the card itself.
* LackeyCCG: a plug-in's ``sets/*.txt``, tables with TAB between columns, the first of which are Name, Set and
  ImageFile; pictures in ``sets/setimages/<set>/``. No cell is quoted. Lines end as they please.
* CSV with any separator, XLSX, JSON, and text for one card or many.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from cardsdb.box.reading.container import (
    BadPackage,
    Files,
    check_row,
    elements_of,
    first_line,
    lines_of,
    plain_name,
    plain_tag,
    root_tag,
    text_of,
)
from cardsdb.box.reading.rows import MAX_COLUMNS, Package, PackageFormat, Read, Row
from cardsdb.site.decoding import BadJson, read_json

# Of a file that is read in one piece and takes many times its size then.
MAX_JSON = 16 * 1024 * 1024
# Blank rows of one table; all rows of one sheet, of which each is a tree of elements.
MAX_BLANK, MAX_SHEET_ROWS = 100_000, 120_000
# Columns further right than a table can have.
MAX_PLACE = 1_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
# Where the list of cards stands in JSON files of other tools.
_LISTS = ("cards", "data", "items", "rows")
_SHEET = re.compile(r"xl/worksheets/sheet(\d{1,4})\.xml", re.IGNORECASE)
# Other names, in Cockatrice's files, of what is a column of ours; and what are no cells there.
_CELLS = {"num": "number", "uuid": "id", "muid": "id"}
_NO_CELLS = {"set", "prop", "related", "reverse-related", "tablerow"}


# -- other programs --------------------------------------------------------------------

# What a card says, with the elements round it by their names; None for what is no card.
CellsOf = Callable[[Mapping[str, Element], Element], dict[str, str] | None]


def _xml_format(
    name: str,
    title: str,
    root: str,
    cells_of: CellsOf,
    columns: str,
    needs: tuple[str, ...] = ("name",),
    within: str = "",
) -> PackageFormat:
    """The format of XML files whose first element is called ``root``; some packages call the files otherwise
    than their programs do. A card that says nothing of what it ``needs`` is reported; what stands not
    ``within`` is no card. ``columns``: those that are called as their roles are, or ``role=column``.
    """

    def rows(files: Files, file: str) -> Read:
        cards = elements_of(files.text_file(file), file, "card")
        cards = (one for one in cards if not within or within in one[0])
        for number, (above, card) in enumerate(cards, 1):
            if (cells := cells_of(above, card)) is None:
                continue
            row = Row(file, number, cells)
            if any(cells.get(column, "").strip() for column in needs):
                yield row
            elif len(needs) > 1:
                yield row.problem("The card has neither an id nor a name.")
            else:
                yield row.problem("The card has no name.", "name")

    pairs = (column.partition("=") for column in columns.split())
    roles: Any = {role: (called or role,) for role, _, called in pairs}
    return PackageFormat(name, title, (".xml",), rows, roles, lambda _, begin: root_tag(begin) == root)


def _octgn_cells(above: Mapping[str, Element], card: Element) -> dict[str, str]:
    """The text is a property, as an attribute or inside."""
    in_set = above["set"].get("name", "") if "set" in above else ""
    cells = {"id": card.get("id", ""), "name": card.get("name", ""), "set": in_set}
    for one in card:
        if plain_tag(one) == "property" and (key := one.get("name", "").strip()):
            cells[key] = one.get("value") or _words_in(one)
    return cells


def _gccg_cells(above: Mapping[str, Element], card: Element) -> dict[str, str] | None:
    """A card that has no attributes is a picture that the program needs, such as a back, and is passed
    over.
    """
    said = {one.get("key", "").strip(): one.get("value", "") for one in card if one.tag == "attr"}
    name, text, graphics = (card.get(key, "") for key in ("name", "text", "graphics"))
    if name.strip() and not said and not text.strip():
        return None
    if (info := above.get("ccg-setinfo")) is not None:
        said["set"] = info.get("abbrev", "") or info.get("name", "").strip()
    folder = "" if info is None else info.get("dir", "")
    return said | {"name": name, "text": text, "graphics": f"{folder}/{graphics}" if graphics else ""}


def _cockatrice_cells(_: Mapping[str, Element], card: Element) -> dict[str, str]:
    """Properties, then what is the card's own, then its first set."""
    own = (one for one in card if one.tag not in _NO_CELLS)
    parts = (*(one for part in card.iter("prop") for one in part), *own)
    cells = {one.tag: _words_in(one).strip() for one in parts}
    if (first := card.find("set")) is not None:
        cells["set"] = _words_in(first).strip()
        cells |= {_CELLS[key]: value for key, value in first.attrib.items() if key in _CELLS and value}
    return cells


def _words_in(element: Element) -> str:
    return "".join(element.itertext())


def _is_lackeys(name: str, begin: bytes) -> bool:
    header = [cell.strip().casefold() for cell in first_line(begin).split("\t")]
    return header[:3] == ["name", "set", "imagefile"]


def lackey_rows(files: Files, name: str) -> Read:
    """A row for each line that is not blank; one with more cells than the header is reported."""
    lines = ([cell.strip() for cell in line.split("\t")] for line in lines_of(files.text_file(name), name))
    columns = next(lines)
    for number, cells in enumerate(lines, 2):
        row = Row(name, number, dict(zip(columns, cells, strict=False)))
        if any(cells[len(columns) :]):
            yield row.problem(f"The line has {len(cells)} cells, the header {len(columns)}.")
        elif any(cells):
            yield row


# -- tables ----------------------------------------------------------------------------


def _names_columns(name: str, begin: bytes) -> bool:
    """Say whether a file is a table: by its ending, or of plain text by its first line."""
    cells = {cell.strip(' "').casefold() for cell in re.split("[,;\t|]", first_line(begin))}
    names_some = len(cells) > 1 and bool(cells & {"name", "card name", "card", "title", "id", "code"})
    return names_some or not name.casefold().endswith(".txt")


def separated(text: str) -> tuple[str, str, int]:
    """(the text of a table, what stands between its cells, the number of lines above it). Spreadsheets in
    some languages state the separator in the first line.
    """
    if declared := re.match(r'"?sep=(.)"?[^\r\n]*(?:\r\n|\r|\n)', text, re.IGNORECASE):
        return text[declared.end() :], declared[1], 1
    first = text.lstrip().replace("\r", "\n").partition("\n")[0]
    return text, max(",;\t|", key=first.count), 0


def csv_rows(files: Files, name: str) -> Read:
    """A row for each row that is not blank, with the number of its first line in the file.

    Raises BadPackage for a table without a header, for too many blank rows, for a row of too many letters,
    and for a quotation mark that never closes.
    """
    rest, separator, above = separated(text_of(files.text_file(name), name))
    before, letters = above, 0

    def lines() -> Iterator[str]:
        nonlocal letters
        for line in _LINE.finditer(rest):
            letters += line.end() - line.start()
            check_row(name, before + 1, letters)
            yield line[0]

    table = csv.reader(lines(), delimiter=separator)

    def numbered() -> Iterator[tuple[int, list[str]]]:
        nonlocal before, letters
        blank = 0
        for cells in table:
            blank += not any(map(str.strip, cells))
            if blank > MAX_BLANK:
                message = f"{name} has more than {MAX_BLANK:,} blank rows. Delete them."
                raise BadPackage("too_long", message, name)
            yield before + 1, [unguarded(cell) for cell in cells]
            before, letters = table.line_num + above, 0

    try:
        yield from _table(name, numbered())
    except csv.Error:
        # The reader stops at nothing else: a mark that is not closed makes one cell of the rest.
        why = f"a cell has more than {csv.field_size_limit():,} letters, or its quotation mark is not closed"
        message = f"{name}: line {table.line_num + above} is no row of a table: {why}."
        raise BadPackage("bad_table", message, name) from None


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


def _table(name: str, lines: Iterator[tuple[int, list[str]]]) -> Read:
    """A row for each line, of which its number is known, below the first that is not blank and names the
    columns. Raises BadPackage for a first row that names none, or one twice.
    """
    columns: list[str] = []
    for number, cells in lines:
        if not any(map(str.strip, cells)):
            continue
        if not columns:
            columns = _header(cells, name)
            continue
        row = Row(
            name,
            number,
            {column: cell.strip() for column, cell in zip(columns, cells, strict=False) if column},
        )
        if any(map(str.strip, cells[len(columns) :])):
            yield row.problem(f"The row has {len(cells)} cells, the header {len(columns)}.")
        else:
            yield row


def _header(cells: list[str], name: str) -> list[str]:
    columns = [" ".join(cell.split()) for cell in cells]
    named = [column.casefold() for column in columns if column]
    if not named or len(columns) > MAX_COLUMNS:
        message = f"{name}: the first row must name the columns, {MAX_COLUMNS} at most."
        raise BadPackage("bad_header", message, name)
    if twice := next((column for column in columns if column and named.count(column.casefold()) > 1), ""):
        message = f"{name}: the column {twice[:40]} is there twice. Give one of them another name."
        raise BadPackage("bad_header", message, name)
    return columns


# -- spreadsheets ----------------------------------------------------------------------


def xlsx_rows(files: Files, name: str) -> Read:
    """A row for each row below the first that is not blank, of every sheet."""
    with files.inside(name) as book:
        sheets = sorted((int(match[1]), path) for path in book.names if (match := _SHEET.fullmatch(path)))
        if not sheets:
            message = f"{name} is no spreadsheet that can be read. Save it as .xlsx or .csv."
            raise BadPackage("bad_table", message, name)
        # The texts that cells name by number.
        shared = [
            _spoken(element)
            for path in [path for path in book.names if path.casefold() == "xl/sharedstrings.xml"][:1]
            for _, element in elements_of(book.text_file(path), path, "si")
        ]
        for number, path in sheets:
            called = f"{name}, sheet {number}" if len(sheets) > 1 else name
            yield from _table(called, _sheet(book, path, shared))


def _sheet(book: Files, path: str, shared: list[str]) -> Iterator[tuple[int, list[str]]]:
    number = 0
    for there, (_, row) in enumerate(elements_of(book.text_file(path), path, "row"), 1):
        if there > MAX_SHEET_ROWS:
            rows = f"A sheet has more than {MAX_SHEET_ROWS:,} rows"
            raise BadPackage("too_long", f"{rows}. Delete its blank rows, or save it as .csv.", path)
        said = _number(row.get("r", ""))
        number = number + 1 if said is None else said
        cells: list[str] = []
        for cell in row:
            cells += [""] * (_place(cell.get("r", ""), len(cells)) - len(cells))
            cells.append(_value(cell, shared))
        yield number, cells


def _number(said: str) -> int | None:
    return int(said) if re.fullmatch("[0-9]{1,8}", said) else None


def _place(address: str, otherwise: int) -> int:
    """The column of a cell, from 0. One that goes back, or far to the right, follows the last."""
    match, place = re.fullmatch(r"([A-Z]{1,3})\d+", address), 0
    for letter in match[1] if match else "":
        place = place * 26 + ord(letter) - 64
    return place - 1 if otherwise < place <= MAX_PLACE else otherwise


def _value(cell: Element, shared: list[str]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _spoken(cell)
    value = next((child.text or "" for child in cell if plain_tag(child) == "v"), "")
    if kind == "s":
        number = _number(value)
        return "" if number is None or number >= len(shared) else shared[number]
    if kind == "b":
        return "yes" if value == "1" else "no"
    return value.removesuffix(".0")


def _spoken(element: Element) -> str:
    """All texts inside but those that say how a word is spoken."""
    return "".join(part.text or "" for part in element.iter() if plain_tag(part) == "t")


# -- JSON and text ---------------------------------------------------------------------


def json_rows(files: Files, name: str) -> Read:
    """A row for each object of a list, or of the list under ``cards``; or for each name of an object name ->
    text.
    """
    data = files.text_file(name)
    if len(data) > MAX_JSON:
        message = f"{name} has more than {MAX_JSON >> 20} MB. Send it in parts, or as a CSV table."
        raise BadPackage("too_large", message, name)
    try:
        value = read_json(text_of(data, name))
    except BadJson as error:
        raise BadPackage("bad_json", f"{name} {error}", name) from None
    for number, (key, card) in enumerate(_cards(value, name), 1):
        is_whole = isinstance(card, Mapping)
        cells = _flat(card) if is_whole else {"text": str(card)} if isinstance(card, str) else {}
        if key:
            cells.setdefault("id" if is_whole else "name", key)
        row = Row(name, number, cells)
        yield row if cells else row.problem("It is no object with the card's name and text.")


def _cards(value: Any, name: str) -> Iterable[tuple[str, Any]]:
    while isinstance(value, Mapping) and (
        inner := next((value[key] for key in _LISTS if isinstance(value.get(key), list | dict)), None)
    ):
        value = inner
    if isinstance(value, list):
        return (("", card) for card in value)
    if isinstance(value, Mapping) and value and all(isinstance(one, str | Mapping) for one in value.values()):
        return value.items()
    message = f"{name}: no list of cards is in it. Write a list of objects, each with a name and a text."
    raise BadPackage("bad_json", message, name)


def _flat(card: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """The values as cells; a value inside another is ``outer inner``, several of one are joined."""
    cells: dict[str, str] = {}
    for key, value in card.items():
        called = f"{before} {key}".strip()
        if isinstance(value, Mapping):
            cells |= {} if before else _flat(value, called)
        elif isinstance(value, bool):
            cells[called] = "yes" if value else "no"
        elif isinstance(value, list):
            cells[called] = "; ".join(str(one) for one in value if isinstance(one, str | int | float))
        elif value is not None:
            cells[called] = str(value).strip()
    return cells


def pasted_rows(files: Files, name: str) -> Read:
    """Blocks between empty lines, each a card's name with its text below; or lines ``Name: text`` alone."""
    lines = [line.strip() for line in lines_of(files.text_file(name), name)]
    start = 0
    for end in (*(number for number, line in enumerate(lines) if not line), len(lines)):
        first, *more = lines[start:end] or [""]
        called, colon, text = first.partition(": ")
        cells = (
            {"name": first.rstrip(":"), "text": "\n".join(more)} if more else {"name": called, "text": text}
        )
        row = Row(name, start + 1, cells)
        if more or (colon and text.strip()):
            yield row
        elif first:
            yield row.problem("Write the card's name, and its text in the lines below.")
        start = end + 1


# -- a file as a package ---------------------------------------------------------------

# A program's own package before tables that may lie in it too.
PASTED = PackageFormat("pasted", "Text", (".txt", ".md"), pasted_rows)
FORMATS = (
    _xml_format("octgn", "OCTGN", "set", _octgn_cells, "id name set", ("id", "name")),
    _xml_format("gccg", "GCCG", "ccg-setinfo", _gccg_cells, "id name set text picture=graphics"),
    _xml_format(
        "cockatrice",
        "Cockatrice",
        "cockatrice_carddatabase",
        _cockatrice_cells,
        "name text set",
        within="cards",
    ),
    PackageFormat(
        "lackey",
        "LackeyCCG",
        (".txt",),
        lackey_rows,
        {"name": ("Name",), "set": ("Set",), "picture": ("ImageFile",)},
        _is_lackeys,
    ),
    PackageFormat("xlsx", "Spreadsheet (XLSX)", (".xlsx",), xlsx_rows),
    PackageFormat(
        "csv", "Table (CSV, TSV)", (".csv", ".tsv", ".tab", ".txt"), csv_rows, known=_names_columns
    ),
    PackageFormat("json", "JSON", (".json",), json_rows),
    PASTED,
)
# Pictures that are named by id, number or name: an OCTGN image pack, a folder of scans.
PICTURES = PackageFormat("pictures", "Pictures")
KNOWN = (
    "a package of OCTGN, GCCG, LackeyCCG or Cockatrice, a table (CSV, TSV, XLSX, JSON) with a row that names"
    " its columns, or pictures"
)


def package_of(files: Files, name: str) -> Package:
    """The package. Raises BadPackage if nothing of it is known."""
    called = plain_name(name)
    for one in FORMATS:
        # A packed folder has a read-me beside its pictures.
        if (found := one.finds(files)) and (one is not PASTED or len(files.names) == 1):
            return Package(called, one, files, found)
    if files.pictures:
        return Package(called, PICTURES, files, ())
    raise BadPackage("unknown", f"Nothing in {called} is understood. Send {KNOWN}.")
