"""A tuck box for a deck, as a net on one page: cut round it, fold along the dashes, glue the hatched tabs.

From left to right stand the tab, the back, a side, the front and the other side; the lid hangs on the back.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, some
from cardsdb.games.kit.print.face import Box, back_for
from printing.extras.charts import INK, SOFT, write_line
from printing.faces import colours, fonts, wording
from printing.faces.backs import back_of_game
from printing.faces.canvas import Canvas
from printing.faces.strokes import ROUND, Drawing, Line, Path, moved, text_runs
from printing.layout.geometry import Segment
from printing.layout.marks import dashed
from printing.options.sizes import MM, millimetres, shown

# The room round cards: without sleeves, and of sleeves, which are so much wider and higher than a card.
PLAY, SLEEVE_WIDTH, SLEEVE_HEIGHT = 1_500, 4 * MM, 5 * MM
# The thickness that a sleeve adds to a card.
SLEEVE = 120
# The least depth of a box, its glued tab, the tongue of its lid, how much narrower flaps end than they begin,
# and the radius of the notch for a thumb.
MIN_DEPTH, TAB, TONGUE, TAPER, NOTCH = 10 * MM, 11 * MM, 15 * MM, 2 * MM, 9 * MM
# The distance of the net from the paper's edge.
EDGE = 5 * MM
CUT, FOLD, HATCH = 350, 200, 4 * MM


class TuckBox(NamedTuple):
    """A box for a deck: its name, its format, its number of cards, their upright size, the thickness of one
    card and whether the cards are sleeved.
    """

    name: str
    format: str
    cards: int
    trim: tuple[int, int]
    thickness: int
    sleeved: bool

    @property
    def inside(self) -> tuple[int, int, int]:
        """Width, height and depth of the room for the cards."""
        wider, higher = (SLEEVE_WIDTH, SLEEVE_HEIGHT) if self.sleeved else (PLAY, PLAY)
        each = self.thickness + (SLEEVE if self.sleeved else 0)
        return min(self.trim) + wider, max(self.trim) + higher, max(MIN_DEPTH, self.cards * each + MM)

    @property
    def net(self) -> tuple[int, int]:
        """Width and height of the net."""
        width, height, depth = self.inside
        return TAB + 2 * width + 2 * depth, TONGUE + depth + height + depth

    @property
    def needs(self) -> str:
        """The paper that the net needs, in words."""
        return millimetres((self.net[0] + 2 * EDGE, self.net[1] + 2 * EDGE))


def box_page(game: Game, box: TuckBox, paper: tuple[int, int], *, light: bool) -> Drawing | None:
    """The page with the net, along or across the paper as it lies; None if the paper has no room for it."""
    for turned in (False, True):
        size = paper[::-1] if turned else paper
        if box.net[0] + 2 * EDGE <= size[0] and box.net[1] + 2 * EDGE <= size[1]:
            strokes = _Net(game, box, size, light).strokes
            return Drawing(f"Tuck box: {box.name}", *size, tuple(strokes), turned)
    return None


class _Net:
    """The strokes of a net in the middle of a page."""

    def __init__(self, game: Game, box: TuckBox, page: tuple[int, int], light: bool) -> None:
        self.game, self.box, self.light = game, box, light
        self.width, self.height, self.depth = box.inside
        left, top = (page[0] - box.net[0]) // 2, (page[1] - box.net[1]) // 2
        self.xs = [left, left + TAB]
        for long in (self.width, self.depth, self.width, self.depth):
            self.xs.append(self.xs[-1] + long)
        self.top = top + TONGUE + self.depth
        self.foot = self.top + self.height
        blank = Card(game.slug, "", "", "")
        self.canvas = Canvas(blank, game, landscape=False, size=(self.width, self.height), bleed=0)
        self._panels()
        self.strokes = [
            *self.canvas.strokes,
            *self._tabs(),
            *self._folds(),
            Path(tuple(self._outline()), INK, CUT),
        ]

    def _panels(self) -> None:
        canvas, game, box = self.canvas, self.game, self.box
        _, back, side, front, other, _ = self.xs
        drawn = back_of_game(game, (self.width, self.height), light=self.light)
        canvas.strokes += moved(drawn.strokes, back, self.top)
        hue, inset = colours.legible(game.hue[0], colours.PAPER), 5 * MM
        along, size = self.width - 2 * inset, self.width // 7
        name = fonts.with_stand_ins(box.name)
        cut = fonts.fit(name, along, 3 * size, size, size // 2, 3, "serif-bold")
        y = self.top + 24 * MM
        for line in cut.lines:
            write_line(canvas, line, "serif-bold", cut.size, front + inset, y, hue)
            y += cut.pitch
        played = " · ".join(filter(None, (game.name, box.format)))
        for words, font, tenths in ((played, "sans-bold", 90), (some(box.cards, "card"), "sans", 90)):
            write_line(canvas, words, font, fonts.micrometres(tenths), front + inset, y, INK, along)  # type: ignore[arg-type]
            y += 5 * MM
        room = Box(front + inset, y, along, self.foot - y - 14 * MM)
        canvas.symbol(room, back_for(game.backs, "").emblem, hue)
        credit = wording.game_credit(game) or f"{game.name} · {wording.PROXY}"
        write_line(
            canvas, credit, "sans", fonts.micrometres(60), front + inset, self.foot - 5 * MM, SOFT, along
        )
        size = min(fonts.micrometres(180), self.depth // 2)
        long = fonts.width("serif-bold", name) * size // 1000
        fitted = size * min(1000, (self.height - 2 * inset) * 1000 // max(1, long)) // 1000
        for left in (side, other):
            x = left + (self.depth + fitted * 2 // 3) // 2
            canvas.strokes += text_runs(name, "serif-bold", fitted, x, self.foot - inset, hue, turned=True)

    def _tabs(self) -> list[Line]:
        """Hatching on the parts that are glued: the tab, and the flap under the front."""
        left, right = self.xs[0], self.xs[1]
        lines = [
            Line(left + MM, y, right - MM, y - TAB // 2, FOLD, SOFT)
            for y in range(self.top + 3 * HATCH, self.foot - HATCH, HATCH)
        ]
        front, end = self.xs[3], self.xs[4]
        return lines + [
            Line(x, self.foot + self.depth * 3 // 4, x + MM * 3, self.foot + self.depth // 4, FOLD, SOFT)
            for x in range(front + HATCH, end - 2 * HATCH, HATCH)
        ]

    def _folds(self) -> list[Line]:
        _, x1, x2, x3, x4, x5 = self.xs
        lid = self.top - self.depth
        lines = [Segment(x, self.top, x, self.foot) for x in (x1, x2, x3, x4)]
        lines += [Segment(x1, self.foot, x5, self.foot), Segment(x1, lid, x2, lid)]
        lines += [Segment(x1, self.top, x3, self.top), Segment(x4, self.top, x5, self.top)]
        return [Line(*one, FOLD, INK) for one in dashed(lines, 2 * MM, 4 * MM)]

    def _outline(self) -> list[tuple[str, tuple[int, ...]]]:
        """The closed outline that is cut, from the lower end of the tab."""
        x0, x1, x2, x3, x4, x5 = self.xs
        top, foot, lid = self.top, self.foot, self.top - self.depth
        dust, thumb = min(self.depth, self.width * 9 // 20), (x3 + x4) // 2
        k = NOTCH * ROUND // 1000
        corners: list[tuple[str, tuple[int, ...]]] = [("M", (x1, foot))]

        def to(*points: tuple[int, int]) -> None:
            corners.extend(("L", point) for point in points)

        to((x0, foot - 2 * TAPER), (x0, top + 2 * TAPER), (x1, top), (x1, lid))
        corners.append(("C", (x1, lid - TONGUE // 2, x1 + TAPER, lid - TONGUE, x1 + 5 * TAPER, lid - TONGUE)))
        to((x2 - 5 * TAPER, lid - TONGUE))
        corners.append(("C", (x2 - TAPER, lid - TONGUE, x2, lid - TONGUE // 2, x2, lid)))
        to((x2, top), (x2 + TAPER, top - dust), (x3 - 2 * TAPER, top - dust), (x3, top), (thumb - NOTCH, top))
        corners.append(("C", (thumb - NOTCH, top + k, thumb - k, top + NOTCH, thumb, top + NOTCH)))
        corners.append(("C", (thumb + k, top + NOTCH, thumb + NOTCH, top + k, thumb + NOTCH, top)))
        to((x4, top), (x4 + 2 * TAPER, top - dust), (x5 - TAPER, top - dust), (x5, top), (x5, foot))
        to((x5 - TAPER, foot + dust), (x4 + 2 * TAPER, foot + dust), (x4, foot))
        to((x4 - TAPER, foot + self.depth - MM), (x3 + TAPER, foot + self.depth - MM), (x3, foot))
        to((x3 - 2 * TAPER, foot + dust), (x2 + TAPER, foot + dust), (x2, foot))
        to((x2 - TAPER, foot + self.depth), (x1 + TAPER, foot + self.depth))
        corners.append(("Z", ()))
        return corners


def about_boxes(boxes: Sequence[tuple[Game, TuckBox]], drawn: Sequence[Drawing | None]) -> Iterator[str]:
    """A sentence for each box: its content and how to make it, or the paper that it needs."""
    for (_, box), page in zip(boxes, drawn, strict=True):
        sleeved = " in sleeves" if box.sleeved else ""
        holds = f"The tuck box holds {some(box.cards, 'card')}{sleeved}, {shown(box.thickness)} mm each"
        if page:
            yield f"{holds}: cut round it, fold along the dashes, glue the hatched tabs."
        else:
            yield f"{holds}, and needs paper of {box.needs}: choose larger paper or thinner cards."
