"""A card being drawn: its scale, its strokes so far, the setting of words in a box, and our own symbols."""

import re

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from cardsdb.games.kit.print.shapes import GRID, SHAPES, SIGN_PEN, Emblem, Window, partition, placed
from cardsdb.games.kit.print.shapes import PEN as FRAME_PEN
from printing.faces import colours, fonts
from printing.faces.strokes import Line, Path, Rect, Stroke, polygon, rounded, text_runs

# The thickness of rules to write on: 0.15 mm, which every printer shows and no pen minds.
PEN = 150
# The swing of the inner edge of a band, and about its period, in micrometres.
SWING, PERIOD = 1_100, 5_000
# The distance of outlines in light ink from the cut.
INSIDE = 2_000
# No number of a card is larger; the largest of all catalogues is 84.
MAX_NUMBER = 100
# The pen that outlines a dark fill in light ink, and a shape on paper in any ink.
EDGE_PEN, RING_PEN = 600, 450
# The size of type in large print, in per cent of the normal one; six points, less than which nothing is that
# can be helped.
LARGE, MIN_TYPE = 125, fonts.micrometres(60)
# The mark before each word of a text that is set in bold. No text holds it: it is no character that can be
# seen.
BOLD = "\x02"
_BOLD_WORDS = re.compile(rf"(?:{BOLD}[^{BOLD}\s]* ?)+|[^{BOLD}]+")
# The marks before words of a text that are drawn as the game's symbols, each by its place among them. No text
# holds one.
SIGNS = "\ue000-\ue01f"
_FIRST_SIGN = 0xE000
_SIGN = re.compile(f"([{SIGNS}])")
# The side of such a symbol, and the room that it takes, in thousandths of the type size.
SIGN_SIDE, SIGN_ROOM = 950, 1_080
# A card is small below this scale, in millionths of the family's size.
TIGHT = 850_000


