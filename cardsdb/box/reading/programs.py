"""Packages of other programs read into rows, and a file as a package: the first format that finds something
in it has it; pictures alone are a format too.

* OCTGN: a game package (``.o8g``, ``.nupkg``, its folder), ``Sets/*/set.xml``:
  ``<set name id><cards><card id name><property name value/></card></cards></set>``; an ``alternate`` is another
  side and no card. Its image packs (``.o8c``) are archives of pictures that are named by card id.
* GCCG: a module (``.tgz`` or folder) with ``xml/<game>/*.xml``, a file a set: ``<ccg-setinfo name abbrev dir
  game><cards><card name text graphics><attr key value/></card></cards></ccg-setinfo>``. The pictures lie in
  ``graphics/<game>/<dir>/`` under the names of ``graphics``.
* Cockatrice: a card database (``cards.xml``, versions 3 and 4), pictures beside it in folders by set:
  ``<card><name/><text/><prop><.../></prop><set num uuid>CODE</set></card>``; before version 4 properties stand
  in the card itself.
* LackeyCCG: a plug-in's ``sets/*.txt``, tables with TAB between columns, the first of which are Name, Set and
  ImageFile; pictures in ``sets/setimages/<set>/``. No cell is quoted. Lines end as they please.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from cardsdb.box.reading import tables
from cardsdb.box.reading.container import BadPackage, Files, plain_name
from cardsdb.box.reading.decoding import first_line, lines_of, plain_tag, root_tag, xml_events
from cardsdb.box.reading.rows import NotUnderstood, Package, PackageFormat, Report, Row

# Other names, in Cockatrice's files, of what is a column of ours; and what are no cells there.
_CELLS = {"num": "number", "uuid": "id", "muid": "id"}
_NO_CELLS = {"set", "prop", "related", "reverse-related", "tablerow"}
_LACKEYS = ("name", "set", "imagefile")


def _with_root(tag: str) -> Callable[[Files], tuple[str, ...]]:
    """Return what finds the XML files whose first element is called so; some packages call the files
    otherwise than their programs do.
    """
    return lambda files: tuple(
        name for name in files.ending(".xml") if root_tag(files.beginning(name)) == tag
    )


def octgn_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each card; one without id and name is reported. The text is a property, as an attribute or
    inside.
    """
    set_name, number = "", 0
    for event, element in xml_events(data, name, "card"):
        tag = plain_tag(element)
        if event == "start" and tag == "set":
            set_name = element.get("name", "")
        elif event == "end" and tag == "card":
            number += 1
            cells = {"id": element.get("id", ""), "name": element.get("name", ""), "set": set_name}
            for one in element:
                if plain_tag(one) == "property" and (key := one.get("name", "").strip()):
                    cells[key] = one.get("value") or "".join(one.itertext())
            if cells["id"] or cells["name"]:
                yield Row(name, number, cells)
            else:
                report(NotUnderstood(name, number, "", "The card has neither an id nor a name."))


def gccg_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each card. One that has no attributes is a picture that the program needs, such as a back,
    and is passed over.
    """
    in_set: dict[str, str] = {}
    folder, number = "", 0
    for event, element in xml_events(data, name, "card"):
        if event == "start" and element.tag == "ccg-setinfo":
            in_set = {"set": element.get("abbrev", "") or element.get("name", "").strip()}
            folder = element.get("dir", "")
        elif event == "end" and element.tag == "card":
            number += 1
            said = {one.get("key", "").strip(): one.get("value", "") for one in element if one.tag == "attr"}
            graphics = element.get("graphics", "")
            own = {
                "name": element.get("name", ""),
                "text": element.get("text", ""),
                "graphics": f"{folder}/{graphics}" if graphics else "",
            }
            if not own["name"].strip():
                report(NotUnderstood(name, number, "name", "The card has no name."))
            elif said or own["text"].strip():
                yield Row(name, number, {**said, **in_set, **own})


def cockatrice_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each card; one without a name is reported."""
    number, inside = 0, False
    for event, element in xml_events(data, name, "card"):
        if element.tag == "cards":
            inside = event == "start"
        elif inside and event == "end" and element.tag == "card":
            number += 1
            cells = _cockatrice_cells(element)
            if cells.get("name"):
                yield Row(name, number, cells)
            else:
                report(NotUnderstood(name, number, "name", "The card has no name."))


