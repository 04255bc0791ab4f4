"""Cut paths: one rounded rectangle for each card of a sheet, as SVG and as DXF, in the slots of the printed
sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from cardsdb.games.kit.model.text import some
from printing.exports.fields import NAMED_FIELDS
from printing.faces.strokes import Drawing, rounded
from printing.job.job import Job
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import Piece, sheets_of
from printing.layout.marks import REGISTRATION_KINDS, registration_marks
from printing.options.sizes import MM, millimetres
from printing.options.values import BadOption

# The radius of the corners of most cards, for sheets that are printed with square ones.
USUAL_CORNER = 3 * MM

# The bulge of a quarter circle in DXF: the tangent of a quarter of its angle.
QUARTER = 0.414213562373095
CUT, PAPER, MARKS = "CUT", "PAPER", "REGISTRATION"
# Colours by their number in AutoCAD's first table: red, grey, black or white.
_COLOURS = {CUT: 1, PAPER: 8, MARKS: 7}


class CutSheet(NamedTuple):
    """What is cut on one sheet. ``corner`` is the radius of the corners, ``marks`` the number of registration
    marks.
    """

    layout: Layout
    slots: tuple[Area, ...]
    corner: int
    marks: int
    about: str


def cut_sheet(job: Job, number: int, radius: int | None) -> CutSheet:
    """What is cut on this sheet; corners are as printed where no ``radius`` is given. Raises BadOption if
    there is no such sheet.
    """
    part, _ = _part_with(job, number)
    slots, layout = slots_of(job, number), part.layout
    corner = (job.options.corner or USUAL_CORNER) if radius is None else radius
    paper = f"{job.options.paper.name}, {'landscape' if layout.landscape else 'portrait'}"
    about = (
        f"{job.heading}: sheet {number} of {job.sheets}, {some(len(slots), 'card')} of"
        f" {millimetres(part.size)}, {paper}"
    )
    about += "; fold the sheet before it is cut, the fronts upwards" if layout.fold else ""
    return CutSheet(
        layout, slots, corner, REGISTRATION_KINDS.get(job.options.marks, 0), about.replace("×", "x")
    )


def slots_of(job: Job, number: int) -> tuple[Area, ...]:
    """Where cards lie on the sheet with this number, read from the sides that are printed. Raises BadOption
    if there is no such sheet.
    """
    part, before = _part_with(job, number)
    blank = Drawing("Card", *part.size, ())
    sides = sheets_of(
        part.layout, [Piece("Card", blank, None, part.own_cards)], replace(part.options, side="fronts")
    )
    return next(
        tuple(placed.area for placed in side.placed) for side in sides if side.number == number - before
    )


def _part_with(job: Job, number: int) -> tuple[Job, int]:
    part = job.part_with(number)
    if part is None:
        raise BadOption(
            NAMED_FIELDS["cut_sheet"],
            number,
            (f"a sheet of this print, 1 to {sum(part.own_sheets for part in job.parts)}",),
        )
    return part


def cut_svg(
    layout: Layout,
    slots: Sequence[Area],
    corner: int,
    marks: int = 0,
    title: str = "Cut path",
    about: str = "",
) -> str:
    """The SVG, in millimetres of the page: a layer each for the cuts, the registration marks and the paper's
    edge.

    ``marks`` is the number of registration marks on the sheet.
    """
    paper = layout.paper
    size = (
        f'width="{_mm(paper.width)}mm" height="{_mm(paper.height)}mm" viewBox="0 0 {_mm(paper.width)}'
        f' {_mm(paper.height)}"'
    )
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    cuts = "".join(f'<path d="{_path(slot, corner)}"/>' for slot in slots)
    black = "".join(map(_rect, _marks(layout, marks)))
    edge = _rect(layout.sheet)
    layers = (
        _layer(PAPER, 'fill="none" stroke="#999999" stroke-width="0.1"', edge),
        _layer(MARKS, 'fill="#000000"', black) if black else "",
        _layer(CUT, 'fill="none" stroke="#ff0000" stroke-width="0.1"', cuts),
    )
    head = f"<title>{escape(title)}</title><desc>{escape(about)}</desc>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<svg {spaces} {size}>{head}{"".join(layers)}</svg>\n'


def cut_dxf(layout: Layout, slots: Sequence[Area], corner: int, marks: int = 0, about: str = "") -> str:
    """The same as DXF of release 12 in millimetres, origin at the paper's lower left corner, y upwards."""
    paper = layout.paper
    shapes = [(CUT, _outline(slot, corner)) for slot in slots]
    shapes += [(MARKS, _outline(area, 0)) for area in _marks(layout, marks)]
    shapes.append((PAPER, _outline(layout.sheet, 0)))
    used = [name for name in (CUT, MARKS, PAPER) if any(name == layer for layer, _ in shapes)]
    # A comment is one line of ASCII.
    comment = " ".join(about.encode("ascii", "replace").decode().split())
    lines: list[object] = [999, comment] if comment else []
    lines += [
        0,
        "SECTION",
        2,
        "HEADER",
        9,
        "$ACADVER",
        1,
        "AC1009",
        9,
        "$INSUNITS",
        70,
        4,
        9,
        "$MEASUREMENT",
        70,
        1,
    ]
    lines += [
        9,
        "$EXTMIN",
        10,
        "0.0",
        20,
        "0.0",
        9,
        "$EXTMAX",
        10,
        _mm(paper.width),
        20,
        _mm(paper.height),
        0,
        "ENDSEC",
    ]
    lines += [0, "SECTION", 2, "TABLES", 0, "TABLE", 2, "LTYPE", 70, 1]
    lines += [0, "LTYPE", 2, "CONTINUOUS", 70, 0, 3, "Solid line", 72, 65, 73, 0, 40, "0.0", 0, "ENDTAB"]
    lines += [0, "TABLE", 2, "LAYER", 70, len(used)]
    for name in used:
        lines += [0, "LAYER", 2, name, 70, 0, 62, _COLOURS[name], 6, "CONTINUOUS"]
    lines += [0, "ENDTAB", 0, "ENDSEC", 0, "SECTION", 2, "ENTITIES"]
    for layer, corners in shapes:
        # 66: corners follow; 70: the line is closed.
        lines += [0, "POLYLINE", 8, layer, 66, 1, 70, 1, 10, "0.0", 20, "0.0", 30, "0.0"]
        for x, y, bend in corners:
            lines += [
                0,
                "VERTEX",
                8,
                layer,
                10,
                _mm(x),
                20,
                _mm(paper.height - y),
                30,
                "0.0",
                42,
                f"{bend:.15f}" if bend else "0.0",
            ]
        lines += [0, "SEQEND", 8, layer]
    lines += [0, "ENDSEC", 0, "EOF"]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return "".join(f"{code:>3}\r\n{value}\r\n" for code, value in pairs)


