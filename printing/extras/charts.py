"""Blank cards on which extra pieces are drawn; and charts: tables with a head, tracks for a marker, tables of
cards.

`Blank` and the small functions below it serve all extra pieces. A chart stands on one card if it can be read
there, otherwise on several, each with the head of the table. No word may be lost or become smaller than six
points on a card of the usual size.
"""

from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, as_words
from cardsdb.games.kit.print.face import Align, Box, Font
from printing.faces import colours, fonts
from printing.faces.canvas import Canvas
from printing.faces.strokes import Drawing, Line, moved
from printing.layout.imposition import Piece
from printing.options.sizes import MM

# Lengths are micrometres on a card of 63 x 88 mm, sizes of type tenths of a point.
# The depth of the head, the space above its words, and the margin at the left and the right.
BAND = 10_000
ABOVE_HEAD = 2_000
INSET = 3_500
# The type of the title, and that of the kind of piece at its right.
TITLE_TYPE = 130
KIND_TYPE = 65
# The space above and below the words at the foot, and their type.
ABOVE_FOOT = 1_000
BELOW_FOOT = 2_000
FOOT_TYPE = 60
# The pens of lines to cut along, and of the line below the head.
CUT = 120
HEAD_PEN = 350
INK = colours.INK
SOFT = colours.ROLES["soft"]
FAINT = colours.FAINT


class Stock(NamedTuple):
    """The card stock that pieces share with the cards of their print: trim, bleed, large print, and style."""

    trim: tuple[int, int]
    bleed: int = 0
    large: bool = False
    style: str = "full"


class Blank(Canvas):
    """An empty card on which a piece is drawn, with the type and the head of all pieces."""

    def __init__(self, game: Game, stock: Stock, landscape: bool = False) -> None:
        short, long = sorted(stock.trim)
        size = (long, short) if landscape else (short, long)
        light = stock.style == "light"
        card = Card(game.slug, "", "", "")
        super().__init__(card, game, landscape, size, stock.bleed, light=light, large=stock.large)
        self.trim, self.inset = stock.trim, self.length(INSET)

    def drawing(self, name: str) -> Drawing:
        """Return the finished drawing."""
        size = self.width, self.height
        return Drawing(name, *size, tuple(self.strokes), turned=size != self.trim)

    def words(
        self,
        text: str,
        box: Box,
        font: Font = "sans",
        size: int = 80,
        least: int = 60,
        colour: str = INK,
        align: Align = "left",
    ) -> None:
        """Set a few words on one or two lines centred in a box, in type from ``size`` down to ``least``."""
        text = fonts.with_stand_ins(text)
        if text:
            self.block(
                self.fit(text, box, font, self.size(size), self.least(least), 2), box, font, align, colour
            )

    def band(self, title: str, kind: str = "", part: str = "") -> int:
        """Draw the head: the title, and at its right the kind of piece and ``part`` (``1 of 2``).

        Return the y below it.

        The kind is left out if the title needs its room.
        """
        hue, deep, inset = colours.legible(self.game.hue[0], colours.PAPER), self.length(BAND), self.inset
        along, size = self.width - 2 * inset, self.least(65)
        # The first of these that leaves room for the title.
        for words in (" · ".join(filter(None, (kind, part))), part):
            side = (fonts.width("sans", words) + 1_000) * size // 1000 if words else 0
            if fonts.width("serif-bold", title) * self.size(130) // 1000 <= along - side:
                break
        top = self.length(2_000)
        self.words(title, Box(inset, top, along - side, deep - top), "serif-bold", 130, 75, hue)
        self.words(
            words, Box(self.width - inset - side, top, side, deep - top), "sans", 65, 60, SOFT, "right"
        )
        self.strokes.append(Line(inset, deep, self.width - inset, deep, HEAD_PEN, hue))
        return deep

    def foot(self, text: str) -> int:
        """Set small words at the foot, on as many lines as they need.

        Return the y at which the foot begins.
        """
        size = self.least(FOOT_TYPE)
        lines = wrapped(text, "sans", size, self.width - 2 * self.inset)
        top = self.height - self.length(BELOW_FOOT) - len(lines) * _pitch(size)
        for number, line in enumerate(lines):
            self.write(line, "sans", size, self.inset, top + size + number * _pitch(size), SOFT)
        return top - self.length(ABOVE_FOOT)

    def cut_lines(self, xs: list[int], ys: list[int], bottom: int) -> None:
        """Draw lines that cut the card into smaller pieces, down to ``bottom``.

        The edge of the card needs none.
        """
        self.strokes += [Line(x, 0, x, bottom, CUT, FAINT) for x in xs]
        self.strokes += [Line(0, y, self.width, y, CUT, FAINT) for y in ys if y < self.height]


