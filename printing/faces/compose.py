"""A card as strokes, drawn on its face, and a digest of the code that draws it. Pure: the module knows
neither PDF nor SVG.

A fact that no source states is a ruled blank, to be filled in by hand; a fact that does not apply to the card
is left out.
"""

import sys
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import printing
from cardsdb import box
from cardsdb.box import picture_files
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import kit as games_kit
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from printing.faces import fonts, wording
from printing.faces.canvas import Canvas
from printing.faces.facts import draw_blank, draw_kind, draw_lines, draw_marks
from printing.faces.notes import draw_notes
from printing.faces.numbers import draw_headline, draw_levels, draw_number, draw_row
from printing.faces.own_pictures import in_window, picture_drawing
from printing.faces.strokes import Drawing

# The part of its usual size, in per cent, that a text keeps in large print, where the facts beside it
# are larger.
KEPT_IN_LARGE = 96
# A text of this size, in tenths of a point, is large enough even so.
LARGE_ENOUGH = 90
# Faces of cards of the folders that are kept drawn, 20 kB each: a visitor who sets up a print sees the same
# cards again with each setting.
MAX_KEPT = 400
_DIGEST = 20
# The files of a game's folder that decide faces: its declarations, and the words that stand on cards.
_DECLARED = ("*.py", "*.toml", "*.csv")

_Stacked = kit.NumberRow | kit.FactSymbols | kit.Levels | kit.Headline | kit.Kind | kit.Lines | kit.Notes


@lru_cache(maxsize=MAX_KEPT)
def compose(
    card: Card,
    game: Game,
    trim: tuple[int, int] = (63_500, 88_900),
    bleed: int = 0,
    *,
    plain: bool = False,
    light: bool = False,
    large: bool = False,
    ruled: bool = False,
    small: bool = False,
    art: PictureRef | None = None,
) -> Drawing:
    """Draw the card on its type's face at the trim size, fills running on by ``bleed`` beyond the trim.

    A landscape face makes a drawing wider than high, marked ``turned`` when the trim is upright. A game that
    asks for a credit gets it on every card, whether or not the face has a place for it. ``plain`` draws
    without fills: all words in ink on paper, edges as lines, no emblem. ``light`` outlines fills and thins
    the emblem. ``large`` is large print. ``ruled`` leaves rules to write on where the emblem would be.
    ``small`` is for a size in which no sentence can be read: the emblem stands in its place. ``art`` is an
    own picture that stands in the face's window instead of the emblem, unless a long text leaves it no room.
    """
    style = {"plain": plain, "light": light, "ruled": ruled, "small": small, "art": art}
    canvas = _drawn(card, game, trim, bleed, large=large, **style)
    if large and canvas.text_size > 0:
        # Facts in larger type may leave so little room that a long text would be clearly smaller than in a
        # usual print.
        usual = _drawn(card, game, trim, bleed, large=False, **style)
        is_small = canvas.text_size < canvas.least(LARGE_ENOUGH)
        canvas = usual if is_small and canvas.text_size * 100 < usual.text_size * KEPT_IN_LARGE else canvas
    return Drawing(
        card.name,
        canvas.width,
        canvas.height,
        tuple(canvas.strokes),
        turned=(canvas.width, canvas.height) != trim,
    )


def card_drawing(
    card: Card,
    game: Game,
    trim: tuple[int, int] | None = None,
    picture: PictureRef | None = None,
    small: bool = False,
) -> Drawing:
    """The card at its game's trim size, or at another: as the own picture, or with it in the window of the
    face. ``small`` is as in ``compose``.
    """
    if picture and picture.use == "card":
        return picture_drawing(card.name, picture, trim or game.trim)
    return compose(card, game, trim or game.trim, art=picture, small=small)


