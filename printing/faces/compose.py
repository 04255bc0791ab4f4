"""The front of a card, drawn on the face of its type; and a digest of all code and files that draw it.

`compose` is the entry; it is pure, and the result is cached. Files (PDF, SVG, PNG) draw the strokes that it
returns. A face is a list of elements, whose types are in `cardsdb.games.kit.print.face`; a new type needs a
case in `_drawn`, or in ``_Column._height``. Text elements, bands and figures are drawn where the face puts
them. Facts, numbers and notes form a column, in which each element begins where the one above it ends.
``tests/printing/faces/test_compose.py`` also tests what the faces of single games must show.

An unknown fact becomes a ruled blank to be filled in by hand; a fact that does not apply to the card is left
out.
"""

import sys
from dataclasses import replace
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
from printing.faces.facts import draw_blank, draw_lines, draw_marks
from printing.faces.kind_line import draw_kind
from printing.faces.levels import draw_headline, draw_levels
from printing.faces.notes import draw_notes
from printing.faces.numbers import draw_number, draw_row
from printing.faces.own_pictures import in_window, picture_drawing
from printing.faces.strokes import Drawing

# Large print makes facts larger, which may leave a text less room. The card is drawn in usual print if its
# text would be smaller than this part of its usual size, in per cent, and smaller than 9 points, in tenths.
KEPT_IN_LARGE = 96
LARGE_ENOUGH = 90
# The number of drawn faces in the cache, about 20 kB each: a visitor who sets up a print sees the same cards
# again with each setting.
MAX_KEPT = 400
# The length of a digest in bytes.
_DIGEST = 20
# The files of a game's folder on which its faces depend: its declarations and the words on its cards.
_DECLARED = ("*.py", "*.toml", "*.csv")

# The elements that form a column.
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
    """Return the card drawn on its type's face at the trim size (width, height), with fills into the bleed.

    A landscape face makes a drawing that is wider than high, marked ``turned`` if the trim is upright. A game
    that asks for a credit gets it on every card, even if the face has no place for it.

    - ``plain`` draws without fills: all words in ink on paper, edges as lines, no emblem.
    - ``light`` draws outlines instead of fills, and a thinner emblem.
    - ``large`` is large print.
    - ``ruled`` draws rules to write on where the emblem would be.
    - ``small`` is for sizes in which no sentence can be read: the emblem replaces the text.
    - ``art`` is an own picture that replaces the emblem, unless a long text needs the room.
    """
    style = {"plain": plain, "light": light, "ruled": ruled, "small": small, "art": art}
    canvas = _drawn(card, game, trim, bleed, large=large, **style)
    if large and canvas.text_size > 0:
        # Large print must not make the text smaller.
        usual = _drawn(card, game, trim, bleed, large=False, **style)
        is_small = canvas.text_size < canvas.least(LARGE_ENOUGH)
        if is_small and canvas.text_size * 100 < usual.text_size * KEPT_IN_LARGE:
            canvas = usual
    size = canvas.width, canvas.height
    return Drawing(card.name, *size, tuple(canvas.strokes), turned=size != trim)


def card_drawing(card: Card, game: Game, picture: PictureRef | None = None, small: bool = False) -> Drawing:
    """Return the card at its game's trim size, as its own picture or as a drawn face.

    ``small`` is as in `compose`.
    """
    if picture and picture.use == "card":
        return picture_drawing(card.name, picture, game.trim)
    return compose(card, game, game.trim, art=picture, small=small)


