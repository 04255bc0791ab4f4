"""Converting pictures: every common kind becomes PNG, JPEG or WebP and looks the same."""

from functools import partial
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageOps

from cardsdb.box.intake import hash_of, take
from cardsdb.box.picture_files.bounds import PRIVATE, PUBLIC, Rejected
from tests.support.pictures import CANARY, Pictures, coded, heic, painted, profile, see_through

SIZE = (50, 70)


def of(mode: str, kind: str, **how: Any) -> bytes:
    return coded(see_through(SIZE) if mode == "RGBA" else painted(mode, SIZE), kind, **how)


def moving(kind: str, **how: Any) -> bytes:
    """Return a picture of two frames, the second black."""
    return coded(painted(size=SIZE), kind, save_all=True, append_images=[Image.new("RGB", SIZE)], **how)


# Kind of file -> modes of Pillow that it can have.
MODES = {
    "GIF": "RGB 1 RGBA",
    "BMP": "RGB P 1",
    "TIFF": "RGB P 1 RGBA LA CMYK YCbCr LAB",
    "AVIF": "RGB RGBA",
}
IN_MODES = {
    f"{mode} as {kind}": partial(of, mode, kind) for kind, modes in MODES.items() for mode in modes.split()
}
TAKEN = Pictures(
    {
        **IN_MODES,
        "heic": heic,
        "lzw": lambda: of("RGB", "TIFF", compression="tiff_lzw"),
        "jpeg in tiff": lambda: of("RGB", "TIFF", compression="jpeg"),
        "fax": lambda: of("1", "TIFF", compression="group4"),
        "16 bit": lambda: coded(Image.new("I;16", SIZE, 40_000), "TIFF"),
        "moving gif": lambda: moving("GIF", duration=50),
        "moving webp": lambda: moving("WEBP", duration=50, lossless=True),
        "moving png": lambda: moving("PNG", duration=50),
        "moving avif": lambda: moving("AVIF", duration=50),
        "pages": lambda: moving("TIFF"),
    }
)
FIRST = ("has several frames or pages, of which the first is taken.",)


def seen(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as picture:
        return ImageOps.exif_transpose(picture).convert("RGBA")


@pytest.mark.parametrize("name", TAKEN)
def test_a_picture_is_taken_as_one_of_three_kinds_and_looks_as_it_did(name):
    taken = take(TAKEN[name])
    assert taken.kind in ("png", "jpeg", "webp") and hash_of(TAKEN[name]) == taken.sha256
    assert bool(taken.mask) == (name in ("RGBA as TIFF", "RGBA as AVIF"))
    # Of several frames the first is taken, with a remark.
    assert taken.remarks == (FIRST if name.startswith(("moving", "pages")) else ())
    original, stored = seen(TAKEN[name]), seen(taken.data)
    assert original.size == stored.size
    for share in (0.1, 0.5, 0.9):
        at = (int(stored.width * share), int(stored.height * share))
        assert stored.getpixel(at) == pytest.approx(original.getpixel(at), abs=14)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (coded(painted(size=SIZE), "TIFF", tiffinfo={254: 1}), "raw file of a camera"),
        (coded(Image.new("F", SIZE), "TIFF"), "numbers instead of colours"),
        (heic()[:300], "damaged"),
    ],
    ids=["raw", "numbers", "half"],
)
def test_what_cannot_be_converted_is_refused_with_what_to_do(data, message):
    with pytest.raises(Rejected, match=rf"{message}.*Save it"):
        take(data, bounds=PRIVATE)


@pytest.mark.parametrize("kind", ["TIFF", "AVIF"])
@pytest.mark.parametrize(
    ("orientation", "fine"), [*((number, PUBLIC.fine) for number in range(1, 9)), (1, 1_000), (6, 1_000)]
)
def test_a_converted_picture_stands_upright(kind, orientation, fine):
    """For each of Exif's eight orientations, and for pictures that are reduced as well."""

    def coded_as(kind: str, **how: Any) -> bytes:
        exif = Image.Exif()
        exif[0x0112] = orientation
        return coded(painted(size=(60, 40)), kind, exif=exif.tobytes(), **how)

    taken = take(
        coded_as(kind, **({"quality": 95} if kind == "AVIF" else {})), bounds=PUBLIC._replace(fine=fine)
    )
    stored, jpeg = seen(taken.data), seen(coded_as("JPEG", quality=95))
    assert (taken.turn, taken.mirrored) == (0, False)
    for across, down in ((0.1, 0.1), (0.9, 0.2), (0.2, 0.9)):
        pixels = [
            picture.getpixel((int(picture.width * across), int(picture.height * down)))
            for picture in (stored, jpeg)
        ]
        assert pixels[0] == pytest.approx(pixels[1], abs=24)


@pytest.mark.parametrize("kind", ["TIFF", "AVIF"])
def test_a_converted_picture_keeps_its_profile_and_says_nothing_of_its_maker(kind):
    exif = Image.Exif()
    exif[0x010E] = CANARY.decode()
    data = coded(painted(size=SIZE), kind, exif=exif.tobytes(), icc_profile=profile())
    taken = take(data)
    with Image.open(BytesIO(taken.data)) as picture:
        assert picture.info["icc_profile"] == profile()
    assert CANARY in data and CANARY not in taken.data


def test_a_second_frame_that_claims_to_be_huge_is_never_decoded():
    data = bytearray(TAKEN["moving gif"])
    second = data.rindex(b"\x2c\0\0\0\0" + bytes((SIZE[0], 0, SIZE[1], 0)))
    data[second + 5 : second + 9] = b"\xff\xff\xff\xff"
    taken = take(bytes(data))
    assert (taken.width, taken.height) == SIZE


OF_EACH_MODE = ("RGB JPEG", "RGBA PNG", "P PNG", "1 PNG", "CMYK JPEG", "RGB WEBP", "RGB TIFF")
FINE = Pictures(
    {
        **{name: partial(of, *name.split()) for name in OF_EACH_MODE},
        "16 bit": lambda: coded(Image.new("I;16", SIZE, 40_000), "PNG"),
        "heic": heic,
    }
)


@pytest.mark.parametrize("name", FINE)
def test_a_picture_finer_than_printers_is_reduced_with_a_remark(name):
    data = FINE[name]
    taken = take(data, bounds=PUBLIC._replace(fine=1_000))
    assert taken.width * taken.height <= 1_000
    assert taken.width / taken.height == pytest.approx(5 / 7, abs=0.06)
    assert "which is finer than printers are" in taken.remarks[0]
    # Both reduced to 5 x 7 pixels have the same colour in the middle, but for what resampling changes.
    original, smaller = seen(data).resize((5, 7)), seen(taken.data).resize((5, 7))
    assert original.getpixel((2, 3)) == pytest.approx(smaller.getpixel((2, 3)), abs=40)