def type_of_text(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> int:
    """The size in micrometres in which the card's text is set; 0 without a text."""
    return _drawn(card, game, trim, 0, large=large).text_size


def _drawn(card: Card, game: Game, trim: tuple[int, int], bleed: int, **style: Any) -> Canvas:
    face = game.face_named(card.type)
    short, long = sorted(trim)
    width, height = (long, short) if face.landscape else (short, long)
    elements = face.elements
    shown = {element.of for element in elements if isinstance(element, kit.Text)}
    if game.credit and "credit" not in shown:
        elements = (*elements, _credit(face))
    canvas = Canvas(card, game, face.landscape, (width, height), bleed, **style)
    column = _Column(canvas, elements)
    window = canvas.art_window = face.art_window if canvas.art else None
    over = {
        notes.box
        for notes in elements
        if isinstance(notes, kit.Notes)
        and any(isinstance(one, kit.Figure) and _is_in(one.box, notes.box) for one in elements)
    }
    has_notes = canvas.ruled or bool(canvas.art) or bool(card.told and not canvas.small)
    for index, element in enumerate(elements):
        if over and isinstance(element, kit.Notes if not has_notes else kit.Figure):
            # A text stands over figures in its box where the card has one.
            if any(_is_in(element.box, box) for box in over):
                continue
        if window and isinstance(element, kit.Figure | kit.FactSymbols) and _is_in(element.box, window):
            continue
        match element:
            case kit.Fill():
                canvas.flood(canvas.box(element.box), canvas.ink(element.colour))
            case kit.Band():
                canvas.edge_band(element, wording.said(element.line, card))
            case kit.Head():
                canvas.shape(wording.said(element.shape, card), canvas.box(element.box), canvas.deep)
            case kit.Figure(figure_box, emblem, framed):
                if not canvas.ruled:
                    canvas.emblem(emblem, canvas.box(figure_box), framed)
            case kit.HairLine(x, y, long):
                box = canvas.box(kit.Box(x, y, long, 0))
                canvas.rule(box.x, box.x + box.width, box.y)
            case kit.Text():
                _text(canvas, element, "set" in shown)
            case kit.Number():
                draw_number(canvas, element)
            case kit.Symbol():
                # At the left of its box, over the words below it, also where the card is wider than the face.
                box = canvas.box(element.box)
                box = kit.Box(box.x, box.y, min(box.width, box.height), box.height)
                canvas.symbol(box, element.path, canvas.readable(element.colour, box))
            case _:
                column.add(index, element)
    if (
        window
        and canvas.art
        and not any(isinstance(element, kit.Notes) and element.box == window for element in elements)
    ):
        canvas.strokes += in_window(canvas.art, canvas.box(window))
    return canvas


def _is_in(box: kit.Box, window: kit.Box) -> bool:
    """True if the middle of the box lies in the window."""
    x, y = box.x + box.width // 2, box.y + box.height // 2
    return window.x <= x < window.x + window.width and window.y <= y < window.y + window.height


class _Column:
    """The elements that stand beneath each other. Each takes a height, and the next begins below it, at the
    distance of their boxes, or beside it if both boxes begin at one height.

    ``foot`` is the y at which the last element ended, ``edge`` the end of its box, ``begun`` the y at which
    the element and its box begin, all in micrometres of this card.
    """

    def __init__(self, canvas: Canvas, elements: tuple[kit.Element, ...]) -> None:
        self.canvas, self.elements = canvas, elements
        self.foot = self.edge = 0
        self.begun = (-1, 0)

    def add(self, index: int, element: _Stacked) -> None:
        """Draw the element, which is the one with this index of the face, below those before it."""
        box, below = self.canvas.box(element.box), self._in_line_below(index, element)
        beside = self.begun[0] == box.y
        top = self.begun[1] if beside else self.foot + box.y - self.edge
        height = self._height(index, element, kit.Box(box.x, top, box.width, box.height), below)
        if height is None and below:
            # An element that the card lacks leaves its place to those below.
            self.foot, self.edge = top, below.y
        else:
            end = top + (box.height if height is None else height)
            self.foot, self.edge = max(end, self.foot) if beside else end, box.y + box.height
        self.begun = box.y, top
        if not self._goes_on(index, element):
            self.foot, self.edge, self.begun = 0, 0, (-1, 0)

    def _height(self, index: int, element: _Stacked, box: kit.Box, below: kit.Box | None) -> int | None:
        """Draw the element into the box and return the height that it takes; None if the card has no such
        fact.
        """
        match element:
            case kit.NumberRow():
                return box.height if draw_row(self.canvas, element, box.y) else None
            case kit.Levels():
                return draw_levels(self.canvas, element, box)
            case kit.Headline():
                return box.height if draw_headline(self.canvas, element, box) else None
            case kit.Kind():
                return draw_kind(self.canvas, element, box)
            case kit.FactSymbols():
                return draw_marks(self.canvas, element, box) or None
            case kit.Lines():
                notes = self._next(index)
                # Long values may take half of the room for notes.
                room = box.height + (
                    self.canvas.box(notes.box).height // 2 if isinstance(notes, kit.Notes) else 0
                )
                return draw_lines(self.canvas, element, box, room)
            case kit.Notes():
                draw_notes(self.canvas, element, box.y)
                return box.height

    def _goes_on(self, index: int, element: _Stacked) -> bool:
        """True if the next element belongs to the column: notes end it, and lines unless notes follow."""
        if isinstance(element, kit.Lines):
            following = self._next(index)
            return isinstance(following, kit.Notes)
        return not isinstance(element, kit.Notes)

    def _next(self, index: int) -> kit.Element | None:
        return self.elements[index + 1] if index + 1 < len(self.elements) else None

    def _in_line_below(self, index: int, element: _Stacked) -> kit.Box | None:
        """The box of the marks, lines or notes that come next in the column and begin at the same left edge:
        they may move up.
        """
        below = next((one for one in self.elements[index + 1 :] if isinstance(one, _Stacked)), None)
        in_line = below is not None and not isinstance(below, kit.Kind) and below.box.x == element.box.x
        return self.canvas.box(below.box) if below and in_line else None


def has_notes(game: Game, card_type: str) -> bool:
    """True if cards of this type have room for a text."""
    return any(isinstance(element, kit.Notes) for element in game.face_named(card_type).elements)


def _credit(face: kit.Face) -> kit.Text:
    """A place for the credit on a face that has none."""
    width, height = (kit.HEIGHT, kit.WIDTH) if face.landscape else (kit.WIDTH, kit.HEIGHT)
    return kit.Text(
        kit.Box(3_000, height - 3_600, width - 6_000, 3_200), "credit", 60, 60, colour="soft", lines=2
    )


def _text(canvas: Canvas, element: kit.Text, set_apart: bool) -> None:
    """Set words in a box. A fact that no source states is left out here: only numbers, lines and marks have
    ruled blanks.
    """
    words, box = (
        fonts.plain(wording.words_for(element.of, canvas.card, canvas.game, set_apart)),
        canvas.box(element.box),
    )
    if not words:
        key = str(element.of).removeprefix("fact:")
        if element.blank and wording.fact_words(key, canvas.card, canvas.game) is None:
            draw_blank(canvas, wording.title_of(key, canvas.game), box)
        return
    colour, font = canvas.readable(element.colour, box), element.font
    if element.of == "credit":
        words = _credit_that_fits(canvas, element, words, box.width, set_apart)
    size, least = canvas.size(element.size), canvas.least(element.least)
    if element.of == "text" or "\n" in words:
        fitted = fonts.fill(words, box.width, box.height, size, least, font)
        top = kit.Box(box.x, box.y, box.width, len(fitted.lines) * fitted.pitch)
        canvas.block(fitted, top, font, element.align, colour)
        return
    along, across = (box.height, box.width) if element.turned else (box.width, box.height)
    fitted = fonts.fit(words, along, across, size, least, element.lines, font)
    if element.of == "credit":
        # No line begins or ends with the dot between two parts.
        fitted = fitted._replace(lines=tuple(line.strip(" ·") for line in fitted.lines))
    if element.stand != "middle" and not element.turned:
        cut = fonts.CUTS[font]
        deep = (len(fitted.lines) - 1) * fitted.pitch + cut.cap * fitted.size // 1000
        hangs = cut.drop * fitted.size // 1000
        box = kit.Box(
            box.x, box.y if element.stand == "head" else box.y + box.height - deep - hangs, box.width, deep
        )
    canvas.block(fitted, box, font, element.align, colour, element.turned)


def _credit_that_fits(canvas: Canvas, element: kit.Text, words: str, width: int, set_apart: bool) -> str:
    """The words of the foot.

    If they are too long for readable type, the name of the game and the mark of our summary give way, and
    last the mark of a proxy. A game's own credit stays whole: beside it only the mark of our summary gives
    way. So does the note on the sources: it becomes shorter, and stays when the print gives way.
    """
    told, first = f" · {wording.SUMMARY}", "" if set_apart else wording.print_line(canvas.card)
    tries = [words, words.removesuffix(told)]
    if not wording.game_credit(canvas.game):
        note = wording.note_in_short(canvas.card)
        short = " · ".join(filter(None, (first, note or wording.PROXY)))
        tries = [*tries[: 2 if note else 1], short + told * words.endswith(told), short]
        tries.append(note or first or wording.PROXY)
    # The last letters of each of several lines stay free.
    room = width * 1000 * element.lines * (100 if element.lines == 1 else 85) // 100
    least = canvas.size(element.least)
    return next((one for one in tries if fonts.width(element.font, one) * least <= room), tries[-1])


# -- what draws ------------------------------------------------------------------------


def digest_of_drawing(game: Game) -> str:
    """A digest of everything that draws the cards of a game besides the cards themselves: code, fonts and the
    declarations of the game's folder.

    It is the same for the same code, libraries, fonts and files, as they were when the process asked first.
    While the digest is the same, a stored drawing is as good as a new one, in every process and on every
    machine.
    """
    return _digest_of(game.folder)


def code_of_drawing() -> list[Path]:
    """The files of the code that draws, in order: its rooms with their tables, and the conversion of own
    pictures to sRGB.
    """
    rooms = [Path(str(room.__file__)).parent for room in (games_kit, picture_files, printing)]
    found = [path for room in rooms for kind in ("*.py", "*.toml") for path in room.rglob(kind)]
    return sorted([Path(str(box.__file__)).with_name("intake.py"), *found])


@cache
def _digest_of(folder: Path) -> str:
    found = blake2b(f"{sys.version} {version('reportlab')}".encode(), digest_size=_DIGEST)
    declared = [path for pattern in _DECLARED for path in folder.rglob(pattern)]
    for path in (
        *code_of_drawing(),
        *sorted({fonts.file_of(font) for font in fonts.CUTS}),
        *sorted(declared),
    ):
        found.update(path.read_bytes())
    return found.hexdigest()
