"""Charts that are printed with the cards: tables with a head, tracks for a marker, and pages with the cards
of a type to tick.

`pieces` puts them among the reference cards and notebooks. A chart stands on one card if it can be read
there, otherwise on several, each with the head of the table. A change must keep every word of every cell.
Tests: ``tests/printing/extras/test_charts.py``.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardsdb.games.kit import Game, as_words
from cardsdb.games.kit.print.face import Box, Font
from printing.extras.blank import (
    INK,
    SOFT,
    Blank,
    Stock,
    counts_by_card,
    divided,
    parts_of,
    pitch,
    tick_box,
    wrapped,
)
from printing.faces import colours, fonts
from printing.faces.strokes import Drawing, Line, moved
from printing.options.sizes import MM

# Lengths are micrometres on a card of 63 x 88 mm, sizes of type tenths of a point.
# The sizes to try. A chart that fits one card in none takes several cards in the last.
SIZES = (75, 68, 64, 60)
# The space below a row, between columns, and the pen, in micrometres.
AIR = 700
GAP = 1_200
PEN = 120
RULE = colours.ROLES["line"]
# The space between the head of a card and the table below it.
BELOW_HEAD = 1_000
# Around the name of a place on a track, and its height.
INSIDE = 600
PLACE_NAME = 9_000
# The sizes to try on pages with a table to tick, the scale of their head (1,000,000 is that of a card), and
# their margin.
PAGE_SIZES = (110, 105, 100, 95, 90, 85, 80)
PAGE_SCALE = 1_400_000
MARGIN = 14 * MM
# The side of a box to tick, and its distance from the words.
TICK = 3_800
OFF_TICK = 2_000

Row = Sequence[str]


class _Table(NamedTuple):
    """A table set in one size. Row 0 of its cells and depths is the head; a cell is a list of lines."""

    size: int
    widths: list[int]
    cells: list[list[list[str]]]
    depths: list[int]


def table_cards(
    game: Game, title: str, head: Row, rows: Sequence[Row], stock: Stock, source: str
) -> list[Drawing]:
    """Return the table on one card if it is readable there, else on several, each with the table's head."""

    def blank() -> Blank:
        return Blank(game, stock, landscape=True)

    probe = blank()
    sizes = (*map(probe.size, SIZES), probe.least(SIZES[-1]))
    tables = _tables(blank, sizes, game, title, head, rows, source, 0)
    return [canvas.drawing(name) for canvas, name in tables]


def _tables(
    blank: Callable[[], Blank],
    sizes: Sequence[int],
    game: Game,
    title: str,
    head: Row,
    rows: Sequence[Row],
    source: str,
    ticks: int,
) -> list[tuple[Blank, str]]:
    """Return the table on one canvas if it fits in one of these sizes, else on several in the last size.

    ``blank`` makes an empty canvas. ``ticks`` is the room for a box to tick before each row; 0 for none.
    """
    probe = blank()
    top, bottom = probe.band(title, game.name, "1 of 2") + probe.length(BELOW_HEAD), probe.foot(source)
    table = _table_that_fits(probe, sizes, head, rows, bottom - top, ticks)
    drawn: list[tuple[Blank, str]] = []
    # Every canvas has row 0, the head; the others are dealt out in turn, ``start`` is the next one.
    start, counts = 1, counts_by_card(table.depths[1:], bottom - top - table.depths[0])
    for count, part in zip(counts, parts_of(len(counts)), strict=True):
        canvas = blank()
        y = canvas.band(title, game.name, part) + canvas.length(BELOW_HEAD)
        for row in (0, *range(start, start + count)):
            _write_row(canvas, table, row, canvas.inset + ticks, y)
            if ticks and row:
                canvas.strokes += tick_box(canvas.inset, y, TICK, PEN)
            y += table.depths[row]
        start += count
        canvas.foot(source)
        drawn.append((canvas, ", ".join(filter(None, (title, game.name, part)))))
    return drawn


