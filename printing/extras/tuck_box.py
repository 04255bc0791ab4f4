"""A tuck box for a deck, as a net on one page: cut around it, fold along the dashes, glue the hatched tabs.

The net, with the ``xs``, ``top`` and ``foot`` of `_Net` (lengths are micrometres, y grows downwards)::

              .--------.                                tongue
              |  lid   | .----.              .----.     lid and dust flaps
    .---------+--------+-+----+----.   .-----+----+     top, with a notch for a thumb in the front
    |   tab   |  back  | side |    front     | side |
    '---------+--------+------+--------------+------'   foot
    x0        x1       x2     x3             x4     x5
               '------' '----' '------------' '----'    flaps of back and front, dust flaps of the sides

The scale bars stand beside the tongue, above the dust flaps.

`printing.request.assembly` adds the page to a print. `box_page` returns None if the paper is too small, and
`about_boxes` then says which paper is needed. Tests: ``tests/printing/extras/test_tuck_box.py``.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, some
from cardsdb.games.kit.print.face import Box, Font, back_for
from printing.extras.blank import INK, SOFT, write_line
from printing.faces import colours, fonts, wording
from printing.faces.backs import back_of_game
from printing.faces.canvas import Canvas
from printing.faces.strokes import ROUND, Drawing, Line, Path, moved, text_runs
from printing.layout.bands import PRINTED, level_bars
from printing.layout.geometry import Segment
from printing.layout.margins import HINT, bar_strokes
from printing.layout.marks import dashed
from printing.options.sizes import MM, millimetres, shown

# How much wider and higher than a card the box is without sleeves.
PLAY = 1_500
# How much wider, and how much higher, it is with sleeves.
SLEEVE_WIDTH = 4 * MM
SLEEVE_HEIGHT = 5 * MM
# The thickness that a sleeve adds to a card.
SLEEVE = 120
MIN_DEPTH = 10 * MM
# The width of the glued tab, and the length of the lid's tongue.
TAB = 11 * MM
TONGUE = 15 * MM
# How much narrower a flap is at its end on each side.
TAPER = 2 * MM
# The radius of the notch for a thumb.
NOTCH = 9 * MM
# The distance of the net from the edge of the paper.
EDGE = 5 * MM
# The distance of the scale bars from the tongue, and how far below its top their hint is written.
BESIDE = 3 * MM
HINT_DOWN = 12 * MM
# The pens of the outline and of folds, and the distance of hatching.
CUT = 350
FOLD = 200
HATCH = 4 * MM


class TuckBox(NamedTuple):
    """A box for a deck.

    ``trim`` is the (width, height) of its cards, ``thickness`` that of one card, in micrometres.
    """

    name: str
    format: str
    cards: int
    trim: tuple[int, int]
    thickness: int
    sleeved: bool

    @property
    def inside(self) -> tuple[int, int, int]:
        """The (width, height, depth) of the room for the cards."""
        wider, higher = (SLEEVE_WIDTH, SLEEVE_HEIGHT) if self.sleeved else (PLAY, PLAY)
        each = self.thickness + (SLEEVE if self.sleeved else 0)
        return min(self.trim) + wider, max(self.trim) + higher, max(MIN_DEPTH, self.cards * each + MM)

    @property
    def net(self) -> tuple[int, int]:
        """The (width, height) of the net."""
        width, height, depth = self.inside
        return TAB + 2 * width + 2 * depth, TONGUE + depth + height + depth

    @property
    def needs(self) -> str:
        """The paper that the net needs, in words."""
        return millimetres((self.net[0] + 2 * EDGE, self.net[1] + 2 * EDGE))


def box_page(game: Game, box: TuckBox, paper: tuple[int, int], *, light: bool) -> Drawing | None:
    """Return the page with the net, along or across the paper; None if the paper is too small."""
    for turned in (False, True):
        size = paper[::-1] if turned else paper
        if box.net[0] + 2 * EDGE <= size[0] and box.net[1] + 2 * EDGE <= size[1]:
            strokes = _Net(game, box, size, light).strokes
            return Drawing(f"Tuck box: {box.name}", *size, tuple(strokes), turned)
    return None


class _Net:
    """The strokes of a net in the middle of a page.

    ``xs`` are the x at which the tab, the back, a side, the front and the other side begin, and the right end
    of the net. ``top`` and ``foot`` are the y of the upper and lower edge of these panels.
    """

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
        self._bars(page[0])
        self.strokes = [
            *self.canvas.strokes,
            *self._tabs(),
            *self._folds(),
            Path(tuple(self._outline()), INK, CUT),
        ]

    def _panels(self) -> None:
        """Draw the card's back on the back, the name and the emblem on the front, the name on both sides."""
        canvas, game, box = self.canvas, self.game, self.box
        _, back, side, front, other, _ = self.xs
        back_drawing = back_of_game(game, (self.width, self.height), light=self.light)
        canvas.strokes += moved(back_drawing.strokes, back, self.top)
        hue, inset = colours.legible(game.hue[0], colours.PAPER), 5 * MM
        along, size = self.width - 2 * inset, self.width // 7
        name = fonts.with_stand_ins(box.name)
        # The front: the name on at most three lines, game and format, number of cards, emblem, credit.
        title = fonts.fit(name, along, 3 * size, size, size // 2, 3, "serif-bold")
        y = self.top + 24 * MM
        for line in title.lines:
            write_line(canvas, line, "serif-bold", title.size, front + inset, y, hue)
            y += title.pitch
        game_and_format = " · ".join(filter(None, (game.name, box.format)))
        about: tuple[tuple[str, Font], ...] = (
            (game_and_format, "sans-bold"),
            (some(box.cards, "card"), "sans"),
        )
        for words, font in about:
            write_line(canvas, words, font, fonts.micrometres(90), front + inset, y, INK, along)
            y += 5 * MM
        room = Box(front + inset, y, along, self.foot - y - 14 * MM)
        canvas.symbol(room, back_for(game.backs, "").emblem, hue)
        credit = wording.game_credit(game) or f"{game.name} · {wording.PROXY}"
        write_line(
            canvas, credit, "sans", fonts.micrometres(60), front + inset, self.foot - 5 * MM, SOFT, along
        )
        # The sides: the name upwards, in the largest type in which it is no longer than the side.
        size = min(fonts.micrometres(180), self.depth // 2)
        long = fonts.length("serif-bold", name, size)
        fitted = size * min(1000, (self.height - 2 * inset) * 1000 // max(1, long)) // 1000
        for left in (side, other):
            # A capital is two thirds of the size high.
            x = left + (self.depth + fitted * 2 // 3) // 2
            canvas.strokes += text_runs(name, "serif-bold", fitted, x, self.foot - inset, hue, turned=True)

    def _bars(self, page_width: int) -> None:
        """Draw the scale bars; none if the page ends too soon beside the tongue of a tiny box."""
        left, top = self.xs[2] + BESIDE, self.top - self.depth - TONGUE
        bars = level_bars(left, top)
        room = page_width - PRINTED - left
        if max(bar.area.width for bar in bars) <= room:
            for bar in bars:
                self.canvas.strokes += bar_strokes(bar)
            write_line(self.canvas, HINT, "sans", fonts.micrometres(60), left, top + HINT_DOWN, SOFT, room)

    def _tabs(self) -> list[Line]:
        """Return the hatching on the parts that are glued: the tab, and the flap below the front."""
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
        """Return the dashed lines along which the net is folded."""
        _, x1, x2, x3, x4, x5 = self.xs
        lid = self.top - self.depth
        lines = [Segment(x, self.top, x, self.foot) for x in (x1, x2, x3, x4)]
        lines += [Segment(x1, self.foot, x5, self.foot), Segment(x1, lid, x2, lid)]
        lines += [Segment(x1, self.top, x3, self.top), Segment(x4, self.top, x5, self.top)]
        return [Line(*dash, FOLD, INK) for dash in dashed(lines, 2 * MM, 4 * MM)]

    def _outline(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the closed line to cut along, clockwise from the lower end of the tab."""
        x0, x1, x2, x3, x4, x5 = self.xs
        top, foot, lid = self.top, self.foot, self.top - self.depth
        # The length of the dust flaps of the sides, and the middle of the notch for a thumb.
        dust, thumb = min(self.depth, self.width * 9 // 20), (x3 + x4) // 2
        # The length of the handles of the notch's curves.
        k = NOTCH * ROUND // 1000
        corners: list[tuple[str, tuple[int, ...]]] = [("M", (x1, foot))]

        def to(*points: tuple[int, int]) -> None:
            corners.extend(("L", point) for point in points)

        # Up the tab and the lid, and around its tongue.
        to((x0, foot - 2 * TAPER), (x0, top + 2 * TAPER), (x1, top), (x1, lid))
        corners.append(("C", (x1, lid - TONGUE // 2, x1 + TAPER, lid - TONGUE, x1 + 5 * TAPER, lid - TONGUE)))
        to((x2 - 5 * TAPER, lid - TONGUE))
        corners.append(("C", (x2 - TAPER, lid - TONGUE, x2, lid - TONGUE // 2, x2, lid)))
        # Along the top: a dust flap, the notch in the front, the other dust flap.
        to((x2, top), (x2 + TAPER, top - dust), (x3 - 2 * TAPER, top - dust), (x3, top), (thumb - NOTCH, top))
        corners.append(("C", (thumb - NOTCH, top + k, thumb - k, top + NOTCH, thumb, top + NOTCH)))
        corners.append(("C", (thumb + k, top + NOTCH, thumb + NOTCH, top + k, thumb + NOTCH, top)))
        to((x4, top), (x4 + 2 * TAPER, top - dust), (x5 - TAPER, top - dust), (x5, top), (x5, foot))
        # Back along the foot: a dust flap, the flap of the front, the other dust flap, the flap of the back.
        to((x5 - TAPER, foot + dust), (x4 + 2 * TAPER, foot + dust), (x4, foot))
        to((x4 - TAPER, foot + self.depth - MM), (x3 + TAPER, foot + self.depth - MM), (x3, foot))
        to((x3 - 2 * TAPER, foot + dust), (x2 + TAPER, foot + dust), (x2, foot))
        to((x2 - TAPER, foot + self.depth), (x1 + TAPER, foot + self.depth))
        corners.append(("Z", ()))
        return corners


def about_boxes(boxes: Sequence[tuple[Game, TuckBox]], drawn: Sequence[Drawing | None]) -> Iterator[str]:
    """Yield a sentence for each box: what it holds and how to make it, or the paper that it needs.

    ``drawn`` are the pages of the boxes, None for those that did not fit.
    """
    for (_, box), page in zip(boxes, drawn, strict=True):
        sleeved = " in sleeves" if box.sleeved else ""
        content = f"The tuck box holds {some(box.cards, 'card')}{sleeved}, {shown(box.thickness)} mm each"
        if page:
            yield f"{content}: cut round it, fold along the dashes, glue the hatched tabs."
        else:
            yield f"{content}, and needs paper of {box.needs}: choose larger paper or thinner cards."
