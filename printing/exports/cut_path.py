"""Cut paths for cutting machines, as SVG and as DXF: a rounded rectangle for each card of one sheet.

`kinds` asks for them. The rectangles are read from the sides that are printed (`sheets_of`), so a path always
fits its sheet. Lengths are micrometres here and exact millimetres in the files; SVG counts y downwards, DXF
upwards. Tests: ``tests/printing/exports/test_cut_path.py``.
"""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import NamedTuple

from cardsdb.games.kit import some
from printing.exports.export import NAMED_FIELDS
from printing.faces.strokes import Drawing, rounded
from printing.job.job import Job
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import Piece, sheets_of
from printing.layout.marks import REGISTRATION_KINDS, USUAL_CORNER, registration_marks
from printing.options.sizes import millimetres
from printing.options.values import BadOption
from printing.render.svg import path_data

# DXF states an arc between two corners by its bulge, the tangent of a quarter of the arc's angle; a positive
# one runs anticlockwise. A straight line has 0, a quarter circle tan(90° / 4).
QUARTER = 0.414213562373095
# The names of the layers in both files.
CUT = "CUT"
PAPER = "PAPER"
MARKS = "REGISTRATION"
# AutoCAD's colour numbers: red, grey, and black or white (whatever shows on the background).
_COLOURS = {CUT: 1, PAPER: 8, MARKS: 7}


class CutSheet(NamedTuple):
    """The cuts of one sheet.

    ``slots`` are the areas of its cards, ``corner`` is the radius of their corners, and ``marks`` the number
    of registration marks. ``about`` describes the sheet, ``title`` is the title of the file.
    """

    layout: Layout
    slots: Sequence[Area]
    corner: int
    marks: int = 0
    about: str = ""
    title: str = "Cut path"

    @property
    def black(self) -> Sequence[Area]:
        """The areas of the registration marks."""
        return registration_marks(self.layout, self.marks)


def cut_sheet(job: Job, number: int, radius: int | None = None) -> CutSheet:
    """Return the cuts of the sheet with this number, from 1.

    Without ``radius`` corners are as printed; cards printed with square corners are cut with
    ``USUAL_CORNER``.

    Raise BadOption if the print has no such sheet.
    """
    part_and_before = job.part_with(number)
    if part_and_before is None:
        # The sheets of cards come first. End pages, which follow them, have nothing to cut.
        last = sum(part.own_sheets for part in job.parts)
        raise BadOption(NAMED_FIELDS["cut_sheet"], number, (f"a sheet of this print, 1 to {last}",))
    part, sheets_before = part_and_before
    layout = part.layout
    # Only places matter here, so blank cards stand for the real ones, which would have to be drawn.
    blanks = Piece("Card", Drawing("Card", *part.size, ()), None, part.own_cards)
    # A sheet is cut with its fronts upwards, also if only backs are printed. Sheets are numbered through the
    # whole print, so those of earlier parts count.
    sides = sheets_of(layout, [blanks], replace(part.options, side="fronts"), before=sheets_before)
    wanted = next(side for side in sides if side.number == number)
    slots = [placed.area for placed in wanted.placed]
    about = (
        f"{job.heading}: sheet {number} of {job.sheets}, {some(len(slots), 'card')} of"
        f" {millimetres(part.size)}, {job.options.paper.name}, {layout.lies}"
    )
    about += "; fold the sheet before it is cut, the fronts upwards" if layout.fold else ""
    # The comment of a DXF is ASCII (``cut_dxf``), where "×" would become "?".
    about = about.replace("×", "x")
    marks = REGISTRATION_KINDS.get(job.options.marks, 0)
    corner = (job.options.corner or USUAL_CORNER) if radius is None else radius
    return CutSheet(layout, slots, corner, marks, about, f"Cut path, {job.heading}")


def cut_svg(cut: CutSheet) -> str:
    """Return the SVG, with layers for the cuts, the registration marks and the edge of the paper."""
    width, height = map(_mm, cut.layout.paper.lengths)
    size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    cuts = (path_data(rounded(*slot, cut.corner), _mm) for slot in cut.slots)
    black = "".join(map(_rect, cut.black))
    layers = (
        _layer(PAPER, 'fill="none" stroke="#999999" stroke-width="0.1"', _rect(cut.layout.sheet)),
        _layer(MARKS, 'fill="#000000"', black) if black else "",
        _layer(
            CUT,
            'fill="none" stroke="#ff0000" stroke-width="0.1"',
            "".join(f'<path d="{data}"/>' for data in cuts),
        ),
    )
    head = f"<title>{escape(cut.title)}</title><desc>{escape(cut.about)}</desc>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<svg {spaces} {size}>{head}{"".join(layers)}</svg>\n'


