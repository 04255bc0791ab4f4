"""Charts that are printed with the cards: tables with a head, tracks for a marker, pages with the cards of a
type to tick, and score cards.

`pieces` puts tables and tracks among the reference cards; `printing.request.assembly` adds the others. A
table is on one card if it can be read there, otherwise on several, each with its head. A change must keep
every word of every cell. Tests: ``tests/printing/extras/test_charts.py``; score cards in ``test_pieces.py``
there.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardsdb.games.kit import Game, ScoreCard, as_words
from cardsdb.games.kit.print.face import Box, Font
from printing.extras.blank import (
    INK,
    SOFT,
    Blank,
    Stock,
    counts_by_card,
    divided,
    parts_of,
    piece_of,
    pitch,
    source_words,
    tick_box,
    wrapped,
)
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing, Line, moved
from printing.layout.imposition import Piece
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


def table_cards(game: Game, title: str, head: Row, rows: Sequence[Row], stock: Stock) -> list[Drawing]:
    """Return the table on one card if it is readable there, else on several, each with the table's head."""

    def blank() -> Blank:
        return Blank(game, stock, landscape=True)

    probe = blank()
    sizes = (*map(probe.size, SIZES), probe.least(SIZES[-1]))
    return _tables(blank, sizes, title, [head, *rows], 0)


def _tables(
    blank: Callable[[], Blank], sizes: Sequence[int], title: str, rows: Sequence[Row], tick_room: int
) -> list[Drawing]:
    """Return the table on one canvas if it fits in one of these sizes, else on several in the last size.

    ``blank`` makes an empty canvas. Row 0 is the head. ``tick_room`` is the room for a box to tick before
    each row; 0 for none.
    """
    probe = blank()
    game = probe.game
    top = probe.band(title, game.name, "1 of 2") + probe.length(BELOW_HEAD)
    height = probe.foot(source_words(game)) - top
    table = _table_that_fits(probe, sizes, rows, height, tick_room)
    counts = counts_by_card(table.depths[1:], height - table.depths[0])
    drawings = []
    # The head is on every canvas; the other rows are dealt out in turn.
    next_row = 1
    for count, part in zip(counts, parts_of(len(counts)), strict=True):
        canvas = blank()
        y = canvas.band(title, game.name, part) + canvas.length(BELOW_HEAD)
        for row in (0, *range(next_row, next_row + count)):
            _write_row(canvas, table, row, canvas.inset + tick_room, y)
            if tick_room and row:
                canvas.strokes += tick_box(canvas.inset, y, TICK, PEN)
            y += table.depths[row]
        next_row += count
        canvas.foot(source_words(game))
        drawings.append(canvas.drawing(", ".join(filter(None, (title, game.name, part)))))
    return drawings


