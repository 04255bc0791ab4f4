"""People's pictures as pixels of a drawing."""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image

from printing.faces.colours import PAPER
from printing.faces.strokes import Picture
from printing.pictures.kinds import PILLOW
from printing.pictures.ref import PictureLost, PictureRef


def paste(canvas: Image.Image, picture: Picture, scale: float) -> None:
    """Draw the picture in its window, ``scale`` pixels a micrometre."""
    left, top = math.floor(picture.x * scale + 0.5), math.floor(picture.y * scale + 0.5)
    right = math.floor((picture.x + picture.width) * scale + 0.5)
    bottom = math.floor((picture.y + picture.height) * scale + 0.5)
    # Only what lies on the canvas is made.
    box = (max(left, 0), max(top, 0), min(right, canvas.width), min(bottom, canvas.height))
    if box[0] >= box[2] or box[1] >= box[3]:
        return
    source = _upright(picture.image)
    across, down = picture.crop[2] / (right - left), picture.crop[3] / (bottom - top)
    flipped_x, flipped_y = "x" in picture.flip, "y" in picture.flip
    from_left = right - box[2] if flipped_x else box[0] - left
    from_top = bottom - box[3] if flipped_y else box[1] - top
    size = (box[2] - box[0], box[3] - box[1])
    x, y = picture.crop[0] + from_left * across, picture.crop[1] + from_top * down
    part = _part(source, (x, y, x + size[0] * across, y + size[1] * down), size)
    if flipped_x:
        part = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if flipped_y:
        part = part.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    mask = part.getchannel("A") if part.mode == "RGBA" else None
    canvas.paste(part.convert("L").convert("RGB") if picture.grey else part.convert("RGB"), box, mask)


def _part(source: Image.Image, box: tuple[float, float, float, float], size: tuple[int, int]) -> Image.Image:
    """A part of the picture at another size. Where it reaches beyond the picture, nothing is shown."""
    inside = (max(0.0, box[0]), max(0.0, box[1]), min(float(source.width), box[2]), min(float(source.height), box[3]))
    if inside == box:
        return source.resize(size, Image.Resampling.LANCZOS, box=box, reducing_gap=2.0)
    part = Image.new("RGBA", size)
    across, down = size[0] / (box[2] - box[0]), size[1] / (box[3] - box[1])
    # Whole dots, and rather one more than one less: a gap would be a light line along the cut.
    place = (math.floor((inside[0] - box[0]) * across), math.floor((inside[1] - box[1]) * down))
    ends = (min(math.ceil((inside[2] - box[0]) * across), size[0]), min(math.ceil((inside[3] - box[1]) * down), size[1]))
    shown = (ends[0] - place[0], ends[1] - place[1])
    if min(shown) > 0:
        part.paste(source.resize(shown, Image.Resampling.LANCZOS, box=inside, reducing_gap=2.0), place)
    return part


def _on_paper(picture: Image.Image) -> Image.Image:
    """A picture that may be see-through, on paper: it hides the mirrored edges that reach in under it."""
    paper = Image.new("RGB", picture.size, PAPER)
    paper.paste(picture, mask=picture.getchannel("A"))
    return paper


def forget() -> None:
    """Let go of what was decoded for one drawing: a hundred megabytes a process would else be kept for nothing."""
    _upright.cache_clear()


@lru_cache(maxsize=1)
def _upright(ref: PictureRef) -> Image.Image:
    """The whole picture as it is looked at. Kept while a card is drawn: a mirrored edge shows the same one nine times."""
    try:
        with Image.open(ref.file(), formats=[PILLOW[ref.kind]]) as opened:
            found = _on_paper(opened.convert("RGBA")) if opened.has_transparency_data else opened.convert("RGB")
    except OSError:
        raise PictureLost.of(ref) from None
    if ref.mirrored:
        found = found.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    # Pillow turns the other way.
    turns = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
    return found.transpose(turns[ref.turn]) if ref.turn else found
