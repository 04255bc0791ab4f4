"""Agent Decker's emblems: an obstacle is a way in, a goal a row of houses by night, a starting card a hand of
its copies. At the end stand the words and shapes that its faces read out of a card.
"""

from math import cos, pi, radians, sin

from cardsdb.games.kit import Card
from cardsdb.games.kit.print.deeds import draw_deed, first_deed
from cardsdb.games.kit.print.shapes import BORDER, PEN, SYMBOLS, Ink, Point, Ruling, Window, codes, rule

# The picture of each verb in the kit's deeds.toml.
DEEDS = {"swap": "swap"}
RULINGS: dict[str, Ruling] = {"fighting": "rays", "stealth": "arcs", "any": "lanes"}


def obstacle(card: Card, window: Window) -> None:
    """A corridor with as many doors as the obstacle costs; who or what waits stands at its end, a bell above
    for each point of alarm.

    The wall behind is ruled by what the cost is paid in: rays for fighting, arcs for stealth, lanes for any
    mix.
    """
    cost, alarm = card.number("cost"), card.number("alarm") or 0
    if cost is None:
        if shown := first_deed(card, DEEDS):
            draw_deed(window, shown[1], shown[0].number)
        return
    width, height = window.width, window.height
    doors = [
        (
            width * (0.02 + 0.31 * share),
            height * (0.12 + 0.24 * share),
            width * (0.98 - 0.31 * share),
            height * (1 - 0.3 * share) - BORDER,
        )
        for share in (door / max(cost, 1) for door in range(max(cost, 1) + 1))
    ]
    window.ground("paper")
    for place, (left, top, right, bottom) in enumerate(doors):
        last = place == len(doors) - 1
        door = window.part(left, top, right - left, bottom - top)
        door.ground("paper" if last else "deep" if place % 2 == 0 else "tint")
        door.frame(600, "ink")
    (left, top, right, bottom), (inner_left, inner_top, inner_right, inner_bottom) = doors[0], doors[-1]
    for x1, y1, x2, y2 in (
        (left, top, inner_left, inner_top),
        (right, top, inner_right, inner_top),
        (left, bottom, inner_left, inner_bottom),
        (right, bottom, inner_right, inner_bottom),
    ):
        window.line([(x1, y1), (x2, y2)], 600, "ink")
    room = window.part(
        inner_left + 500, inner_top + 500, inner_right - inner_left - 1_000, inner_bottom - inner_top - 1_000
    )
    if ruling := RULINGS.get(card.word("cost_kind")):
        rule(room, ruling, 7, "tint", (0, 1))
    _at_the_end(room, card.word("obstacle_type"))
    side = min(height * 0.11, width / max(alarm, 1) * 0.8)
    for bell in range(alarm):
        window.sign(SYMBOLS["bell"], width * (bell + 0.5) / alarm, height * 0.06, side, "deep")


def _at_the_end(room: Window, kind: str) -> None:
    middle, wide, high = room.width / 2, room.width, room.height
    if kind == "person":
        shoulders = [
            (middle - wide * 0.26, high),
            (middle - wide * 0.2, high * 0.42),
            (middle + wide * 0.2, high * 0.42),
            (middle + wide * 0.26, high),
        ]
        room.area(shoulders, "ink")
        room.disc(middle, high * 0.26, min(wide, high) * 0.15, "ink")
    elif kind == "object":
        room.rect(middle - wide * 0.3, high * 0.26, wide * 0.6, high * 0.32, "ink")
        room.disc(middle + wide * 0.1, high * 0.42, high * 0.09, "paper")
        room.area(
            [
                (middle - wide * 0.05, high * 0.58),
                (middle + wide * 0.05, high * 0.58),
                (middle + wide * 0.2, high),
                (middle - wide * 0.2, high),
            ],
            "ink",
        )
    elif kind == "location":
        for share in (0.2, 0.4, 0.6, 0.8):
            room.rect(wide * 0.06, high * share - 400, wide * 0.88, 800, "ink")


def goal(card: Card, window: Window) -> None:
    """Houses as high as the letters of the mission's name say, lit by their holes; the goal is the white one,
    by the mission's letter.
    """
    letter_of_mission = card.word("letter")
    if card.fact("stand_in") or not letter_of_mission:
        return
    letters = codes(card.name)
    goal_at = (ord(letter_of_mission[0]) - ord("A") + 1) * 2 % 7
    window.ground("deep")
    x, place = 0.0, 0
    while x < window.width:
        letter = letters[place % len(letters)]
        wide, high = (
            window.width * (0.09 + 0.05 * (letter % 3)),
            window.height * (0.28 + 0.5 * (letter % 11) / 10),
        )
        is_goal = place == goal_at
        house = window.part(
            x,
            window.height * 0.1 if is_goal else window.height - high,
            min(wide, window.width - x),
            window.height,
        )
        house.height = window.height - (house.top - window.top)
        house.ground("paper" if is_goal else "tint")
        house.frame(500, "ink")
        cell = wide / 4
        windows = [(row, column) for row in range(int(house.height / cell / 1.3) - 1) for column in range(3)]
        lit = [
            (cell * (1 + column), cell * (1.2 + row * 1.3))
            for row, column in windows
            if letter >> (row * 3 + column) % 5 & 1
        ]
        for left, top in lit:
            if left + cell < house.width + 1:
                house.rect(
                    left - cell * 0.3, top - cell * 0.3, cell * 0.6, cell * 0.7, "ink" if is_goal else "deep"
                )
        x, place = x + wide, place + 1