def _table_that_fits(
    probe: Blank, sizes: Sequence[int], rows: Sequence[Row], height: int, tick_room: int
) -> _Table:
    """Return the table in the first of the sizes in which it fits one canvas; in the last if none does."""
    room, gap = probe.width - 2 * probe.inset - tick_room, probe.length(GAP)
    least, air = TICK if tick_room else 0, probe.length(AIR)
    for size in sizes:
        widths = _widths(rows, size, room, gap)
        is_too_wide = sum(widths) > room
        if is_too_wide:
            widths = [width * room // sum(widths) for width in widths]
        cells = [
            _in_lines(row, widths, size, "sans" if number else "sans-bold", gap)
            for number, row in enumerate(rows)
        ]
        depths = [max(max(map(len, row)) * pitch(size), least) + air for row in cells]
        table = _Table(size, widths, cells, depths)
        if sum(depths) <= height and not is_too_wide:
            break
    return table


def track_card(game: Game, title: str, says: str, places: Row, stock: Stock) -> Drawing:
    """Return a card with words about its purpose and places side by side, each large enough for a coin."""
    canvas = Blank(game, stock, landscape=True)
    inset = canvas.inset
    top = canvas.band(title, game.name) + canvas.length(1_500)
    bottom = canvas.foot(source_words(game))
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


def notebook_pages(game: Game, paper: tuple[int, int], players: int = 0) -> list[Drawing]:
    """Return the game's card tables, one set for each player, with a box to tick before each card."""
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
        for drawing in _tables(blank, sizes, table.name, [head, *rows], TICK + OFF_TICK):
            strokes = tuple(moved(drawing.strokes, MARGIN, MARGIN))
            pages.append(Drawing(drawing.name, width, height, strokes, turned=paper[0] > paper[1]))
    return pages * max(players, 1)


def _in_lines(row: Row, widths: Sequence[int], size: int, font: Font, gap: int) -> list[list[str]]:
    """Return the lines of each cell of a row, in columns of these widths with a gap at their right."""
    return [wrapped(cell, font, size, width - gap) for cell, width in zip(row, widths, strict=True)]


def _widths(rows: Sequence[Row], size: int, room: int, gap: int) -> list[int]:
    """Return the width of each column: its longest word, and more room the longer its longest cell is.

    The sum may be more than ``room``. With the columns ``Name``, ``Night Watch``, ``The very long name of a
    card`` and ``Cost``, ``2``, ``12 or more``, in type of 2000, a gap of 1200 and a room of 40000
    micrometres, it is [28823, 11176].
    """
    columns = list(zip(*rows, strict=True))
    # The widths in which no cell is broken, and those in which no word is.
    wanted = [_longest(cells, size) + gap for cells in columns]
    least = [_longest(" ".join(cells).split(), size) + gap for cells in columns]
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


# -- score cards -----------------------------------------------------------------------

# In micrometres: the pens of lines to write on and of the heavier line above the sum, the height of a note
# and of its place, the spaces above and below the rows, and those after the longest label and any other.
SCORE_PEN = 150
THICK = 350
NOTE = 6_500
NOTE_ROOM = 7_000
ABOVE_ROWS = 2_000
BELOW_ROWS = 1_000
AFTER_LONGEST = 1_600
AFTER_LABEL = 800


def score_pieces(game: Game, stock: Stock, players: int = 0) -> tuple[Piece, ...]:
    """Return a piece for each score card of the game."""
    return tuple(
        piece_of(_score_card(game, score, stock, players), f"score {score.name}")
        for score in game.print_extras.scores
    )


def _score_card(game: Game, score: ScoreCard, stock: Stock, players: int) -> Drawing:
    """Return a card with a row for each thing that is scored and a column for each game or player."""
    canvas = Blank(game, stock)
    top = canvas.band(score.name, game.name)
    bottom, inset = canvas.foot(wording.game_credit(game)), canvas.inset
    if score.note:
        note_top = bottom - canvas.spacing(NOTE_ROOM)
        note = Box(inset, note_top, canvas.width - 2 * inset, canvas.spacing(NOTE))
        canvas.words(score.note, note, "sans", 65, 60, SOFT)
        bottom = note_top
    columns = players if players and score.by_player else score.columns
    lines = ("Name" if score.by_player else "Date", *score.rows, score.total)
    # The column of labels is as wide as its longest label needs, up to half of the card.
    longest = max(fonts.width("sans-bold", label) for label in lines) * canvas.size(80) // 1000
    labels_end = min(inset + longest + AFTER_LONGEST, canvas.width // 2)
    # The rows fill what lies between head and foot, except for the spaces above and below them. ``length``
    # rounds down to a micrometre; as one length the two spaces lose less than one together.
    first = top + canvas.length(ABOVE_ROWS)
    room = bottom - top - canvas.length(ABOVE_ROWS + BELOW_ROWS)
    ys = divided(first, first + room, len(lines))
    xs = divided(labels_end, canvas.width - inset, columns)
    for number, label in enumerate(lines):
        font: Font = "sans-bold" if number == len(lines) - 1 else "sans"
        place = Box(inset, ys[number], labels_end - inset - AFTER_LABEL, ys[number + 1] - ys[number])
        canvas.words(label, place, font, 80, 60, INK if number else SOFT)
    canvas.strokes += [Line(x, ys[0], x, ys[-1], SCORE_PEN, RULE) for x in xs]
    above_sum = len(lines) - 1
    for number, y in enumerate(ys):
        pen, colour = (THICK, INK) if number == above_sum else (SCORE_PEN, RULE)
        canvas.strokes.append(Line(inset, y, xs[-1], y, pen, colour))
    return canvas.drawing(f"{score.name}, {game.name}")
