"""The box for a card's text; below the text, what fits of the emblem, an own picture, or rules to write on.

`draw_notes` is called by `compose` as the last element of a column. The size of the text is a compromise: the
larger the type, the more room the emblem must get, and no text is ever cut off. Tests:
``tests/printing/faces/test_notes.py``; ``test_compose.py`` beside it for the smallest type of each game.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from cardsdb.games.kit import Card, Game, fold
from cardsdb.games.kit.model.effects import abilities
from cardsdb.games.kit.print import face as kit
from printing.faces import fonts
from printing.faces.canvas import BOLD, SIGN_ROOM, SIGNS, TIGHT, Canvas
from printing.faces.colours import FAINT
from printing.faces.own_pictures import in_window

# The distance between rules to write on, in micrometres.
RULE_PITCH = 5_500
# An emblem or picture that is lower than this is left out, and the space above it, in micrometres.
_MIN_WINDOW = 9_000
_UNDER_TEXT = 1_600
# In tenths of a point: the smallest type of a text that shares its box with an emblem; the smallest of any
# text; the step between the sizes that are tried.
_WITH_EMBLEM = 75
_LEAST = 65
_STEP = 5
# In per cent of the box: the room that a text in the largest type leaves to an emblem, and that a text in any
# size leaves to an own picture.
_LEFT_TO_EMBLEM = 42
_LEFT_TO_ART = 40
# The distance of baselines, and the space between paragraphs, in thousandths of the size of type.
_LEADING = 1_200
_APART = 350
# No type is smaller than this, in micrometres, however long the text: it could not be seen, and would end
# nowhere.
_VANISHING = 200


class _Setting(NamedTuple):
    """A text set in one size, as the lines of each of its paragraphs."""

    size: int
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def depth(self) -> int:
        """The distance from the top of the first capital to the lowest tail of the last line."""
        lines, pitch = sum(map(len, self.paragraphs)), self.size * _LEADING // 1000
        cut = fonts.CUTS["sans"]
        ends = self.size * (cut.cap + cut.drop) // 1000
        return (lines - 1) * pitch + (len(self.paragraphs) - 1) * self.size * _APART // 1000 + ends


def draw_notes(canvas: Canvas, element: kit.Notes, top: int) -> None:
    """Draw the card's text from y = ``top``, then its emblem, an own picture, or rules to write on.

    Rules end at the foot of the element's box.
    """
    box = canvas.box(element.box)
    bottom = box.y + box.height
    art = canvas.art if element.box == canvas.art_window else None
    without = str(element.without.read(canvas.card)) if element.without else ""
    words = _without_brackets(_with_bold_headers(canvas.card, canvas.game, without), canvas.game)
    if canvas.small:
        words = ""
    if words and bottom > top:
        text = _fitted(words, canvas, element, bottom - top, bool(art))
        canvas.text_size = text.size
        y, ink = top, canvas.readable("ink", box)
        for lines in text.paragraphs:
            fitted = fonts.Fitted(text.size, lines, text.size * _LEADING // 1000)
            canvas.paragraphs(fitted, kit.Box(box.x, y, box.width, bottom - y), ink)
            y += len(lines) * fitted.pitch + text.size * _APART // 1000
        top += text.depth + canvas.spacing(_UNDER_TEXT)
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
    """Return the text, set in the first of ``_tries`` in which it fits."""
    width = canvas.box(element.box).width
    # Symbols must not make the words smaller: if the text fits only without them, they are left out.
    texts = dict.fromkeys((_with_signs(words, canvas), words))
    return next(
        setting
        for size, left in _tries(canvas, element, height, has_art)
        for text in texts
        if (setting := _set(text, size, width)).depth <= height - left or size < _VANISHING
    )


def _tries(canvas: Canvas, element: kit.Notes, height: int, has_art: bool) -> Iterator[tuple[int, int]]:
    """Yield (size, room to leave below the text), without end:

    1. with room for the emblem, picture or rules, from the largest type down; larger type leaves more;
    2. without such room, from the largest type down to the smallest readable one;
    3. in ever smaller type, in which words are broken if necessary.

    An agent of Spycraft, with an emblem, in 53.6 mm: (4057, 22512), (3881, 21026), ... (2646, 10600); (4057,
    0), (3881, 0), ... (2469, 0); (2293, 0), (2224, 0), (2157, 0), ...
    """
    largest_first = [canvas.size(tenths) for tenths in range(element.size, _LEAST, -_STEP)]
    if element.emblem or has_art or canvas.ruled:
        least = canvas.least(_LEAST if canvas.scale < TIGHT else _WITH_EMBLEM)
        window = canvas.length(_MIN_WINDOW) + canvas.spacing(_UNDER_TEXT)
        # The room beyond the smallest window: all of it below the largest type, none below the least.
        more = max(0, height * (_LEFT_TO_ART if has_art else _LEFT_TO_EMBLEM) // 100 - window)
        sizes_apart = largest_first[0] - least
        for size in (*(size for size in largest_first if size > least), least):
            yield size, window + (more if has_art else more * (size - least) // sizes_apart)
    smallest = canvas.least(_LEAST)
    yield from ((size, 0) for size in largest_first if size > smallest)
    while True:
        yield smallest, 0
        smallest = smallest * 97 // 100


def _set(text: str, size: int, width: int) -> _Setting:
    """Return the text in this size, its paragraphs broken into lines of this width."""
    limit = width * 1000 // size
    paragraphs = (fonts.wrap(fonts.pieces(part), limit, _width_of_text) for part in text.split("\n"))
    return _Setting(size, tuple(tuple(lines) for lines in paragraphs if lines))


def _with_bold_headers(card: Card, game: Game, without: str) -> str:
    """Return the card's text with ``BOLD`` before each word of its headers, which are set in bold.

    The header ``without``, which the face shows elsewhere, is left out once. Acrobatic Escape of Spycraft:
    ``React Combat 8: After ...`` -> ``\\x02React \\x02Combat \\x028: After ...``.
    """
    marked = []
    for ability in abilities(card, game.effect_words):
        # The marks are removed from the text itself, which a player may have written.
        header, rest = (re.sub(f"[{SIGNS}{BOLD}]", "", fonts.plain(part)) for part in ability[:2])
        if without and header.removesuffix(":") == without:
            header = without = ""
        marked.append(" ".join([*(BOLD + word for word in header.split()), rest]))
    return "\n".join(marked)


def _without_brackets(text: str, game: Game) -> str:
    """Return the text with ``BOLD`` instead of brackets around names of the game's symbols: ``[Loyalty]``."""
    names = {fold(name): name for name, _ in game.line_symbols}

    def in_bold(found: re.Match[str]) -> str:
        name = names.get(fold(found[1]))
        return BOLD + name if name else found[0]

    # One word in brackets or braces, at the start of a word.
    return re.sub(r"(?<!\S)[\[{](\w{1,40})[\]}]", in_bold, text)


def _with_signs(text: str, canvas: Canvas) -> str:
    """Return the text with the character of a symbol before each bold word that the game has a symbol for."""
    if not canvas.game.line_symbols:
        return text
    return re.sub(rf"(?<={BOLD})\w+", lambda word: canvas.sign_before(word[0]) + word[0], text)


# Cached, because a text is tried in several sizes and the same words stand on many cards.
@lru_cache(maxsize=20_000)
def _width_of_text(piece: str) -> int:
    """Return the length of one piece of a text, in thousandths of the size. It may begin with ``BOLD``."""
    font: kit.Font = "sans-bold" if piece.startswith(BOLD) else "sans"
    words, signs = re.subn(f"[{SIGNS}]", "", piece.removeprefix(BOLD))
    return fonts.width(font, words) + signs * SIGN_ROOM
