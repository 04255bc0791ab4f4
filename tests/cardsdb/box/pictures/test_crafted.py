"""Files made to cost much: of more parts than a picture has, of parts that stand twice, of scans upon
scans.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cardsdb.box.intake import take
from cardsdb.box.picture_files import jpeg, png
from cardsdb.box.picture_files.bounds import MAX_PARTS, Allowance, Rejected
from cardsdb.box.picture_files.kinds import webp_chunks
from tests.support.pictures import coded, painted

SIZE = (60, 80)
PNG = coded(painted(size=SIZE), "PNG")
JPEG = coded(painted(size=SIZE))
PROGRESSIVE = coded(painted(size=SIZE), progressive=True)
WEBP = coded(painted(size=SIZE), "WEBP")
GAMMA = (45_455).to_bytes(4, "big")


def png_chunk(name: bytes, inside: bytes = b"") -> bytes:
    return len(inside).to_bytes(4, "big") + name + inside + zlib.crc32(name + inside).to_bytes(4, "big")


def png_with(parts: bytes) -> bytes:
    """The picture with these chunks behind its header."""
    at = len(png.SIGNATURE) + 25
    return PNG[:at] + parts + PNG[at:]


def png_in_pieces(number: int) -> bytes:
    """The same pixels in so many chunks, most of them empty."""
    at = PNG.index(b"IDAT") - 4
    return PNG[:at] + png_chunk(b"IDAT") * (number - 1) + PNG[at:]


def jpeg_with(parts: bytes) -> bytes:
    """The picture with these segments behind its first marker."""
    return JPEG[:2] + parts + JPEG[2:]


def webp_with(parts: bytes) -> bytes:
    """The picture with these chunks behind its own."""
    inside = WEBP[8:] + parts
    return b"RIFF" + len(inside).to_bytes(4, "little") + inside


def scans_of(data: bytes) -> int:
    return sum(marker == jpeg.SCAN for marker, *_ in jpeg.segments(data))


def with_scans(number: int) -> bytes:
    """A progressive picture whose last scan stands there until there are so many; it changes nothing in what
    is seen.
    """
    last = PROGRESSIVE.rindex(b"\xff\xda")
    again = PROGRESSIVE[last:-2]
    return PROGRESSIVE[:-2] + again * (number - scans_of(PROGRESSIVE)) + jpeg.END


@pytest.mark.parametrize(
    "data",
    [
        png_with(png_chunk(b"gAMA", GAMMA) * MAX_PARTS),
        png_with(png_chunk(b"prVt") * MAX_PARTS),
        png_in_pieces(MAX_PARTS),
        jpeg_with(b"\xff\xc4\0\2" * MAX_PARTS),
        jpeg_with(b"\xff\xfe\0\2" * MAX_PARTS),
        webp_with(b"ALPH\0\0\0\0" * MAX_PARTS),
        webp_with(b"what\0\0\0\0" * MAX_PARTS),
    ],
)
def test_a_file_of_more_parts_than_any_picture_has_is_refused_and_not_decoded(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was decoded"))
    with pytest.raises(Rejected, match=r"more than 12,000 parts\. Save it again") as refused:
        take(data)
    assert refused.value.code == "too_many_parts"


@pytest.mark.parametrize(
    "data", [png_in_pieces(MAX_PARTS - 50), jpeg_with(b"\xff\xfe\0\2" * (MAX_PARTS - 50))]
)
def test_a_file_of_many_parts_is_a_picture_all_the_same(data: bytes) -> None:
    taken = take(data)
    assert (taken.width, taken.height) == SIZE and taken.data in (take(PNG).data, take(JPEG).data)


def test_of_what_a_png_says_twice_the_first_holds() -> None:
    other = png_chunk(b"gAMA", bytes(4))
    data = take(png_with(png_chunk(b"gAMA", GAMMA) + other * 9 + png_chunk(b"IHDR", bytes(13)))).data
    assert data == take(png_with(png_chunk(b"gAMA", GAMMA))).data


def test_of_what_a_webp_holds_twice_the_first_holds() -> None:
    other = coded(Image.new("RGB", SIZE, "red"), "WEBP")[12:]
    assert take(webp_with(other)).data == take(WEBP).data


@pytest.mark.parametrize("number", [12, 25, jpeg.MAX_SCANS])
def test_scans_upon_scans_count_as_so_many_more_pixels(number: int) -> None:
    allowance = Allowance(10_000_000)
    take(with_scans(number), allowance=allowance)
    assert allowance.pixels == 10_000_000 - SIZE[0] * SIZE[1] * (number // 10)


@pytest.mark.parametrize("data", [JPEG, PROGRESSIVE])
def test_an_ordinary_jpeg_counts_once(data: bytes) -> None:
    allowance = Allowance(SIZE[0] * SIZE[1])
    take(data, allowance=allowance)
    assert allowance.pixels == 0


# -- the same walks, written for speed --------------------------------------------------


def plain_end_of_scan(data: bytes, at: int) -> int | None:
    """As the standard says it: a marker is FF and neither 0, a restart nor another FF; the last FF before it
    begins it.
    """
    for here in range(at, len(data) - 1):
        if data[here] == 0xFF and data[here + 1] not in (0, 0xFF, *range(0xD0, 0xD8)):
            return here
    return None


@settings(deadline=None)
@given(st.lists(st.sampled_from([0xFF, 0x00, 0xD0, 0xD7, 0xD8, 0xD9, 0x01, 0x41]), max_size=30).map(bytes))
def test_the_end_of_a_scan_is_the_first_marker_that_is_none_of_its_own(data: bytes) -> None:
    def end_by(walk: Callable[[bytes, int], int | None]) -> int | None:
        try:
            return walk(data, 0)
        except Rejected:
            return None

    assert end_by(jpeg._end_of_scan) == plain_end_of_scan(data, 0)


def test_filling_between_markers_is_skipped() -> None:
    filled = JPEG[:2] + b"\xff" * 1_000 + JPEG[2:]
    assert take(filled).data == take(JPEG).data


@pytest.mark.parametrize("behind", [b"", b"x", bytes(png.PIECE), bytes(3 * png.PIECE + 7)])
@pytest.mark.parametrize("size", [(3, 5), (400, 500)])
def test_pixels_end_where_they_end_however_long_they_are(size: tuple[int, int], behind: bytes) -> None:
    noise = Image.effect_noise(size, 90)
    rows = b"".join(b"\0" + noise.crop((0, y, size[0], y + 1)).tobytes() for y in range(size[1]))
    packed = zlib.compress(rows)
    assert png._coded_length(packed + behind, len(rows)) == len(packed)
    for wrong in (len(rows) - 1, len(rows) + 1):
        with pytest.raises(Rejected, match="other pixels"):
            png._coded_length(packed + behind, wrong)


def test_a_webp_is_read_as_far_as_it_says_it_goes() -> None:
    assert list(webp_chunks(WEBP + b"ALPH\0\0\0\0" * 9)) == list(webp_chunks(WEBP))