def piece_of(front: Drawing, key: str, count: int = 1) -> Piece:
    """Return the drawing as a piece without a back."""
    return Piece(front.name, front, None, count, key)


def divided(start: int, end: int, parts: int) -> list[int]:
    """Return the places that divide a length, both ends included: ``divided(0, 9, 3)`` -> [0, 3, 6, 9]."""
    return [start + (end - start) * number // parts for number in range(parts + 1)]


def write_line(
    canvas: Canvas,
    text: str,
    font: Font,
    size: int,
    x: int,
    y: int,
    colour: str = INK,
    room: int = 0,
    *,
    ends: bool = False,
) -> None:
    """Set words from (x, y), made smaller if they are longer than ``room`` (0: no limit).

    With ``ends`` they end at x.
    """
    text = fonts.with_stand_ins(text)
    length = fonts.width(font, text)
    if room and length * size // 1000 > room:
        size = size * room // (length * size // 1000)
    if text:
        canvas.write(text, font, size, x - ends * (length * size // 1000), y, colour)


def tick_box(x: int, y: int, side: int, pen: int) -> list[Line]:
    """Return the sides of a box to tick: upper, right, lower, left."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y))
    return [Line(*begin, *end, pen, SOFT) for begin, end in pairwise(corners)]


def wrapped(text: str, font: Font, size: int, width: int, first: int = 0) -> list[str]:
    """Return the text in lines of this width.

    ``first`` is the length of the first line that is already taken.
    """
    parts = fonts.pieces(fonts.with_stand_ins(text))
    return fonts.wrap(parts, width * 1000 // size, font, first * 1000 // size)


def counts_by_card(depths: Sequence[int], room: int, air: int = 0) -> list[int]:
    """Return how many parts of these depths each card holds, if the parts fill cards of this room in turn.

    ``air`` is the space between two parts. A part that is too deep has a card of its own.
    """
    counts, used = [0], 0
    for depth in depths:
        if counts[-1] and used + depth > room:
            counts.append(0)
            used = 0
        counts[-1] += 1
        used += depth + air
    return counts


# -- charts -----------------------------------------------------------------------------

# Sizes to try, in tenths of a point. A chart that fits one card in none takes several cards in the last.
SIZES = (75, 68, 64, 60)
# The distance of baselines in thousandths of the size; the space below a row, between columns, and the pen.
LEADING = 1_200
AIR = 700
GAP = 1_200
PEN = 120
RULE = colours.ROLES["line"]
# The space between the head of a card and the table or the track below it.
BELOW_HEAD = 1_000
# The sizes to try on pages with a table to tick, the scale of their head (1,000,000 is that of a card), and
# their margin.
PAGE_SIZES = (110, 105, 100, 95, 90, 85, 80)
PAGE_SCALE = 1_400_000
MARGIN = 14 * MM
# The side of a box to tick, and its distance from the words.
TICK = 3_800
OFF_TICK = 2_000

Row = Sequence[str]


def table_cards(
    game: Game, title: str, head: Row, rows: Sequence[Row], stock: Stock, source: str
) -> list[Drawing]:
    """Return the table on one card if it is readable there, else on several, each with the table's head."""
    probe = Blank(game, stock, landscape=True)
    sizes = (*map(probe.size, SIZES), probe.least(SIZES[-1]))

    def blank() -> Blank:
        return Blank(game, stock, landscape=True)

    return [
        canvas.drawing(name) for canvas, name in _tables(blank, sizes, game, title, head, rows, source, 0)
    ]


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
    top, bottom = probe.band(title, game.name, "1 of 2") + probe.length(1_000), probe.foot(source)
    deep, gap = probe.length(AIR), probe.length(GAP)
    for size in sizes:
        room = probe.width - 2 * probe.inset - ticks
        widths = _widths(head, rows, size, room, gap)
        too_wide = sum(widths) > room
        if too_wide:
            widths = [width * room // sum(widths) for width in widths]
        cells = [
            [
                wrapped(cell, "sans" if index else "sans-bold", size, width - gap)
                for cell, width in zip(row, widths, strict=True)
            ]
            for index, row in enumerate((head, *rows))
        ]
        depths = [max(max(map(len, row)) * _pitch(size), ticks and TICK) + deep for row in cells]
        if sum(depths) <= bottom - top and not too_wide:
            break
    drawn: list[tuple[Blank, str]] = []
    # Row 0 is the head, which every canvas has; the others are dealt out in turn.
    places = iter(range(1, len(cells)))
    counts = counts_by_card(depths[1:], bottom - top - depths[0])
    for part in parts_of(len(counts)):
        canvas = blank()
        y = canvas.band(title, game.name, part) + canvas.length(1_000)
        for place in (0, *islice(places, counts[len(drawn)])):
            _write_row(canvas, cells[place], widths, canvas.inset + ticks, y, depths[place], size, not place)
            if ticks and place:
                canvas.strokes += tick_box(canvas.inset, y, TICK, PEN)
            y += depths[place]
        canvas.foot(source)
        drawn.append((canvas, ", ".join(filter(None, (title, game.name, part)))))
    return drawn


def parts_of(count: int) -> list[str]:
    """Return ``1 of 3``, ``2 of 3``, ``3 of 3`` for three parts; an empty text for a single one."""
    return [f"{number} of {count}" if count > 1 else "" for number in range(1, count + 1)]


def track_card(game: Game, title: str, says: str, places: Row, stock: Stock, source: str) -> Drawing:
    """Return a card with words about its purpose and places side by side, each large enough for a coin."""
    canvas = Blank(game, stock, landscape=True)
    inset = canvas.inset
    top, bottom = canvas.band(title, game.name) + canvas.length(1_500), canvas.foot(source)
    size = canvas.size(SIZES[1])
    for line in wrapped(says, "sans", size, canvas.width - 2 * inset):
        canvas.write(line, "sans", size, inset, top + size, SOFT)
        top += _pitch(size)
    top += canvas.length(1_000)
    xs = divided(inset, canvas.width - inset, len(places))
    for place, (left, right) in zip(places, pairwise(xs), strict=True):
        canvas.words(
            place,
            Box(left + 600, top + 600, right - left - 1_200, canvas.length(9_000)),
            "sans-bold",
            85,
            55,
            INK,
            "centre",
        )
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
        rows = [
            (card.name, *(as_words(card.facts[key]) if key in card.facts else "" for key in table.facts))
            for card in cards
        ]
        for canvas, name in _tables(blank, sizes, game, table.name, head, rows, source, TICK + OFF_TICK):
            strokes = tuple(moved(canvas.strokes, MARGIN, MARGIN))
            pages.append(Drawing(name, width, height, strokes, turned=paper[0] > paper[1]))
    return pages


def _pitch(size: int) -> int:
    return size * LEADING // 1000


def _widths(head: Row, rows: Sequence[Row], size: int, room: int, gap: int) -> list[int]:
    """Return the width of each column: its longest word, and more room the longer its longest cell is.

    The sum may be more than ``room``.
    """
    columns = list(zip(head, *rows, strict=True))
    wanted = [max(fonts.width("sans-bold", cell) for cell in cells) * size // 1000 + gap for cells in columns]
    words_of = [[word for cell in cells for word in cell.split()] for cells in columns]
    least = [
        max((fonts.width("sans-bold", word) for word in words), default=0) * size // 1000 + gap
        for words in words_of
    ]
    spare = max(room - sum(least), 0)
    lacking = [max(most - floor, 0) for most, floor in zip(wanted, least, strict=True)]
    return [floor + spare * more // max(sum(lacking), 1) for floor, more in zip(least, lacking, strict=True)]


def _write_row(
    canvas: Blank,
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    x: int,
    y: int,
    deep: int,
    size: int,
    heads: bool,
) -> None:
    """Write the lines of each cell of a row, and the rule below it. ``heads``: it is the table's head."""
    font: Font = "sans-bold" if heads else "sans"
    for lines, width in zip(cells, widths, strict=True):
        for number, line in enumerate(lines):
            canvas.write(line, font, size, x, y + size + number * _pitch(size), SOFT if heads else INK)
        x += width
    base = y + deep - canvas.length(AIR) // 2
    canvas.strokes.append(Line(canvas.inset, base, x, base, PEN, INK if heads else RULE))
