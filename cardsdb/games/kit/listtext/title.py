"""The title of a deck list: a first line that is no card and may be the name of the deck.

``deck.py`` asks here for a first line that was not understood. If the words are surely no misspelt card they
become the deck's name; else the line is reported, and its author may choose. Tests: ``test_deck.py``.
"""

import re
from itertools import islice

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import is_counted, visible
from cardsdb.games.kit.listtext.line import MAX_LINE
from cardsdb.games.kit.listtext.reading import bare_heading, heading_of
from cardsdb.games.kit.model.names import MIN_MISSPELT
from cardsdb.games.kit.model.text import plain_key

TITLED_LINES = 3  # lines with cards below the first that must have a count before the first may be the title
# A title, perhaps with "Deck:" before it or ### behind it.
_TITLE = re.compile(r"(?i)(?:(?:deck|list)\s*:\s*)?(?P<words>.*?\S)(?:\s+#+)?")
# Data, and no title: a bar, a comma or semicolon without space behind it, or a number at either end.
_DATA = re.compile(r"\||[,;]\S|^[0-9]|\s[0-9]{1,2}$")


def title_in(game: Game, lines: list[str], number: int) -> str:
    """The words of line ``number`` if it may be the title of the list; else empty. A title has no count, and
    the first lines with cards below it have one. The line is the first of the list besides comments.
    """
    own = visible(lines[number - 1].strip())
    if is_counted(own) or _DATA.search(own):
        return ""
    below = (visible(line.strip()) for line in lines[number:] if len(line) <= MAX_LINE)
    cards = (
        line
        for line in below
        if line and ":" not in line and not line.startswith(("//", "#")) and heading_of(game, line) is None
    )
    first = list(islice(cards, TITLED_LINES))
    match = _TITLE.fullmatch(bare_heading(own)[0])
    return " ".join(match["words"].split()) if match and first and all(map(is_counted, first)) else ""


def is_surely_title(game: Game, words: str) -> bool:
    """True for words that cannot be meant as a card. They may be a card if they are very short, resemble a
    name, or hold one: at their beginning or end, or anywhere if they have a number or brackets.
    """
    index, pieces = game.name_index, plain_key(words).split("-")
    if len(words) < MIN_MISSPELT or index.resembles(words):
        return False
    anywhere, size = re.search(r"[0-9<\[{]", words), len(pieces)
    parts = (
        "-".join(pieces[begin:end])
        for begin in range(size)
        for end in range(begin + 1, size + 1)
        if anywhere or begin == 0 or end == size
    )
    return not any(map(index.plainly, parts))
