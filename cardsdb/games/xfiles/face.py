"""What the nine types of card look like: cost top right, then what play asks of the card.

The order follows the manual (pages 48-59): Adversaries list Health, LRC, CRC; Agents add their
skills and RES; Sites the prerequisite and the question; X-Files four characteristics.
"""

from __future__ import annotations

from cardsdb.games.kit.face import Box, Element, Face, Lines, Notes, Number, Text, dossier
from cardsdb.games.xfiles.facts import SKILLS

# Our own symbols for the kinds of question, on the 24 x 24 grid.
QUESTION_SYMBOLS = (
    ("Affiliation", "M12 3 L21 19 L3 19 Z M12 9 L12 14"),
    ("Motive", "M12 4 C17 4 20 8 20 12 C20 16 17 20 12 20 C7 20 4 16 4 12 C4 8 7 4 12 4 Z M12 9 L12 15 M9 12 L15 12"),
    ("Method", "M4 12 L20 12 M14 6 L20 12 L14 18"),
    ("Result", "M4 4 L20 4 L20 20 L4 20 Z M8 12 L11 15 L16 9"),
)

_CORNER = Box(49_000, 1_800, 12_000, 10_500)
_COLUMN_TOP, _COLUMN_STEP, _COLUMN_WIDTH = 20_000, 12_500, 11_000


def _paid(face: Face) -> Face:
    """The face with what the cost is paid from under the corner, and a formula in it where the cost is no number."""
    parts = (
        Text(Box(_CORNER.x, 2_300, _CORNER.width, 6_000), "fact:cost_formula", 170, 90, "sans-bold", "centre"),
        Text(Box(_CORNER.x, 14_500, _CORNER.width, 5_000), "fact:pool", 110, 80, "sans-bold", "centre", "by:pool"),
    )
    return Face((*face.elements, *parts), face.landscape)


def _in_place_of(column: tuple[str, ...]) -> tuple[Element, ...]:
    """The words printed where the column's numbers would stand: N/A or Special."""
    return tuple(
        Text(
            Box(4_000, _COLUMN_TOP + index * _COLUMN_STEP + 1_000, _COLUMN_WIDTH, 6_000),
            f"fact:{fact}_special",
            100,
            65,
            "sans-bold",
            "centre",
        )
        for index, fact in enumerate(column)
    )


def _plain() -> Face:
    return _paid(dossier(corner="cost", lines=("keywords", "activators", "advanced_only", "episode"), blanks=("keywords", "activators")))


def _adversary() -> Face:
    column = ("health", "long_range_combat", "close_range_combat")
    face = _paid(dossier(corner="cost", column=column, lines=("keywords", "activators", "advanced_only", "episode")))
    return Face((*face.elements, *_in_place_of(column)))


def _site() -> Face:
    lines = ("site_skills", "site_level", "site_special", "keywords", "episode")
    return _paid(dossier(corner="cost", marks="site_questions", symbols=QUESTION_SYMBOLS, lines=lines))


def _agent() -> Face:
    """Four numbers down the left, the eleven skills as a table beside them."""
    column = ("health", "long_range_combat", "close_range_combat", "resources")
    frame = [part for part in dossier(corner="cost").elements if not isinstance(part, Notes)]
    numbers = [
        Number(Box(4_000, _COLUMN_TOP + index * _COLUMN_STEP, _COLUMN_WIDTH, _COLUMN_STEP - 500), fact, size=180)
        for index, fact in enumerate(column)
    ]
    skills = Lines(Box(17_000, _COLUMN_TOP, 42_500, 38_500), tuple(SKILLS), tuple(SKILLS))
    words = Lines(Box(17_000, 59_500, 42_500, 8_400), ("keywords", "episode"))
    return _paid(Face((*frame, *numbers, skills, words, Notes(Box(17_000, 68_900, 42_500, 11_600)))))


def _x_file() -> Face:
    """The four characteristics large: they are all that play asks of the card."""
    characteristics = ("affiliation", "motive", "method", "result")
    frame = [part for part in dossier().elements if not isinstance(part, Notes)]
    large = Lines(Box(4_000, 21_000, 55_500, 21_000), characteristics, characteristics, size=100)
    episode = Lines(Box(4_000, 44_500, 55_500, 4_200), ("episode",))
    return Face((*frame, large, episode, Notes(Box(4_000, 50_000, 55_500, 30_500))))


FACES = {
    "agent": _agent(),
    "site": _site(),
    "event": _plain(),
    "witness": _plain(),
    "bluff": _plain(),
    "equipment": _plain(),
    "combat": _plain(),
    "adversary": _adversary(),
    "x-file": _x_file(),
}
