"""A card being drawn: its scale, what is painted already, how words are set in a box, and our own drawings."""

from __future__ import annotations

import re
from functools import lru_cache, partial

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from printing.faces import colours, fonts, linebreak
from printing.faces.strokes import Line, Path, Rect, Stroke, TextRun

# Rules to write on are 0.15 mm, which every printer shows and no pen minds.
PEN = 150
# Large print begins with type so much larger, in per cent.
LARGE = 125
# A card less than so many millionths as large as the family's is a small one.
TIGHT = 850_000

_STEPS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Z": 0}

# Every symbol is drawn on a grid of 24 with one pen, 2 wide.
GRID, SYMBOL_PEN = 24, 2

Steps = tuple[tuple[str, tuple[int, ...]], ...]


class Canvas:
    """Width, height and bleed are micrometres of this card; faces speak of a grid that is stretched to it.

    ``plain``: what would be filled is outlined. ``large``: type begins larger and shrinks no further than ever.
    """

    def __init__(
        self, card: Card, game: Game, landscape: bool, size: tuple[int, int], bleed: int, plain: bool = False, large: bool = False
    ) -> None:
        self.card, self.game, self.bleed, self.plain, self.large = card, game, bleed, plain, large
        self.width, self.height = width, height = size
        self.grid = (kit.HEIGHT, kit.WIDTH) if landscape else (kit.WIDTH, kit.HEIGHT)
        # Type grows and shrinks with the tighter side, so that words keep to their boxes.
        self.scale = min(width * 1_000_000 // self.grid[0], height * 1_000_000 // self.grid[1])
        # An eye needs the same letters on a small card: there type shrinks a quarter as much as the card does.
        self.type_scale = self.scale if self.scale > 1_000_000 else (3_000_000 + self.scale) // 4
        self.strokes: list[Stroke] = []
        self.fills: list[Rect] = []
        # How large the card's own text came out: it shrinks until all of it fits.
        self.text_size = 0

    def box(self, box: kit.Box) -> kit.Box:
        """The face's box in micrometres of this card; edges that meet on the face meet here."""
        (across, down), (width, height) = self.grid, (self.width, self.height)
        x, y = box.x * width // across, box.y * height // down
        return kit.Box(x, y, (box.x + box.width) * width // across - x, (box.y + box.height) * height // down - y)

    def size(self, tenths: int) -> int:
        """A type size of the face, in tenths of a point, in micrometres of this card: larger in large print."""
        return self.least(tenths) * (LARGE if self.large else 100) // 100

    def least(self, tenths: int) -> int:
        """How small that type may become before words are broken: the same in every print."""
        return fonts.micrometres(tenths) * self.type_scale // 1_000_000

    @property
    def tight(self) -> bool:
        """Whether there is so much less room for words that what says least gives way: on small cards and in large print."""
        return self.large or self.scale < TIGHT

    def length(self, micrometres: int) -> int:
        """A distance of the face that belongs to its drawings: grows and shrinks as the card does."""
        return micrometres * self.scale // 1_000_000

    def spacing(self, micrometres: int) -> int:
        """A distance of the face that belongs to its type, or to a pen: shrinks no more than the type does."""
        return micrometres * self.type_scale // 1_000_000

    # -- ink --------------------------------------------------------------------

    def ink(self, role: str) -> str:
        return colours.ink(role, self.card, self.game)

    def readable(self, role: str, box: kit.Box) -> str:
        """The ink of a role, or one that can be read on the fill under the box's middle."""
        return colours.legible(self.ink(role), self.ground(box))

    def ground(self, box: kit.Box) -> str:
        """The colour under the box's middle."""
        x, y = box.x + box.width // 2, box.y + box.height // 2
        for fill in reversed(self.fills):
            if fill.x <= x < fill.x + fill.width and fill.y <= y < fill.y + fill.height:
                return fill.colour
        return colours.PAPER

    # -- strokes ----------------------------------------------------------------

    def paint(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        """A filled rectangle; in plain print its edges inside the trim, and what stands in it stands on paper."""
        if self.plain:
            self._outline(x, y, x + width, y + height, colours.legible(colour, colours.PAPER, 3.0))
            return
        rect = Rect(x, y, width, height, colour)
        self.fills.append(rect)
        self.strokes.append(rect)

    def flood(self, box: kit.Box, colour: str) -> None:
        """A filled box of this card; where it touches the trim it runs on into the bleed."""
        left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        if self.bleed:
            left, top = (-self.bleed if left <= 0 else left), (-self.bleed if top <= 0 else top)
            right, bottom = right + (self.bleed if right >= self.width else 0), bottom + (self.bleed if bottom >= self.height else 0)
        self.paint(left, top, right - left, bottom - top, colour)

    def _outline(self, left: int, top: int, right: int, bottom: int, colour: str) -> None:
        if colour == colours.PAPER:
            return
        begin, end, upper, lower = max(left, 0), min(right, self.width), max(top, 0), min(bottom, self.height)
        self.strokes += [Line(begin, y, end, y, PEN, colour) for y in (top, bottom) if 0 < y < self.height]
        self.strokes += [Line(x, upper, x, lower, PEN, colour) for x in (left, right) if 0 < x < self.width]

    def rule(self, x1: int, x2: int, y: int, colour: str = colours.ROLES["line"]) -> None:
        """A rule to write on; a rule without length is none."""
        if x2 > x1:
            self.strokes.append(Line(x1, y, x2, y, PEN, colour))

    def write(self, text: str, font: kit.Font, size: int, x: int, y: int, colour: str, turned: bool = False) -> int:
        """Set words from (x, y), rightwards or turned upwards, and return how far they reach."""
        reach = 0
        for run_font, run in fonts.split(font, text):
            length = fonts.width(run_font, run) * size // 1000
            across, up = (0, reach) if turned else (reach, 0)
            self.strokes.append(TextRun(x + across, y - up, run, run_font, size, length, colour, turned))
            reach += length
        return reach

    def fit(self, text: str, box: kit.Box, font: kit.Font, size: int, least: int, lines: int = 1) -> linebreak.Fitted:
        return linebreak.fit(text, box.width, box.height, size, least, lines, partial(fonts.width, font))

    def block(self, fitted: linebreak.Fitted, box: kit.Box, font: kit.Font, align: kit.Align, colour: str, turned: bool = False) -> None:
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
                self.write(line, font, fitted.size, box.x + down, box.y + box.height - indent, colour, turned=True)
            else:
                self.write(line, font, fitted.size, box.x + indent, box.y + down, colour)
            down += fitted.pitch

    def symbol(self, box: kit.Box, path: str, colour: str, stroke: bool = True) -> None:
        """One of our own drawings, as large as the box lets it be, in its middle. ``path`` is SVG path data on a grid of 24."""
        side = min(box.width, box.height)
        left, top = box.x + (box.width - side) // 2, box.y + (box.height - side) // 2
        self.strokes.append(Path(placed(path, left, top, side), colour, side * SYMBOL_PEN // GRID if stroke else 0))


def placed(path: str, left: int, top: int, side: int) -> Steps:
    """The drawing's steps with its grid laid on a square."""
    return tuple(
        (letter, tuple((left if index % 2 == 0 else top) + number * side // (GRID * 1000) for index, number in enumerate(numbers)))
        for letter, numbers in read_path(path)
    )


@lru_cache(maxsize=500)
def read_path(path: str) -> Steps:
    """SVG path data as steps M, L, C and Z, in thousandths of the grid. Raises ValueError for any other letter."""
    steps: list[tuple[str, tuple[int, ...]]] = []
    x = y = 0
    for letter, numbers in _commands(path):
        if letter == "H":
            letter, numbers = "L", (*numbers, y)
        elif letter == "V":
            letter, numbers = "L", (x, *numbers)
        if numbers:
            x, y = numbers[-2:]
        steps.append((letter, numbers))
    return tuple(steps)


def _commands(path: str) -> list[tuple[str, tuple[int, ...]]]:
    commands: list[tuple[str, tuple[int, ...]]] = []
    for part in re.findall(r"[A-Za-z][^A-Za-z]*", path):
        letter, numbers = part[0], tuple(round(float(n) * 1000) for n in re.findall(r"-?[0-9]*\.?[0-9]+", part[1:]))
        if letter not in _STEPS:
            raise ValueError(f"a symbol's path has the step {letter!r}; only {', '.join(_STEPS)} are drawn")
        each = _STEPS[letter]
        if not each:
            commands.append((letter, ()))
            continue
        if not numbers or len(numbers) % each:
            raise ValueError(f"a symbol's path has {len(numbers)} numbers after {letter}, which takes {each}")
        commands += [(letter, numbers[start : start + each]) for start in range(0, len(numbers), each)]
    return commands