# DXF of release 12 (AC1009) as lines of group code and value: ``0`` begins an entity, ``2`` is a name, ``8``
# a layer, ``10`` x and ``20`` y. Code 9 names a variable of the header, whose value follows: $INSUNITS 4 is
# millimetres, $MEASUREMENT 1 metric. In a layer, 62 is its colour and 6 its kind of line.
_HEADER = """0 SECTION
2 HEADER
9 $ACADVER
1 AC1009
9 $INSUNITS
70 4
9 $MEASUREMENT
70 1
9 $EXTMIN
10 0.0
20 0.0
9 $EXTMAX
10 {width}
20 {height}
0 ENDSEC
0 SECTION
2 TABLES
0 TABLE
2 LTYPE
70 1
0 LTYPE
2 CONTINUOUS
70 0
3 Solid line
72 65
73 0
40 0.0
0 ENDTAB
0 TABLE
2 LAYER
70 {layers}"""
_LAYER = "0 LAYER\n2 {name}\n70 0\n62 {colour}\n6 CONTINUOUS"
_ENTITIES = "0 ENDTAB\n0 ENDSEC\n0 SECTION\n2 ENTITIES"
# Code 66: corners follow. Code 70: the line is closed. Code 42: the bulge of the line to the next corner.
_POLYLINE = "0 POLYLINE\n8 {layer}\n66 1\n70 1\n10 0.0\n20 0.0\n30 0.0"
_VERTEX = "0 VERTEX\n8 {layer}\n10 {x}\n20 {y}\n30 0.0\n42 {bulge}"


def cut_dxf(cut: CutSheet) -> str:
    """Return the cut path as DXF of release 12, with the origin at the lower left corner of the paper.

    Each line of the patterns above becomes two: ``0 SECTION`` is written ``  0`` and ``SECTION``.
    """
    width, height = cut.layout.paper.lengths
    # (layer, corners of a closed line), in the order in which they are drawn.
    shapes = [(CUT, _outline(slot, cut.corner)) for slot in cut.slots]
    shapes += [(MARKS, _outline(area, 0)) for area in cut.black]
    shapes.append((PAPER, _outline(cut.layout.sheet, 0)))
    used = list(dict.fromkeys(layer for layer, _ in shapes))
    # Code 999 is a comment, which must be one line of ASCII.
    comment = " ".join(cut.about.encode("ascii", "replace").decode().split())
    parts = [f"999 {comment}"] if comment else []
    parts.append(_HEADER.format(width=_mm(width), height=_mm(height), layers=len(used)))
    parts += [_LAYER.format(name=name, colour=_COLOURS[name]) for name in used]
    parts.append(_ENTITIES)
    for layer, corners in shapes:
        parts.append(_POLYLINE.format(layer=layer))
        for x, y, bulge in corners:
            parts.append(_VERTEX.format(layer=layer, x=_mm(x), y=_mm(height - y), bulge=bulge))
        parts.append(f"0 SEQEND\n8 {layer}")
    parts.append("0 ENDSEC\n0 EOF")
    # In the file, code and value stand on lines of their own.
    pairs = (line.split(" ", 1) for part in parts for line in part.split("\n"))
    return "".join(f"{code:>3}\r\n{value}\r\n" for code, value in pairs)


def _outline(area: Area, corner: int) -> list[tuple[int, int, float]]:
    """Return the corners of a rounded rectangle, anticlockwise: (x, y, bulge of the line to the next).

    Here y still grows downwards; `cut_dxf` turns it over.
    """
    # A larger radius would not fit; half a side is the most.
    r = min(corner, area.width // 2, area.height // 2)
    left, top, right, foot = area.x, area.y, area.right, area.bottom
    if not r:
        return [(left, foot, 0.0), (right, foot, 0.0), (right, top, 0.0), (left, top, 0.0)]
    return [
        (left + r, foot, 0.0),
        (right - r, foot, QUARTER),
        (right, foot - r, 0.0),
        (right, top + r, QUARTER),
        (right - r, top, 0.0),
        (left + r, top, QUARTER),
        (left, top + r, 0.0),
        (left, foot - r, QUARTER),
    ]


def _rect(area: Area) -> str:
    return (
        f'<rect x="{_mm(area.x)}" y="{_mm(area.y)}" width="{_mm(area.width)}" height="{_mm(area.height)}"/>'
    )


def _layer(name: str, look: str, inside: str) -> str:
    return f'<g id="{name.lower()}" inkscape:groupmode="layer" inkscape:label="{name}" {look}>{inside}</g>'


def _mm(length: int) -> str:
    """Return micrometres as millimetres with three decimals, which is exact."""
    return f"{length / 1000:.3f}"
