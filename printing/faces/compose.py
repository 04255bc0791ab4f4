"""A card on its face, as strokes. Pure: knows neither PDF nor SVG.

What nobody has stated is a ruled blank to fill in by hand; what does not apply to the card is not there.
"""

from __future__ import annotations

from functools import partial

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.print import face as kit
from printing.faces import fonts, linebreak, wording
from printing.faces.canvas import Canvas
from printing.faces.colours import FAINT
from printing.faces.fact_lines import draw_lines, draw_marks
from printing.faces.numbers import draw_number, draw_row
from printing.faces.strokes import Drawing

# Writing lines this far apart suit a pen.
RULE_PITCH = 5_500

_Stacked = kit.NumberRow | kit.FactSymbols | kit.Lines | kit.Notes


def compose(
    card: Card, game: Game, trim: tuple[int, int] = (63_500, 88_900), bleed: int = 0, *, plain: bool = False, large: bool = False
) -> Drawing:
    """Draw the card on its type's face at the trim size, fills running on by ``bleed`` beyond the trim.

    A landscape face makes a drawing wider than high, marked ``turned`` when the trim is upright.
    A game that asks for a credit gets it on every card, whether or not the face has a place for it.
    ``plain`` draws without fills: all words in ink on paper, edges as lines. ``large`` is large print.
    """
    canvas = _drawn(card, game, trim, bleed, plain, large)
    return Drawing(card.name, canvas.width, canvas.height, tuple(canvas.strokes), turned=(canvas.width, canvas.height) != trim)


def type_of_text(card: Card, game: Game, trim: tuple[int, int], *, large: bool = False) -> int:
    """The size in micrometres in which the card's text is set; nothing where none is."""
    return _drawn(card, game, trim, 0, False, large).text_size


def _drawn(card: Card, game: Game, trim: tuple[int, int], bleed: int, plain: bool, large: bool) -> Canvas:
    face = game.face_named(card.type)
    short, long = sorted(trim)
    width, height = (long, short) if face.landscape else (short, long)
    elements = face.elements
    shown = {element.of for element in elements if isinstance(element, kit.Text)}
    if game.credit and "credit" not in shown:
        elements = (*elements, _credit(face))
    canvas = Canvas(card, game, face.landscape, (width, height), bleed, plain, large)
    column = _Column(canvas, elements)
    for index, element in enumerate(elements):
        match element:
            case kit.Fill():
                canvas.flood(canvas.box(element.box), canvas.ink(element.colour))
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
                canvas.symbol(box, element.path, canvas.readable(element.colour, box), element.stroke)
            case kit.NumberRow() | kit.FactSymbols() | kit.Lines() | kit.Notes():
                column.draw(index, element)
    return canvas


