"""OCTGN: a game package (``.o8g``, ``.nupkg``, its folder): ``Sets/*/set.xml`` with a card's id, name and
properties.

``<set name id><cards><card id name><property name value/></card></cards></set>``; an ``alternate`` is another
side and no card. Its image packs (``.o8c``) are archives of pictures that are named by card id
(``pictures.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from cardsdb.packages.container import Files
from cardsdb.packages.contract import NotUnderstood, PackageFormat, Report, Row
from cardsdb.packages.decoding import plain_tag, root_tag, xml_events


def finds(files: Files) -> tuple[str, ...]:
    """Every file of cards; some packages call them otherwise than ``set.xml``."""
    return tuple(name for name in files.ending(".xml") if root_tag(files.beginning(name)) == "set")


def rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each card; one without id and name is reported."""
    set_name, number = "", 0
    for event, element in xml_events(data, name, "card"):
        tag = plain_tag(element)
        if event == "start" and tag == "set":
            set_name = element.get("name", "")
        elif event == "end" and tag == "card":
            number += 1
            cells = {
                "id": element.get("id", ""),
                "name": element.get("name", ""),
                "set": set_name,
                **_properties(element),
            }
            if cells["id"] or cells["name"]:
                yield Row(name, number, cells)
            else:
                report(NotUnderstood(name, number, "", "The card has neither an id nor a name."))


def _properties(card: Element) -> dict[str, str]:
    """The properties of the card itself. The text is an attribute, or stands inside."""
    own = (child for child in card if plain_tag(child) == "property")
    return {
        one.get("name", "").strip(): one.get("value") or "".join(one.itertext())
        for one in own
        if one.get("name", "").strip()
    }


FORMAT = PackageFormat("octgn", "OCTGN", finds, rows, {"id": ("id",), "name": ("name",), "set": ("set",)})