def _cockatrice_cells(card: Element) -> dict[str, str]:
    """Properties, then what is the card's own, then its first set."""
    own = (one for one in card if one.tag not in _NO_CELLS)
    parts = (*(one for part in card.iter("prop") for one in part), *own)
    cells = {one.tag: "".join(one.itertext()).strip() for one in parts}
    if (first := card.find("set")) is not None:
        cells["set"] = "".join(first.itertext()).strip()
        cells |= {_CELLS[key]: value for key, value in first.attrib.items() if key in _CELLS and value}
    return cells


def _finds_lackeys(files: Files) -> tuple[str, ...]:
    def begins(name: str) -> bool:
        header = first_line(files.beginning(name)).split("\t")[: len(_LACKEYS)]
        return tuple(cell.strip().casefold() for cell in header) == _LACKEYS

    return tuple(filter(begins, files.ending(".txt")))


def lackey_rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each line that is not blank; one with more cells than the header is reported."""
    lines = ([cell.strip() for cell in line.split("\t")] for line in lines_of(data, name))
    columns = next(lines)
    for number, cells in enumerate(lines, 2):
        if any(cells[len(columns) :]):
            why = f"The line has {len(cells)} cells, the header {len(columns)}."
            report(NotUnderstood(name, number, "", why))
        elif any(cells):
            yield Row(name, number, dict(zip(columns, cells, strict=False)))


# A program's own package before tables that may lie in it too.
FORMATS = {
    one.name: one
    for one in (
        PackageFormat(
            "octgn",
            "OCTGN",
            _with_root("set"),
            octgn_rows,
            {"id": ("id",), "name": ("name",), "set": ("set",)},
        ),
        PackageFormat(
            "gccg",
            "GCCG",
            _with_root("ccg-setinfo"),
            gccg_rows,
            {"id": ("id",), "name": ("name",), "set": ("set",), "text": ("text",), "picture": ("graphics",)},
        ),
        PackageFormat(
            "cockatrice",
            "Cockatrice",
            _with_root("cockatrice_carddatabase"),
            cockatrice_rows,
            {"name": ("name",), "text": ("text",), "set": ("set",)},
        ),
        PackageFormat(
            "lackey",
            "LackeyCCG",
            _finds_lackeys,
            lackey_rows,
            {"name": ("Name",), "set": ("Set",), "picture": ("ImageFile",)},
        ),
        tables.XLSX,
        tables.CSV,
        tables.JSON,
        tables.PASTED,
    )
}
# Pictures that are named by id, number or name: an OCTGN image pack, a folder of scans.
PICTURES = PackageFormat("pictures", "Pictures", lambda files: (), lambda name, data, report: iter(()))
KNOWN = (
    "a package of OCTGN, GCCG, LackeyCCG or Cockatrice, a table (CSV, TSV, XLSX, JSON) with a row that names"
    " its columns, or pictures"
)


def package_of(files: Files, name: str) -> Package:
    """The package. Raises BadPackage if nothing of it is known."""
    for one in FORMATS.values():
        if found := one.finds(files):
            # A packed folder has a read-me beside its pictures.
            if one is not tables.PASTED or len(files.names) == 1:
                return Package(plain_name(name), one, files, found, files.pictures)
    if files.pictures:
        return Package(plain_name(name), PICTURES, files, (), files.pictures)
    raise BadPackage("unknown", f"Nothing in {plain_name(name)} is understood. Send {KNOWN}.")
