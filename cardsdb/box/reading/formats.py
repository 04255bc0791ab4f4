"""The file formats of packages (of the programs OCTGN, GCCG, Cockatrice and LackeyCCG; tables, JSON, text),
each a reader that turns a file into rows. ``package_of`` picks the first of FORMATS that recognises a file.

A reader never raises for a bad row; it yields a problem with its place and continues. Called by ``jobs.py``,
``comparing.py`` and the commands ``own`` and ``print_deck``. A new format needs an entry in FORMATS, and its
name in KNOWN. Tests: ``tests/cardsdb/box/reading/test_formats.py``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from cardsdb.box.reading.container import BadPackage, Files, plain_name
from cardsdb.box.reading.contents import (
    elements_of,
    first_line,
    lines_of,
    plain_tag,
    root_tag,
    text_of,
)
from cardsdb.box.reading.rows import Package, PackageFormat, Read, Row
from cardsdb.box.reading.tables import csv_rows, xlsx_rows
from cardsdb.site.decoding import BadJson, read_json

# Bytes of a JSON file. It is read in one piece and takes many times its size in memory.
MAX_JSON = 16 * 1024 * 1024
# Keys under which JSON files of other tools have their list of cards.
_LISTS = ("cards", "data", "items", "rows")
# Cockatrice's attributes of <set> -> our names of columns.
_CELLS = {"num": "number", "uuid": "id", "muid": "id"}
# Cockatrice's elements of <card> that are no cells.
_NO_CELLS = {"set", "prop", "related", "reverse-related", "tablerow"}


# -- other programs --------------------------------------------------------------------

# (enclosing elements by name, card element) -> the card's cells by column; None for what is no card. The
# first argument is what ``elements_of`` yields beside the element.
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
    """Return the format of XML files whose first element is named ``root``.

    A card with none of the cells in ``needs`` is reported. With ``within``, only cards inside an element of
    that name count. ``columns`` names the columns with a role: ``name`` if column and role have the same
    name, else ``role=column``. The program is told by the root element, since packages rename their files.
    ``cells_of`` returns None for an element that is no card.
    """

    def rows(files: Files, file: str) -> Read:
        elements = elements_of(files.text_file(file), file, "card")
        if within:
            elements = ((above, card) for above, card in elements if within in above)
        for number, (above, card) in enumerate(elements, 1):
            cells = cells_of(above, card)
            if cells is None:
                continue
            row = Row(file, number, cells)
            if any(cells.get(column, "").strip() for column in needs):
                yield row
            elif len(needs) > 1:
                yield row.problem("The card has neither an id nor a name.")
            else:
                yield row.problem("The card has no name.", "name")

    # "name picture=graphics" -> {"name": ("name",), "picture": ("graphics",)}
    pairs = (column.partition("=") for column in columns.split())
    roles: Any = {role: (called or role,) for role, _, called in pairs}
    return PackageFormat(name, title, (".xml",), rows, roles, lambda _, begin: root_tag(begin) == root)


# OCTGN: a game package (``.o8g``, ``.nupkg``, its folder) with ``Sets/*/set.xml``:
# ``<set name id><cards><card id name><property name value/></card></cards></set>``; an ``alternate`` is
# another side and no card. Its image packs (``.o8c``) are archives of pictures that are named by card id.
def _octgn_cells(above: Mapping[str, Element], card: Element) -> dict[str, str]:
    """Return the cells of an OCTGN card. A property's value is an attribute, or the element's content."""
    in_set = above["set"].get("name", "") if "set" in above else ""
    cells = {"id": card.get("id", ""), "name": card.get("name", ""), "set": in_set}
    for child in card:
        if plain_tag(child) == "property" and (key := child.get("name", "").strip()):
            cells[key] = child.get("value") or _words_in(child)
    return cells


# GCCG: a module (``.tgz`` or folder) with ``xml/<game>/*.xml``, a file a set: ``<ccg-setinfo name abbrev dir
# game><cards><card name text graphics><attr key value/></card></cards></ccg-setinfo>``. The pictures lie in
# ``graphics/<game>/<dir>/`` under the names of ``graphics``.
def _gccg_cells(above: Mapping[str, Element], card: Element) -> dict[str, str] | None:
    """Return the cells of a GCCG card; None for a card without attributes and text, which is a picture that
    the program needs, such as a card back.
    """
    cells = {child.get("key", "").strip(): child.get("value", "") for child in card if child.tag == "attr"}
    name, text, graphics = (card.get(key, "") for key in ("name", "text", "graphics"))
    if name.strip() and not cells and not text.strip():
        return None
    if (info := above.get("ccg-setinfo")) is not None:
        cells["set"] = info.get("abbrev", "") or info.get("name", "").strip()
    folder = "" if info is None else info.get("dir", "")
    return cells | {"name": name, "text": text, "graphics": f"{folder}/{graphics}" if graphics else ""}


# Cockatrice: a card database (``cards.xml``, versions 3 and 4), pictures beside it in folders by set:
# ``<card><name/><text/><prop><.../></prop><set num uuid>CODE</set></card>``; before version 4 properties
# stand in the card itself.
def _cockatrice_cells(_: Mapping[str, Element], card: Element) -> dict[str, str]:
    """Return the cells of a Cockatrice card: its properties, its own elements, and its first set."""
    own = (child for child in card if child.tag not in _NO_CELLS)
    parts = (*(child for part in card.iter("prop") for child in part), *own)
    cells = {child.tag: _words_in(child).strip() for child in parts}
    if (first := card.find("set")) is not None:
        cells["set"] = _words_in(first).strip()
        cells |= {_CELLS[key]: value for key, value in first.attrib.items() if key in _CELLS and value}
    return cells


def _words_in(element: Element) -> str:
    """Return all text inside an element."""
    return "".join(element.itertext())


# LackeyCCG: a plug-in's ``sets/*.txt``, tables with TAB between columns, the first of which are Name, Set and
# ImageFile; pictures in ``sets/setimages/<set>/``. No cell is quoted; any line ends are accepted.
def _is_lackeys(name: str, begin: bytes) -> bool:
    """True if the file begins with a LackeyCCG header."""
    header = [cell.strip().casefold() for cell in first_line(begin).split("\t")]
    return header[:3] == ["name", "set", "imagefile"]


def lackey_rows(files: Files, name: str) -> Read:
    """Yield a row for each line that is not blank. A line with more cells than the header is reported."""
    lines = ([cell.strip() for cell in line.split("\t")] for line in lines_of(files.text_file(name), name))
    # Even an empty file has one line; ``_is_lackeys`` has seen that it is the header.
    columns = next(lines)
    for number, cells in enumerate(lines, 2):
        # A line may have fewer cells than the header.
        row = Row(name, number, dict(zip(columns, cells, strict=False)))
        if any(cells[len(columns) :]):
            yield row.problem(f"The line has {len(cells)} cells, the header {len(columns)}.")
        elif any(cells):
            yield row


# -- JSON and text ---------------------------------------------------------------------


def json_rows(files: Files, name: str) -> Read:
    """Yield a row for each card of a JSON document. It may have the form of a list of objects, also under a
    key such as ``cards``; or of one object, with a text or an object for each name or id::

        [{"name": "Kai", "stats": {"craft": 2}}]    -> cells name "Kai", "stats craft" "2"
        {"cards": {"kai": {"text": "Mine"}}}        -> cells text "Mine", id "kai"
        {"Kai": "Mine"}                             -> cells text "Mine", name "Kai"
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
        cells: dict[str, str] = {}
        if isinstance(card, Mapping):
            cells = _flat(card)
        elif isinstance(card, str):
            cells = {"text": card}
        if key:
            cells.setdefault("id" if isinstance(card, Mapping) else "name", key)
        row = Row(name, number, cells)
        yield row if cells else row.problem("It is not an object with a card's name and text.")


