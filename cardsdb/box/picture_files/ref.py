"""An own picture as printing knows it: its file, and the part of it that is shown."""

from collections.abc import Iterable, Mapping
from typing import IO, Literal, NamedTuple, Protocol


def name_of(sha256: str, part: str = "") -> str:
    """The name of a picture's file in its store, or of a part that was made of it: colour, mask, small."""
    return f"{sha256[:2]}/{sha256}{'.' if part else ''}{part}"


class PictureFiles(Protocol):
    """Tells where files of pictures lie: a store, of which printing knows no more. For a file that is not
    there OSError is raised.
    """

    def read(self, name: str) -> bytes: ...

    def open(self, name: str) -> IO[bytes]: ...

    def sizes(self, names: Iterable[str]) -> Mapping[str, int]: ...


class PictureRef(NamedTuple):
    """``width`` and ``height`` are the pixels of the file; ``mirrored``, then ``turn`` (clockwise), make it
    upright.

    ``crop`` is (left, top, right, bottom) of the upright picture in thousandths. ``files`` hold the file by
    its ``sha256``; ``address`` is where its owner's browser finds it. ``edge``: the bleed outside the cut
    line mirrors the picture (mirrored), or repeats its outermost pixels (repeated); is ``bleed`` micrometres
    of the picture itself, and mirrored beyond that (included); has the colour of its border, ``edge_colour``
    (colour); or stays white (none). ``use``: it is the whole card (card), or stands in the window of the
    drawn face (art).
    """

    sha256: str
    kind: Literal["jpeg", "png", "webp"]
    width: int
    height: int
    files: PictureFiles
    address: str
    turn: int = 0
    mirrored: bool = False
    crop: tuple[int, int, int, int] = (0, 0, 1000, 1000)
    fit: Literal["fill", "whole"] = "fill"
    edge: Literal["mirrored", "repeated", "colour", "included", "none"] = "mirrored"
    bleed: int = 0
    label: str = ""
    use: Literal["card", "art"] = "card"
    edge_colour: str = ""

    def with_edge(self, edge: Literal["each", "mirrored", "repeated", "colour"]) -> "PictureRef":
        """The picture with the edge that a print wishes of all. Bleed of its own stays, and a picture whose
        border has no colour keeps its edge.
        """
        if edge == "each" or self.edge == "included" or (edge == "colour" and not self.edge_colour):
            return self
        return self._replace(edge=edge)

    def read(self, part: str = "") -> bytes:
        """The bytes of the file, or of a part that was made of it: colour, mask."""
        return self.files.read(name_of(self.sha256, part))

    def open(self) -> IO[bytes]:
        """The file, in which one can seek."""
        return self.files.open(name_of(self.sha256))

    @property
    def sizes(self) -> Mapping[str, int]:
        """The bytes of the file (""), and of its parts, as far as they are there."""
        names = {name_of(self.sha256, part): part for part in ("", "colour", "mask")}
        return {names[name]: size for name, size in self.files.sizes(names).items()}

    @property
    def see_through(self) -> bool:
        """Say whether the picture is see-through anywhere: its opacity is then stored beside it."""
        # No JPEG is, so that none of its files is looked for.
        return self.kind != "jpeg" and "mask" in self.sizes

    @property
    def stored(self) -> int:
        """The bytes of its pixels as they are stored, and as a PDF has them; 0 for a picture that is gone."""
        sizes = self.sizes
        return sizes.get("colour", 0) + sizes.get("mask", 0) or sizes.get("", 0)

    @property
    def own_bleed(self) -> int:
        """Return how far the picture itself runs on beyond the cut line, in micrometres."""
        return self.bleed if self.edge == "included" else 0

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height in pixels of the upright picture."""
        return upright(self.width, self.height, self.turn)

    @property
    def shown(self) -> tuple[float, float, float, float]:
        """The crop as (left, top, width, height) in pixels of the upright picture."""
        width, height = self.upright
        left, top, right, bottom = self.crop
        return (
            left * width / 1000,
            top * height / 1000,
            (right - left) * width / 1000,
            (bottom - top) * height / 1000,
        )


# A picture this near to the card's shape is the card without bleed, one this far from it is no card, in
# thousandths of the ratio.
_SAME, _OTHER = 12, 45
# Micrometres of bleed that a ratio may tell: less is how scans differ, more is another shape.
_LEAST, _MOST = 1_500, 5_500
# The widths in use, and how near to one the ratio must come to mean it.
_USUAL, _NEAR = (3_175, 3_000, 2_000, 5_000), 400
# An even margin that ends before this part of the supposed bleed, in per cent, ends inside of it: it is the
# edge of a scan.
_ENDS_INSIDE = 60


class Border(NamedTuple):
    """The narrowest even margin round a picture, in thousandths of its shorter side; whether its corners are
    cut off, as a card's are; the colour of most of its edge, empty where that is see-through; and whether
    nearly all of its edge has that colour.
    """

    margin: int = 0
    cut_corners: bool = False
    colour: str = ""
    is_even: bool = False

    def edge(self, side: int) -> Literal["mirrored", "repeated", "colour"]:
        """Return what bleed is best made of, where the picture's shorter side is ``side`` micrometres:
        mirrored, a border that is narrower than the bleed would be a frame, and cut corners of an even edge
        would be stars.
        """
        if _NARROW <= self.margin * side // 1000 < _WIDE:
            return "repeated"
        return "colour" if self.cut_corners and self.is_even else "mirrored"


# Micrometres of a border that is seen, and of one as wide as any bleed.
_NARROW, _WIDE = 500, 3_300

UNSEEN = Border()


class Shape(NamedTuple):
    """``bleed``: micrometres of the picture that lie outside the card on each side."""

    is_card: bool
    bleed: int = 0


def upright(width: int, height: int, turn: int) -> tuple[int, int]:
    """Width and height in pixels of a picture of this many that is turned to stand upright."""
    return (height, width) if turn % 180 else (width, height)


def shape_of(size: tuple[int, int], trim: tuple[int, int], border: Border) -> Shape:
    """Return what an upright picture of this many pixels is to cards of this size. A card that is shown
    lying is a card all the same.
    """
    (short_px, long_px), (short, long) = sorted(size), sorted(trim)
    ratio, card = short_px / long_px, short / long
    off = round(abs(ratio / card - 1) * 1000)
    if off <= _SAME:
        return Shape(True)
    bleed = round((ratio * long - short) / (2 * (1 - ratio))) if ratio < 1 else 0
    if _LEAST <= bleed <= _MOST and not border.cut_corners:
        bleed = next((usual for usual in _USUAL if abs(usual - bleed) <= _NEAR), bleed)
        deep = 1000 * bleed // (short + 2 * bleed)
        if not 0 < border.margin * 100 < deep * _ENDS_INSIDE:
            return Shape(True, bleed)
    return Shape(off <= _OTHER)
