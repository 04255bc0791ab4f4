"""Colours: the ink of a face's colour role, inks that can be read on their ground, and greys."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls

from cardsdb.games.kit import Card, Game

# White, so that paper costs no ink: the real paper or page has a colour of its own.
PAPER, INK = "#ffffff", "#1d1b18"
# For machines: the modules of a code, registration marks.
BLACK = "#000000"

# soft: labels and credits, 4.5 : 1 on paper. line: rules to write on, 3 : 1.
ROLES = {"paper": PAPER, "ink": INK, "soft": "#5d574d", "line": "#948b7b"}

# The greys of the ink saver: large words and shapes 4.5 : 1 on paper, small words 7 : 1, rules to write on 3
# : 1. With them no page of the five games takes more than a quarter of the ink, not even one with a single
# card, its marks and a code.
LARGE_INK, SMALL_INK, RULE_INK = "#767676", "#595959", "#949494"

# For lines that part and guide; lighter than those on which a fact is written.
FAINT = "#c9c0b1"


def ink(role: str, card: Card, game: Game) -> str:
    """The ``#rrggbb`` behind a role: a name of the family, the game's hue, ``by:FACT`` or a colour itself.

    A fact whose value has no colour of its own, or is unknown, gives the game's hue.
    """
    if role in ROLES:
        return ROLES[role]
    if role.startswith("by:"):
        return next(
            (colour for value in card.words(role[3:]) if (colour := colour_of(value, game))), game.hue[0]
        )
    if role == "tint":
        return mix(game.hue[0], PAPER, 12)
    return game.hue[0] if role == "hue" else role


def colour_of(value: str, game: Game) -> str:
    """The game's colour for a fact's value, however its letters are cased; empty when it has none."""
    return game.colours.get(value) or next(
        (c for key, c in game.colours.items() if key.casefold() == value.casefold()), ""
    )


def legible(colour: str, ground: str, least: float = 4.5) -> str:
    """``colour`` if its contrast to ``ground`` is enough, else paper or ink, whichever has the higher one."""
    if contrast(colour, ground) >= least:
        return colour
    return max((PAPER, INK), key=lambda other: contrast(other, ground))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2.2 defines it, 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(colour: str, ground: str, percent: int) -> str:
    """``percent`` of ``colour`` mixed with ``ground``."""
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{(a * percent + b * (100 - percent)) // 100:02x}" for a, b in pairs)


def grey_of(colour: str) -> str:
    """The grey as light as the colour, with the weights that printers use."""
    red, green, blue = channels(colour)
    return "#" + f"{(299 * red + 587 * green + 114 * blue) // 1000:02x}" * 3


def tint(colour: str) -> str:
    """The flat light step of a hue: dark figures and near-black words can be read on it, and it is the same
    hue still.
    """
    hue, _, saturation = rgb_to_hls(*(value / 255 for value in channels(colour)))
    return "#" + "".join(
        f"{round(value * 255):02x}" for value in hls_to_rgb(hue, 0.83, min(0.6, saturation * 0.85))
    )


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (c / 255 for c in channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
