"""Test pictures of every kind that the site accepts or refuses, and a fixture for the folder that stores
them.

All are made here by Pillow, or byte by byte where Pillow cannot write the kind. ``CANARY`` stands in
the metadata of some; it must not survive an upload.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import take
from cardsdb.box.picture_files.png import ADAM7
from cardsdb.box.picture_files.ref import PictureRef, name_of

CARD = (750, 1050)
CANARY = b"CANARY-51.5007N-0.1246W"


@pytest.fixture(autouse=True)
def picture_folder(settings, tmp_path):
    """The folder of stored pictures, new for each test of a module that imports this fixture."""
    settings.CUTOUT_PICTURES = str(tmp_path / "pictures")
    return tmp_path / "pictures"


def painted(mode: str = "RGB", size: tuple[int, int] = CARD) -> Image.Image:
    """Return a picture whose four corners differ, so that a wrong turn or mirroring shows."""
    return _painted(mode, size).copy()


@lru_cache(20)
def _painted(mode: str, size: tuple[int, int]) -> Image.Image:
    across, down = Image.linear_gradient("L").resize(size), Image.linear_gradient("L").rotate(90).resize(size)
    return Image.merge("RGB", (across, down, Image.radial_gradient("L").resize(size))).convert(mode)


def see_through(size: tuple[int, int] = CARD) -> Image.Image:
    """Return a picture that is partly transparent."""
    picture = painted("RGBA", size)
    picture.putalpha(Image.radial_gradient("L").resize(size))
    return picture


def coded(picture: Image.Image, kind: str = "JPEG", **how: Any) -> bytes:
    """Return the picture as a file of this kind; ``how`` goes to Pillow."""
    out = BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


class Pictures(Mapping[str, bytes]):
    """Coded pictures by name. Each is made when it is first read, because collecting the tests needs only the
    names.
    """

    def __init__(self, made: Mapping[str, Callable[[], bytes]]) -> None:
        self._made = {name: cache(make) for name, make in made.items()}

    def __getitem__(self, name: str) -> bytes:
        return self._made[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


@cache
def profile() -> bytes:
    """Return an sRGB colour profile."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


@cache
def broken_profiles() -> Mapping[str, bytes]:
    """Return invalid colour profiles: what is wrong -> bytes."""
    whole = profile()
    return {
        "no signature": whole[:36] + b"nope" + whole[40:],
        "cut off": whole[:-100],
        "header alone": whole[:128],
        "a tag outside": whole[:136] + (1 << 30).to_bytes(4, "big") + whole[140:],
        "a tag in the header": whole[:136] + (4).to_bytes(4, "big") + whole[140:],
        "many tags": whole[:128] + b"\xff\xff\xff\xff" + whole[132:],
        "a link between devices": whole[:12] + b"link" + whole[16:],
        "words": b"no profile at all " * 20,
    }


def pixels(data: bytes) -> bytes:
    """Return the RGBA pixels of a picture file."""
    with Image.open(BytesIO(data)) as picture:
        return picture.convert("RGBA").tobytes()


def picture_with_notes(
    kind: str, orientation: int = 1, picture: Image.Image | None = None, **how: Any
) -> bytes:
    """Return a picture that tells where and by whom it was taken, in every kind of metadata that its
    format has, and after its end.
    """
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = orientation, CANARY.decode()
    exif.get_ifd(0x8825)[1] = CANARY.decode()
    how |= {"exif": exif.tobytes()}
    if kind == "PNG":
        info = PngInfo()
        info.add_text("Comment", CANARY.decode())
        info.add_itxt("Place", CANARY.decode(), zip=True)
        how["pnginfo"] = info
    if kind == "JPEG":
        how["comment"] = CANARY
    if kind == "WEBP":
        how["xmp"] = CANARY
    return coded(picture or painted(), kind, **how) + CANARY


