"""Cockatrice: a card database (``cards.xml``, versions 3 and 4), pictures beside it in folders by set.

``<card><name/><text/><prop><.../></prop><set num uuid>CODE</set></card>``; before version 4 properties stand
in the card itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cardsdb.packages.container import Files
from cardsdb.packages.contract import NotUnderstood, PackageFormat, Report, Row
from cardsdb.packages.decoding import root_tag, xml_events

_ROOT = "cockatrice_carddatabase"
# Other names of what is a column of ours.
_CELLS = {"num": "number", "uuid": "id", "muid": "id"}
_NO_CELLS = {"set", "prop", "related", "reverse-related", "tablerow"}


def finds(files: Files) -> tuple[str, ...]:
    return tuple(name for name in files.ending(".xml") if root_tag(files.beginning(name)) == _ROOT)


def rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    number, inside = 0, False
    for event, element in xml_events(data, name, "card"):
        if element.tag == "cards":
            inside = event == "start"
        elif inside and event == "end" and element.tag == "card":
            number += 1
            cells = _cells(element)
            if cells.get("name"):
                yield Row(name, number, cells)
            else:
                report(NotUnderstood(name, number, "name", "The card has no name."))


def _cells(card: Element) -> dict[str, str]:
    """Properties, then what is the card's own, then its first set."""
    cells = {one.tag: _text(one) for part in card.iter("prop") for one in part}
    cells |= {one.tag: _text(one) for one in card if one.tag not in _NO_CELLS}
    if (first := card.find("set")) is not None:
        cells["set"] = _text(first)
        cells |= {_CELLS[key]: value for key, value in first.attrib.items() if key in _CELLS and value}
    return cells


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


FORMAT = PackageFormat(
    "cockatrice", "Cockatrice", finds, rows, {"name": ("name",), "text": ("text",), "set": ("set",)}
)
