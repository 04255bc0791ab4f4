"""A card on its face, as strokes. Pure: knows neither PDF nor SVG.

What nobody has stated is a ruled blank to fill in by hand; what does not apply to the card is not there.
"""

from __future__ import annotations

from functools import partial

from cardsdb.games.kit import face as kit
from cardsdb.games.kit.cards import Card
from cardsdb.games.kit.game import Game
from printing import fonts, linebreak, wording
from printing.easel import Easel
from printing.facts import draw_lines, draw_marks, draw_number, draw_symbol
from printing.strokes import Drawing

# Writing lines this far apart suit a pen.
RULE_PITCH, FAINT = 5_500, "#c9c0b1"


def compose(card: Card, game: Game, trim: tuple[int, int] = (63_500, 88_900), bleed: int = 0) -> Drawing:
    """Draw the card on its type's face at the trim size, fills running on by ``bleed`` beyond the trim.

    A landscape face makes a drawing wider than high, marked ``turned`` when the trim is upright.
    A game that asks for a credit gets it on every card, whether or not the face has a place for it.
    """
    face = game.face_named(card.type)
    short, long = sorted(trim)
    width, height = (long, short) if face.landscape else (short, long)
    elements = face.elements
    shown = {element.of for element in elements if isinstance(element, kit.Text)}
    if game.credit and "credit" not in shown:
        elements = (*elements, _credit(face))
    easel = Easel(card, game, face.landscape, width, height, bleed)
    # How much further down than its box the last Lines reached: the Notes after them begin there.
    moved = 0
    for index, element in enumerate(elements):
        match element:
            case kit.Fill():
                _fill(easel, element)
            case kit.Text():
                _text(easel, element, "set" in shown)
            case kit.Number():
                draw_number(easel, element)
            case kit.Lines():
                box = easel.box(element.box)
                following = elements[index + 1] if index + 1 < len(elements) else None
                notes = easel.box(following.box) if isinstance(following, kit.Notes) else None
                depth = draw_lines(easel, element, box.height + (notes.height // 2 if notes else 0))
                moved = depth - box.height
            case kit.Notes():
                _notes(easel, element, moved)
                moved = 0
            case kit.Symbol():
                box = easel.box(element.box)
                draw_symbol(easel, box, element.path, easel.readable(element.colour, box), element.stroke)
            case kit.Marks():
                draw_marks(easel, element)
    return Drawing(card.name, width, height, tuple(easel.strokes), turned=(width, height) != trim)


def _credit(face: kit.Face) -> kit.Text:
    """A place for the credit on a face that has none."""
    width, height = (kit.HEIGHT, kit.WIDTH) if face.landscape else (kit.WIDTH, kit.HEIGHT)
    return kit.Text(kit.Box(3_000, height - 3_600, width - 6_000, 3_200), "credit", 55, 45, colour="soft", lines=2)


def _fill(easel: Easel, element: kit.Fill) -> None:
    box, bleed = easel.box(element.box), easel.bleed
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    if bleed:
        left, top = (-bleed if left <= 0 else left), (-bleed if top <= 0 else top)
        right, bottom = right + (bleed if right >= easel.width else 0), bottom + (bleed if bottom >= easel.height else 0)
    easel.paint(left, top, right - left, bottom - top, easel.ink(element.colour))


def _text(easel: Easel, element: kit.Text, set_apart: bool) -> None:
    """Words in a box. A fact that nobody has stated is nothing here: the ruled blanks are those of numbers, lines and marks."""
    words, box = fonts.plain(wording.words_for(element.of, easel.card, easel.game, set_apart)), easel.box(element.box)
    if not words:
        return
    colour, font = easel.readable(element.colour, box), element.font
    size, least, measure = easel.size(element.size), easel.size(element.least), partial(fonts.width, element.font)
    if element.of == "text" or "\n" in words:
        fitted = linebreak.fill(words, box.width, box.height, size, least, measure)
        top = kit.Box(box.x, box.y, box.width, len(fitted.lines) * fitted.pitch)
        easel.block(fitted, top, font, element.align, colour)
        return
    along, across = (box.height, box.width) if element.turned else (box.width, box.height)
    fitted = linebreak.fit(words, along, across, size, least, element.lines, measure)
    easel.block(fitted, box, font, element.align, colour, element.turned)


def _notes(easel: Easel, element: kit.Notes, moved: int) -> None:
    """The card's text in our words, then rules down to the box's end; they stand on its foot."""
    box = easel.box(element.box)
    top, bottom = box.y + moved, box.y + box.height
    words = fonts.plain(easel.card.text)
    if words and bottom > top:
        size = easel.size(element.size)
        fitted = linebreak.fill(words, box.width, bottom - top, size, min(size, easel.size(60)), partial(fonts.width, "sans"), 1_280)
        place = kit.Box(box.x, top, box.width, len(fitted.lines) * fitted.pitch)
        easel.block(fitted, place, "sans", "left", easel.readable("ink", box))
        top += place.height
    pitch = easel.length(RULE_PITCH)
    for y in range(bottom, top + pitch * 4 // 5, -pitch):
        easel.rule(box.x, box.x + box.width, y, FAINT)