class _Column:
    """The elements that stand beneath each other: each has a height, and the next begins where it ends, wherever its own box is.

    ``offset`` is how far below its box the next element begins, in micrometres; above its box where that is less than 0.
    """

    def __init__(self, canvas: Canvas, elements: tuple[kit.Element, ...]) -> None:
        self.canvas, self.elements = canvas, elements
        self.offset = 0

    def draw(self, index: int, element: _Stacked) -> None:
        """Draw the element, which is the one with this index of the face, and move what comes after it."""
        box = self.canvas.box(element.box)
        self.offset += self._height(index, element, box) - box.height
        if not self._goes_on(index, element):
            self.offset = 0

    def _height(self, index: int, element: _Stacked, box: kit.Box) -> int:
        """Draw the element and return the height that it takes of the column, in micrometres."""
        match element:
            case kit.NumberRow():
                return box.height if draw_row(self.canvas, element) else box.height - self._freed_by(index, element)
            case kit.FactSymbols():
                freed = self._freed_by(index, element)
                used = draw_marks(self.canvas, element, stacked=freed > 0)
                return max(used, box.height) if used else box.height - freed
            case kit.Lines():
                notes = self._next(index)
                # Long values may take half of the room for notes.
                room = box.height + (self.canvas.box(notes.box).height // 2 if isinstance(notes, kit.Notes) else 0)
                return draw_lines(self.canvas, element, kit.Box(box.x, box.y + self.offset, box.width, box.height), room)
            case kit.Notes():
                _notes(self.canvas, element, self.offset)
                return box.height

    def _goes_on(self, index: int, element: _Stacked) -> bool:
        """Whether the next element belongs to the column: notes end it, and lines unless notes or, under a table, lines follow."""
        if isinstance(element, kit.Lines):
            following = self._next(index)
            return isinstance(following, kit.Notes) or (element.table and isinstance(following, kit.Lines))
        return not isinstance(element, kit.Notes)

    def _next(self, index: int) -> kit.Element | None:
        return self.elements[index + 1] if index + 1 < len(self.elements) else None

    def _freed_by(self, index: int, element: _Stacked) -> int:
        """How far what stands right beneath an element may move up if the element is not there: to where its box began."""
        below = next((one for one in self.elements[index + 1 :] if isinstance(one, _Stacked)), None)
        if below is None or isinstance(below, kit.NumberRow | kit.FactSymbols) or below.box.x != element.box.x:
            return 0
        return self.canvas.box(below.box).y - self.canvas.box(element.box).y


def has_notes(game: Game, card_type: str) -> bool:
    """Whether cards of this type have room for a text."""
    return any(isinstance(element, kit.Notes) for element in game.face_named(card_type).elements)


def _credit(face: kit.Face) -> kit.Text:
    """A place for the credit on a face that has none."""
    width, height = (kit.HEIGHT, kit.WIDTH) if face.landscape else (kit.WIDTH, kit.HEIGHT)
    return kit.Text(kit.Box(3_000, height - 3_600, width - 6_000, 3_200), "credit", 55, 45, colour="soft", lines=2)


def _text(canvas: Canvas, element: kit.Text, set_apart: bool) -> None:
    """Words in a box. A fact that nobody has stated is nothing here: the ruled blanks are those of numbers, lines and marks."""
    words, box = fonts.plain(wording.words_for(element.of, canvas.card, canvas.game, set_apart)), canvas.box(element.box)
    if not words:
        return
    colour, font = canvas.readable(element.colour, box), element.font
    if element.of == "credit":
        words = _credit_that_fits(canvas, element, words, box.width)
    size, least, measure = canvas.size(element.size), canvas.least(element.least), partial(fonts.width, element.font)
    if element.of == "text" or "\n" in words:
        fitted = linebreak.fill(words, box.width, box.height, size, least, measure)
        top = kit.Box(box.x, box.y, box.width, len(fitted.lines) * fitted.pitch)
        canvas.block(fitted, top, font, element.align, colour)
        return
    along, across = (box.height, box.width) if element.turned else (box.width, box.height)
    fitted = linebreak.fit(words, along, across, size, least, element.lines, measure)
    canvas.block(fitted, box, font, element.align, colour, element.turned)


def _credit_that_fits(canvas: Canvas, element: kit.Text, words: str, width: int) -> str:
    """The foot in type that can be read: one too long says only of which set and number the card is; a game's own credit always stands."""
    shorter = wording.print_line(canvas.card)
    if not shorter or wording.game_credit(canvas.game) or element.lines > 1:
        return words
    return words if fonts.width(element.font, words) * canvas.size(element.least) <= width * 1000 else fonts.plain(shorter)


def _notes(canvas: Canvas, element: kit.Notes, offset: int) -> None:
    """The card's text in our words, then rules down to the box's end; they stand on its foot."""
    box = canvas.box(element.box)
    top, bottom = box.y + offset, box.y + box.height
    words = fonts.plain(canvas.card.text)
    if words and bottom > top:
        size = canvas.size(element.size)
        fitted = linebreak.fill(words, box.width, bottom - top, size, canvas.least(65), partial(fonts.width, "sans"), 1_280)
        canvas.text_size = fitted.size
        place = kit.Box(box.x, top, box.width, len(fitted.lines) * fitted.pitch)
        canvas.block(fitted, place, "sans", "left", canvas.readable("ink", box))
        top += place.height
    pitch = canvas.spacing(RULE_PITCH)
    for y in range(bottom, top + pitch * 4 // 5, -pitch):
        canvas.rule(box.x, box.x + box.width, y, FAINT)
