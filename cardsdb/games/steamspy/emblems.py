"""Steam Spy's emblems, and the words that its faces read from a card. ``game.toml`` names the public
functions. Tests of all emblems are in ``tests/cardsdb/games/test_emblems.py``.

Emblems are cogs that mesh. A character has three, for Intelligence, Charisma and Body, with eight teeth plus
four for each point. Every other card has the picture of what it does, and a cog with a sign for each of its
traits and encounter types. Lengths are micrometres or modules; plain factors are proportions chosen by eye.
"""

from math import cos, pi, sin
from typing import NamedTuple

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import draw_deed, first_deed
from cardsdb.games.kit.print.shapes import PEN, SYMBOLS, Ink, Window, codes
from cardsdb.games.steamspy.characters import TRAITS

# A module is the diameter of a cog divided by its number of teeth; cogs that mesh have the same module. The
# diameter is that of the pitch circle, halfway up the teeth, where two cogs touch.
# The corners of a tooth: (share of its pitch, modules beyond the pitch circle):  ___/¯¯¯\___
_TOOTH = ((-0.27, -0.95), (-0.14, 0.95), (0.14, 0.95), (0.27, -0.95))
# The teeth of a cog with a sign.
TEETH = 12
# Modules that such a cog needs beyond its pitch circle.
RIM = 1.2
# Modules that a character's cogs need beyond theirs.
MARGIN = 1.6
# Most of the width for cogs beside a picture.
BESIDE = 0.46
# Ratio of height to width from which cogs are below the picture instead.
HIGH = 0.6
# Share of the height for the picture then.
ABOVE = 0.58
# Angle of a character's first cog.
FIRST_TURN = 0.1
# Verb -> its picture in the kit's deeds.toml.
DEEDS = {
    "add": "added",
    "attach": "links",
    "give": "rise",
    "keep": "kept",
    "play": "bolts",
    "roll": "rolled",
    "treat": "equals",
}
# The facts whose words have a cog.
OF_COGS = ("trait", "encounter_type", "encounters", "protagonist", "antagonist")
_MARKS = table_beside(__file__, "game")["marks"]
# Trait or encounter type -> SVG path data of its sign.
SIGNS = {
    word: SYMBOLS.get(path, path)
    for fact in ("trait", "encounter_type")
    for word, path in _MARKS[fact].items()
}


def deed(card: Card, window: Window) -> None:
    """Draw the picture of what the card does, with its cogs on the right or below; either may be missing."""
    words = (card.name, *(word for fact in OF_COGS for word in card.words(fact)))
    signs = [SIGNS[word] for word in dict.fromkeys(words) if word in SIGNS]
    shown = first_deed(card, DEEDS)
    if not signs and not shown:
        return
    window.ground("tint")
    for_picture = for_cogs = window
    if shown and signs:
        width, height = window.width, window.height
        if height > width * HIGH:
            foot = height * ABOVE
            for_picture, for_cogs = window.part(0, 0, width, foot), window.part(0, foot, width, height - foot)
        else:
            right = width - min(height * len(signs), width * BESIDE)
            for_picture, for_cogs = (
                window.part(0, 0, right, height),
                window.part(right, 0, width - right, height),
            )
    if shown:
        first, picture = shown
        draw_deed(for_picture, picture, first.number)
    # The cogs stand side by side and touch, so their pitch circles are as wide together as all their teeth.
    teeth_across = TEETH * max(1, len(signs))
    module = min(for_cogs.height / (TEETH + 2 * RIM), for_cogs.width / (teeth_across + 2 * RIM))
    side = module * TEETH
    for place, sign in enumerate(signs):
        # The row of cogs stands in the middle of its window.
        x, y = for_cogs.width / 2 + side * (place - (len(signs) - 1) / 2), for_cogs.height / 2
        # Every second cog is turned by half a tooth, so that it meshes with the one before.
        cog = _Cog(x, y, TEETH, pi / TEETH * (place % 2))
        _draw_cog(for_cogs, cog, module, "ink" if place % 2 else "deep", spokes=0)
        for_cogs.disc(x, y, side * 0.36, "paper")
        for_cogs.sign(sign, x, y, side * 0.46, "ink")


class _Cog(NamedTuple):
    """The middle of a cog, its number of teeth, and the angle by which it is turned."""

    x: float
    y: float
    teeth: int
    turn: float


