"""The picture that chats and timelines show for a deck: its name, its game, its verdict, and what it is made
of.
"""

import hashlib
from dataclasses import dataclass

from cardsdb.games.kit import Game, plural
from cardsdb.games.kit.print.face import Font
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.render import png

# The size in pixels at which chats show such pictures, and the micrometres of a pixel at the resolution of
# faces.
PIXEL = png.MICROMETRES / png.DPI
WIDTH, HEIGHT = 1200, 630
EDGE, TAB = 72, 24
MAX_BARS = 6
VERDICT_INKS = {"legal": "#1c683a", "incomplete": "#87560a", "illegal": "#a3231f", "undecided": "#4d5470"}
PAPER = "#fbf8f1"
# The version of the drawing: it counts up when the same deck is to look different.
DRAWN = 2


@dataclass(frozen=True, slots=True)
class DeckShown:
    """The words and numbers of the picture of a deck. ``bars``: words and a number of cards, the largest
    number first.
    """

    game: Game
    name: str
    format: str
    verdict: str
    verdict_words: str
    cards: int
    bars: tuple[tuple[str, int], ...]

    @property
    def key(self) -> str:
        """A hash of all that decides the picture."""
        content = (
            self.game.slug,
            self.game.name,
            self.game.hue,
            self.name,
            self.format,
            self.verdict,
            self.verdict_words,
            self.cards,
            self.bars,
        )
        return hashlib.sha256(repr((content, wording.sheet_credit(self.game), DRAWN)).encode()).hexdigest()[
            :32
        ]


def deck_picture(deck: DeckShown) -> bytes:
    """The picture as PNG. In place of characters that no font has stand others (``fonts.STAND_IN``)."""
    about = {
        "Title": f"{deck.name}, {deck.game.name}",
        "Software": "Cutout",
        "Copyright": wording.sheet_credit(deck.game) or deck.game.name,
    }
    return png.card_png(_drawing(deck), about)


def _drawing(deck: DeckShown) -> Drawing:
    hue = deck.game.hue[0]
    strokes: list[Stroke] = [_rect(0, 0, WIDTH, HEIGHT, PAPER), _rect(0, 0, TAB, HEIGHT, hue)]
    strokes += _words(
        f"{deck.game.name}  ·  {deck.format}",
        "sans-bold",
        30,
        EDGE,
        92,
        colours.ROLES["soft"],
        WIDTH - 2 * EDGE,
    )
    name = fonts.fit(
        fonts.with_stand_ins(deck.name) or "Deck",
        _um(WIDTH - 2 * EDGE),
        _um(170),
        _um(76),
        _um(44),
        2,
        "serif-bold",
    )
    down = 190
    for line in name.lines[:2]:
        strokes += _words(line, "serif-bold", name.size / PIXEL, EDGE, down, colours.INK, WIDTH - 2 * EDGE)
        down += int(name.pitch / PIXEL)
    strokes += _stamp(deck, 330)
    strokes += _bars(deck, hue)
    strokes += _words("Cutout", "serif-bold", 30, EDGE, HEIGHT - 40, colours.INK, 300)
    # The file has the whole credit with its addresses; the picture has room for the owner and the licence.
    if deck.game.credit:
        strokes += _words(
            deck.game.credit.text,
            "sans",
            20,
            EDGE + 140,
            HEIGHT - 40,
            colours.ROLES["soft"],
            WIDTH - 2 * EDGE - 140,
        )
    return Drawing(deck.name, _um(WIDTH), _um(HEIGHT), tuple(strokes))


def _stamp(deck: DeckShown, top: int) -> list[Stroke]:
    ink = VERDICT_INKS.get(deck.verdict, colours.INK)
    words, size = deck.verdict_words.upper(), 54
    across, right, bottom = int(fonts.width("sans-bold", words) * size / 1000) + 48, EDGE, top + 84
    box = [
        (right, top, right + across, top),
        (right, bottom, right + across, bottom),
        (right, top, right, bottom),
    ]
    box.append((right + across, top, right + across, bottom))
    lines: list[Stroke] = [Line(_um(x1), _um(y1), _um(x2), _um(y2), _um(5), ink) for x1, y1, x2, y2 in box]
    lines += _words(words, "sans-bold", size, EDGE + 24, top + 61, ink, across)
    count = f"{deck.cards} {plural(deck.cards, 'card')}"
    return lines + _words(count, "sans", 36, EDGE, top + 150, colours.INK, 500)


def _bars(deck: DeckShown, hue: str) -> list[Stroke]:
    """The parts of the deck as bars beside the stamp, each with its words and its number."""
    strokes: list[Stroke] = []
    most = max((count for _, count in deck.bars), default=1)
    left, top, step, longest = 640, 322, 40, 250
    for place, (words, count) in enumerate(deck.bars[:MAX_BARS]):
        y = top + place * step
        strokes += _words(words, "sans", 26, left, y + 22, colours.INK, 210)
        strokes.append(_rect(left + 220, y + 2, max(3, longest * count // most), 24, hue))
        strokes += _words(
            str(count), "sans-bold", 26, left + 232 + longest * count // most, y + 22, colours.INK, 80
        )
    return strokes


def _words(text: str, font: Font, size: float, x: float, y: float, colour: str, most: float) -> list[Stroke]:
    """One line of words from a baseline in pixels, smaller where it would be longer than ``most``."""
    text = fonts.with_stand_ins(text)
    long = fonts.width(font, text) * size / 1000
    size = size * min(1.0, most / long) if long else size
    strokes: list[Stroke] = []
    for run_font, run in fonts.split(font, text):
        width = fonts.width(run_font, run) * size / 1000
        strokes.append(TextRun(_um(x), _um(y), run, run_font, _um(size), _um(width), colour))
        x += width
    return strokes


def _rect(x: float, y: float, width: float, height: float, colour: str) -> Rect:
    return Rect(_um(x), _um(y), _um(width), _um(height), colour)


def _um(pixels: float) -> int:
    return round(pixels * PIXEL)
