"""What the nine types of card look like: cost and its pool top left, then what play asks of the card.

The order follows the manual (pages 48-59): Adversaries list Health, LRC, CRC; Agents add their
skills and RES; Sites the prerequisite and the question; X-Files four characteristics.
"""

from __future__ import annotations

from typing import Any

from cardsdb.games.kit.print.face import BESIDE, Back, Box, Face, HairLine, Lines, Notes, Number, Symbol, Text, dossier
from cardsdb.games.kit.print.symbols import ASTERISK, BLADES, BOLT, CASE, CLAW, COIN, EYE, FOLDER, HEART, PERSON, PIN, SPEECH, STOP, TARGET
from cardsdb.games.xfiles.facts import SKILLS

# Our own symbols for the kinds of question, on the 24 x 24 grid.
QUESTION_SYMBOLS = (
    ("Affiliation", "M12 3 L21 19 L3 19 Z M12 9 L12 14"),
    ("Motive", "M12 4 C17 4 20 8 20 12 C20 16 17 20 12 20 C7 20 4 16 4 12 C4 8 7 4 12 4 Z M12 9 L12 15 M9 12 L15 12"),
    ("Method", "M4 12 L20 12 M14 6 L20 12 L14 18"),
    ("Result", "M4 4 L20 4 L20 20 L4 20 Z M8 12 L11 15 L16 9"),
)

# What a cost is paid from: a file of the Bureau, the eye of the conspiracy, either.
POOL_SYMBOLS = (("RP", FOLDER), ("CP", EYE), ("*P", ASTERISK))

# What stands down the left: how much is borne, how well one fights from afar and from near, what one brings along.
NUMBER_SYMBOLS = (("health", HEART), ("long_range_combat", TARGET), ("close_range_combat", BLADES), ("resources", COIN))

_COLUMN_TOP, _COLUMN_STEP = 22_000, 14_400


def _paid(symbol: str, symbols: tuple[tuple[str, str], ...] = (), **given: Any) -> Face:
    """The family's face with the cost top left, or the formula printed there, and under it what it is paid from."""
    drawn = (*POOL_SYMBOLS, *symbols)
    return dossier(corner="cost", corner_instead="cost_formula", under="pool", symbol=symbol, symbols=drawn, **given)


def _plain(symbol: str) -> Face:
    lines = ("keywords", "activators", "advanced_only", "episode")
    return _paid(symbol, lines=lines, blanks=("keywords", "activators"), spare=("advanced_only", "episode"))


def _adversary() -> Face:
    """Three numbers down the left; N/A or Special may be printed in the place of each."""
    column, spare = ("health", "long_range_combat", "close_range_combat"), ("advanced_only", "episode")
    return _paid(CLAW, NUMBER_SYMBOLS, column=column, instead="_special", lines=("keywords", "activators", *spare), spare=spare)


def _site() -> Face:
    lines = ("site_skills", "site_level", "site_special", "keywords", "episode")
    return _paid(PIN, QUESTION_SYMBOLS, marks="site_questions", lines=lines, spare=("episode",))


def _agent() -> Face:
    """Four numbers down the left, the eleven skills as a table beside them."""
    frame = [part for part in _paid(PERSON).elements if not isinstance(part, Notes)]
    numbers = [
        Number(Box(3_500, _COLUMN_TOP + index * _COLUMN_STEP, 13_500, _COLUMN_STEP - 800), fact, "", 240, symbol)
        for index, (fact, symbol) in enumerate(NUMBER_SYMBOLS)
    ]
    skills = Lines(Box(BESIDE, _COLUMN_TOP, 41_500, 40_000), tuple(SKILLS), tuple(SKILLS), table=True)
    words = Lines(Box(BESIDE, 63_000, 41_500, 9_000), ("keywords", "episode"), spare=("episode",))
    return Face((*frame, *numbers, skills, words, Notes(Box(BESIDE, 72_500, 41_500, 7_300))))


def _x_file() -> Face:
    """The four characteristics large, each with the drawing of the question that asks for it: they are all that play asks of the card."""
    frame = [part for part in dossier(symbol=FOLDER).elements if not isinstance(part, Notes)]
    large = [
        part
        for index, (title, path) in enumerate(QUESTION_SYMBOLS)
        for top in (22_000 + index * 10_800,)
        for part in (
            Symbol(Box(4_000, top + 1_600, 6_500, 6_500), path, "hue"),
            Text(Box(12_500, top, 47_000, 3_600), f"={title}", 75, 65, colour="soft"),
            Text(Box(12_500, top + 3_500, 47_000, 5_600), f"fact:{title.casefold()}", 125, 90, "sans-bold"),
            HairLine(12_500, top + 9_300, 47_000),
        )
    ]
    episode = Lines(Box(4_000, 66_200, 55_500, 4_700), ("episode",))
    return Face((*frame, *large, episode, Notes(Box(4_000, 71_500, 55_500, 8_300))))


FACES = {
    "agent": _agent(),
    "site": _site(),
    "event": _plain(BOLT),
    "witness": _plain(SPEECH),
    "bluff": _plain(STOP),
    "equipment": _plain(CASE),
    "combat": _plain(BLADES),
    "adversary": _adversary(),
    "x-file": _x_file(),
}

# A drawer of files. An X-File is chosen before play and lies apart, so it has a back of its own; what the printed
# backs look like is not stated: both are our choice.
_FILES = "M0 6 H8 L10 3 H20 L22 6 H24 M0 18 H8 L10 15 H20 L22 18 H24 M0 12 H24 M0 0 H24"
BACKS = (Back(PERSON, _FILES, "Bureau"), Back(FOLDER, _FILES, "X-File", types=("x-file",), colour="#4a3a24"))
