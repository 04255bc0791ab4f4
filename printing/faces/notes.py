"""The text of a card, and in the rest of its box the emblem, an own picture or rules to write on."""

import re
from functools import lru_cache
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, fold
from cardsdb.games.kit.model.effects import abilities
from cardsdb.games.kit.print import face as kit
from printing.faces import fonts
from printing.faces.canvas import BOLD, SIGN_ROOM, SIGNS, TIGHT, Canvas
from printing.faces.colours import FAINT
from printing.faces.own_pictures import in_window

# The distance of rules that a pen writes between.
RULE_PITCH = 5_500
# An emblem lower than this says nothing; how far below a text it begins.
_MIN_WINDOW, _UNDER_TEXT = 9_000, 1_600
# The least type of a text that leaves an emblem room, and of any; the step of the sizes: tenths of a point.
_WITH_EMBLEM, _LEAST, _STEP = 75, 65, 5
# The part of the room that a text in the largest type leaves to the emblem, and one in the least type that
# leaves it any to a picture of the card's art, in per cent.
_LEFT_TO_EMBLEM, _LEFT_TO_ART = 42, 40
# The distance of lines, and the space between paragraphs, in thousandths of the type size.
_LEADING, _APART = 1_200, 350


class _Setting(NamedTuple):
    """A text set in one size: the lines of its paragraphs, and their depth."""

    size: int
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def depth(self) -> int:
        """The distance from the head of the first capital to the tails of the last line."""
        lines, pitch = sum(map(len, self.paragraphs)), self.size * _LEADING // 1000
        cut = fonts.CUTS["sans"]
        ends = self.size * (cut.cap + cut.drop) // 1000
        return (lines - 1) * pitch + (len(self.paragraphs) - 1) * self.size * _APART // 1000 + ends


def draw_notes(canvas: Canvas, element: kit.Notes, top: int) -> None:
    """Draw the card's text from ``top``, then its emblem, or rules to write on. The rules stand on the foot
    of the element's box.
    """
    box = canvas.box(element.box)
    bottom = box.y + box.height
    art = canvas.art if element.box == canvas.art_window else None
    without = str(element.without.read(canvas.card)) if element.without else ""
    words = _without_brackets(_with_bold_headers(canvas.card, canvas.game, without), canvas.game)
    if canvas.small:
        words = ""
    if words and bottom > top:
        told = _fitted(words, canvas, element, bottom - top, bool(art))
        canvas.text_size = told.size
        y, ink = top, canvas.readable("ink", box)
        for lines in told.paragraphs:
            fitted = fonts.Fitted(told.size, lines, told.size * _LEADING // 1000)
            canvas.paragraphs(fitted, kit.Box(box.x, y, box.width, bottom - y), ink)
            y += len(lines) * fitted.pitch + told.size * _APART // 1000
        top += told.depth + canvas.spacing(_UNDER_TEXT)
    window = kit.Box(box.x, top, box.width, bottom - top)
    is_high = window.height >= canvas.length(_MIN_WINDOW)
    if art:
        if is_high:
            canvas.strokes += in_window(art, window)
        return
    if element.emblem and not canvas.ruled:
        if is_high and canvas.emblem(element.emblem, window):
            return
    if canvas.small or (words and not canvas.ruled):
        return
    pitch = canvas.spacing(RULE_PITCH)
    for y in range(bottom, top + pitch * 4 // 5, -pitch):
        canvas.rule(box.x, box.x + box.width, y, FAINT)


def _fitted(words: str, canvas: Canvas, element: kit.Notes, height: int, has_art: bool) -> _Setting:
    """The text in this height: first in the largest type that leaves the emblem room, which is the more the
    larger the type is; then in the largest that fits; then smaller, with broken words if need be.
    """
    width, signed = canvas.box(element.box).width, _with_signs(words, canvas)
    least = canvas.least(_LEAST if canvas.scale < TIGHT else _WITH_EMBLEM)
    sizes = [canvas.size(tenths) for tenths in range(element.size, _LEAST, -_STEP)]
    tries = [(size, 0) for size in sizes if size > canvas.least(_LEAST)]
    if element.emblem or has_art or canvas.ruled:
        window = canvas.length(_MIN_WINDOW) + canvas.spacing(_UNDER_TEXT)
        more = max(0, height * (_LEFT_TO_ART if has_art else _LEFT_TO_EMBLEM) // 100 - window)
        large = sizes[0] - least
        tries[:0] = [
            (size, window + (more if has_art else more * (size - least) // large))
            for size in (*(size for size in sizes if size > least), least)
        ]
    smaller = canvas.least(_LEAST)
    while True:
        for size, left in (*tries, (smaller, 0)):
            # A symbol never makes the words smaller: where it would, they stand alone.
            for text in dict.fromkeys((signed, words)):
                if (told := _set(text, size, width)).depth <= height - left or size < 200:
                    return told
        tries, smaller = [], smaller * 97 // 100


def _set(text: str, size: int, width: int) -> _Setting:
    """The text in this size, its paragraphs broken into lines of this width."""
    limit = width * 1000 // size
    paragraphs = (fonts.wrap(fonts.pieces(one), limit, _width_of_text) for one in text.split("\n"))
    return _Setting(size, tuple(tuple(lines) for lines in paragraphs if lines))


def _with_bold_headers(card: Card, game: Game, without: str) -> str:
    """The text with a mark before each word of its headers, so that they are measured and set in bold. The
    header ``without`` is left out once.
    """
    marked = []
    for ability in abilities(card, game.effect_words):
        header, rest = (re.sub(f"[{SIGNS}{BOLD}]", "", fonts.plain(one)) for one in ability[:2])
        if without and header.removesuffix(":") == without:
            header = without = ""
        marked.append(" ".join([*(BOLD + word for word in header.split()), rest]))
    return "\n".join(marked)


def _without_brackets(text: str, game: Game) -> str:
    """The text with a mark in place of brackets, before each word that stands in brackets and that the game
    has a symbol for.
    """
    names = {fold(name): name for name, _ in game.line_symbols}
    return re.sub(
        r"(?<!\S)[\[{](\w{1,40})[\]}]",
        lambda found: BOLD + names[fold(found[1])] if fold(found[1]) in names else found[0],
        text,
    )


def _with_signs(text: str, canvas: Canvas) -> str:
    """The text with the mark of a symbol before each bold word that the game has one for."""
    return (
        re.sub(rf"(?<={BOLD})\w+", lambda word: canvas.sign_before(word[0]) + word[0], text)
        if canvas.game.line_symbols
        else text
    )


# A text is tried in several sizes, and the same words stand on many cards.
@lru_cache(maxsize=20_000)
def _width_of_text(piece: str) -> int:
    """The length of one piece of a text, which may begin with the mark of bold type, in thousandths of the
    type size.
    """
    font: kit.Font = "sans-bold" if piece.startswith(BOLD) else "sans"
    words, signs = re.subn(f"[{SIGNS}]", "", piece.removeprefix(BOLD))
    return fonts.width(font, words) + signs * SIGN_ROOM
