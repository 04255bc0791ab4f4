"""Steam Spy's emblems: cogs that truly mesh. A character has three, for Intelligence, Charisma and Body, with
eight teeth and four for each point; all else has the picture of what it does, and a cog with the sign of each
of its traits and types of encounter. At the end stand the words that its faces read out of a card.
"""

from math import cos, pi, sin

from cardsdb.games.kit import Card
from cardsdb.games.kit.model.text import table_beside
from cardsdb.games.kit.print.deeds import draw_deed, first_deed
from cardsdb.games.kit.print.shapes import PEN, SYMBOLS, Ink, Window, codes
from cardsdb.games.steamspy.characters import TRAITS

# A tooth as (share of its pitch, modules beyond the pitch circle).
_TOOTH = ((-0.27, -0.95), (-0.14, 0.95), (0.14, 0.95), (0.27, -0.95))
# The teeth of a cog that bears a sign, and how far it reaches beyond them in modules.
TEETH, RIM = 12, 1.2
# The part of a window's width that such cogs take beside a picture, the height of a window that has them
# below it, and the part of its height that the picture takes then.
BESIDE, HIGH, ABOVE = 0.46, 0.6, 0.58
# The picture of each verb in the kit's deeds.toml.
DEEDS = {
    "add": "added",
    "attach": "links",
    "give": "rise",
    "keep": "kept",
    "play": "bolts",
    "roll": "rolled",
    "treat": "equals",
}
OF_COGS = ("trait", "encounter_type", "encounters", "protagonist", "antagonist")
_MARKS = table_beside(__file__, "game")["marks"]
SIGNS = {
    word: SYMBOLS.get(path, path)
    for fact in ("trait", "encounter_type")
    for word, path in _MARKS[fact].items()
}


def deed(card: Card, window: Window) -> None:
    """The picture of what the card does, and on its right its cogs; without a deed the cogs alone."""
    words = (card.name, *(word for fact in OF_COGS for word in card.words(fact)))
    signs = [SIGNS[word] for word in dict.fromkeys(words) if word in SIGNS]
    shown = first_deed(card, DEEDS)
    if not signs and not shown:
        return
    window.ground("tint")
    cogs = window
    if shown and signs:
        is_high = window.height > window.width * HIGH
        across = (
            window.width if is_high else window.width - min(window.height * len(signs), window.width * BESIDE)
        )
        down = window.height * ABOVE if is_high else window.height
        draw_deed(window.part(0, 0, across, down), shown[1], shown[0].number)
        x, y = (0, down) if is_high else (across, 0)
        cogs = window.part(x, y, window.width - x, window.height - y)
    elif shown:
        draw_deed(window, shown[1], shown[0].number)
    module = min(cogs.height / (TEETH + 2 * RIM), cogs.width / (TEETH * max(1, len(signs)) + 2 * RIM))
    for place, sign in enumerate(signs):
        x, y, side = (
            cogs.width / 2 + TEETH * module * (place - (len(signs) - 1) / 2),
            cogs.height / 2,
            module * TEETH,
        )
        # Every other cog is turned by half a tooth, so that it meshes with the one before.
        _cog(cogs, x, y, TEETH, module, pi / TEETH * (place % 2), "ink" if place % 2 else "deep", 0)
        cogs.disc(x, y, side * 0.36, "paper")
        cogs.sign(sign, x, y, side * 0.46, "ink")


def train(card: Card, window: Window) -> None:
    """The strongest trait drives the two others; a wheel has as many spokes as its trait has points, and two
    more.
    """
    stated = [card.number(trait.casefold()) for trait in TRAITS]
    if None in stated:
        return
    values = [value or 0 for value in stated]
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
    window.ground("tint")
    inks: tuple[Ink, ...] = ("deep", "ink", "deep")
    for (x, y, count, turn), trait, ink in zip(cogs, order, inks, strict=True):
        at = (
            window.width / 2 + (x - (left + right) / 2) * module,
            window.height / 2 + (y - (top + bottom) / 2) * module,
        )
        _cog(window, *at, count, module, turn, ink, max(3, values[trait] + 2) if values[trait] else 0)


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
    hole = window.full("tint")
    metal = window.full(ink)
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


# -- words and shapes that faces read out of a card ------------------------------------

# The cards of a corporation's deck; all others of a deck are an organisation's.
OF_CORPORATION = ("ally", "interrupt", "corporation-card")


def works_for(card: Card) -> tuple[str, ...]:
    """The level of a character, the corporation that it works for and the organisation that it spies for."""
    level = card.number("level")
    return f"level {level or '____'}", *card.words("corporation"), *card.words("organisation")


def whose(card: Card) -> tuple[str, ...]:
    """The deck that a card is of, a blank to write in while no source states it, and its type of vehicle."""
    side = "corporation" if card.type in OF_CORPORATION else "organisation"
    return *(card.words(side) or (f"{side} ____",)), *card.words("vehicle")


def place(card: Card) -> tuple[str, ...]:
    """The words that tell an entry from others of its type: its region, who pays it, its kind, its group, its
    aim.
    """
    facts = ("region", "sponsor", "encounter_kind", "listed_under", "aim")
    words = ((fact, word) for fact in facts for word in card.words(fact))
    return tuple(f"sponsored by {word}" if fact == "sponsor" else word for fact, word in words)


def trait_and_type(card: Card) -> tuple[str, ...]:
    return *card.words("trait"), *card.words("encounter_type")


def raises(card: Card) -> tuple[str, str, str, str] | None:
    """The ranks that a corporation adds to its traits, or an organisation to the actions of its type of
    encounter.
    """
    traits, ranks = card.words("trait"), card.number("trait_bonus")
    if ranks is None:
        traits, ranks = card.words("encounter_type"), card.number("action_bonus")
    return (
        (f"+{ranks}", "", " and ".join(traits), "" if card.words("trait") else "any action")
        if ranks
        else None
    )