def _table_that_fits(
    probe: Blank, sizes: Sequence[int], head: Row, rows: Sequence[Row], height: int, ticks: int
) -> _Table:
    """Return the table in the first of the sizes in which it fits one canvas; in the last if none does."""
    room, gap = probe.width - 2 * probe.inset - ticks, probe.length(GAP)
    for size in sizes:
        widths = _widths(head, rows, size, room, gap)
        too_wide = sum(widths) > room
        if too_wide:
            widths = [width * room // sum(widths) for width in widths]
        cells = [_in_lines(head, widths, size, "sans-bold", gap)]
        cells += [_in_lines(row, widths, size, "sans", gap) for row in rows]
        least, air = TICK if ticks else 0, probe.length(AIR)
        depths = [max(max(map(len, row)) * pitch(size), least) + air for row in cells]
        table = _Table(size, widths, cells, depths)
        if sum(depths) <= height and not too_wide:
            break
    return table


def track_card(game: Game, title: str, says: str, places: Row, stock: Stock, source: str) -> Drawing:
    """Return a card with words about its purpose and places side by side, each large enough for a coin."""
    canvas = Blank(game, stock, landscape=True)
    inset = canvas.inset
    top, bottom = canvas.band(title, game.name) + canvas.length(1_500), canvas.foot(source)
    size = canvas.size(SIZES[1])
    for line in wrapped(says, "sans", size, canvas.width - 2 * inset):
        canvas.write(line, "sans", size, inset, top + size, SOFT)
        top += pitch(size)
    top += canvas.length(1_000)
    xs = divided(inset, canvas.width - inset, len(places))
    for place, (left, right) in zip(places, pairwise(xs), strict=True):
        box = Box(left + INSIDE, top + INSIDE, right - left - 2 * INSIDE, canvas.length(PLACE_NAME))
        canvas.words(place, box, "sans-bold", 85, 55, INK, "centre")
    canvas.strokes += [Line(x, top, x, bottom, PEN, INK) for x in xs]
    canvas.strokes += [Line(xs[0], y, xs[-1], y, PEN, INK) for y in (top, bottom)]
    return canvas.drawing(f"{title}, {game.name}")


def card_table_pages(game: Game, paper: tuple[int, int], source: str) -> list[Drawing]:
    """Return the game's card tables, with a box to tick before each card, on pages of this paper."""
    width, height = sorted(paper)
    pages: list[Drawing] = []

    def blank() -> Blank:
        # A very large card: the page without its margin.
        canvas = Blank(game, Stock((width - 2 * MARGIN, height - 2 * MARGIN)))
        canvas.scale = canvas.type_scale = PAGE_SCALE
        canvas.inset = 0
        return canvas

    sizes = tuple(map(fonts.micrometres, PAGE_SIZES))
    for table in game.print_extras.card_tables:
        cards = sorted((card for card in game.cards if card.type == table.type), key=lambda card: card.name)
        head = (game.type_named(table.type).name, *(game.facts_by_key[key].title for key in table.facts))
        # The cell of a fact that a card does not have stays empty.
        rows = [(card.name, *(as_words(card.facts.get(key, "")) for key in table.facts)) for card in cards]
        for canvas, name in _tables(blank, sizes, game, table.name, head, rows, source, TICK + OFF_TICK):
            strokes = tuple(moved(canvas.strokes, MARGIN, MARGIN))
            pages.append(Drawing(name, width, height, strokes, turned=paper[0] > paper[1]))
    return pages


def _in_lines(row: Row, widths: Sequence[int], size: int, font: Font, gap: int) -> list[list[str]]:
    """Return the lines of each cell of a row, in columns of these widths with a gap at their right."""
    return [wrapped(cell, font, size, width - gap) for cell, width in zip(row, widths, strict=True)]


def _widths(head: Row, rows: Sequence[Row], size: int, room: int, gap: int) -> list[int]:
    """Return the width of each column: its longest word, and more room the longer its longest cell is.

    The sum may be more than ``room``. With the columns ``Name``, ``Night Watch``, ``The very long name of a
    card`` and ``Cost``, ``2``, ``12 or more``, in type of 2000, a gap of 1200 and a room of 40000
    micrometres, it is [28823, 11176].
    """
    columns = list(zip(head, *rows, strict=True))
    # The widths in which no cell is broken, and those in which no word is.
    wanted = [_longest(cells, size) + gap for cells in columns]
    least = [_longest([word for cell in cells for word in cell.split()], size) + gap for cells in columns]
    # The room beyond all words is shared out by how much each column lacks.
    spare = max(room - sum(least), 0)
    lacking = [max(most - floor, 0) for most, floor in zip(wanted, least, strict=True)]
    return [floor + spare * more // max(sum(lacking), 1) for floor, more in zip(least, lacking, strict=True)]


def _longest(texts: Sequence[str], size: int) -> int:
    """Return the length of the longest of the texts in bold type; 0 if there are none."""
    return max((fonts.width("sans-bold", text) for text in texts), default=0) * size // 1000


def _write_row(canvas: Blank, table: _Table, row: int, x: int, y: int) -> None:
    """Write the lines of each cell of a row, and the rule below it."""
    size, ink, rule = table.size, INK if row else SOFT, RULE if row else INK
    font: Font = "sans" if row else "sans-bold"
    for lines, width in zip(table.cells[row], table.widths, strict=True):
        for number, line in enumerate(lines):
            canvas.write(line, font, size, x, y + size + number * pitch(size), ink)
        x += width
    base = y + table.depths[row] - canvas.length(AIR) // 2
    canvas.strokes.append(Line(canvas.inset, base, x, base, PEN, rule))
