"""Strokes to a PNG, WebP or JPEG picture of one card. This is the only module that draws pixels.

`card_image` draws, `encoded` makes the file; `files`, `deck_picture` and the exports call them. A drawing is
painted at twice its resolution (or more) and reduced, which smooths its edges. Letters are set one by one
with the widths of the drawing, because Pillow rounds widths to whole pixels. All numbers are sRGB and no
profile is embedded; own pictures are converted from their own profile.
Tests: ``tests/printing/render/test_png.py``; ``tests/printing/pictures/`` compares with other renderers;
of ``encoded`` ``tests/printing/exports/test_card_pictures.py``.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont
from PIL.ExifTags import Base
from PIL.Image import Exif
from PIL.PngImagePlugin import PngInfo

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pixels import in_srgb
from cardsdb.games.kit.print.face import Font
from printing.faces import fonts
from printing.faces.colours import PAPER
from printing.faces.own_pictures import PictureLost
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, TextRun
from printing.options.sizes import INCH
from printing.render.xmp import packet_of_picture

DPI = 300
# A picture is painted this many times larger on each side; twice as many below SHARP pixels per inch, where a
# pen is so few pixels wide that curves would look like beads.
OVERSAMPLED = 2
SHARP = 250
# The number of straight lines for a curve; none is longer than a pixel or two in a symbol.
PIECES = 12

Point = tuple[float, float]


def card_png(drawing: Drawing, about: Mapping[str, str]) -> bytes:
    """Return the drawing at true size as PNG.

    ``about``: keyword (Title, Copyright, ...) -> text for the file.

    The same input gives the same bytes. The caller must refuse characters that `fonts.missing` names.
    """
    return encoded(card_image(drawing), "png", about, DPI)


# The quality of JPEG and lossy WebP. Below it, letters on a coloured ground get fringes.
QUALITY = 92


def encoded(
    image: Image.Image, kind: str, about: Mapping[str, str], dpi: int, *, lossless: bool = True
) -> bytes:
    """Return the picture as a file of this kind: ``png``, ``webp`` or ``jpeg``.

    The same input gives the same bytes.

    ``about`` is the description: Title, Author, Software, Copyright. ``lossless`` is for WebP; it is small
    for drawings but huge for photographs.
    """
    out = BytesIO()
    match kind:
        case "webp":
            quality = 80 if lossless else QUALITY
            image.save(
                out, "WEBP", lossless=lossless, quality=quality, method=4, xmp=packet_of_picture(about)
            )
        case "jpeg":
            exif = Exif()
            for tag, key in _EXIF.items():
                exif[tag] = about[key]
            look = {"quality": QUALITY, "subsampling": 0, "optimize": True}
            image.save(out, "JPEG", **look, dpi=(dpi, dpi), exif=exif.tobytes())
        case _:
            info = PngInfo()
            for keyword, text in about.items():
                info.add_itxt(keyword, text)
            image.save(out, "PNG", pnginfo=info, dpi=(dpi, dpi))
    return out.getvalue()


# The Exif tags in which JPEG files keep their description.
_EXIF = {
    Base.ImageDescription: "Title",
    Base.Artist: "Author",
    Base.Software: "Software",
    Base.Copyright: "Copyright",
}


def card_image(drawing: Drawing, dpi: float = DPI) -> Image.Image:
    """Return the drawing as an RGB picture of this resolution.

    The caller must refuse characters that no font has.
    """
    drawn = OVERSAMPLED if dpi >= SHARP else 2 * OVERSAMPLED
    scale = dpi * drawn / INCH
    size = round(drawing.width * dpi / INCH), round(drawing.height * dpi / INCH)
    picture = Image.new("RGB", (size[0] * drawn, size[1] * drawn), PAPER)
    pen = ImageDraw.Draw(picture)
    # A picture with mirrored edges is used nine times, so it is kept until the drawing is finished.
    upright: dict[PictureRef, Image.Image] = {}
    for stroke in drawing.strokes:
        match stroke:
            case Rect(x, y, width, height, colour):
                # Pillow draws the last pixel of a rectangle as well, so it gets one pixel less.
                pen.rectangle(
                    (x * scale, y * scale, max(x, x + width) * scale - 1, max(y, y + height) * scale - 1),
                    fill=colour,
                )
            case Line(x1, y1, x2, y2, thick, colour):
                pen.line(
                    (x1 * scale, y1 * scale, x2 * scale, y2 * scale),
                    fill=colour,
                    width=_pixels(thick * scale),
                )
            case TextRun():
                _write(picture, pen, stroke, scale)
            case Path():
                _shape(pen, stroke, scale)
            case Picture():
                if stroke.image not in upright:
                    upright[stroke.image] = _upright(stroke.image)
                paste(picture, stroke, scale, upright[stroke.image])
    return picture.reduce(drawn)


def _write(picture: Image.Image, pen: ImageDraw.ImageDraw, run: TextRun, scale: float) -> None:
    """Paint the words of a run, letter by letter."""
    font = _font(run.font, run.size * scale)
    places = list(_places(run, scale))
    if not run.turned:
        for across, character in places:
            pen.text(
                (run.x * scale + across, run.y * scale), character, fill=run.colour, font=font, anchor="ls"
            )
        return
    # Turned words are written level on a separate mask, which is turned and then painted. The mask has room
    # above and below the baseline for every letter and accent of our fonts, in parts of the size of type.
    rise, fall = round(run.size * scale * 1.1), round(run.size * scale * 0.4)
    mask = Image.new("L", (_pixels(run.width * scale) + fall, rise + fall))
    mask_pen = ImageDraw.Draw(mask)
    for across, character in places:
        mask_pen.text((across, rise), character, fill=255, font=font, anchor="ls")
    turned = mask.transpose(Image.Transpose.ROTATE_90)
    corner = (round(run.x * scale) - rise, round(run.y * scale) - turned.height)
    picture.paste(Image.new("RGB", turned.size, run.colour), corner, turned)


def _places(run: TextRun, scale: float) -> Iterator[tuple[float, str]]:
    """Yield (distance from the start in pixels, character) for every visible character."""
    across = 0
    for character in run.text:
        if not character.isspace():
            yield across * run.size * scale / 1000, character
        across += fonts.width(run.font, character)


def _shape(pen: ImageDraw.ImageDraw, path: Path, scale: float) -> None:
    """Paint a path, filled or as a line with round ends."""
    for points, closed in _outlines(path.steps):
        outline = [(x * scale, y * scale) for x, y in points]
        if not path.pen:
            pen.polygon(outline, fill=path.colour)
            continue
        thick = _pixels(path.pen * scale)
        pen.line(outline + outline[:1] if closed else outline, fill=path.colour, width=thick, joint="curve")
        # Round ends. On a closed line they round off the corner where it begins.
        for x, y in (outline[0], outline[-1]):
            pen.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=path.colour)


def _outlines(steps: Iterable[tuple[str, tuple[int, ...]]]) -> Iterator[tuple[list[Point], bool]]:
    """Yield (points, closed) for every part of a path, with curves cut into straight lines.

    M 0 0, L 10 0, L 10 10, Z yields ([(0, 0), (10, 0), (10, 10)], True). Without Z it yields False.
    """
    points: list[Point] = []
    for letter, numbers in steps:
        if letter in "MZ" and len(points) > 1:
            yield points, letter == "Z"
            points = []
        if letter == "M":
            points = [(numbers[0], numbers[1])]
        elif letter == "L":
            points.append((numbers[0], numbers[1]))
        elif letter == "C":
            points += _curve(points[-1], *zip(numbers[::2], numbers[1::2], strict=True))
    if len(points) > 1:
        yield points, False


def _curve(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    """Return points along a cubic Bézier curve with the two given handles."""
    points = []
    for step in range(1, PIECES + 1):
        t = step / PIECES
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        handles = (start, first, second, end)
        points.append(
            (
                sum(w * x for w, (x, _) in zip(weights, handles, strict=True)),
                sum(w * y for w, (_, y) in zip(weights, handles, strict=True)),
            )
        )
    return points


def _pixels(length: float) -> int:
    return max(1, round(length))


def _font(font: Font, size: float) -> ImageFont.FreeTypeFont:
    # Not cached: an open font takes the memory of its file for each size and must not be shared by threads.
    return ImageFont.truetype(str(fonts.file_of(font)), max(1.0, size), layout_engine=ImageFont.Layout.BASIC)


def paste(canvas: Image.Image, picture: Picture, scale: float, source: Image.Image) -> None:
    """Draw a picture in its window. ``scale`` is pixels per micrometre, ``source`` the upright picture.

    Only the part of the window that lies on the canvas is made. A window from x = -20 to 80 that shows 500
    pixels of the source: 5 pixels of it for one of the canvas. The part from 0 to 80 begins 20 x 5 = 100
    pixels into the crop; if the picture is flipped left to right it begins at the crop's left edge, and is
    turned round afterwards.
    """
    left, top = math.floor(picture.x * scale + 0.5), math.floor(picture.y * scale + 0.5)
    right = math.floor((picture.x + picture.width) * scale + 0.5)
    bottom = math.floor((picture.y + picture.height) * scale + 0.5)
    x1, y1, x2, y2 = box = (max(left, 0), max(top, 0), min(right, canvas.width), min(bottom, canvas.height))
    if x1 >= x2 or y1 >= y2:
        return
    crop_x, crop_y, crop_width, crop_height = picture.crop
    # Pixels of the source for one pixel of the canvas.
    across, down = crop_width / (right - left), crop_height / (bottom - top)
    flipped_x, flipped_y = "x" in picture.flip, "y" in picture.flip
    from_left = right - x2 if flipped_x else x1 - left
    from_top = bottom - y2 if flipped_y else y1 - top
    width, height = size = (x2 - x1, y2 - y1)
    x, y = crop_x + from_left * across, crop_y + from_top * down
    part = _part(source, (x, y, x + width * across, y + height * down), size)
    if flipped_x:
        part = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if flipped_y:
        part = part.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    mask = part.getchannel("A") if part.mode == "RGBA" else None
    canvas.paste(part.convert("L").convert("RGB") if picture.grey else part.convert("RGB"), box, mask)


def _part(source: Image.Image, box: tuple[float, float, float, float], size: tuple[int, int]) -> Image.Image:
    """Return a part of the picture, scaled to this size; see-through where it reaches beyond the picture.

    ``box`` is (left, top, right, bottom) in pixels of the picture. One from -10 to 90, scaled to 50 pixels,
    has its first 5 pixels see-through: the picture begins at 10 x 50 / 100.
    """
    left, top, right, bottom = box
    inside = (
        max(0.0, left),
        max(0.0, top),
        min(float(source.width), right),
        min(float(source.height), bottom),
    )
    if inside == box:
        return source.resize(size, Image.Resampling.LANCZOS, box=box, reducing_gap=2.0)
    part = Image.new("RGBA", size)
    across, down = size[0] / (right - left), size[1] / (bottom - top)
    # Whole pixels, rounded outwards, because a gap would be a light line along the cut.
    place = (math.floor((inside[0] - left) * across), math.floor((inside[1] - top) * down))
    ends = (
        min(math.ceil((inside[2] - left) * across), size[0]),
        min(math.ceil((inside[3] - top) * down), size[1]),
    )
    shown = (ends[0] - place[0], ends[1] - place[1])
    if min(shown) > 0:
        part.paste(source.resize(shown, Image.Resampling.LANCZOS, box=inside, reducing_gap=2.0), place)
    return part


def _on_paper(picture: Image.Image) -> Image.Image:
    """Return a see-through picture on paper, so that it hides the mirrored edges that reach under it."""
    paper = Image.new("RGB", picture.size, PAPER)
    paper.paste(picture, mask=picture.getchannel("A"))
    return paper


def as_stored(ref: PictureRef) -> Image.Image:
    """Return the whole picture in sRGB as it is in its file, not turned upright. Raise PictureLost."""
    try:
        with ref.open() as file, Image.open(file, formats=[ref.kind]) as opened:
            coloured = in_srgb(opened)
            return _on_paper(coloured) if coloured.mode == "RGBA" else coloured
    except OSError:
        raise PictureLost.of(ref) from None


def _upright(ref: PictureRef) -> Image.Image:
    """Return the whole picture, turned upright."""
    picture = as_stored(ref)
    if ref.mirrored:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    # Pillow turns anticlockwise, ``turn`` is clockwise.
    turns = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    return picture.transpose(turns[ref.turn]) if ref.turn else picture