def _marks(layout: Layout, marks: int) -> Iterable[Area]:
    return registration_marks(layout, marks) if marks else ()


def _outline(area: Area, corner: int) -> list[tuple[int, int, float]]:
    """(x, y, bulge of the line to the next corner) once round, anticlockwise where y points upwards."""
    r = min(corner, area.width // 2, area.height // 2)
    left, top, right, foot = area.x, area.y, area.right, area.bottom
    if not r:
        return [(left, foot, 0), (right, foot, 0), (right, top, 0), (left, top, 0)]
    return [
        (left + r, foot, 0),
        (right - r, foot, QUARTER),
        (right, foot - r, 0),
        (right, top + r, QUARTER),
        (right - r, top, 0),
        (left + r, top, QUARTER),
        (left, top + r, 0),
        (left, foot - r, QUARTER),
    ]


def _path(area: Area, corner: int) -> str:
    return "".join(letter + " ".join(map(_mm, numbers)) for letter, numbers in rounded(*area, corner))


def _rect(area: Area) -> str:
    return (
        f'<rect x="{_mm(area.x)}" y="{_mm(area.y)}" width="{_mm(area.width)}" height="{_mm(area.height)}"/>'
    )


def _layer(name: str, look: str, inside: str) -> str:
    return f'<g id="{name.lower()}" inkscape:groupmode="layer" inkscape:label="{name}" {look}>{inside}</g>'


def _mm(length: int) -> str:
    """Micrometres as millimetres, exactly."""
    return f"{length / 1000:.3f}"