class Canvas:
    """A card being drawn. Width, height and bleed are micrometres of this card; the grid of the face is
    stretched to it.

    ``plain``: fills become outlines. ``light``: fills become outlines in their own colour, and none stands
    along the cut. ``large``: type begins larger, and shrinks to the same least size as in any print.
    ``ruled``: rules to write on stand in place of emblems. ``small``: the card is shown in a size in which no
    sentence can be read.
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
        # The colour of the card's bands, shapes and emblem.
        self.deep = colours.ink(game.face_named(card.type).band, card, game)
        # An own picture and the box of the face where it stands.
        self.art = art
        self.art_window: kit.Box | None = None
        self.width, self.height = width, height = size
        self.grid = (kit.HEIGHT, kit.WIDTH) if landscape else (kit.WIDTH, kit.HEIGHT)
        # Type grows and shrinks with the tighter side, so that words stay in their boxes.
        self.scale = min(width * 1_000_000 // self.grid[0], height * 1_000_000 // self.grid[1])
        # Letters must stay readable on a small card: there type shrinks a quarter as much as the card does.
        self.type_scale = self.scale if self.scale > 1_000_000 else (3_000_000 + self.scale) // 4
        self.strokes: list[Stroke] = []
        self.fills: list[Rect] = []
        # The size in which the card's own text is set: it shrinks until all of it fits.
        self.text_size = 0

    def box(self, box: kit.Box) -> kit.Box:
        """The face's box in micrometres of this card; edges that meet on the face meet here."""
        (across, down), (width, height) = self.grid, (self.width, self.height)
        x, y = box.x * width // across, box.y * height // down
        return kit.Box(
            x, y, (box.x + box.width) * width // across - x, (box.y + box.height) * height // down - y
        )

    def size(self, tenths: int) -> int:
        """A type size in micrometres of this card, from tenths of a point of the face; larger in
        large print.
        """
        return self.least(tenths) * (LARGE if self.large else 100) // 100

    def least(self, tenths: int) -> int:
        """The size in micrometres to which that type may shrink before words are broken. It is the same in
        every print, and readable wherever the size on a usual card is.
        """
        usual = fonts.micrometres(tenths)
        return max(usual * self.type_scale // 1_000_000, min(usual, MIN_TYPE))

    def length(self, micrometres: int) -> int:
        """A distance of the face that belongs to its drawings: it grows and shrinks with the card."""
        return micrometres * self.scale // 1_000_000

    def spacing(self, micrometres: int) -> int:
        """A distance of the face that belongs to its type or to a pen: it shrinks no more than the
        type does.
        """
        return micrometres * self.type_scale // 1_000_000

    # -- ink --------------------------------------------------------------------

    def ink(self, role: str) -> str:
        return self.deep if role == "band" else colours.ink(role, self.card, self.game)

    def readable(self, role: str, box: kit.Box) -> str:
        """The ink of a role, or an ink that can be read on the fill under the box's middle. Where light ink
        leaves paper, the band's colour stands for paper.
        """
        ground = self.ground(box)
        spared = self.light and role == "paper" and ground == colours.PAPER
        return colours.legible(self.deep if spared else self.ink(role), ground)

    def ground(self, box: kit.Box) -> str:
        """The colour under the box's middle."""
        x, y = box.x + box.width // 2, box.y + box.height // 2
        for fill in reversed(self.fills):
            if fill.x <= x < fill.x + fill.width and fill.y <= y < fill.y + fill.height:
                return fill.colour
        return colours.PAPER

    # -- strokes ----------------------------------------------------------------

    def paint(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """A filled rectangle; in plain print only its edges inside the trim, so that words in it stand on
        paper.
        """
        if self.plain:
            self._outline(x, y, x + width, y + height, colours.legible(colour, colours.PAPER, 3.0))
            return
        if self._outlined(colour):
            inside, half = self.length(INSIDE), self.length(EDGE_PEN) // 2
            left, top = max(x + half, inside), max(y + half, inside)
            right, foot = (
                min(x + width - half, self.width - inside),
                min(y + height - half, self.height - inside),
            )
            self.strokes.append(
                Path(polygon(((left, top), (right, top), (right, foot), (left, foot))), colour, 2 * half)
            )
            return
        rect = Rect(x, y, width, height, colour)
        self.fills.append(rect)
        self.strokes.append(rect)

    def flood(self, box: kit.Box, colour: str) -> None:
        """A filled box of this card; where it touches the trim it runs on into the bleed."""
        left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        if self.bleed:
            left, top = (-self.bleed if left <= 0 else left), (-self.bleed if top <= 0 else top)
            right, bottom = (
                right + (self.bleed if right >= self.width else 0),
                bottom + (self.bleed if bottom >= self.height else 0),
            )
        self.paint(left, top, right - left, bottom - top, colour)

    def edge_band(self, band: kit.Band, line: str) -> None:
        """The band along an edge, its inner edge a line of partition; in light ink and in plain print that
        line alone.
        """
        (across, down), on_top, deep = (
            self.grid,
            band.at == "top",
            band.deep - (SWING if line != "straight" else 0),
        )
        length, (start, depth) = across if on_top else down, (band.below, deep)
        points = [
            (along, depth + out) if on_top else (depth + out, along)
            for along, out in ((start + x, y) for x, y in partition(line, length - start, SWING, PERIOD))  # type: ignore[arg-type]
        ]
        edge = [(round(x) * self.width // across, round(y) * self.height // down) for x, y in points]
        if self.plain or self.light:
            pen = PEN if self.plain else self.length(EDGE_PEN)
            self.strokes.append(Path(polygon(edge)[:-1], colours.legible(self.deep, colours.PAPER, 3.0), pen))
            return
        near, (right, foot) = -self.bleed, (self.width + self.bleed, self.height + self.bleed)
        if on_top:
            shape = [(near, near), (near, edge[0][1]), *edge, (right, edge[-1][1]), (right, near)]
        else:
            shape = [(near, near), (edge[0][0], near), *edge, (edge[-1][0], foot), (near, foot)]
        self.strokes.append(Path(polygon(shape), self.deep))
        self.fills.append(
            Rect(0, 0, *((self.width, edge[0][1]) if on_top else (edge[0][0], self.height)), self.deep)
        )

    def shape(self, name: str, box: kit.Box, colour: str, filled: bool = True) -> kit.Box:
        """Draw a shape of ``SHAPES`` as large as fits the box, filled or as an outline on paper. Returns the
        square of its grid, moved so that its middle is the middle of the shape's content.

        A shape that touches the trim runs on into the bleed; in light ink it keeps off the cut.
        """
        holder, side = SHAPES[name], min(box.width, box.height)
        at_the_trim = box.x == 0 and box.y == 0
        left, top = (
            box.x + (box.width - side) // 2 * (box.x > 0),
            box.y + (box.height - side) // 2 * (box.y > 0),
        )
        if at_the_trim and (self.light or self.plain):
            left = top = self.length(INSIDE)
            side -= left
        steps = placed(holder.path, left, top, side)
        if self.light and colour == colours.PAPER:
            colour, filled = self.deep, False
        outlined = self.plain or not filled or self._outlined(colour)
        pen = (PEN if self.plain else self.length(RING_PEN)) if outlined else 0
        if pen:
            self.strokes.append(Path(steps, colours.legible(colour, colours.PAPER, 3.0), pen))
        else:
            if at_the_trim:
                steps = tuple(
                    (letter, tuple(number if number > 0 else -self.bleed for number in numbers))
                    for letter, numbers in steps
                )
            self.strokes.append(Path(steps, colour))
            self.fills.append(Rect(left, top, side, side, colour))
        x, y = (round((at - GRID / 2) * side / GRID) for at in (holder.x, holder.y))
        return kit.Box(left + x, top + y, side, side)

    def tile(self, box: kit.Box, solid: bool = False) -> None:
        """Draw the ground of a number: a tint, or the band's colour; in light ink and in plain print an
        outline.
        """
        steps = rounded(box.x, box.y, box.width, box.height, self.length(900))
        colour = self.deep if solid else colours.tint(self.deep)
        if self.plain or self.light:
            pen = self.length(EDGE_PEN) if solid and not self.plain else PEN
            ink = self.deep if solid else colours.ROLES["line"]
            self.strokes.append(Path(steps, colours.legible(ink, colours.PAPER, 3.0), pen))
            return
        self.strokes.append(Path(steps, colour))
        self.fills.append(Rect(box.x, box.y, box.width, box.height, colour))

    def _outlined(self, colour: str) -> bool:
        """True if a fill becomes an outline in light ink, as all fills except paper do."""
        return self.light and colour != colours.PAPER

    def _outline(self, left: int, top: int, right: int, bottom: int, colour: str) -> None:
        if colour == colours.PAPER:
            return
        begin, end, upper, lower = max(left, 0), min(right, self.width), max(top, 0), min(bottom, self.height)
        self.strokes += [Line(begin, y, end, y, PEN, colour) for y in (top, bottom) if 0 < y < self.height]
        self.strokes += [Line(x, upper, x, lower, PEN, colour) for x in (left, right) if 0 < x < self.width]

    def rule(self, x1: int, x2: int, y: int, colour: str = colours.ROLES["line"]) -> None:
        """Draw a rule to write on; one without length is left out."""
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
        """Set fitted lines in the middle of the box. Turned lines run up it, the first leftmost.

        The middle is that of the capitals: letters that hang below the line do not push it up.
        """
        cap = fonts.CUTS[font].cap * fitted.size // 1000
        deep = (len(fitted.lines) - 1) * fitted.pitch + cap
        along, across = (box.height, box.width) if turned else (box.width, box.height)
        down = (across - deep) // 2 + cap
        for line in fitted.lines:
            spare = along - fonts.width(font, line) * fitted.size // 1000
            indent = 0 if align == "left" else spare // 2 if align == "centre" else spare
            if turned:
                self.write(
                    line, font, fitted.size, box.x + down, box.y + box.height - indent, colour, turned=True
                )
            else:
                self.write(line, font, fitted.size, box.x + indent, box.y + down, colour)
            down += fitted.pitch

    def paragraphs(self, fitted: fonts.Fitted, box: kit.Box, colour: str) -> None:
        """Set the lines of a text from the box's top left; words that begin with ``BOLD`` are bold, in the
        colour of the card's band, and an empty line is half as high as another.
        """
        y = box.y + fonts.CUTS["sans"].cap * fitted.size // 1000
        headed = colour if self.plain else colours.legible(self.deep, self.ground(box))
        for line in fitted.lines:
            x = box.x
            for part in _BOLD_WORDS.findall(line):
                is_bold = part.startswith(BOLD)
                font: kit.Font = "sans-bold" if is_bold else "sans"
                ink = headed if is_bold else colour
                for piece in _SIGN.split(part.replace(BOLD, "")):
                    if _SIGN.match(piece):
                        self._sign(
                            piece, fitted.size, x, y - fonts.CUTS["sans"].cap * fitted.size // 2000, ink
                        )
                        x += SIGN_ROOM * fitted.size // 1000
                        continue
                    self.write(piece.rstrip(" "), font, fitted.size, x, y, ink)
                    x += fonts.width(font, piece) * fitted.size // 1000
            y += fitted.pitch

    def _sign(self, sign: str, size: int, x: int, middle: int, colour: str) -> None:
        """A symbol among the words of a text, as high above as below the middle of their capitals."""
        side = SIGN_SIDE * size // 1000
        _, path = self.game.line_symbols[ord(sign) - _FIRST_SIGN]
        self.symbol(kit.Box(x, middle - side // 2, side, side), path, colour)

    def sign_before(self, word: str) -> str:
        """The mark of the symbol that is drawn before this word of a text; empty for nearly all."""
        return next(
            (
                chr(_FIRST_SIGN + index)
                for index, (name, _) in enumerate(self.game.line_symbols)
                if name == word
            ),
            "",
        )

    def symbol(self, box: kit.Box, path: str, colour: str) -> None:
        """A symbol in the middle of the box, as large as fits. ``path`` is SVG path data on a grid of 24."""
        side = min(box.width, box.height)
        left, top = box.x + (box.width - side) // 2, box.y + (box.height - side) // 2
        self.strokes.append(Path(placed(path, left, top, side), colour, side * SIGN_PEN // GRID))

    def emblem(self, emblem: Emblem, box: kit.Box, framed: bool = True) -> bool:
        """Draw the card's emblem in a box of this card. Returns True if there was anything to draw.

        In plain print its place stays empty. A card with a number beyond all sense, which a player may write
        in, has no emblem, because it would have as many parts.
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
