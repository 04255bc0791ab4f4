"""Steam Spy's emblem: three cogs that truly mesh, for Intelligence, Charisma and Body, with eight teeth and four
for each point.
"""

from math import cos, pi, sin

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.shapes import PEN, Ink, Window, codes
from cardsdb.games.steamspy.characters import TRAITS

# A tooth as (share of its pitch, modules beyond the pitch circle).
_TOOTH = ((-0.27, -0.95), (-0.14, 0.95), (0.14, 0.95), (0.27, -0.95))


def train(card: Card, window: Window) -> None:
    """The strongest trait drives the two others; a wheel has as many spokes as its trait has points, and two
    more.
    """
    values = _values(card)
    if values is None:
        return
    order = sorted(range(3), key=lambda trait: -values[trait])
    teeth = [8 + 4 * values[trait] for trait in order]
    lean = 0.25 + 0.1 * (codes(card.name)[0] % 5)
    wide = window.width > window.height * 0.9
    angles = (-lean, pi - lean + 0.35) if wide else (-pi / 2 + lean, pi / 2 + lean)
    # Each cog as (x, y, teeth, turn), in modules; the first stands at the origin.
    cogs = [(0.0, 0.0, teeth[0], 0.1)]
    for angle, count in zip(angles, teeth[1:], strict=True):
        apart, passed = (teeth[0] + count) * 0.51, (angle - 0.1) / (2 * pi) * teeth[0]
        turn = angle + pi + passed % 1 * 2 * pi / count + pi / count
        cogs.append((apart * cos(angle), apart * sin(angle), count, turn))
    left, right = (
        min(x - count / 2 for x, _, count, _ in cogs) - 1.6,
        max(x + count / 2 for x, _, count, _ in cogs) + 1.6,
    )
    top, bottom = (
        min(y - count / 2 for _, y, count, _ in cogs) - 1.6,
        max(y + count / 2 for _, y, count, _ in cogs) + 1.6,
    )
    module = min(window.width / (right - left), window.height / (bottom - top))
    window.ground("paper" if window.light else "tint")
    inks: tuple[Ink, ...] = ("deep", "ink", "deep")
    for (x, y, count, turn), trait, ink in zip(cogs, order, inks, strict=True):
        at = (
            window.width / 2 + (x - (left + right) / 2) * module,
            window.height / 2 + (y - (top + bottom) / 2) * module,
        )
        _cog(window, *at, count, module, turn, ink, max(3, values[trait] + 2) if values[trait] else 0)


def _values(card: Card) -> list[int] | None:
    """The three traits of a character, or what a corporation or an action is about; None where nothing is
    stated.
    """
    if card.type == "character":
        stated = [card.number(trait.casefold()) for trait in TRAITS]
        return None if None in stated else [value or 0 for value in stated]
    named = [trait for trait in TRAITS if trait in card.words("trait") or trait == card.name]
    bonus = card.number("trait_bonus") or 1
    return [bonus + 1 if trait in named else 0 for trait in TRAITS] if named else None


def _cog(
    window: Window, x: float, y: float, teeth: int, module: float, turn: float, ink: Ink, spokes: int
) -> None:
    radius = teeth * module / 2
    rim = [
        (x + (radius + beyond * module) * cos(angle), y + (radius + beyond * module) * sin(angle))
        for tooth in range(teeth)
        for share, beyond in _TOOTH
        for angle in (turn + 2 * pi * (tooth + share) / teeth,)
    ]
    hole: Ink = "paper" if window.light else "tint"
    metal: Ink = "paper" if window.light else ink
    window.area(rim, metal)
    window.outline(rim, PEN, "ink")
    inner = radius - module * 2.1
    if spokes:
        window.disc(x, y, inner, hole)
        for spoke in range(spokes):
            angle = turn + 2 * pi * spoke / spokes
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
