"""One sheet as it will be printed, for the page: the same sides as in the file, as SVG and as a table. Knows nothing of Django.

Only the cards of that sheet are drawn, so the last sheet of a job of two thousand cards is there as soon as the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate, takewhile

from cardsdb.games.kit.model.text import plural
from printing.faces.strokes import Drawing
from printing.faces.styles import rounded
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.geometry import Area, Layout
from printing.layout.imposition import Piece, Placed, SheetSide, places_of, sheets_of
from printing.options.sizes import MM, Size
from printing.render.files import sides_of
from printing.render.svg import stroke_svg

# A side with more different cards than this is shown by their places and names: the page must stay light.
MAX_DRAWN = 80
# What is no ink: the printer's margin and slots without a card.
GUIDE, GUIDE_PEN = "#3f6f8f", 300


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One side of the sheet: ``svg``, and ``rows`` of what lies where, as the eye finds it; empty places are empty."""

    title: str
    svg: str
    rows: tuple[tuple[str, ...], ...]


def shown_sides(job: Job, number: int) -> tuple[ShownSide, ...]:
    """The sides of this sheet that are printed, front first. Raises IndexError when there is no such sheet."""
    if not 1 <= number <= job.sheets:
        raise IndexError(number)
    if found := job.part_with(number):
        part, before = found
        pieces = _pieces_for(part, number - before)
        return _shown(job, part, number, sheets_of(part.layout, pieces, part.options, part.notes(), before, job.sheets))
    # A whole page behind the cards: no card need be drawn to find it.
    return _shown(job, None, number, sides_of(job, _pieces_for(job, 0)))


def _pieces_for(job: Job, number: int) -> tuple[Piece, ...]:
    """All pieces of the job's own sheets; those that are not on this one are blank."""
    counts = [count * job.options.copies for count in (*(count for _, count in job.entries), *(piece.count for piece in job.extra))]
    first, each = (len(places_of(job.layout, job.options, sheet)) for sheet in (1, 2))
    start, end = {0: (0, 0), 1: (0, first)}.get(number, (first + (number - 2) * each, first + (number - 1) * each))
    ends = list(accumulate(counts))
    on_sheet = [index for index, last in enumerate(ends) if last > start and last - counts[index] < end]
    wide, high = job.size
    blank = Drawing("", wide, high, ())
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
    return tuple(pieces)


def _shown(job: Job, part: Job | None, number: int, sides: Iterable[SheetSide]) -> tuple[ShownSide, ...]:
    """``part`` None: a page of words, which has no slots."""
    found: list[ShownSide] = []
    layout, paper = part.layout if part else None, job.layout.paper
    for side in takewhile(lambda side: side.number <= number, sides):
        if side.number < number:
            continue
        of = f"Sheet {number} of {job.sheets}"
        title = f"{of}, {side.side}" if job.options.flip else of
        cards = len(side.placed)
        what = f"{cards} {plural(cards, 'card')}" if part else ", ".join(placed.drawing.name for placed in side.placed)
        svg = side_svg(side, paper, layout, f"{title}: {what or 'empty'}, {paper.name}", f"side{len(found)}", job.options.bled)
        found.append(ShownSide(title, svg, _rows(side, layout) if layout else ((what,),)))
    return tuple(found)


def _rows(side: SheetSide, layout: Layout) -> tuple[tuple[str, ...], ...]:
    cells = layout.cells()
    names = {(placed.x, placed.y): placed.drawing.name for placed in side.placed}
    return tuple(tuple(names.get((x, y), "") for x in sorted({cell.x for cell in cells})) for y in sorted({cell.y for cell in cells}))


def side_svg(side: SheetSide, paper: Size, layout: Layout | None, title: str, prefix: str, bleed: int = 0) -> str:
    """The side as SVG in whole micrometres. ``prefix`` keeps its names apart from those of another on the same page."""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="print-sheet" role="img" aria-label="{escape(title)}" '
            f'width="{paper.width // MM}" height="{paper.height // MM}" viewBox="0 0 {paper.width} {paper.height}">',
            f'<rect width="{paper.width}" height="{paper.height}" fill="#ffffff"/>',
            *(_guides(side, layout) if layout else ()),
            f"<g{_shift(side, paper)}>",
            *map(stroke_svg, side.under),
            *_cards(side, prefix, bleed),
            *map(stroke_svg, side.over),
            *map(stroke_svg, side.notes),
            "</g></svg>",
        )
    )


def _guides(side: SheetSide, layout: Layout) -> Iterator[str]:
    dashed = f'fill="none" stroke="{GUIDE}" stroke-width="{GUIDE_PEN}" stroke-dasharray="1500 1500"'
    if layout.margin:
        printed = layout.sheet.grown(*[-layout.margin] * 4)
        yield f'<rect {_box(printed)} {dashed} stroke-opacity="0.5"/>'
    taken = {(placed.x, placed.y) for placed in side.placed}
    for cell in layout.cells():
        if (cell.x, cell.y) not in taken:
            yield f"<rect {_box(cell)} {dashed}/>"


def _box(area: Area) -> str:
    return f'x="{area.x}" y="{area.y}" width="{area.width}" height="{area.height}"'


def _shift(side: SheetSide, paper: Size) -> str:
    x, y, turn = side.shift
    middle = f"{paper.width // 2} {paper.height // 2}"
    return f' transform="translate({x} {y}) rotate({turn / 100:g} {middle})"' if any(side.shift) else ""


def _cards(side: SheetSide, prefix: str, bleed: int) -> Iterator[str]:
    """The cards; one that lies here several times is drawn once and used again."""
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
            strokes = "".join(map(stroke_svg, drawing.strokes)) if len(often) <= MAX_DRAWN else _named(drawing)
            inside = f'<g id="{name}">{strokes}</g>' if often[key] > 1 else strokes
        yield f"{clip}<g{clipped}><g{_lies(placed)}>{inside}</g></g>"


def _named(drawing: Drawing) -> str:
    """A card too many to be drawn: its edge and its name."""
    size = min(drawing.width // 10, 6 * MM)
    return (
        f'<rect width="{drawing.width}" height="{drawing.height}" fill="none" stroke="{GUIDE}" stroke-width="{GUIDE_PEN}"/>'
        f'<text x="{drawing.width // 2}" y="{drawing.height // 2}" font-size="{size}" text-anchor="middle" '
        f"font-family=\"'Source Sans', sans-serif\">{escape(drawing.name[:24])}</text>"
    )


def _lies(placed: Placed) -> str:
    x, y, (_, width, height, *_) = placed.x, placed.y, placed.drawing
    turned = {90: f"0 -1 1 0 {x} {y + width}", 180: f"-1 0 0 -1 {x + width} {y + height}", 270: f"0 1 -1 0 {x + height} {y}"}
    return f' transform="matrix({turned[placed.turn]})"' if placed.turn else f' transform="translate({x} {y})"'


def _clip(placed: Placed, bleed: int, name: str) -> tuple[str, str]:
    """What keeps a card to its part of the paper: the path, and the words that use it."""
    area = placed.clip or placed.area.grown(bleed, bleed, bleed, bleed)
    if placed.corner:
        steps = rounded(*area, placed.corner + bleed)
        shape = f'<path d="{"".join(letter + " ".join(map(str, numbers)) for letter, numbers in steps)}"/>'
    else:
        shape = f"<rect {_box(area)}/>"
    return f'<clipPath id="{name}">{shape}</clipPath>', f' clip-path="url(#{name})"'