def starting(card: Card, window: Window) -> None:
    """As many cards as the deck begins with, fanned; the one on top is ruled by what it gives."""
    copies = card.number("copies")
    if not copies:
        return
    kind = "fighting" if card.number("reward_fighting") else "stealth"
    width, height = window.width * 0.38, window.height * 0.56
    window.ground("tint")
    for copy in range(copies):
        angle = radians((copy - (copies - 1) / 2) * 52 / max(copies, 2) + 4)
        corners = _turned(window, width, height, angle)
        top = copy == copies - 1
        window.area(corners, window.full("deep") if top else "paper")
        if top:
            _ruled(window, corners, kind)
        window.outline(corners, BORDER, "ink")


def resource(card: Card, window: Window) -> None:
    """The ruling of a resource, with a plate for its sign."""
    if ruling := RULINGS.get(card.word("cost_kind")):
        window.ground("tint")
        rule(window, ruling, 12, "deep")
        window.disc(window.width / 2, window.height / 2, min(window.width, window.height) * 0.42, "paper")


def zone(card: Card, window: Window) -> None:
    """The places of the table by their letters and numbers, that of the card filled."""
    here = card.words("area")
    if not here:
        return
    window.ground("tint")
    for row, places in enumerate(("B1 B2 B3", "D1 D2 D3 D4 D5")):
        each = places.split()
        for column, place in enumerate(each):
            across, down = window.width * 0.94 / len(each), window.height * 0.43
            x, y = window.width * 0.03 + across * column, window.height * 0.05 + down * 1.08 * row
            part = window.part(x + across * 0.06, y, across * 0.88, down)
            part.ground("deep" if place in here else "paper")
            part.frame(BORDER * 2 if place in here else PEN, "deep")


def _turned(window: Window, width: float, height: float, angle: float) -> list[Point]:
    """The corners of a card held by its foot, turned about a point below it."""
    x, y = window.width / 2, window.height * 1.02
    top, bottom = y - window.height * 0.86, y - window.height * 0.86 + height
    return [
        (x + (px - x) * cos(angle) - (py - y) * sin(angle), y + (px - x) * sin(angle) + (py - y) * cos(angle))
        for px, py in (
            (x - width / 2, top),
            (x + width / 2, top),
            (x + width / 2, bottom),
            (x - width / 2, bottom),
        )
    ]


def _ruled(window: Window, corners: list[Point], kind: str) -> None:
    """Lines over a turned card: rays from its foot for fighting, arcs about it for stealth."""
    (ax, ay), (bx, by), _, (dx, dy) = corners
    ink: Ink = "deep" if window.light else "paper"

    def at(u: float, v: float) -> Point:
        return (ax + (bx - ax) * u + (dx - ax) * v, ay + (by - ay) * u + (dy - ay) * v)

    if kind == "fighting":
        for ray in range(6):
            one, two = (ray + 0.3) / 6, (ray + 0.7) / 6
            window.area([at(0.5, 0.95), at(one, 0.06), at(two, 0.06)], ink)
        return
    for ring in range(4):
        inner, outer = 0.2 * ring + 0.1, 0.2 * ring + 0.19
        steps = [pi + pi * k / 20 for k in range(21)]
        ring_points = [at(0.5 + 0.5 * outer * cos(a), 0.95 + outer * sin(a)) for a in steps]
        ring_points += [at(0.5 + 0.5 * inner * cos(a), 0.95 + inner * sin(a)) for a in reversed(steps)]
        window.area(ring_points, ink)


# -- words and shapes that faces read out of a card ------------------------------------

# The shape that a cost stands in says what pays it.
SHAPES = {"stealth": "eye", "fighting": "sun", "any": "circle"}


def cost_shape(card: Card) -> str:
    return SHAPES.get(card.word("cost_kind"), "plate")


def kind(card: Card) -> tuple[str, ...]:
    """The kind of obstacle, the letter of the mission, the copies: each that applies, a blank where no source
    states it.
    """
    words = card.words("obstacle_type") or (("kind ____",) if "obstacle" in card.type else ())
    letter = next(iter(card.words("letter")), "____" if card.type == "mission-obstacle" else "")
    copies = card.number("copies")
    return *words, letter and f"letter {letter}", f"{copies} copies" if copies else ""


def gives(card: Card) -> tuple[str, str, str, str] | None:
    """The resource that a starting card gives."""
    known = ((card.number(f"reward_{resource}"), resource) for resource in ("stealth", "fighting"))
    return next(
        ((str(number), "gives", resource.capitalize(), "") for number, resource in known if number), None
    )
