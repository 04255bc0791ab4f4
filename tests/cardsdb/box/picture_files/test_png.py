"""Reading and cleaning PNG files: duplicate chunks, and the end of the coded pixels."""

import zlib

import pytest
from PIL import Image

from cardsdb.box.picture_files import png
from cardsdb.box.picture_files.bounds import MAX_PARTS, Rejected
from tests.support.pictures import CANARY, coded, painted, pixels, png_that_claims

PNG = coded(painted(size=(60, 80)), "PNG")
# A gamma of 1 / 2.2, in 100,000ths.
GAMMA = (45_455).to_bytes(4, "big")
# The end of the header: a chunk of 13 bytes, with 12 for its length, name and checksum.
AT = len(png.SIGNATURE) + 25


def chunk(name: bytes, inside: bytes = b"") -> bytes:
    return len(inside).to_bytes(4, "big") + name + inside + zlib.crc32(name + inside).to_bytes(4, "big")


def with_chunks(parts: bytes) -> bytes:
    """Return the picture with these chunks after its header."""
    return PNG[:AT] + parts + PNG[AT:]


def in_pieces(number: int) -> bytes:
    """Return the same pixels in this many chunks, most of them empty."""
    at = PNG.index(b"IDAT") - 4
    return PNG[:at] + chunk(b"IDAT") * (number - 1) + PNG[at:]


@pytest.mark.parametrize(
    "data",
    [
        with_chunks(chunk(b"gAMA", GAMMA) * MAX_PARTS),
        with_chunks(chunk(b"prVt") * MAX_PARTS),
        in_pieces(MAX_PARTS),
    ],
    ids=["known", "unknown", "pixels"],
)
def test_a_file_of_more_chunks_than_any_picture_has_is_refused(data):
    with pytest.raises(Rejected, match=r"more than 12,000 parts\. Save it again") as refused:
        png.clean(data)
    assert refused.value.code == "too_many_parts"


def test_of_duplicate_chunks_the_first_counts():
    other = chunk(b"gAMA", bytes(4))
    data = with_chunks(chunk(b"gAMA", GAMMA) + other * 9 + chunk(b"IHDR", bytes(13)))
    assert png.clean(data) == png.clean(with_chunks(chunk(b"gAMA", GAMMA)))


@pytest.mark.parametrize("behind", [b"", b"x", bytes(png.PIECE), bytes(3 * png.PIECE + 7)], ids=len)
@pytest.mark.parametrize("size", [(3, 5), (400, 500)])
def test_the_length_of_the_coded_pixels_is_found_whatever_follows_them(size, behind):
    noise = Image.effect_noise(size, 90)
    rows = b"".join(b"\0" + noise.crop((0, y, size[0], y + 1)).tobytes() for y in range(size[1]))
    packed = zlib.compress(rows)
    assert png._coded_length(packed + behind, len(rows)) == len(packed)
    for wrong in (len(rows) - 1, len(rows) + 1):
        with pytest.raises(Rejected, match="other pixels"):
            png._coded_length(packed + behind, wrong)


def test_bytes_hidden_behind_the_pixels_are_cut_off():
    rows = (bytes(1) + bytes(30)) * 10
    cleaned = png.clean(png_that_claims(10, 10, zlib.compress(rows) + CANARY))
    assert CANARY not in cleaned and pixels(cleaned) == bytes((0, 0, 0, 255)) * 100