def train(card: Card, window: Window) -> None:
    """Draw a character's three cogs: that of the strongest trait meshes with both others. A wheel has two
    spokes more than its trait has points. The name decides the angle.
    """
    stated = [card.number(trait.casefold()) for trait in TRAITS]
    if None in stated:
        return
    values = [value or 0 for value in stated]
    # Indexes of the traits, the strongest first.
    order = sorted(range(3), key=lambda trait: -values[trait])
    teeth = [8 + 4 * values[trait] for trait in order]
    # The directions, in radians, in which the other cogs lie: left and right, or above and below. The first
    # letter of the name turns them by one of five angles from 0.25 (14 degrees) to 0.65 (37 degrees).
    lean = 0.25 + 0.1 * (codes(card.name)[0] % 5)
    wide = window.width > window.height * 0.9
    angles = (-lean, pi - lean + 0.35) if wide else (-pi / 2 + lean, pi / 2 + lean)
    # Lengths are modules until the window is known; the first cog is at the origin.
    cogs = [_Cog(0, 0, teeth[0], FIRST_TURN)]
    for angle, count in zip(angles, teeth[1:], strict=True):
        # The cog is turned so that one of its gaps meets a tooth of the first where they touch. The middles
        # are a little further apart than the two radii, so that the teeth do not overlap.
        apart = (teeth[0] + count) * 0.51
        # Teeth of the first cog up to that point, such as 5.3. Cogs turn against each other, so the other one
        # is turned ahead by the fraction of a tooth, and by half a tooth more for its gap.
        passed = (angle - FIRST_TURN) / (2 * pi) * teeth[0]
        turn = angle + pi + passed % 1 * 2 * pi / count + pi / count
        cogs.append(_Cog(apart * cos(angle), apart * sin(angle), count, turn))
    # The bounds of all cogs are fitted into the window. A radius has half as many modules as the cog has
    # teeth.
    left = min(cog.x - cog.teeth / 2 for cog in cogs) - MARGIN
    right = max(cog.x + cog.teeth / 2 for cog in cogs) + MARGIN
    top = min(cog.y - cog.teeth / 2 for cog in cogs) - MARGIN
    bottom = max(cog.y + cog.teeth / 2 for cog in cogs) + MARGIN
    module = min(window.width / (right - left), window.height / (bottom - top))
    window.ground("tint")
    inks: tuple[Ink, ...] = ("deep", "ink", "deep")
    for cog, trait, ink in zip(cogs, order, inks, strict=True):
        x = window.width / 2 + (cog.x - (left + right) / 2) * module
        y = window.height / 2 + (cog.y - (top + bottom) / 2) * module
        spokes = max(3, values[trait] + 2) if values[trait] else 0
        _draw_cog(window, _Cog(x, y, cog.teeth, cog.turn), module, ink, spokes)


def _draw_cog(window: Window, cog: _Cog, module: float, ink: Ink, spokes: int) -> None:
    """Draw a cog whose middle is in micrometres; without spokes it is solid. Plain factors are modules, so
    that all parts of cogs of one module are equally thick.
    """
    x, y, teeth, turn = cog
    radius = teeth * module / 2
    rim = []
    for tooth in range(teeth):
        for share, beyond in _TOOTH:
            angle, reach = turn + 2 * pi * (tooth + share) / teeth, radius + beyond * module
            rim.append((x + reach * cos(angle), y + reach * sin(angle)))
    hole = window.full("tint")
    metal = window.full(ink)
    window.area(rim, metal)
    window.outline(rim, PEN, "ink")
    inner = radius - module * 2.1
    if spokes:
        window.disc(x, y, inner, hole)
        for spoke in range(spokes):
            angle = turn + 2 * pi * spoke / spokes
            # A spoke reaches a little into the rim, so that no seam shows.
            window.bar(
                x,
                y,
                x + inner * 1.03 * cos(angle),
                y + inner * 1.03 * sin(angle),
                module * 1.15,
                "ink" if window.light else ink,
            )
    window.disc(x, y, module * 1.7, "ink" if window.light else ink)
    window.disc(x, y, module * 0.8, hole)


# -- words that faces read from a card ----------------------------------------------------

# The types of a corporation's deck; all other types of a deck are an organisation's.
OF_CORPORATION = ("ally", "interrupt", "corporation-card")


def works_for(card: Card) -> tuple[str, ...]:
    """Return a character's level, the corporation that it works for, the organisation that it spies for."""
    level = card.number("level")
    return f"level {level or '____'}", *card.words("corporation"), *card.words("organisation")


def whose(card: Card) -> tuple[str, ...]:
    """Return the corporation or organisation whose deck the card is of, or a blank to write on; and its type
    of vehicle.
    """
    side = "corporation" if card.type in OF_CORPORATION else "organisation"
    return *(card.words(side) or (f"{side} ____",)), *card.words("vehicle")


def place(card: Card) -> tuple[str, ...]:
    """Return what tells an entry from others of its type: region, sponsor, kind of encounter, group, aim."""
    facts = ("region", "sponsor", "encounter_kind", "listed_under", "aim")
    before = {"sponsor": "sponsored by "}
    return tuple(f"{before.get(fact, '')}{word}" for fact in facts for word in card.words(fact))


def trait_and_type(card: Card) -> tuple[str, ...]:
    return *card.words("trait"), *card.words("encounter_type")


def raises(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of a corporation or organisation: the ranks that it adds to traits, or to
    actions of an encounter type.
    """
    traits, ranks = card.words("trait"), card.number("trait_bonus")
    if ranks is None:
        traits, ranks = card.words("encounter_type"), card.number("action_bonus")
    if not ranks:
        return None
    return f"+{ranks}", "", " and ".join(traits), "" if card.words("trait") else "any action"
