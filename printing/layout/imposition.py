"""Imposition: which drawing stands in which slot of which side of which sheet.

`sheets_of` makes the sides from a job's pieces; every file (`printing.render.files`) and preview is drawn
from them. Sides are yielded one at a time, so a job of a thousand sheets takes no more memory than one of
ten: keep it a generator. Tests: ``tests/printing/layout/test_imposition.py``; for backs behind their fronts
``tests/printing/pictures/test_see_through.py``, and with the shifts of a printer
``tests/printing/options/test_duplex.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from printing.faces.strokes import Drawing, Stroke
from printing.layout import marks
from printing.layout.geometry import Area, Layout, SideName, lay_out, turned_over
from printing.layout.margins import Margins, Notes
from printing.options.duplex import DuplexMode, Shift, front_for, front_warning, shift_for, warnings
from printing.options.sizes import shown
from printing.options.values import NAMED, BadOption, Options


class Piece(NamedTuple):
    """One thing to print: a card or an extra piece, with its number of copies.

    Drawings that look alike must be the same object, because files then store them once. ``key`` differs for
    each piece of a job.
    """

    name: str
    front: Drawing
    back: Drawing | None
    count: int  # type: ignore[assignment]  # a tuple has a method of this name, which no code asks of a piece
    key: str = ""


class Placed(NamedTuple):
    """A drawing in a slot whose top left corner is (x, y), in micrometres.

    ``turn``: degrees anticlockwise: 0, 90, 180 or 270. ``clip``: the area that it may cover, which is the
    slot and its bleed; None for the whole drawing. ``corner``: the radius of the clip's corners, 0 for square
    ones.
    """

    drawing: Drawing
    x: int
    y: int
    turn: int = 0
    clip: Area | None = None
    corner: int = 0

    @property
    def area(self) -> Area:
        """The slot, without bleed."""
        width, height = self.drawing.width, self.drawing.height
        return Area(self.x, self.y, *((height, width) if self.turn % 180 else (width, height)))

    @property
    def matrix(self) -> tuple[int, int, int, int, int, int]:
        """The matrix (a, b, c, d, e, f) that turns the drawing and moves it into its slot.

        A point (u, v) of the drawing comes to (a u + c v + e, b u + d v + f) on the sheet.
        """
        x, y, width, height = self.x, self.y, self.drawing.width, self.drawing.height
        match self.turn:
            case 90:  # The card's left edge lies at the foot of the slot.
                return 0, -1, 1, 0, x, y + width
            case 180:
                return -1, 0, 0, -1, x + width, y + height
            case 270:
                return 0, 1, -1, 0, x + height, y
        return 1, 0, 0, 1, x, y


class SheetSide(NamedTuple):
    """One side of one sheet. Its strokes are drawn in the order ``under``, the cards, ``over``, ``notes``.

    ``under`` and ``over`` are the same objects on all sheets; ``notes`` is the sheet's own number. ``shift``
    moves the whole side to correct the printer. ``role`` is the side's role for a screen reader: a Figure,
    whose name is read, or P, whose words are read. ``page`` is the (width, height) of a page of its own; None
    is the file's paper.
    """

    number: int
    side: SideName
    placed: tuple[Placed, ...]
    label: str
    under: tuple[Stroke, ...] = ()
    over: tuple[Stroke, ...] = ()
    notes: tuple[Stroke, ...] = ()
    shift: Shift = Shift()
    role: Literal["Figure", "P"] = "Figure"
    page: tuple[int, int] | None = None


def layout_for(options: Options, trim: tuple[int, int]) -> Layout:
    """Return the layout that these options describe for cards of this trim.

    Raise DoesNotFit if a card is too large, and BadOption for slots that the sheet does not have.
    """
    for name, place in (("left", options.left), ("top", options.top)):
        if options.backs == "gutterfold" and place is not None:
            raise BadOption(NAMED[name], shown(place), ("auto: cards of a folded sheet stand at its fold",))
    layout = _laid_out(options, trim)
    if options.start > layout.per_sheet:
        raise BadOption(NAMED["start"], options.start, (f"a slot of the sheet, 1 to {layout.per_sheet}",))
    if options.skip and (options.skip[-1] > layout.per_sheet or len(options.skip) == layout.per_sheet):
        raise BadOption(
            NAMED["skip"],
            ",".join(map(str, options.skip)),
            (f"some of the slots 1 to {layout.per_sheet} of this sheet, not all",),
        )
    return layout


def _laid_out(options: Options, trim: tuple[int, int]) -> Layout:
    """Return the layout of these options.

    With registration marks, the smallest margin is taken whose layout leaves room for the marks.
    """
    has_registration = options.marks in marks.REGISTRATION_KINDS
    margins: Iterable[int | tuple[int, int, int, int]] = (options.margin,)
    if has_registration:
        margins = marks.registration_margins(max(options.margin), options.bled)
    for margin in margins:
        layout = lay_out(
            options.paper,
            trim,
            gap=options.gaps,
            margin=margin,
            grid=options.block,
            at=(options.left, options.top),
            even=bool(options.flip),
            orientation=options.orientation,
            turn=options.turn,
            bleed=options.bled,
            outer_bleed_only=options.bleed_where == "outside",
            fold=options.fold if options.backs == "gutterfold" else "",
        )
        if not has_registration or marks.registration_arm(layout):
            return layout
    # The last margin always leaves room for the marks, unless the cards were placed close to the edge.
    raise BadOption(
        NAMED["marks"], options.marks, ("corners, edges or none: the cards leave no room for others",)
    )


def places_of(layout: Layout, options: Options, number: int) -> list[int]:
    """Return the slots, counted from 0, that a sheet uses. ``number`` is the number of the sheet, from 1.

    The option ``start`` applies to the first sheet only, ``skip`` to every sheet.
    """
    first = options.start if number == 1 else 1
    return [place for place in range(first - 1, layout.per_sheet) if place + 1 not in options.skip]


def sheets_needed(layout: Layout, options: Options, cards: int) -> int:
    """Return the number of sheets of paper that this many cards take."""
    if not cards:
        return 0
    on_first, on_others = len(places_of(layout, options, 1)), layout.per_sheet - len(options.skip)
    # The first sheet counts even if ``start`` and ``skip`` leave it empty. ``-(-a // b)`` rounds a / b up.
    return 1 - (-max(0, cards - on_first) // on_others)


def sheets_of(
    layout: Layout,
    pieces: Sequence[Piece],
    options: Options,
    notes: Notes | None = None,
    before: int = 0,
    total: int = 0,
) -> Iterator[SheetSide]:
    """Yield the sides of the sheets one after the other, fronts and backs in turn.

    ``notes`` are the words of the margins; None leaves the margins without words. ``before`` is the number of
    sheets of the same print that come before these, and ``total`` the number of all its sheets, so that sheet
    numbers run on (0: these are all). ``backs=separate`` makes two files, which are made by two calls, with
    ``side=fronts`` and ``side=backs``.
    """
    own_sheets = sheets_needed(layout, options, sum(piece.count for piece in pieces))
    of_all = total or own_sheets
    flip = options.flip
    # The layout of the back of the sheet, where cards may have more bleed.
    behind = replace(layout, bleed=max(layout.bleed, options.back_bled))
    behind = behind.turned_over(flip) if flip else behind
    margins, margins_behind = Margins(layout, options, notes), Margins(behind, options, notes)
    fronts, backs = margins.furniture("front"), margins_behind.furniture("back")
    front_shift, back_shift = _shifts(layout, options)
    # All copies in the order of the print. Each sheet takes its pieces off the front of this one iterator.
    queue = (piece for piece in pieces for _ in range(piece.count))
    for sheet in range(1, own_sheets + 1):
        number = before + sheet
        # Places must be the first argument of zip: otherwise zip takes a piece from the queue before it sees
        # that the places have run out, and that piece would be lost.
        on_sheet = list(zip(places_of(layout, options, sheet), queue, strict=False))
        with_backs = [(place, piece.back) for place, piece in on_sheet if piece.back]
        if flip is None or options.side != "backs":
            placed = [_front(layout, options, place, piece.front) for place, piece in on_sheet]
            if layout.fold:
                placed += [_behind_the_fold(layout, options, place, back) for place, back in with_backs]
            label = f"Sheet {number}{_span([piece.name for _, piece in on_sheet])}"
            words = margins.sheet_number(number, of_all)
            yield SheetSide(number, "front", tuple(placed), label, *fronts, words, front_shift)
        if flip and options.side != "fronts":
            placed = [_back(behind, options, place, back) for place, back in with_backs]
            words = margins_behind.sheet_number(number, of_all, "back")
            label = f"Sheet {number}, back"
            yield SheetSide(number, "back", tuple(placed), label, *backs, words, back_shift)


def _shifts(layout: Layout, options: Options) -> tuple[Shift, Shift]:
    """Return the shifts of fronts and of backs that correct the printer, for sheets with this layout.

    A printer moves both sides as it moves fronts, and backs besides.
    """
    front = front_for(options.front_shift, options.read_in, layout.landscape)
    seen_from_behind = front.seen_from_behind(layout.axis(options.flip or "long") == "vertical")
    back = shift_for(options.shift, options.read_in, _mode(layout, options))
    return front, back.after(seen_from_behind)


def warnings_for(layouts: Iterable[Layout], options: Options) -> tuple[str, ...]:
    """Return warnings for sheets with these layouts, if a shift was read from another duplex mode."""
    layouts = tuple(layouts)
    fronts = (front_warning(options.front_shift, options.read_in, layout.landscape) for layout in layouts)
    about_fronts = tuple(dict.fromkeys(filter(None, fronts)))
    if not options.flip:
        return about_fronts
    printed_apart = options.backs == "separate" or options.side != "both"
    modes = [_mode(layout, options) for layout in layouts]
    return (*about_fronts, *warnings(options.shift, options.read_in, modes, printed_apart))


def mode_to_calibrate(layouts: Iterable[Layout], options: Options) -> DuplexMode | None:
    """Return the first duplex mode of these sheets for which the shift was not read.

    None if it was read for all of them, or if nothing is shifted.
    """
    if not (options.flip and options.read_in and any(options.shift)):
        return None
    others = (mode for mode in (_mode(layout, options) for layout in layouts) if mode != options.read_in)
    return next(others, None)


def _mode(layout: Layout, options: Options) -> DuplexMode:
    return DuplexMode(options.flip or "long", layout.landscape)


def _span(names: list[str]) -> str:
    """Return the names of the cards on a sheet for its label: ``: Ada to Zoe``, ``: Ada``, or nothing."""
    # The same name twice is said once.
    ends = dict.fromkeys((*names[:1], *names[-1:]))
    return f": {' to '.join(ends)}" if ends else ""


def _card_turn(layout: Layout, options: Options) -> int:
    """Return the turn of the cards on the paper, in degrees.

    Beside a fold that runs along their upper or lower edges, the option ``heads`` says whether heads point to
    the fold.
    """
    if layout.fold and layout.turned == (layout.fold == "vertical"):
        to_fold = 270 if layout.turned else 180
        return to_fold if options.heads == "to" else (to_fold + 180) % 360
    return 270 if layout.turned else 0


def _front(layout: Layout, options: Options, place: int, drawing: Drawing) -> Placed:
    return _put(drawing, layout.slot(place), layout.bled(place), _card_turn(layout, options), options)


def _behind_the_fold(layout: Layout, options: Options, place: int, drawing: Drawing) -> Placed:
    turn = turned_over(_card_turn(layout, options), "vertical" if layout.fold == "vertical" else "horizontal")
    return _put(drawing, layout.folded(layout.slot(place)), layout.folded(layout.bled(place)), turn, options)


def _back(layout: Layout, options: Options, place: int, drawing: Drawing) -> Placed:
    flip = options.flip or "long"
    behind = layout.back_of(place, flip)
    turn = turned_over(_card_turn(layout, options), layout.axis(flip))
    return _put(drawing, layout.slot(behind), layout.bled(behind), turn, options)


def _put(drawing: Drawing, slot: Area, bled: Area, turn: int, options: Options) -> Placed:
    """Place the drawing in its slot. A drawing that lies across its card is turned by another quarter."""
    return Placed(
        drawing, slot.x, slot.y, (turn + 90) % 360 if drawing.turned else turn, bled, options.corner
    )
