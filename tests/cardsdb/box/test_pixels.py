"""The pixels of pictures: borders are seen in them, and profiles make their colours sRGB."""

import struct

import pytest
from PIL import Image, ImageDraw

from cardsdb.box.intake import take
from cardsdb.box.picture_files.ref import Border
from cardsdb.box.pixels import in_srgb
from tests.support.pictures import coded, painted, profile


def framed(margin: int, size: tuple[int, int] = (400, 560)) -> Image.Image:
    picture = Image.new("RGB", size, "black")
    picture.paste(painted(size=(size[0] - 2 * margin, size[1] - 2 * margin)), (margin, margin))
    return picture


def rounded(mode: str) -> Image.Image:
    picture = Image.new(mode, (400, 560), (255, 255, 255, 0)[: len(mode)])
    ImageDraw.Draw(picture).rounded_rectangle((0, 0, 399, 559), 24, fill=(20, 30, 40, 255)[: len(mode)])
    return picture


def test_the_even_margin_of_a_picture_is_measured_and_rounded_corners_are_detected():
    border = take(coded(framed(40), "PNG")).border
    assert border.margin == pytest.approx(100, abs=6) and not border.cut_corners
    assert take(coded(painted(size=(400, 560)))).border.margin < 10
    assert take(coded(painted("P", (3, 2)), "PNG")).border.margin >= 0
    even = take(coded(Image.new("RGB", (400, 560), "red"))).border
    assert even._replace(colour="", is_even=False) == Border()
    assert all(take(coded(rounded(mode), "PNG")).border.cut_corners for mode in ("RGB", "RGBA"))


# -- colours by a profile --------------------------------------------------------------


def display_p3() -> bytearray:
    """Return a profile with the primaries of Display P3: sRGB's profile with other colorants."""
    data = bytearray(profile())
    colorants = {
        b"rXYZ": (0.51512, 0.2412, -0.00105),
        b"gXYZ": (0.29198, 0.69225, 0.04189),
        b"bXYZ": (0.1571, 0.06657, 0.78407),
    }
    # The number of tags is at 128; each has an entry of 12 bytes: its name, offset and length.
    for at in range(132, 132 + 12 * int.from_bytes(data[128:132], "big"), 12):
        if (name := bytes(data[at : at + 4])) in colorants:
            place = int.from_bytes(data[at + 4 : at + 8], "big") + 8
            data[place : place + 12] = struct.pack(
                ">3i", *(round(colorant * 65536) for colorant in colorants[name])
            )
    return data


def shown(picture: Image.Image, profile_bytes: bytes | None) -> tuple[int, ...]:
    """Return the sRGB colour of the picture's middle pixel under this profile."""
    picture = picture.copy()
    picture.info["icc_profile"] = profile_bytes
    return tuple(in_srgb(picture).getpixel((30, 42)))


def test_a_picture_has_the_colours_of_its_profile_as_srgb():
    red = Image.new("RGB", (60, 84), (234, 51, 35))
    assert shown(red, bytes(display_p3())) == pytest.approx((255, 0, 0), abs=12)
    assert shown(red, profile()) == pytest.approx((234, 51, 35), abs=2)
    clear = red.convert("RGBA")
    clear.putalpha(200)
    assert shown(clear, bytes(display_p3())) == pytest.approx((255, 0, 0, 200), abs=12)
    # A profile for RGB does not apply to grey.
    grey = painted("L", (60, 84))
    assert shown(grey, bytes(display_p3())) == shown(grey, None)


def test_a_profile_that_no_converter_understands_changes_nothing():
    data = display_p3()
    at = data.index(b"rTRC", 128)
    place = int.from_bytes(data[at + 4 : at + 8], "big")
    data[place : place + 4] = b"nope"
    assert shown(Image.new("RGB", (60, 84), (234, 51, 35)), bytes(data)) == (234, 51, 35)