def type_of_text(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> int:
    """Return the size in micrometres in which the card's text is set; 0 if it has none."""
    return _drawn(card, game, trim, 0, large=large).text_size


def _drawn(card: Card, game: Game, trim: tuple[int, int], bleed: int, **style: Any) -> Canvas:
    """Return a canvas on which the whole face is drawn. ``style`` has the options of `Canvas`."""
    face = game.face_named(card.type)
    short, long = sorted(trim)
    width, height = (long, short) if face.landscape else (short, long)
    elements = face.elements
    texts = {element.of for element in elements if isinstance(element, kit.Text)}
    if game.credit and "credit" not in texts:
        elements = (*elements, _credit(face))
    canvas = Canvas(card, game, face.landscape, (width, height), bleed, **style)
    column = _Column(canvas, elements)
    window = canvas.art_window = face.art_window if canvas.art else None
    for index, element in enumerate(elements):
        if _is_left_out(element, elements, canvas):
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
                _text(canvas, element, "set" in texts)
            case kit.Number():
                draw_number(canvas, element)
            case kit.Symbol():
                # A symbol stands at the left of its box, above the words below it, even on a wider card.
                box = canvas.box(element.box)
                box = replace(box, width=min(box.width, box.height))
                canvas.symbol(box, element.path, canvas.readable(element.colour, box))
            case _:
                column.add(index, element)
    if window and canvas.art:
        # Notes in the window have drawn the picture below their text.
        if not any(isinstance(element, kit.Notes) and element.box == window for element in elements):
            canvas.strokes += in_window(canvas.art, canvas.box(window))
    return canvas


def _is_left_out(element: kit.Element, elements: tuple[kit.Element, ...], canvas: Canvas) -> bool:
    """Return whether the card does without this element of its face.

    An own picture replaces what stands in its window. On some faces notes and figures share a box: a card
    with notes has no figures there, and a card without notes has only the figures.
    """
    window = canvas.art_window
    if window and isinstance(element, kit.Figure | kit.FactSymbols) and _is_in(element.box, window):
        return True
    has_notes = canvas.ruled or bool(canvas.art) or bool(canvas.card.told and not canvas.small)
    if not isinstance(element, kit.Figure if has_notes else kit.Notes):
        return False
    figures = [figure.box for figure in elements if isinstance(figure, kit.Figure)]
    shared = (
        notes.box
        for notes in elements
        if isinstance(notes, kit.Notes) and any(_is_in(figure, notes.box) for figure in figures)
    )
    return any(_is_in(element.box, box) for box in shared)


def _is_in(box: kit.Box, window: kit.Box) -> bool:
    """Return whether the middle of the box lies in the window."""
    x, y = box.x + box.width // 2, box.y + box.height // 2
    return window.x <= x < window.x + window.width and window.y <= y < window.y + window.height


class _Column:
    """The elements that stand below each other.

    Each takes the height that it needs, and the next begins below it at the distance that their boxes have on
    the face; or beside it, if both boxes begin at the same height.

    ``box_top`` and ``box_foot`` are the ends of the last element's box, ``top`` and ``foot`` those of the
    element itself, as y in micrometres of this card. ``box_top`` is None where a new column begins. Acrobatic
    Escape of Spycraft, which has no headline and no facts for lines::

        element        box               drawn             why
        FactSymbols    14000 to 18600    14000 to 18600
        Headline       20400 to 29400    nothing           the lines may move up to 20400
        Lines          30600 to 34600    nothing
        Notes          36800 to 75600    from 22600        2200 below the lines, as on the face
    """

    def __init__(self, canvas: Canvas, elements: tuple[kit.Element, ...]) -> None:
        self.canvas, self.elements = canvas, elements
        self._begin()

    def _begin(self) -> None:
        self.box_top: int | None = None
        self.top = self.foot = self.box_foot = 0

    def add(self, index: int, element: _Stacked) -> None:
        """Draw the element below those before it. ``index`` is its place among the elements of the face."""
        box, below = self.canvas.box(element.box), self._may_move_up(index, element)
        beside = self.box_top == box.y
        top = self.top if beside else self.foot + box.y - self.box_foot
        height = self._height(index, element, replace(box, y=top))
        if height is None and below:
            # The card does not have this element: those below it move up.
            self.foot, self.box_foot = top, below.y
        else:
            end = top + (box.height if height is None else height)
            self.foot, self.box_foot = max(end, self.foot) if beside else end, box.y + box.height
        self.box_top, self.top = box.y, top
        if not self._goes_on(index, element):
            self._begin()

    def _height(self, index: int, element: _Stacked, box: kit.Box) -> int | None:
        """Draw the element into the box; return the height that it takes, or None if the card lacks it."""
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
                notes, room = self._next(index), box.height
                if isinstance(notes, kit.Notes):
                    # Long values may take half of the room for notes.
                    room += self.canvas.box(notes.box).height // 2
                return draw_lines(self.canvas, element, box, room)
            case kit.Notes():
                draw_notes(self.canvas, element, box.y)
                return box.height

    def _goes_on(self, index: int, element: _Stacked) -> bool:
        """Return whether the next element belongs to the column.

        Notes end the column, and lines do unless notes follow.
        """
        if isinstance(element, kit.Lines):
            return isinstance(self._next(index), kit.Notes)
        return not isinstance(element, kit.Notes)

    def _next(self, index: int) -> kit.Element | None:
        return self.elements[index + 1] if index + 1 < len(self.elements) else None

    def _may_move_up(self, index: int, element: _Stacked) -> kit.Box | None:
        """Return the box of the next element of the column if that may take the place of this one; else None.

        It may if it begins at the same left edge and is not the line with the card's type.
        """
        below = next((other for other in self.elements[index + 1 :] if isinstance(other, _Stacked)), None)
        if below is None or isinstance(below, kit.Kind) or below.box.x != element.box.x:
            return None
        return self.canvas.box(below.box)


def has_notes(game: Game, card_type: str) -> bool:
    """Return whether cards of this type have room for a text."""
    return any(isinstance(element, kit.Notes) for element in game.face_named(card_type).elements)


def _credit(face: kit.Face) -> kit.Text:
    """Return a text element for the credit, at the foot of a face that has none."""
    width, height = (kit.HEIGHT, kit.WIDTH) if face.landscape else (kit.WIDTH, kit.HEIGHT)
    return kit.Text(
        kit.Box(3_000, height - 3_600, width - 6_000, 3_200), "credit", 60, 60, colour="soft", lines=2
    )


def _text(canvas: Canvas, element: kit.Text, set_apart: bool) -> None:
    """Set words in a box.

    An unknown fact is left out unless the element asks for a blank: usually only numbers, lines and marks
    have blanks.
    """
    words = fonts.plain(wording.words_for(element.of, canvas.card, canvas.game, set_apart))
    box = canvas.box(element.box)
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
        top = replace(box, height=len(fitted.lines) * fitted.pitch)
        canvas.block(fitted, top, font, element.align, colour)
        return
    along, across = (box.height, box.width) if element.turned else (box.width, box.height)
    fitted = fonts.fit(words, along, across, size, least, element.lines, font)
    if element.of == "credit":
        # The dot between two parts is dropped at the begin and the end of a line.
        fitted = fitted._replace(lines=tuple(line.strip(" ·") for line in fitted.lines))
    if element.stand != "middle" and not element.turned:
        deep, hangs = fitted.depth(font), fonts.CUTS[font].drop * fitted.size // 1000
        y = box.y if element.stand == "head" else box.y + box.height - deep - hangs
        box = replace(box, y=y, height=deep)
    canvas.block(fitted, box, font, element.align, colour, element.turned)


def _credit_that_fits(canvas: Canvas, element: kit.Text, words: str, width: int, set_apart: bool) -> str:
    """Return the longest form of the card's foot that fits in readable type.

    Parts are dropped in this order: the name of the game, the mark of our summary, the mark of a proxy:
    ``ON · Spycraft · proxy · summary``, ``ON · proxy · summary``, ``ON · proxy``, ``ON``. A credit that the
    game asks for stays whole; only the mark of our summary is dropped beside it. A note on the sources is
    shortened, and stays even when the print is dropped.
    """
    summary, shown_print = f" · {wording.SUMMARY}", "" if set_apart else wording.print_line(canvas.card)
    forms = [words, words.removesuffix(summary)]
    if not wording.game_credit(canvas.game):
        note = wording.note_in_short(canvas.card)
        short = " · ".join(filter(None, (shown_print, note or wording.PROXY)))
        if not note:
            # Then the foot has the name of the game, which is dropped before the mark of our summary.
            forms.pop()
        forms += [short + summary if words.endswith(summary) else short, short]
        forms.append(note or shown_print or wording.PROXY)
    # Several lines are never filled to their ends: count on 85 per cent of each.
    room = width * 1000 * element.lines * (100 if element.lines == 1 else 85) // 100
    least = canvas.size(element.least)
    return next((form for form in forms if fonts.width(element.font, form) * least <= room), forms[-1])


# -- the digest ------------------------------------------------------------------------


def digest_of_drawing(game: Game) -> str:
    """Return a digest of everything besides the cards that a game's drawings depend on: code, fonts, files.

    Stored drawings are kept under it. It is equal in every process and on every machine that has the same
    code, libraries, fonts and files; files are read once for each process.
    """
    return _digest_of(game.folder)


def code_of_drawing() -> list[Path]:
    """Return the sorted paths of the code that draws.

    These are its rooms with their TOML tables, and the module that converts own pictures to sRGB.
    """
    rooms = [Path(str(room.__file__)).parent for room in (games_kit, picture_files, printing)]
    paths = [path for room in rooms for kind in ("*.py", "*.toml") for path in room.rglob(kind)]
    return sorted([Path(str(box.__file__)).with_name("pixels.py"), *paths])


@cache
def _digest_of(folder: Path) -> str:
    digest = blake2b(f"{sys.version} {version('reportlab')}".encode(), digest_size=_DIGEST)
    declared = [path for pattern in _DECLARED for path in folder.rglob(pattern)]
    for path in (
        *code_of_drawing(),
        *sorted({fonts.file_of(font) for font in fonts.CUTS}),
        *sorted(declared),
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()
