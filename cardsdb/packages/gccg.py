"""GCCG: a module (``.tgz`` or folder) with ``xml/<game>/*.xml``, a file a set.

``<ccg-setinfo name abbrev dir game><cards><card name text graphics><attr key
value/></card></cards></ccg-setinfo>``. The pictures lie in ``graphics/<game>/<dir>/`` under the names of
``graphics``.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardsdb.packages.container import Files
from cardsdb.packages.contract import NotUnderstood, PackageFormat, Report, Row
from cardsdb.packages.decoding import root_tag, xml_events


def finds(files: Files) -> tuple[str, ...]:
    return tuple(name for name in files.ending(".xml") if root_tag(files.beginning(name)) == "ccg-setinfo")


def rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
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


FORMAT = PackageFormat(
    "gccg",
    "GCCG",
    finds,
    rows,
    {"id": ("id",), "name": ("name",), "set": ("set",), "text": ("text",), "picture": ("graphics",)},
)
