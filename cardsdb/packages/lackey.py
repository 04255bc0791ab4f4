"""LackeyCCG: a plug-in's ``sets/*.txt``, tables with TAB between columns; pictures in
``sets/setimages/<set>/``.

The first columns are Name, Set and ImageFile. No cell is quoted. Lines end as they please.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardsdb.packages.container import Files
from cardsdb.packages.contract import NotUnderstood, PackageFormat, Report, Row
from cardsdb.packages.decoding import first_line, lines_of

_FIRST = ("name", "set", "imagefile")


def finds(files: Files) -> tuple[str, ...]:
    """Tables whose header begins as Lackey's do."""
    return tuple(
        name for name in files.ending(".txt") if _header(files.beginning(name))[: len(_FIRST)] == _FIRST
    )


def _header(begin: bytes) -> tuple[str, ...]:
    return tuple(cell.strip().casefold() for cell in first_line(begin).split("\t"))


def rows(name: str, data: bytes, report: Report) -> Iterator[Row]:
    """A row for each line that is not blank; one with more cells than the header is reported."""
    lines = lines_of(data, name)
    columns = [cell.strip() for cell in lines[0].split("\t")]
    for number, line in enumerate(lines[1:], 2):
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells):
            continue
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            report(
                NotUnderstood(
                    name, number, "", f"The line has {len(cells)} cells, the header {len(columns)}."
                )
            )
            continue
        yield Row(name, number, dict(zip(columns, cells, strict=False)))


FORMAT = PackageFormat(
    "lackey", "LackeyCCG", finds, rows, {"name": ("Name",), "set": ("Set",), "picture": ("ImageFile",)}
)
