"""The generator of ``docs/the-house.md`` and its SVG drawing, from the room folders and their docstrings.

``python -m tests.support.house_drawing`` (``make house``) writes both files;
``tests/house/test_docs.py`` fails while they are out of date. The rooms and their imports come from
``tests.support.rooms``.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

from tests import ROOT
from tests.support.rooms import APPS, House, is_pure

PAGE = Path("docs/the-house.md")
DRAWING = Path("docs/pictures/the-house.svg")
# Modules that Django expects in each app. They would only add lines to the drawing.
DJANGOS = ("admin", "apps", "urls", "settings", "wsgi", "templatetags", "management", "management/commands")

# Pixels: width of the drawing, its margin, height of an app's title, of a box, of a floor; mean letter width.
WIDTH, MARGIN, TITLE, BOX, FLOOR = 1180, 16, 30, 28, 54
LETTER = 7.6

# The rooms of each floor, top floor first.
Floors = list[list[str]]


def room_of(room: str) -> str:
    """Return the room under which a room is drawn. All games are drawn as one, because they are alike."""
    parts = room.split("/")
    return "cardsdb/games" if parts[:2] == ["cardsdb", "games"] and parts[2:3] != ["kit"] else room


def arrows_of(house: House, app: str) -> dict[str, set[str]]:
    """Return each drawn room of an app -> the drawn rooms of this app that it imports from."""
    below: dict[str, set[str]] = {}
    for file in house.files:
        short = file.room.removeprefix(f"{app}/")
        if file.app == app and short not in DJANGOS and short != app:
            below.setdefault(room_of(file.room), set())
    for above, room in house.arrows:
        above, room = room_of(above), room_of(room)
        if above in below and room in below and above != room:
            below[above].add(room)
    return below


def floors_of(below: dict[str, set[str]]) -> Floors:
    """Return the rooms by floor. Each room stands one floor above the highest room that it imports from."""

    def height(room: str, over: tuple[str, ...] = ()) -> int:
        # In a circle of imports the way back is not followed; test_architecture.py reports circles.
        lower = (room_below for room_below in below[room] if room_below not in over)
        return 1 + max((height(room_below, (*over, room)) for room_below in lower), default=-1)

    floors: dict[int, list[str]] = defaultdict(list)
    for room in sorted(below):
        floors[height(room)].append(room)
    return [floors[number] for number in sorted(floors, reverse=True)]


def plain(below: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows without those that a chain of other arrows implies."""

    def reached(room: str, seen: set[str]) -> set[str]:
        for target in below[room] - seen:
            seen |= {target} | reached(target, seen | {target})
        return seen

    return {
        room: {to for to in targets if not any(to in reached(other, {room}) for other in targets - {to})}
        for room, targets in below.items()
    }


def name_of(room: str) -> str:
    """Return the room's name without its app."""
    return room.split("/", 1)[1]


def page(house: House) -> str:
    """Return the Markdown of the page: the drawing, and one line per room."""
    lines = [
        "# The house",
        "",
        "Three apps: `printing` imports from `decks`, `decks` from `cardsdb`, never the other way round.",
        "A room is a folder. An arrow says *imports from*; none is drawn where a longer way says it already.",
        "Green rooms are plain Python, without Django and without a drawing library.",
        "`make house` makes this page from the docstrings of the rooms.",
        "",
        f"![The rooms of the three apps, floor by floor]({DRAWING.relative_to(PAGE.parent)})",
    ]
    for app in APPS:
        lines += ["", f"## {app}", ""]
        lines += [
            f"- `{name_of(room)}`: {house.says(room)}"
            for floor in floors_of(arrows_of(house, app))
            for room in floor
        ]
    return "\n".join(lines) + "\n"


def drawing(house: House) -> str:
    """Return the SVG: the apps one below the other, their rooms as boxes on floors."""
    top, pieces = MARGIN, []
    for app in APPS:
        below = arrows_of(house, app)
        floors = floors_of(below)
        height = TITLE + FLOOR * len(floors)
        pieces.append(f'<rect class="app" x="4" y="{top}" width="{WIDTH - 8}" height="{height}" rx="8"/>')
        pieces.append(f'<text class="title" x="{MARGIN}" y="{top + 22}">{app}</text>')
        pieces += _app(below, floors, top + TITLE)
        top += height + 12
    style = (
        "text{font:14px"
        " sans-serif;fill:#222;text-anchor:middle}.title{font-weight:bold;text-anchor:start}"
        ".app{fill:#f4f4f2}"
        ".room{fill:#fff;stroke:#667}.pure{fill:#dff0dd;stroke:#575}line{stroke:#99a;stroke-width:1.2;marker-end:url(#tip)}"
    )
    tip = (
        '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    )
    tip += '<path d="M0 0 8 4 0 8z" fill="#99a"/></marker>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + MARGIN}" width="{WIDTH}"'
        f' height="{top + MARGIN}">'
    )
    ground = f'<rect width="{WIDTH}" height="{top + MARGIN}" fill="#fff"/>'
    return "\n".join([head, f"<style>{style}</style><defs>{tip}</defs>", ground, *pieces, "</svg>"]) + "\n"


def _app(below: dict[str, set[str]], floors: Floors, top: int) -> list[str]:
    """Return the SVG elements of one app, whose first floor begins at ``top``. Arrows come first, so that
    boxes cover them.
    """
    # Room -> the middle of its box.
    middle: dict[str, tuple[float, float]] = {}
    widths = {room: len(name_of(room)) * LETTER + 22 for room in below}
    above: dict[str, list[str]] = defaultdict(list)
    for room, targets in below.items():
        for target in targets:
            above[target].append(room)
    for number, floor in enumerate(floors):
        # Order the floor so that each room stands about below the rooms that import from it.
        placed = {room: [middle[other][0] for other in above[room] if other in middle] for room in floor}
        floor.sort(
            key=lambda room: (sum(placed[room]) / len(placed[room]) if placed[room] else WIDTH / 2, room)
        )
        space = (WIDTH - sum(widths[room] for room in floor)) / (len(floor) + 1)
        left = space
        for room in floor:
            middle[room] = (left + widths[room] / 2, top + FLOOR * number + FLOOR / 2)
            left += widths[room] + space
    arrows, boxes = [], []
    for room, (x, y) in middle.items():
        for target in sorted(plain(below)[room]):
            to_x, to_y = middle[target]
            arrows.append(
                f'<line x1="{x:.0f}" y1="{y + BOX / 2:.0f}" x2="{to_x:.0f}" y2="{to_y - BOX / 2:.0f}"/>'
            )
        kind = "pure" if is_pure(room) else "room"
        boxes.append(
            f'<rect class="{kind}" x="{x - widths[room] / 2:.0f}" y="{y - BOX / 2:.0f}"'
            f' width="{widths[room]:.0f}" height="{BOX}" rx="5"/>'
        )
        boxes.append(f'<text x="{x:.0f}" y="{y + 5:.0f}">{escape(name_of(room))}</text>')
    return arrows + boxes


def main() -> None:
    house = House(ROOT)
    (ROOT / PAGE).write_text(page(house), encoding="utf-8")
    (ROOT / DRAWING).write_text(drawing(house), encoding="utf-8")


if __name__ == "__main__":
    main()
