"""From a face's colour roles to inks, and inks that can be read on what lies under them."""

from __future__ import annotations

from functools import lru_cache

from cardsdb.games.kit import Card, Game

# White, so that paper costs no ink; what lies under a face on a page or in a printer has a colour of its own.
PAPER, INK = "#ffffff", "#1d1b18"
# What machines look for: the modules of a code, registration marks.
BLACK = "#000000"

# soft: labels and credits, 4.5 : 1 on paper. line: rules to write on, 3 : 1.
ROLES = {"paper": PAPER, "ink": INK, "soft": "#5d574d", "line": "#948b7b"}

# Lines that part and guide but say nothing; lighter than those a fact is written on.
FAINT = "#c9c0b1"


def ink(role: str, card: Card, game: Game) -> str:
    """The ``#rrggbb`` behind a role: a name of the family, the game's hue, ``by:FACT`` or a colour itself.

    A fact whose value has no colour of its own, or is unknown, gives the game's hue.
    """
    if role in ROLES:
        return ROLES[role]
    if role.startswith("by:"):
        return next((colour for value in card.words(role[3:]) if (colour := colour_of(value, game))), game.hue[0])
    if role == "tint":
        return mix(game.hue[0], PAPER, 12)
    return game.hue[0] if role == "hue" else role


def colour_of(value: str, game: Game) -> str:
    """The game's colour for a fact's value, however its letters are cased; empty when it has none."""
    return game.colours.get(value) or next((c for key, c in game.colours.items() if key.casefold() == value.casefold()), "")


@lru_cache(maxsize=1_000)
def legible(colour: str, ground: str, least: float = 4.5) -> str:
    """``colour`` if it can be read on ``ground``, else paper or ink, whichever can be read better."""
    if contrast(colour, ground) >= least:
        return colour
    return max((PAPER, INK), key=lambda other: contrast(other, ground))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2.2 defines it, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=1_000)
def mix(colour: str, ground: str, percent: int) -> str:
    """So much of ``colour`` on ``ground``."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{(a * percent + b * (100 - percent)) // 100:02x}" for a, b in pairs)


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in (c / 255 for c in channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
