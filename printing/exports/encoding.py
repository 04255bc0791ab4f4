"""Pixels as the bytes of a picture file, with what it is and whose it is written inside."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from io import BytesIO

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cardsdb.games.kit.game import Game
from printing.faces import wording
from printing.faces.strokes import Drawing, Picture
from printing.render.png import card_image

SUFFIXES = {"png": "png", "webp": "webp", "jpeg": "jpg"}
# Below this, letters on coloured ground grow a fringe.
QUALITY = 92
# Names of TIFF, which JPEG files use for what they say of themselves.
_DESCRIPTION, _ARTIST, _SOFTWARE, _COPYRIGHT = 0x010E, 0x013B, 0x0131, 0x8298


def about(title: str, game: Game) -> dict[str, str]:
    """What a file says of itself."""
    return {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": wording.sheet_credit(game) or game.name}


def upright(image: Image.Image, wide: bool = False) -> Image.Image:
    """The picture standing, or with ``wide`` lying across; its head to the left where it had to be turned."""
    return image.transpose(Image.Transpose.ROTATE_90) if (image.width > image.height) != wide and image.width != image.height else image


def card_file(drawing: Drawing, game: Game, kind: str, dpi: int, *, standing: bool = False) -> bytes:
    """The drawing as a file; ``standing`` turns one that lies across."""
    image = card_image(drawing, dpi)
    drawn = not any(isinstance(stroke, Picture) for stroke in drawing.strokes)
    return encoded(upright(image) if standing else image, kind, about(f"{drawing.name}, {game.name}", game), dpi, lossless=drawn)


def encoded(image: Image.Image, kind: str, said: Mapping[str, str], dpi: int, *, lossless: bool = True) -> bytes:
    """The picture as PNG, WebP or JPEG. The same input gives the same bytes.

    WebP without loss is small for what we draw, and enormous for photographs.
    """
    out = BytesIO()
    match kind:
        case "webp":
            image.save(out, "WEBP", lossless=lossless, quality=80 if lossless else QUALITY, method=4, xmp=_xmp(said))
        case "jpeg":
            image.save(out, "JPEG", quality=QUALITY, subsampling=0, optimize=True, dpi=(dpi, dpi), exif=_exif(said))
        case _:
            info = PngInfo()
            for keyword, text in said.items():
                info.add_itxt(keyword, text)
            image.save(out, "PNG", pnginfo=info, dpi=(dpi, dpi), compress_level=6)
    return out.getvalue()


def _xmp(said: Mapping[str, str]) -> bytes:
    spaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    words = "".join(
        f'<dc:{name}><rdf:Alt><rdf:li xml:lang="x-default">{escape(said[key])}</rdf:li></rdf:Alt></dc:{name}>'
        for name, key in (("title", "Title"), ("rights", "Copyright"))
    )
    body = f'<rdf:RDF {spaces}><rdf:Description rdf:about="">{words}</rdf:Description></rdf:RDF>'
    return f'<x:xmpmeta xmlns:x="adobe:ns:meta/">{body}</x:xmpmeta>'.encode()


def _exif(said: Mapping[str, str]) -> bytes:
    exif = Image.Exif()
    tags = ((_DESCRIPTION, "Title"), (_ARTIST, "Author"), (_SOFTWARE, "Software"), (_COPYRIGHT, "Copyright"))
    for tag, key in tags:
        exif[tag] = said[key]
    return exif.tobytes()
