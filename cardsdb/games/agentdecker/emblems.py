"""Agent Decker's emblems, and the words and shapes that its faces read from a card. ``game.toml`` names the
public functions: those with (card, window) draw an emblem, the others at the end return something of a card.

An obstacle is a corridor of doors, a goal a row of houses at night, a starting card a fan of its copies.
Lengths are micrometres, x grows to the right and y downwards; plain factors such as 0.31 are proportions
chosen by eye. ``Window`` and ``rule`` (patterns of lines) are in ``kit/print/shapes.py``. Tests of all
emblems are in ``tests/cardsdb/games/test_emblems.py``.
"""

from math import cos, pi, radians, sin

from cardsdb.games.kit import Card, plural
from cardsdb.games.kit.print.deeds import draw_deed, first_deed
from cardsdb.games.kit.print.shapes import BORDER, PEN, SYMBOLS, Ink, Point, Ruling, Window, codes, rule

# Verb -> its picture in the kit's deeds.toml.
DEEDS = {"swap": "swap"}
# Resource that pays a cost -> its pattern of lines.
RULINGS: dict[str, Ruling] = {"fighting": "rays", "stealth": "arcs", "any": "lanes"}
# Pen of doors and of the lines between them.
DOOR_PEN = 600


def obstacle(card: Card, window: Window) -> None:
    """Draw a corridor with a door for each point of the obstacle's cost, the obstacle at its end, and a bell
    above for each point of alarm.

    The pattern of the wall behind tells what pays the cost: rays fighting, arcs stealth, lanes any mix. A
    card without a cost has the picture of what it does.
    """
    cost, alarm = card.number("cost"), card.number("alarm") or 0
    if cost is None:
        if shown := first_deed(card, DEEDS):
            deed, picture = shown
            draw_deed(window, picture, deed.number)
        return
    width, height = window.width, window.height
    # (left, top, right, bottom) of each door, the first one in front, the last one the end of the corridor. A
    # cost of 3 has four: each is nearer to the vanishing point than the one before.
    doors = []
    steps = max(cost, 1)
    for door in range(steps + 1):
        share = door / steps  # of the way to the end
        left, right = width * (0.02 + 0.31 * share), width * (0.98 - 0.31 * share)
        top, bottom = height * (0.12 + 0.24 * share), height * (1 - 0.3 * share) - BORDER
        doors.append((left, top, right, bottom))
    window.ground("paper")
    for place, (left, top, right, bottom) in enumerate(doors):
        frame = window.part(left, top, right - left, bottom - top)
        is_last = place == len(doors) - 1
        frame.ground("paper" if is_last else "deep" if place % 2 == 0 else "tint")
        frame.frame(DOOR_PEN, "ink")
    # Four lines from the corners of the first door to those of the last.
    (left, top, right, bottom), (inner_left, inner_top, inner_right, inner_bottom) = doors[0], doors[-1]
    for y, inner_y in ((top, inner_top), (bottom, inner_bottom)):
        for x, inner_x in ((left, inner_left), (right, inner_right)):
            window.line([(x, y), (inner_x, inner_y)], DOOR_PEN, "ink")
    # The room within the frame of the last door.
    edge = 500
    room = window.part(
        inner_left + edge,
        inner_top + edge,
        inner_right - inner_left - 2 * edge,
        inner_bottom - inner_top - 2 * edge,
    )
    if ruling := RULINGS.get(card.word("cost_kind")):
        rule(room, ruling, 7, "tint", (0, 1))
    _at_the_end(room, card.word("obstacle_type"))
    side = min(height * 0.11, width / max(alarm, 1) * 0.8)
    for bell in range(alarm):
        window.sign(SYMBOLS["bell"], width * (bell + 0.5) / alarm, height * 0.06, side, "deep")


def _at_the_end(room: Window, kind: str) -> None:
    """Draw the kind of obstacle: a person, an object on a stand, or bars for a location."""
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
    """Draw houses at night: each letter of the mission's name decides the size of a house and its lit
    windows. The goal is the white house; the mission's letter decides which one that is.
    """
    letter_of_mission = card.word("letter")
    if card.fact("stand_in") or not letter_of_mission:
        return
    letters = codes(card.name)  # telegraph codes from 1 to 31, of five bits each
    # The goal of mission A is the third house, that of B the fifth, and so on, counted around among seven.
    goal_at = (ord(letter_of_mission[0]) - ord("A") + 1) * 2 % 7
    window.ground("deep")
    x, place = 0.0, 0
    while x < window.width:
        letter = letters[place % len(letters)]
        wide = window.width * (0.09 + 0.05 * (letter % 3))
        high = window.height * (0.28 + 0.5 * (letter % 11) / 10)
        is_goal = place == goal_at
        house = window.part(
            x,
            window.height * 0.1 if is_goal else window.height - high,
            min(wide, window.width - x),
            window.height,
        )
        # A house reaches down to the foot of the window.
        house.height = window.height - (house.top - window.top)
        house.ground("paper" if is_goal else "tint")
        house.frame(500, "ink")
        cell = wide / 4
        rows = int(house.height / cell / 1.3) - 1
        # Three windows in each row. The five bits of the letter's code, over and over, decide which are lit.
        for number in range(3 * rows):
            row, column = divmod(number, 3)
            left, top = cell * (1 + column), cell * (1.2 + row * 1.3)
            is_lit = letter >> number % 5 & 1
            # The last house may be cut off at the right edge.
            if is_lit and left + cell < house.width + 1:
                house.rect(
                    left - cell * 0.3, top - cell * 0.3, cell * 0.6, cell * 0.7, "ink" if is_goal else "deep"
                )
        x, place = x + wide, place + 1


