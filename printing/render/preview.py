"""The preview of one sheet on the print page: the same sides as in the printed file, as SVG and as a table.
No Django.

``printing/web/print_page.py`` asks for `shown_sides`. Only the cards of that sheet are drawn, so the last
sheet of two thousand cards is shown as quickly as the first. The preview must use the same sides as the file
(`sheets_of`), so that it never shows anything else. Tests: ``tests/printing/render/test_preview.py``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import takewhile
from typing import NamedTuple

from cardsdb.games.kit import some as counted
from printing.faces.strokes import Drawing, rounded
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import Piece, Placed, SheetSide, places_of, sheets_of
from printing.options.sizes import MM
from printing.render.files import sides_of
from printing.render.svg import path_data, stroke_svg

# A side with more different cards than this shows only their edges and names, so that the page stays small.
MAX_DRAWN = 80
# The colour and pen of things that are not printed: the printer's margins, and empty slots.
GUIDE = "#3f6f8f"
GUIDE_PEN = 300


class Slot(NamedTuple):
    """A place of the sheet, and the code and the name of the piece on it."""

    code: str
    name: str
    area: Area


@dataclass(frozen=True)
class ShownSide:
    """One side of the sheet as ``svg``, and as ``rows`` with the name of the card in each place, or nothing.

    ``slots`` are the areas of fronts in the order of the print; the back of a sheet has none.
    """

    title: str
    svg: str
    rows: tuple[tuple[str, ...], ...]
    paper: tuple[int, int]
    slots: tuple[Slot, ...] = ()


def shown_sides(job: Job, number: int) -> tuple[ShownSide, ...]:
    """Return the printed sides of this sheet, front first. Raise IndexError if there is no such sheet."""
    if not 1 <= number <= job.sheets:
        raise IndexError(number)
    # The part of the print with this sheet, and the number of sheets before that part. ``part`` is None for a
    # page of words after the cards; then sheet 0 is asked for, and no card is drawn.
    part, before = job.part_with(number) or (None, number)
    pieces, on_sheet = _pieces_for(part or job, number - before)
    if part:
        sides = sheets_of(part.layout, pieces, part.options, part.notes(), before, job.sheets)
    else:
        sides = sides_of(job, pieces)
    # Sides come in order: stop after those of this sheet.
    up_to_this = takewhile(lambda side: side.number <= number, sides)
    wanted = (side for side in up_to_this if side.number == number)
    return tuple(_shown(job, part, side, on_sheet, f"side{index}") for index, side in enumerate(wanted))


def _pieces_for(job: Job, number: int) -> tuple[list[Piece], list[Piece]]:
    """Return all pieces of the job's own sheets, blank on other sheets; and those on this one, copy by copy.

    2 Hitman and 3 Angel on sheets of four slots: for sheet 1 the first list is Hitman (2 copies) and Angel
    (3), the second Hitman, Hitman, Angel, Angel. For sheet 2 they are blank (2) and Angel (3); and Angel.
    Sheet 0 has none.
    """
    listed = [*(count for _, count in job.entries), *(piece.count for piece in job.extra)]
    counts = [count * job.options.copies for count in listed]
    # The index of the piece of each copy, in the order of the print.
    copies = [index for index, count in enumerate(counts) for _ in range(count)]
    # The first sheet may hold fewer than the others, because of the option ``start``.
    on_first, on_others = (len(places_of(job.layout, job.options, sheet)) for sheet in (1, 2))
    end = on_first + (number - 1) * on_others
    start = end - on_others if number > 1 else 0
    here = copies[start:end] if number else []
    on_sheet = list(dict.fromkeys(here))
    blank = Drawing("", *job.size, ())
    pieces = [Piece("", blank, blank, count) for count in counts]
    if on_sheet:
        entries, extra = len(job.entries), job.extra
        some = replace(
            job,
            entries=tuple(job.entries[index] for index in on_sheet if index < entries),
            extra=tuple(extra[index - entries] for index in on_sheet if index >= entries),
        )
        for index, piece in zip(on_sheet, pieces_of(some), strict=True):
            pieces[index] = piece
    return pieces, [pieces[index] for index in here]


def _shown(job: Job, part: Job | None, side: SheetSide, on_sheet: Sequence[Piece], prefix: str) -> ShownSide:
    """Return a side of a sheet. ``part`` is None for a page of words, which has no slots.

    ``on_sheet``: the pieces on the sheet, copy by copy. ``prefix`` makes the ids of the SVG unique on the
    page.
    """
    layout, paper = part.layout if part else None, job.layout.paper
    title = f"Sheet {side.number} of {job.sheets}" + (f", {side.side}" if job.options.flip else "")
    names = ", ".join(placed.drawing.name for placed in side.placed)
    what = counted(len(side.placed), "card") if part else names
    label = escape(f"{title}: {what or 'empty'}, {paper.name}")
    matrix = " ".join(f"{number:.9g}" for number in side.shift.matrix(paper.lengths))
    shift = f' transform="matrix({matrix})"' if any(side.shift) else ""
    # The view box is in micrometres.
    svg = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="print-sheet" role="img"'
        f' aria-label="{label}" width="{paper.width // MM}" height="{paper.height // MM}"'
        f' viewBox="0 0 {paper.width} {paper.height}">'
        f'<rect width="{paper.width}" height="{paper.height}" fill="#ffffff"/>',
        *(_guides(side, layout) if layout else ()),
        f"<g{shift}>",
        *map(stroke_svg, side.under),
        *_cards(side, prefix, job.options.bled),
        *map(stroke_svg, (*side.over, *side.notes)),
        "</g></svg>",
    ]
    # Fronts come first among the placed drawings, even if their backs are on the same side.
    fronts = zip(on_sheet, side.placed, strict=False) if side.side == "front" else ()
    slots = tuple(Slot(piece.key, piece.name, placed.area) for piece, placed in fronts)
    rows = _rows(side, layout) if layout else ((what,),)
    return ShownSide(title, "".join(svg), rows, paper.lengths, slots)


def _rows(side: SheetSide, layout: Layout) -> tuple[tuple[str, ...], ...]:
    """Return the names of the cards as rows of a table, as they lie on the sheet."""
    names = {(placed.x, placed.y): placed.drawing.name for placed in side.placed}
    columns, rows = ({cell[axis] for cell in layout.cells()} for axis in (0, 1))
    return tuple(tuple(names.get((x, y), "") for x in sorted(columns)) for y in sorted(rows))


def _guides(side: SheetSide, layout: Layout) -> Iterator[str]:
    """Yield dashed lines for the printer's margins and for empty slots."""
    dashed = f'fill="none" stroke="{GUIDE}" stroke-width="{GUIDE_PEN}" stroke-dasharray="1500 1500"'
    if any(layout.margins):
        above, right, below, left = layout.margins
        printed = layout.sheet.grown(-left, -above, -right, -below)
        yield f'<rect {_box(printed)} {dashed} stroke-opacity="0.5"/>'
    taken = {(placed.x, placed.y) for placed in side.placed}
    for cell in layout.cells():
        if (cell.x, cell.y) not in taken:
            yield f"<rect {_box(cell)} {dashed}/>"


