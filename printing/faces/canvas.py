"""A card while it is drawn: its scale, its strokes so far, the setting of words in boxes, and symbols.

The elements of a face (`compose`, `facts`, `levels`, `notes`, `numbers`) draw on a `Canvas`. A face is
designed on a grid of 63 x 88 mm; `box`, `size`, `length` and `spacing` convert its measures to this card's.
Every element must convert its measures this way and take colours from `readable`, so that faces work in every
card size and style. On a card of 44 x 63 mm::

    box       57000 wide      39809     as the card
    length    1000            698       as the card, by its tighter side: drawings
    spacing   1000            924       a quarter as much as the card: the space beside type
    size      8.5 points      2772      likewise, but from six points on not at all (``least``)

Tests: ``tests/printing/faces/test_canvas.py``, and ``test_compose.py`` beside it.
"""

import re

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from cardsdb.games.kit.print.shapes import GRID, SHAPES, SIGN_PEN, Emblem, Window, partition, placed
from cardsdb.games.kit.print.shapes import PEN as FRAME_PEN
from printing.faces import colours, fonts
from printing.faces.strokes import Line, Path, Rect, Stroke, polygon, rounded, text_runs

# Lengths are micrometres.
# The thickness of rules to write on: 0.15 mm, which every printer shows and which does not hinder a pen.
PEN = 150
# How far the inner edge of a band swings, and about the length of one swing.
SWING = 1_100
PERIOD = 5_000
# The distance of outlines from the cut in the light style.
INSIDE = 2_000
# A card with a larger number has no emblem. The largest number of all catalogues is 84.
MAX_NUMBER = 100
# The pen that outlines a dark fill in the light style, and the pen of a shape on paper.
EDGE_PEN = 600
RING_PEN = 450
# The radius of the corners of a number's ground.
_TILE_CORNER = 900
# The size of type in large print, in per cent.
LARGE = 125
# Six points, below which type shrinks only if words do not fit otherwise.
MIN_TYPE = fonts.micrometres(60)
# Stands before each word of a text that is set in bold. It is a control character, which no text contains.
BOLD = "\x02"
# Splits a line into runs of bold words, each with the space after it, and runs of other words.
_BOLD_WORDS = re.compile(rf"(?:{BOLD}[^{BOLD}\s]* ?)+|[^{BOLD}]+")
# Characters that stand in a text for the game's symbols: U+E000 for its first one, and so on. They are for
# private use, so no text contains them.
SIGNS = "\ue000-\ue01f"
_FIRST_SIGN = 0xE000
_SIGN = re.compile(f"([{SIGNS}])")
# The side of such a symbol, and the length that it takes in a line, in thousandths of the size of type.
SIGN_SIDE = 950
SIGN_ROOM = 1_080
# A card whose scale is below this is small. A card of 63 x 88 mm has 1,000,000.
TIGHT = 850_000


