"""The picture of a deck that chats and timelines show beside a link: name, game, verdict and content. No
Django.

`printing.web.drawing_views` sends it. Lengths here are pixels; `_um` makes them the micrometres of strokes.
Tests: ``tests/printing/render/test_deck_picture.py``.
"""

import hashlib
from dataclasses import dataclass

from cardsdb.games.kit import Game, some
from cardsdb.games.kit.print.face import Font
from printing.faces import colours, fonts, wording
from printing.faces.strokes import Drawing, Line, Rect, Stroke, TextRun
from printing.options.sizes import INCH
from printing.render.png import DPI, card_png

# The micrometres of a pixel at the resolution of faces.
PIXEL = INCH / DPI
# The size that chats show.
WIDTH = 1200
HEIGHT = 630
MARGIN = 72
EDGE = 24  # the width of the coloured edge at the left
TOP_LINE = 92  # the baseline of game and format
NAME_LINE = 190  # the baseline of the first line of the name
NAME_ROOM = 170  # the height of the name
NAME_TYPE = 76  # its largest type
MIN_NAME = 44  # its smallest type
STAMP = 330  # the top of the verdict's frame
STAMP_HEIGHT = 84
VERDICT_LINE = STAMP + 61  # the baseline of the verdict, in the middle of its frame
COUNT_LINE = STAMP + 150  # the baseline of the number of cards
FOOT_LINE = HEIGHT - 40  # the baseline of our name and the credit
CREDIT = MARGIN + 140  # the left of the credit, beside our name
MAX_BARS = 6
BARS_LEFT = 640  # the left of the words of bars
BAR_WORDS = 210  # the width for these words
BAR_LEFT = BARS_LEFT + 220
BARS_TOP = 322
BAR_STEP = 40  # from one bar to the next
BAR_HIGH = 24
MIN_BAR = 3  # the least length
MAX_BAR = 250  # the greatest length
VERDICT_INKS = {"legal": "#1c683a", "incomplete": "#87560a", "illegal": "#a3231f", "undecided": "#4d5470"}
PAPER = "#fbf8f1"
# Count up when the drawing changes, so that cached pictures are made anew. No test notices if you forget.
DRAWING_VERSION = 2


@dataclass(frozen=True)
class DeckShown:
    """The words and numbers of the picture of a deck.

    ``verdict``: a key of ``VERDICT_INKS``; ``verdict_words``: the same for people; ``cards``: the number of
    cards; ``bars``: (words, number of cards), the largest number first.
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
        """A hash of everything that decides the picture. Everything of the game that ``_deck_drawing`` or
        ``deck_picture`` reads must be listed here.
        """
        own = {name: value for name, value in vars(self).items() if name != "game"}
        game = self.game
        parts = (
            own,
            game.slug,
            game.name,
            game.hue,
            game.credit,
            wording.sheet_credit(game),
            DRAWING_VERSION,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def deck_picture(deck: DeckShown) -> bytes:
    """Return the picture as PNG. ``fonts.STAND_IN`` replaces characters that no font has."""
    about = {
        "Title": f"{deck.name}, {deck.game.name}",
        "Software": "Cutout",
        "Copyright": wording.sheet_credit(deck.game) or deck.game.name,
    }
    return card_png(_deck_drawing(deck), about)


def _deck_drawing(deck: DeckShown) -> Drawing:
    """Return the picture: game and format, name, verdict, bars, and at the foot our name and the credit."""
    hue, soft, along = deck.game.hue[0], colours.ROLES["soft"], WIDTH - 2 * MARGIN
    strokes: list[Stroke] = [_rect(0, 0, WIDTH, HEIGHT, PAPER), _rect(0, 0, EDGE, HEIGHT, hue)]
    game_and_format = f"{deck.game.name}  ·  {deck.format}"
    strokes += _line_of_words(game_and_format, "sans-bold", 30, MARGIN, TOP_LINE, soft, along)
    words = fonts.with_stand_ins(deck.name) or "Deck"
    name = fonts.fit(words, _um(along), _um(NAME_ROOM), _um(NAME_TYPE), _um(MIN_NAME), 2, "serif-bold")
    down = NAME_LINE
    # ``fit`` may return more than two lines; only two are drawn.
    for line in name.lines[:2]:
        strokes += _line_of_words(line, "serif-bold", name.size / PIXEL, MARGIN, down, colours.INK, along)
        down += int(name.pitch / PIXEL)
    strokes += _stamp(deck)
    strokes += _bars(deck, hue)
    strokes += _line_of_words("Cutout", "serif-bold", 30, MARGIN, FOOT_LINE, colours.INK, 300)
    # The file's description has the whole credit; the picture has room only for the owner and the licence.
    if credit := deck.game.credit:
        strokes += _line_of_words(credit.text, "sans", 20, CREDIT, FOOT_LINE, soft, WIDTH - MARGIN - CREDIT)
    return Drawing(deck.name, _um(WIDTH), _um(HEIGHT), tuple(strokes))


def _stamp(deck: DeckShown) -> list[Stroke]:
    """Return the verdict in a frame, and the number of cards below it."""
    ink = VERDICT_INKS.get(deck.verdict, colours.INK)
    words, size, inset = deck.verdict_words.upper(), 54, 24
    across = int(fonts.width("sans-bold", words) * size / 1000) + 2 * inset
    top, right, bottom = STAMP, MARGIN + across, STAMP + STAMP_HEIGHT
    frame = [(MARGIN, y, right, y) for y in (top, bottom)] + [(x, top, x, bottom) for x in (MARGIN, right)]
    lines: list[Stroke] = [Line(_um(x1), _um(y1), _um(x2), _um(y2), _um(5), ink) for x1, y1, x2, y2 in frame]
    lines += _line_of_words(words, "sans-bold", size, MARGIN + inset, VERDICT_LINE, ink, across)
    count = some(deck.cards, "card")
    return lines + _line_of_words(count, "sans", 36, MARGIN, COUNT_LINE, colours.INK, 500)


def _bars(deck: DeckShown, hue: str) -> list[Stroke]:
    """Return the parts of the deck as bars, each with its words and its number."""
    strokes: list[Stroke] = []
    most = max((count for _, count in deck.bars), default=1)
    for place, (words, count) in enumerate(deck.bars[:MAX_BARS]):
        y, long = BARS_TOP + place * BAR_STEP, MAX_BAR * count // most
        # Words stand on the baseline y + 22; the number stands 12 pixels beyond the bar.
        strokes += _line_of_words(words, "sans", 26, BARS_LEFT, y + 22, colours.INK, BAR_WORDS)
        strokes.append(_rect(BAR_LEFT, y + 2, max(MIN_BAR, long), BAR_HIGH, hue))
        x = BAR_LEFT + long + 12
        strokes += _line_of_words(str(count), "sans-bold", 26, x, y + 22, colours.INK, 80)
    return strokes


def _line_of_words(
    text: str, font: Font, size: float, x: float, y: float, colour: str, most: float
) -> list[Stroke]:
    """Return one line of words from a baseline in pixels, smaller if it would be longer than ``most``."""
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
    """Return a length in micrometres."""
    return round(pixels * PIXEL)