def _box(area: Area) -> str:
    return f'x="{area.x}" y="{area.y}" width="{area.width}" height="{area.height}"'


def _cards(side: SheetSide, prefix: str, bleed: int) -> Iterator[str]:
    """Yield the cards as SVG. A card that is on the side several times is drawn once and then referred to."""
    often = Counter(id(placed.drawing) for placed in side.placed)
    drawn: set[int] = set()
    for number, placed in enumerate(side.placed):
        drawing, key = placed.drawing, id(placed.drawing)
        clip, clipped = _clip(placed, bleed, f"{prefix}c{number}")
        name = f"{prefix}d{list(often).index(key)}"
        if key in drawn:
            inside = f'<use href="#{name}"/>'
        else:
            drawn.add(key)
            strokes = (
                "".join(map(stroke_svg, drawing.strokes)) if len(often) <= MAX_DRAWN else _named(drawing)
            )
            inside = f'<g id="{name}">{strokes}</g>' if often[key] > 1 else strokes
        yield f"{clip}<g{clipped}><g{_transform(placed)}>{inside}</g></g>"


def _named(drawing: Drawing) -> str:
    """Return a card as its edge and its name."""
    size = min(drawing.width // 10, 6 * MM)
    return (
        f'<rect width="{drawing.width}" height="{drawing.height}" fill="none" stroke="{GUIDE}"'
        f' stroke-width="{GUIDE_PEN}"/>'
        f'<text x="{drawing.width // 2}" y="{drawing.height // 2}" font-size="{size}" text-anchor="middle" '
        f"font-family=\"'Source Sans', sans-serif\">{escape(drawing.name[:24])}</text>"
    )


def _transform(placed: Placed) -> str:
    turned = f"matrix({' '.join(map(str, placed.matrix))})"
    return f' transform="{turned if placed.turn else f"translate({placed.x} {placed.y})"}"'


def _clip(placed: Placed, bleed: int, name: str) -> tuple[str, str]:
    """Return the element that clips a card to its part of the paper, and the attribute that refers to it."""
    area = placed.clip or placed.area.grown(bleed, bleed, bleed, bleed)
    shape = f"<rect {_box(area)}/>"
    if placed.corner:
        shape = f'<path d="{path_data(rounded(*area, placed.corner + bleed))}"/>'
    return f'<clipPath id="{name}">{shape}</clipPath>', f' clip-path="url(#{name})"'