class Canvas:
    """A card while it is drawn. Width, height and bleed are micrometres of this card; the face's grid is
    stretched to it.

    - ``plain`` saves ink: fills become thin outlines.
    - ``light``: fills become outlines in their own colour, and none of these runs along the cut.
    - ``large`` is large print: type begins larger, but may shrink as far as in any print.
    - ``ruled``: rules to write on replace the emblem.
    - ``small``: the card is shown so small that no sentence can be read.
    - ``art`` is an own picture for the face's window.
    """

    def __init__(
        self,
        card: Card,
        game: Game,
        landscape: bool,
        size: tuple[int, int],
        bleed: int,
        *,
        plain: bool = False,
        light: bool = False,
        large: bool = False,
        ruled: bool = False,
        small: bool = False,
        art: PictureRef | None = None,
    ) -> None:
        self.card, self.game, self.bleed = card, game, bleed
        self.plain, self.light, self.large, self.ruled, self.small = plain, light, large, ruled, small
        # The colour of this card's bands, shapes and emblem.
        self.deep = colours.ink(game.face_named(card.type).band, card, game)
        # The own picture, and the box of the face in which it stands.
        self.art = art
        self.art_window: kit.Box | None = None
        self.width, self.height = width, height = size
        self.grid = (kit.HEIGHT, kit.WIDTH) if landscape else (kit.WIDTH, kit.HEIGHT)
        # Type grows and shrinks with the tighter side, so that words stay in their boxes.
        self.scale = min(width * 1_000_000 // self.grid[0], height * 1_000_000 // self.grid[1])
        # Letters must stay readable on a small card: type shrinks only a quarter as much as the card does.
        self.type_scale = self.scale if self.scale > 1_000_000 else (3_000_000 + self.scale) // 4
        self.strokes: list[Stroke] = []
        # Approximate areas of everything filled so far, by which `ground` finds the colour under a box.
        self.fills: list[Rect] = []
        # The size in which the card's text was set, 0 without a text.
        self.text_size = 0

    def box(self, box: kit.Box) -> kit.Box:
        """Return a box of the face in micrometres of this card. Edges that meet on the face meet here."""
        (across, down), (width, height) = self.grid, (self.width, self.height)
        x, y = box.x * width // across, box.y * height // down
        return kit.Box(
            x, y, (box.x + box.width) * width // across - x, (box.y + box.height) * height // down - y
        )

    def size(self, tenths: int) -> int:
        """Return a size of type, in tenths of a point, as micrometres of this card; larger in large print."""
        return self.least(tenths) * (LARGE if self.large else 100) // 100

    def least(self, tenths: int) -> int:
        """Return the size in micrometres to which this type may shrink before words are broken.

        It is the same in every style, and at least six points if the size on a usual card is.
        """
        usual = fonts.micrometres(tenths)
        return max(usual * self.type_scale // 1_000_000, min(usual, MIN_TYPE))

    def length(self, micrometres: int) -> int:
        """Return a distance of the face that belongs to its drawings: it grows and shrinks with the card."""
        return micrometres * self.scale // 1_000_000

    def spacing(self, micrometres: int) -> int:
        """Return a distance of the face that belongs to type or a pen: it shrinks no more than type does."""
        return micrometres * self.type_scale // 1_000_000

    # -- ink --------------------------------------------------------------------

    def ink(self, role: str) -> str:
        return self.deep if role == "band" else colours.ink(role, self.card, self.game)

    def readable(self, role: str, box: kit.Box) -> str:
        """Return the ink of a colour role if it can be read on the ground under the box, else one that can.

        In the light style fills are paper, so words in paper colour get the band's colour instead.
        """
        ground = self.ground(box)
        spared = self.light and role == "paper" and ground == colours.PAPER
        return colours.legible(self.deep if spared else self.ink(role), ground)

    def ground(self, box: kit.Box) -> str:
        """Return the colour under the middle of the box."""
        x, y = box.x + box.width // 2, box.y + box.height // 2
        for fill in reversed(self.fills):
            if fill.x <= x < fill.x + fill.width and fill.y <= y < fill.y + fill.height:
                return fill.colour
        return colours.PAPER

    # -- strokes ----------------------------------------------------------------

    def paint(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """Draw a filled rectangle.

        In the plain style only its edges inside the trim are drawn, in the light style an outline off the
        cut.
        """
        if self.plain:
            self._outline(x, y, x + width, y + height, colours.legible(colour, colours.PAPER, 3.0))
            return
        if self._outlined(colour):
            inside, half = self.length(INSIDE), self.length(EDGE_PEN) // 2
            left, top = max(x + half, inside), max(y + half, inside)
            right = min(x + width - half, self.width - inside)
            foot = min(y + height - half, self.height - inside)
            edge = rounded(left, top, right - left, foot - top, corner=0)
            self.strokes.append(Path(edge, colour, 2 * half))
            return
        rect = Rect(x, y, width, height, colour)
        self.fills.append(rect)
        self.strokes.append(rect)

    def flood(self, box: kit.Box, colour: str) -> None:
        """Draw a filled box of this card. Where it touches the trim it runs on into the bleed."""
        left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        if self.bleed:
            left = -self.bleed if left <= 0 else left
            top = -self.bleed if top <= 0 else top
            right += self.bleed if right >= self.width else 0
            bottom += self.bleed if bottom >= self.height else 0
        self.paint(left, top, right - left, bottom - top, colour)

    def edge_band(self, band: kit.Band, line: str) -> None:
        """Draw the band along the top or left edge. ``line`` is the shape of its inner edge (``straight``).

        The light and plain styles draw that inner edge only.
        """
        (across, down), on_top = self.grid, band.at == "top"
        depth = band.deep - (SWING if line != "straight" else 0)
        length = (across if on_top else down) - band.below
        # ``partition`` gives the edge as (place along it, swing away from it); here as (x, y) of the face.
        points = [
            (band.below + along, depth + out) if on_top else (depth + out, band.below + along)
            for along, out in partition(line, length, SWING, PERIOD)  # type: ignore[arg-type]
        ]
        edge = [(round(x) * self.width // across, round(y) * self.height // down) for x, y in points]
        if self.plain or self.light:
            pen = PEN if self.plain else self.length(EDGE_PEN)
            self.strokes.append(Path(polygon(edge)[:-1], colours.legible(self.deep, colours.PAPER, 3.0), pen))
            return
        # The band goes from its inner edge out to the end of the bleed.
        near, right, foot = -self.bleed, self.width + self.bleed, self.height + self.bleed
        if on_top:
            shape = [(near, near), (near, edge[0][1]), *edge, (right, edge[-1][1]), (right, near)]
        else:
            shape = [(near, near), (edge[0][0], near), *edge, (edge[-1][0], foot), (near, foot)]
        self.strokes.append(Path(polygon(shape), self.deep))
        width, height = (self.width, edge[0][1]) if on_top else (edge[0][0], self.height)
        self.fills.append(Rect(0, 0, width, height, self.deep))

    def shape(self, name: str, box: kit.Box, colour: str, filled: bool = True) -> kit.Box:
        """Draw a shape of ``SHAPES`` as large as fits the box, and return the square of its grid.

        The square is moved so that its middle is the middle of the shape's content. A shape that touches the
        trim runs on into the bleed; in the light and plain styles it keeps off the cut.
        """
        outline, side = SHAPES[name], min(box.width, box.height)
        at_the_trim = box.x == 0 and box.y == 0
        # The shape is centred in its box, but stays at an edge of the card.
        left, top = box.x, box.y
        if left > 0:
            left += (box.width - side) // 2
        if top > 0:
            top += (box.height - side) // 2
        if at_the_trim and (self.light or self.plain):
            left = top = self.length(INSIDE)
            side -= left
        steps = placed(outline.path, left, top, side)
        if self.light and colour == colours.PAPER:
            colour, filled = self.deep, False
        outlined = self.plain or not filled or self._outlined(colour)
        pen = (PEN if self.plain else self.length(RING_PEN)) if outlined else 0
        if pen:
            self.strokes.append(Path(steps, colours.legible(colour, colours.PAPER, 3.0), pen))
        else:
            if at_the_trim:
                # Move all points on the trim out to the end of the bleed.
                steps = tuple(
                    (letter, tuple(number if number > 0 else -self.bleed for number in numbers))
                    for letter, numbers in steps
                )
            self.strokes.append(Path(steps, colour))
            self.fills.append(Rect(left, top, side, side, colour))
        # How far the middle of the shape's content lies from the middle of its grid.
        x, y = (round((middle - GRID / 2) * side / GRID) for middle in (outline.x, outline.y))
        return kit.Box(left + x, top + y, side, side)

    def tile(self, box: kit.Box, solid: bool = False) -> None:
        """Draw the ground of a number: a tint, or the band's colour if ``solid``. Light and plain: an
        outline.
        """
        steps = rounded(box.x, box.y, box.width, box.height, self.length(_TILE_CORNER))
        colour = self.deep if solid else colours.tint(self.deep)
        if self.plain or self.light:
            pen = self.length(EDGE_PEN) if solid and not self.plain else PEN
            ink = self.deep if solid else colours.ROLES["line"]
            self.strokes.append(Path(steps, colours.legible(ink, colours.PAPER, 3.0), pen))
            return
        self.strokes.append(Path(steps, colour))
        self.fills.append(Rect(box.x, box.y, box.width, box.height, colour))

    def _outlined(self, colour: str) -> bool:
        """Return whether a fill becomes an outline, as all fills except paper do in the light style."""
        return self.light and colour != colours.PAPER

    def _outline(self, left: int, top: int, right: int, bottom: int, colour: str) -> None:
        """Draw the edges of a rectangle that lie inside the trim; none of a rectangle of paper."""
        if colour == colours.PAPER:
            return
        begin, end, upper, lower = max(left, 0), min(right, self.width), max(top, 0), min(bottom, self.height)
        self.strokes += [Line(begin, y, end, y, PEN, colour) for y in (top, bottom) if 0 < y < self.height]
        self.strokes += [Line(x, upper, x, lower, PEN, colour) for x in (left, right) if 0 < x < self.width]

    def rule(self, x1: int, x2: int, y: int, colour: str = colours.ROLES["line"]) -> None:
        """Draw a rule to write on; nothing if it has no length."""
        if x2 > x1:
            self.strokes.append(Line(x1, y, x2, y, PEN, colour))

    def write(
        self, text: str, font: kit.Font, size: int, x: int, y: int, colour: str, turned: bool = False
    ) -> int:
        """Set words from (x, y), rightwards or turned upwards, and return their length."""
        runs = text_runs(text, font, size, x, y, colour, turned)
        self.strokes += runs
        return sum(run.width for run in runs)

    def fit(
        self, text: str, box: kit.Box, font: kit.Font, size: int, least: int, lines: int = 1
    ) -> fonts.Fitted:
        return fonts.fit(text, box.width, box.height, size, least, lines, font)

    def block(
        self,
        fitted: fonts.Fitted,
        box: kit.Box,
        font: kit.Font,
        align: kit.Align,
        colour: str,
        turned: bool = False,
    ) -> None:
        """Set fitted lines in the middle of the box. Turned lines run upwards, the first one leftmost.

        The middle is taken from the capitals, so letters that hang below the line do not push the words up.
        """
        along, across = (box.height, box.width) if turned else (box.width, box.height)
        down = (across - fitted.depth(font)) // 2 + fonts.cap(font, fitted.size)
        for line in fitted.lines:
            spare = along - fonts.length(font, line, fitted.size)
            indent = 0 if align == "left" else spare // 2 if align == "centre" else spare
            if turned:
                self.write(
                    line, font, fitted.size, box.x + down, box.y + box.height - indent, colour, turned=True
                )
            else:
                self.write(line, font, fitted.size, box.x + indent, box.y + down, colour)
            down += fitted.pitch

    def paragraphs(self, fitted: fonts.Fitted, box: kit.Box, colour: str) -> None:
        """Set the lines of a text from the top left of the box.

        Words that begin with ``BOLD`` are bold and in the colour of the card's band; characters of ``SIGNS``
        are drawn as symbols.
        """
        y = box.y + fonts.cap("sans", fitted.size)
        bold_ink = colour if self.plain else colours.legible(self.deep, self.ground(box))
        for line in fitted.lines:
            x = box.x
            for part in _BOLD_WORDS.findall(line):
                # "\x02Once \x02played: draw" has the parts "\x02Once \x02played: " and "draw".
                is_bold = part.startswith(BOLD)
                font: kit.Font = "sans-bold" if is_bold else "sans"
                ink = bold_ink if is_bold else colour
                for piece in _SIGN.split(part.replace(BOLD, "")):
                    if _SIGN.match(piece):
                        self._sign(
                            piece, fitted.size, x, y - fonts.CUTS["sans"].cap * fitted.size // 2000, ink
                        )
                        x += SIGN_ROOM * fitted.size // 1000
                        continue
                    self.write(piece.rstrip(" "), font, fitted.size, x, y, ink)
                    x += fonts.length(font, piece, fitted.size)
            y += fitted.pitch

    def _sign(self, sign: str, size: int, x: int, middle: int, colour: str) -> None:
        """Draw a symbol within a line of text, centred on the height of its capitals."""
        side = SIGN_SIDE * size // 1000
        _, path = self.game.line_symbols[ord(sign) - _FIRST_SIGN]
        self.symbol(kit.Box(x, middle - side // 2, side, side), path, colour)

    def sign_before(self, word: str) -> str:
        """Return the character of the symbol that is drawn before this word of a text; empty for none."""
        return next(
            (
                chr(_FIRST_SIGN + index)
                for index, (name, _) in enumerate(self.game.line_symbols)
                if name == word
            ),
            "",
        )

    def symbol(self, box: kit.Box, path: str, colour: str) -> None:
        """Draw a symbol centred in the box, as large as fits. ``path`` is SVG path data on a grid of 24."""
        side = min(box.width, box.height)
        left, top = box.x + (box.width - side) // 2, box.y + (box.height - side) // 2
        self.strokes.append(Path(placed(path, left, top, side), colour, side * SIGN_PEN // GRID))

    def emblem(self, emblem: Emblem, box: kit.Box, framed: bool = True) -> bool:
        """Draw the card's emblem in a box of this card; return True if the card has one.

        The plain style leaves its place empty. A card with an absurdly large number, which a player may have
        written, has no emblem, because emblems have a part for each unit.
        """
        if any(isinstance(value, int) and value > MAX_NUMBER for value in self.card.facts.values()):
            return False
        window = Window(box.width, box.height, box.x, box.y, light=self.light)
        emblem.draw(self.card, window)
        if not window.shapes or self.plain:
            return bool(window.shapes)
        if framed:
            window.frame(FRAME_PEN, "ink")
        inks = {
            "deep": self.deep,
            "tint": colours.tint(self.deep),
            "ink": colours.INK,
            "paper": colours.PAPER,
        }
        self.strokes += [Path(steps, inks[ink], pen) for steps, ink, pen in window.shapes]
        return True
