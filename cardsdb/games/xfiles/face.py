"""What the nine types of card look like: cost and pool top left, then what is needed in play.

The order follows the manual (pages 48-59): Adversaries list Health, LRC, CRC; Agents add their
skills and RES; Sites the prerequisite and the question; X-Files four characteristics.
"""

from __future__ import annotations

from typing import Any

from cardsdb.games.kit.print.face import (
    BESIDE,
    Box,
    Face,
    Figure,
    HairLine,
    Lines,
    Notes,
    Number,
    Symbol,
    Text,
    dossier,
)
from cardsdb.games.kit.print.shapes import Draw, Emblem, Ink, Partition
from cardsdb.games.kit.print.symbols import (
    ASTERISK,
    BLADES,
    BOLT,
    CASE,
    CLAW,
    COIN,
    EYE,
    FOLDER,
    HEART,
    PERSON,
    PIN,
    SPEECH,
    STOP,
    TARGET,
)
from cardsdb.games.xfiles import emblems
from cardsdb.games.xfiles.facts import SKILLS

# The hue of an X-File, which no pool pays for.
X_FILE = "#5a4520"

# Our own symbols for the kinds of question, on the 24 x 24 grid.
QUESTION_SYMBOLS = (
    ("Affiliation", "M12 3 L21 19 L3 19 Z M12 9 L12 14"),
    (
        "Motive",
        "M12 4 C17 4 20 8 20 12 C20 16 17 20 12 20 C7 20 4 16 4 12 C4 8 7 4 12 4 Z M12 9 L12 15 M9 12 L15 12",
    ),
    ("Method", "M4 12 L20 12 M14 6 L20 12 L14 18"),
    ("Result", "M4 4 L20 4 L20 20 L4 20 Z M8 12 L11 15 L16 9"),
)

# What a cost is paid from: a file of the Bureau, the eye of the conspiracy, either.
POOL_SYMBOLS = (("RP", FOLDER), ("CP", EYE), ("*P", ASTERISK))

# The numbers down the left: how much a person bears, how well they fight from afar and from near, what they
# bring along.
NUMBER_SYMBOLS = (
    ("health", HEART),
    ("long_range_combat", TARGET),
    ("close_range_combat", BLADES),
    ("resources", COIN),
)

_COLUMN_TOP, _COLUMN_STEP = 22_000, 14_400


def _paid(symbol: str, symbols: tuple[tuple[str, str], ...] = (), **options: Any) -> Face:
    """The family's face with the cost, or its formula, top left, and under it the pool that it is paid
    from.
    """
    drawn = (*POOL_SYMBOLS, *symbols)
    return dossier(
        corner="cost",
        corner_instead="cost_formula",
        under="pool",
        symbol=symbol,
        symbols=drawn,
        edge="by:pool",
        **options,
    )


def _plain(symbol: str, line: Partition, draw: Draw) -> Face:
    lines = ("keywords", "activators", "advanced_only", "episode")
    return _paid(
        symbol,
        lines=lines,
        blanks=("keywords", "activators"),
        spare=("advanced_only", "episode"),
        line=line,
        emblem=Emblem(draw, "by:pool"),
    )


def _adversary() -> Face:
    """Three numbers down the left; N/A or Special may be printed in the place of each."""
    column, spare = ("health", "long_range_combat", "close_range_combat"), ("advanced_only", "episode")
    return _paid(
        CLAW,
        NUMBER_SYMBOLS,
        column=column,
        instead="_special",
        lines=("keywords", "activators", *spare),
        spare=spare,
        line="indented",
        emblem=Emblem(emblems.adversary, "by:pool"),
    )


def _site() -> Face:
    lines = ("site_skills", "site_level", "site_special", "keywords", "episode")
    return _paid(
        PIN,
        QUESTION_SYMBOLS,
        marks="site_questions",
        lines=lines,
        spare=("episode",),
        line="wavy",
        emblem=Emblem(emblems.site, "by:pool"),
    )


def _agent() -> Face:
    """Four numbers down the left, the eleven skills as a table beside them, then what the Agent does and the
    emblem.
    """
    frame = [part for part in _paid(PERSON).elements if not isinstance(part, Notes)]
    numbers = [
        Number(
            Box(3_500, _COLUMN_TOP + index * _COLUMN_STEP, 13_500, _COLUMN_STEP - 800), fact, "", 240, symbol
        )
        for index, (fact, symbol) in enumerate(NUMBER_SYMBOLS)
    ]
    skills = Lines(Box(BESIDE, 21_700, 41_500, 31_700), tuple(SKILLS), tuple(SKILLS), 68, table=True)
    words = Lines(Box(BESIDE, 53_700, 41_500, 8_000), ("keywords", "episode"), size=68, spare=("episode",))
    dial = Notes(Box(BESIDE, 62_500, 41_500, 18_400), emblem=Emblem(emblems.agent, "by:pool"))
    return Face((*frame, *numbers, skills, words, dial))


def _x_file() -> Face:
    """The four characteristics large, each with the drawing of its question and its answer: nothing else is
    needed in play.
    """
    frame = [part for part in dossier(symbol=FOLDER, edge=X_FILE).elements if not isinstance(part, Notes)]
    inks: tuple[tuple[Ink, Ink], ...] = (
        ("deep", "tint"),
        ("tint", "deep"),
        ("paper", "deep"),
        ("ink", "tint"),
    )
    large = [
        part
        for index, ((title, path), (ground, lines)) in enumerate(zip(QUESTION_SYMBOLS, inks, strict=True))
        for top in (22_000 + index * 11_400,)
        for part in (
            Symbol(Box(4_000, top + 1_600, 6_500, 6_500), path, "hue"),
            Text(Box(12_500, top, 34_500, 3_600), f"={title}", 70, 65, colour="soft"),
            Text(
                Box(12_500, top + 3_300, 34_500, 6_900),
                f"fact:{title.casefold()}",
                115,
                75,
                "sans-bold",
                lines=2,
            ),
            HairLine(12_500, top + 10_300, 34_500),
            Figure(
                Box(48_500, top, 11_000, 10_300),
                Emblem(emblems.characteristic(title.casefold(), ground, lines), X_FILE),
            ),
        )
    ]
    episode = Lines(Box(4_000, 68_600, 55_500, 4_700), ("episode",))
    return Face(
        (*frame, *large, episode, Notes(Box(4_000, 73_800, 55_500, 6_000))),
        art=Box(48_500, 22_000, 11_000, 44_500),
    )


FACES = {
    "agent": _agent(),
    "site": _site(),
    "event": _plain(BOLT, "raked", emblems.event),
    "witness": _plain(SPEECH, "scalloped", emblems.witness),
    "bluff": _plain(STOP, "dovetailed", emblems.bluff),
    "equipment": _plain(CASE, "embattled", emblems.equipment),
    "combat": _plain(BLADES, "indented", emblems.combat),
    "adversary": _adversary(),
    "x-file": _x_file(),
}