def starting(card: Card, window: Window) -> None:
    """Draw a fan of as many cards as the deck begins with; the top card has the pattern of the resource that
    it gives.
    """
    copies = card.number("copies")
    if not copies:
        return
    kind = "fighting" if card.number("reward_fighting") else "stealth"
    width, height = window.width * 0.38, window.height * 0.56
    window.ground("tint")
    for copy in range(copies):
        # The fan is 52 degrees wide and leans 4 degrees to the right.
        angle = radians((copy - (copies - 1) / 2) * 52 / max(copies, 2) + 4)
        corners = _turned(window, width, height, angle)
        top = copy == copies - 1
        window.area(corners, window.full("deep") if top else "paper")
        if top:
            _ruled(window, corners, kind)
        window.outline(corners, BORDER, "ink")


def resource(card: Card, window: Window) -> None:
    """Draw the pattern of a resource, with a plate for its sign."""
    if ruling := RULINGS.get(card.word("cost_kind")):
        window.ground("tint")
        rule(window, ruling, 12, "deep")
        window.disc(*window.middle, window.short * 0.42, "paper")


def zone(card: Card, window: Window) -> None:
    """Draw the plan of the table's places, B1 to B3 over D1 to D5, with the card's places filled."""
    here = card.words("area")
    if not here:
        return
    window.ground("tint")
    for row, places in enumerate(("B1 B2 B3", "D1 D2 D3 D4 D5")):
        in_row = places.split()
        for column, place in enumerate(in_row):
            across, down = window.width * 0.94 / len(in_row), window.height * 0.43
            x, y = window.width * 0.03 + across * column, window.height * 0.05 + down * 1.08 * row
            part = window.part(x + across * 0.06, y, across * 0.88, down)
            part.ground("deep" if place in here else "paper")
            part.frame(BORDER * 2 if place in here else PEN, "deep")


def _turned(window: Window, width: float, height: float, angle: float) -> list[Point]:
    """Return the corners of a card turned by an angle around a point below it, like a card in a hand: top
    left, top right, bottom right, bottom left. The angle is in radians, clockwise.
    """
    x, y = window.width / 2, window.height * 1.02
    # Corners of the upright card, measured from that point.
    top = -window.height * 0.86
    upright = ((-width / 2, top), (width / 2, top), (width / 2, top + height), (-width / 2, top + height))
    return [
        (x + across * cos(angle) - down * sin(angle), y + across * sin(angle) + down * cos(angle))
        for across, down in upright
    ]


def _ruled(window: Window, corners: list[Point], kind: str) -> None:
    """Draw lines on a turned card: rays from its foot for fighting, arcs around its foot for stealth."""
    (left_x, left_y), (right_x, right_y), _bottom_right, (foot_x, foot_y) = corners
    ink: Ink = "deep" if window.light else "paper"

    def at(across: float, down: float) -> Point:
        """Return the point at these shares of the card's width and height: (0, 0) is its top left."""
        return (
            left_x + (right_x - left_x) * across + (foot_x - left_x) * down,
            left_y + (right_y - left_y) * across + (foot_y - left_y) * down,
        )

    if kind == "fighting":
        for ray in range(6):
            left, right = (ray + 0.3) / 6, (ray + 0.7) / 6
            window.area([at(0.5, 0.95), at(left, 0.06), at(right, 0.06)], ink)
        return
    # Half circle above the foot, from left to right in 20 pieces.
    turns = [pi + pi * piece / 20 for piece in range(21)]
    for ring in range(4):
        inner, outer = 0.2 * ring + 0.1, 0.2 * ring + 0.19
        points = [at(0.5 + 0.5 * outer * cos(turn), 0.95 + outer * sin(turn)) for turn in turns]
        points += [at(0.5 + 0.5 * inner * cos(turn), 0.95 + inner * sin(turn)) for turn in reversed(turns)]
        window.area(points, ink)


# -- words and shapes that faces read from a card ----------------------------------------

# The shape around a cost tells what pays it.
SHAPES = {"stealth": "eye", "fighting": "sun", "any": "circle"}


def cost_shape(card: Card) -> str:
    """Return the shape around the card's cost; "plate" if it is not known what pays it."""
    return SHAPES.get(card.word("cost_kind"), "plate")


def kind(card: Card) -> tuple[str, ...]:
    """Return the kind of obstacle, the letter of the mission and the number of copies, as far as they apply;
    unknown ones are blanks to write on: ("person", "", "") for "Guard".
    """
    words = card.words("obstacle_type") or (("kind ____",) if "obstacle" in card.type else ())
    letter = next(iter(card.words("letter")), "____" if card.type == "mission-obstacle" else "")
    copies = card.number("copies")
    return (
        *words,
        letter and f"letter {letter}",
        f"{copies} {plural(copies, 'copy', 'copies')}" if copies else "",
    )


def gives(card: Card) -> tuple[str, str, str, str] | None:
    """Return the ``Headline`` of a card that gives a resource, ("1", "gives", "Stealth", "") for "Hide"; None
    for other cards.
    """
    for resource in ("stealth", "fighting"):
        if number := card.number(f"reward_{resource}"):
            return str(number), "gives", resource.capitalize(), ""
    return None