def _cards(value: Any, name: str) -> Iterable[tuple[str, Any]]:
    """Return (key or "", card) for each card in a JSON document. Raises BadPackage if it has none."""
    # {"data": {"cards": [...]}}: the list may lie in several objects.
    while inner := _list_in(value):
        value = inner
    if isinstance(value, list):
        return (("", card) for card in value)
    if value and isinstance(value, Mapping):
        if all(isinstance(card, str | Mapping) for card in value.values()):
            return value.items()
    message = f"{name}: no list of cards is in it. Write a list of objects, each with a name and a text."
    raise BadPackage("bad_json", message, name)


def _list_in(value: Any) -> Any:
    """Return the list or object that an object has under the first such key of _LISTS; None without one."""
    inner = (value.get(key) for key in _LISTS) if isinstance(value, Mapping) else ()
    return next((found for found in inner if isinstance(found, list | dict)), None)


def _flat(card: Mapping[str, Any], before: str = "") -> dict[str, str]:
    """Return an object's values as cells. A nested value's column is ``outer inner``, deeper ones are left
    out; lists are joined. ``before``: the outer key.
    """
    cells: dict[str, str] = {}
    for key, value in card.items():
        column = f"{before} {key}".strip()
        if isinstance(value, Mapping):
            if not before:
                cells |= _flat(value, column)
        elif isinstance(value, bool):
            cells[column] = "yes" if value else "no"
        elif isinstance(value, list):
            cells[column] = "; ".join(str(part) for part in value if isinstance(part, str | int | float))
        elif value is not None:
            cells[column] = str(value).strip()
    return cells


