"""Silhouettes of gear by its trait, made of straight lines and discs."""

from __future__ import annotations

from collections.abc import Callable

from cardsdb.games.kit.print.shapes import Ink, Point, Window


class Silhouette:
    """A thing drawn on a grid of 120 x 60, of straight lines and discs only."""

    def __init__(self, window: Window, left: float, top: float, scale: float) -> None:
        self.window, self.left, self.top, self.scale = window, left, top, scale

    def area(self, *points: Point, ink: Ink = "deep") -> None:
        self.window.area([(self.left + x * self.scale, self.top + y * self.scale) for x, y in points], ink)

    def rect(self, x: float, y: float, width: float, height: float, ink: Ink = "deep") -> None:
        self.area((x, y), (x + width, y), (x + width, y + height), (x, y + height), ink=ink)

    def disc(self, x: float, y: float, radius: float, ink: Ink = "deep") -> None:
        self.window.disc(self.left + x * self.scale, self.top + y * self.scale, radius * self.scale, ink)

    def wheel(self, x: float, y: float, radius: float) -> None:
        self.disc(x, y, radius * 1.24, "paper")
        self.disc(x, y, radius)
        self.disc(x, y, radius * 0.4, "paper")


def _car(pen: Silhouette) -> None:
    pen.area(
        (2, 43), (4, 31), (20, 27), (36, 14), (72, 14), (88, 27), (112, 31), (118, 38), (116, 45), (4, 45)
    )
    pen.area((40, 18), (54, 18), (54, 27), (31, 27), ink="paper")
    pen.area((58, 18), (70, 18), (80, 27), (58, 27), ink="paper")
    pen.wheel(29, 45, 10)
    pen.wheel(92, 45, 10)


def _vehicle(pen: Silhouette) -> None:
    pen.area((4, 12), (78, 12), (78, 22), (98, 22), (114, 34), (114, 46), (4, 46))
    pen.area((82, 26), (96, 26), (106, 34), (82, 34), ink="paper")
    pen.wheel(24, 46, 9)
    pen.wheel(96, 46, 9)


def _aircraft(pen: Silhouette) -> None:
    pen.area(
        (4, 34),
        (16, 26),
        (50, 26),
        (66, 6),
        (76, 6),
        (70, 26),
        (94, 26),
        (104, 14),
        (111, 14),
        (107, 34),
        (70, 37),
        (76, 54),
        (66, 54),
        (50, 37),
        (14, 38),
    )
    for window in range(4):
        pen.disc(26 + window * 9, 31, 2, "paper")


def _boat(pen: Silhouette) -> None:
    pen.area((6, 34), (114, 34), (100, 50), (20, 50))
    pen.area((38, 18), (74, 18), (82, 31), (30, 31))
    pen.rect(44, 22, 8, 6, "paper")
    pen.rect(58, 22, 8, 6, "paper")
    pen.rect(54, 4, 3, 14)


def _firearm(pen: Silhouette) -> None:
    pen.area(
        (8, 14),
        (100, 14),
        (112, 18),
        (112, 26),
        (60, 26),
        (56, 34),
        (44, 34),
        (38, 54),
        (18, 54),
        (26, 28),
        (8, 26),
    )
    pen.area((47, 26), (56, 26), (53, 31), (45, 31), ink="paper")


def _armor(pen: Silhouette) -> None:
    pen.area(
        (40, 2),
        (50, 2),
        (54, 10),
        (66, 10),
        (70, 2),
        (80, 2),
        (92, 12),
        (90, 26),
        (86, 58),
        (34, 58),
        (30, 26),
        (28, 12),
    )
    for x, y in ((40, 20), (62, 20), (40, 38), (62, 38)):
        pen.rect(x, y, 18, 14, "paper")


def _melee(pen: Silhouette) -> None:
    pen.area((42, 34), (100, 4), (110, 2), (107, 12), (50, 43))
    pen.area((34, 30), (40, 26), (54, 48), (48, 52))
    pen.area((12, 50), (38, 36), (43, 44), (17, 58))


def _gadget(pen: Silhouette) -> None:
    pen.rect(34, 4, 52, 52)
    pen.rect(44, 14, 32, 20, "paper")
    pen.rect(48, 22, 24, 4)
    for pin in range(4):
        pen.rect(24, 9 + 12 * pin, 8, 5)
        pen.rect(88, 9 + 12 * pin, 8, 5)
    pen.disc(50, 45, 4.5, "paper")
    pen.disc(70, 45, 4.5, "paper")


def _place(pen: Silhouette) -> None:
    pen.area((60, 4), (104, 24), (104, 56), (16, 56), (16, 24))
    for x in (26, 46, 66, 86):
        pen.rect(x, 30, 9, 12, "paper")


def case(pen: Silhouette) -> None:
    """Gear of no trait that has a silhouette: a case."""
    pen.area((46, 14), (46, 6), (74, 6), (74, 14), (106, 14), (106, 54), (14, 54), (14, 14))
    pen.rect(51, 10, 18, 4, "paper")
    pen.rect(14, 30, 92, 3, "paper")
    pen.rect(53, 27, 14, 9, "paper")


THINGS: dict[str, Callable[[Silhouette], None]] = {
    "Auto": _car,
    "Aircraft": _aircraft,
    "Boat": _boat,
    "Vehicle": _vehicle,
    "Firearm": _firearm,
    "Armor": _armor,
    "Melee": _melee,
    "Gadget": _gadget,
    "Location": _place,
}