def interlaced(picture: Image.Image) -> bytes:
    """An RGB picture as an interlaced PNG, which Pillow cannot write."""
    rows = b""
    for left, top, across, down in ADAM7:
        for y in range(top, picture.height, down):
            pixels = [picture.getpixel((x, y)) for x in range(left, picture.width, across)]
            rows += bytes(1) + b"".join(map(bytes, pixels)) if pixels else b""
    return png_that_claims(*picture.size, zlib.compress(rows), way=1)


def png_that_claims(width: int, height: int, data: bytes = b"", way: int = 0) -> bytes:
    """Return a PNG whose header claims this size, whatever its pixels are. ``way`` is the interlace
    method.
    """
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 2, 0, 0, way))
    chunks = ((b"IHDR", header), (b"IDAT", data or zlib.compress(bytes(100))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(inside).to_bytes(4, "big") + name + inside + zlib.crc32(name + inside).to_bytes(4, "big")
        for name, inside in chunks
    )


def webp_that_claims(width: int, height: int) -> bytes:
    """Return a lossless WebP whose header claims this size."""
    data = bytearray(coded(Image.new("RGB", (16, 16), "red"), "WEBP", lossless=True))
    at = data.index(b"VP8L") + 9
    bits = int.from_bytes(data[at : at + 4], "little") >> 28 << 28 | (height - 1) << 14 | (width - 1)
    data[at : at + 4] = bits.to_bytes(4, "little")
    return bytes(data)


def jpeg_that_claims(width: int, height: int) -> bytes:
    """Return a JPEG of a few hundred bytes whose header claims this size. Decoders fill it with grey
    without an error.
    """
    data = bytearray(coded(Image.new("RGB", (16, 16), "red")))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(data)


# Cached, because many tests use the same few pictures.
_taken = lru_cache(40)(take)


def store_picture(data: bytes, **values: Any) -> PictureRef:
    """Take the picture in, store its files, and return the reference that printing uses. ``values``
    override its fields.
    """
    taken = _taken(data)
    with storage.locked():
        storage.keep(taken.sha256, {"": taken.data, "colour": taken.colour, "mask": taken.mask})
    facts = {"turn": taken.turn, "mirrored": taken.mirrored, **values}
    return PictureRef(
        taken.sha256,
        taken.kind,
        taken.width,
        taken.height,
        storage.store(),
        f"/pictures/{taken.sha256}/",
        **facts,
    )


def path_of(sha256: str, part: str = "") -> Path:
    """Return the path of a stored picture, or of a part of it ("colour", "mask"), when the store is a
    folder.
    """
    return Path(storage.store().location) / name_of(sha256, part)


def stored_names(folder: Path) -> list[str]:
    """Return the names of all files in the folder, except the lock."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and path.name != "lock")


def heic() -> bytes:
    """Return a HEIC picture of 40 x 56 pixels, as phones make them. Our library reads HEIC but cannot
    write it.
    """
    return base64.b64decode(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
        ACJpbG9jAAAAAERAAAEAAQAAAAABoQABAAAAAAAAALwAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt
        AAAAAAABAAAA/WlwcnAAAADdaXBjbwAAAHZodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA
        AAMAHroCQGEAAQAqQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbq5Ka5uAhoMCAAAAMDIAAAAwAhYgABAAZEAcFzwIkAAAATY29scm5j
        bHgAAQANAAaAAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAoY2xhcAAAACgAAAABAAAAOAAAAAH////oAAAAAv////gAAAACAAAAEHBp
        eGkAAAAAAwgICAAAABhpcG1hAAAAAAAAAAEAAQWBAgMFhAAAAMRtZGF0AAAAuCgBrxOA51ZyQR+034YGV5ttWjZ7T7wTXG5Yf0Hl
        j/WRb+lVSYKEBQv5kHl2M1hsFP7DFuEdFMS+TLw9zX4w1vfRYsjwnK3mUgLbXwTylqnnHeVQ3wfYrhle2zWPHyj8g5KAx0hjy8jL
        +7WwYnf8tOZdGOsiWUvJYxlN9ObQlfva4VXC4E78XX4h+1/+6JKBNFe2+P2jaYA4Dn6as7iGmejRMbdy3mAH19tm/J0WY05KMi2+
        PolgSz4=
        """
    )