def pasted_rows(files: Files, name: str) -> Read:
    """Yield a row for each block between empty lines: the card's name, with its text below; or ``Name: text``
    on one line. The four lines ``Kai: Mine``, (empty), ``Li:``, ``Other`` give a row with the number 1 for
    Kai and one with the number 3 for Li.
    """
    lines = [line.strip() for line in lines_of(files.text_file(name), name)]
    # Each block ends before an empty line, the last one at the end of the file.
    ends = [number for number, line in enumerate(lines) if not line] + [len(lines)]
    start = 0
    for end in ends:
        first, *more = lines[start:end] or [""]
        card_name, _, text = first.partition(": ")
        if more:
            card_name, text = first.rstrip(":"), "\n".join(more)
        row = Row(name, start + 1, {"name": card_name, "text": text})
        if text.strip():
            yield row
        elif first:
            yield row.problem("Write the card's name, and its text in the lines below.")
        start = end + 1


# -- a file as a package ---------------------------------------------------------------


def _names_columns(name: str, begin: bytes) -> bool:
    """True if a file is a table: by its ending, or for ``.txt`` by column names in its first line."""
    if not name.casefold().endswith(".txt"):
        return True
    cells = {cell.strip(' "').casefold() for cell in re.split("[,;\t|]", first_line(begin))}
    return len(cells) > 1 and bool(cells & {"name", "card name", "card", "title", "id", "code"})


# Order matters: a program's own format is tried before the plain tables that its packages may also contain.
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
# A package of pictures alone, named by id, number or name: an OCTGN image pack, a folder of scans.
PICTURES = PackageFormat("pictures", "Pictures")
KNOWN = (
    "a package of OCTGN, GCCG, LackeyCCG or Cockatrice, a table (CSV, TSV, XLSX, JSON) with a row that names"
    " its columns, or pictures"
)


def package_of(files: Files, name: str) -> Package:
    """Return the package with the format that recognises its files. Raises BadPackage if none does."""
    package_name = plain_name(name)
    for package_format in FORMATS:
        # Pasted text must be the only file: an archive of pictures often has a read-me.
        if package_format is PASTED and len(files.names) > 1:
            continue
        if found := package_format.finds(files):
            return Package(package_name, package_format, files, found)
    if files.pictures:
        return Package(package_name, PICTURES, files, ())
    raise BadPackage("unknown", f"Nothing in {package_name} is understood. Send {KNOWN}.")
