"""The kind of a picture file, cleaning WebP, and the camera's orientation."""

from io import BytesIO

import pytest
from PIL import Image, ImageOps

from cardsdb.box.picture_files import kinds
from cardsdb.box.picture_files.bounds import MAX_PARTS, Rejected
from tests.support.packages import zipped
from tests.support.pictures import Pictures, coded, painted, picture_with_notes

SIZE = (50, 70)
WEBP = coded(painted(size=SIZE), "WEBP")
# A part of the message -> a file for which it is given.
REFUSED = Pictures(
    {
        "an SVG": lambda: b"<svg><script>alert(1)</script></svg>",
        "SVG": lambda: b'\xef\xbb\xbf\n<?xml version="1.0"?><svg/>',
        "SVGZ": lambda: b"\x1f\x8b\x08\0" + bytes(60),
        "a JPEG XL": lambda: b"\xff\x0a" + bytes(60),
        "a JPEG 2000": lambda: coded(painted(size=SIZE), "JPEG2000"),
        "a Photoshop file": lambda: b"8BPS\0\1" + bytes(60),
        "a PDF": lambda: coded(painted(size=SIZE), "PDF"),
        "a zip": lambda: zipped({"kai.png": b""}),
        "no picture that is read here": lambda: coded(painted(size=SIZE), "TGA"),
        "is empty": lambda: b"",
    }
)


@pytest.mark.parametrize("name", REFUSED)
def test_a_kind_that_is_not_read_is_refused_by_name_with_a_remedy(name):
    with pytest.raises(Rejected, match=name) as refused:
        kinds.kind_of(REFUSED[name])
    assert refused.value.code == ("empty" if name == "is empty" else "wrong_kind")
    assert any(verb in refused.value.message for verb in ("Save it", "Choose"))


@pytest.mark.parametrize(
    ("kind", "orientation"),
    [
        # The eight orientations of Exif.
        *(("PNG", number) for number in range(1, 9)),
        *((kind, number) for kind in ("JPEG", "WEBP") for number in (1, 5, 6)),
    ],
)
def test_the_orientation_of_the_camera_makes_a_picture_upright(kind, orientation):
    lossless = {"lossless": True} if kind == "WEBP" else {}
    data = picture_with_notes(kind, orientation, painted(size=(60, 40)), **lossless)
    mirrored, turn = kinds.orientation(kind.lower(), data)
    with (
        Image.open(BytesIO(kinds.clean(kind.lower(), data))) as stored,
        Image.open(BytesIO(data)) as original,
    ):
        upright = ImageOps.mirror(stored) if mirrored else stored
        assert upright.rotate(-turn, expand=True).tobytes() == ImageOps.exif_transpose(original).tobytes()


# -- WebP ------------------------------------------------------------------------------


def webp_with(parts: bytes) -> bytes:
    """Return the picture with these chunks after its own."""
    inside = WEBP[8:] + parts
    return b"RIFF" + len(inside).to_bytes(4, "little") + inside


@pytest.mark.parametrize("name", [b"ALPH", b"what"])
def test_a_webp_of_more_chunks_than_any_picture_has_is_refused(name):
    with pytest.raises(Rejected, match=r"more than 12,000 parts\. Save it again"):
        kinds.clean("webp", webp_with((name + bytes(4)) * MAX_PARTS))


def test_duplicate_chunks_of_a_webp_and_bytes_behind_its_stated_end_are_ignored():
    other = coded(Image.new("RGB", SIZE, "red"), "WEBP")[12:]
    for more in (webp_with(other), WEBP + b"ALPH\0\0\0\0" * 9):
        assert kinds.clean("webp", more) == kinds.clean("webp", WEBP)
