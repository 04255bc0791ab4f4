"""Colour profiles: a broken one is dropped and its owner told, a whole one decides the colours of sheets and
picture files.
"""

from __future__ import annotations

import struct
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from cardsdb.box.intake import take
from cardsdb.box.picture_files import jpeg
from cardsdb.box.picture_files.bounds import is_for, is_whole
from cardsdb.games import games
from printing.faces.own_pictures import picture_drawing
from printing.render.png import card_image
from tests.printing.pictures.test_sheets import images
from tests.support.picture_pages import bring
from tests.support.pictures import coded, painted, picture_folder, profile, see_through, store_picture
from tests.support.rendering import picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def display_p3() -> bytes:
    """A profile of a screen whose red, green and blue are those of Display P3: sRGB's with other
    colorants.
    """
    data = bytearray(profile())
    colorants = {
        b"rXYZ": (0.51512, 0.2412, -0.00105),
        b"gXYZ": (0.29198, 0.69225, 0.04189),
        b"bXYZ": (0.1571, 0.06657, 0.78407),
    }
    for at in range(132, 132 + 12 * int.from_bytes(data[128:132], "big"), 12):
        if (name := bytes(data[at : at + 4])) in colorants:
            place = int.from_bytes(data[at + 4 : at + 8], "big") + 8
            data[place : place + 12] = struct.pack(
                ">3i", *(round(value * 65536) for value in colorants[name])
            )
    return bytes(data)


BROKEN = {
    "no signature": profile()[:36] + b"nope" + profile()[40:],
    "cut off": profile()[:-100],
    "header alone": profile()[:128],
    "a tag outside": profile()[:136] + (1 << 30).to_bytes(4, "big") + profile()[140:],
    "a tag in the header": profile()[:136] + (4).to_bytes(4, "big") + profile()[140:],
    "many tags": profile()[:128] + b"\xff\xff\xff\xff" + profile()[132:],
    "a link between devices": profile()[:12] + b"link" + profile()[16:],
    "words": b"no profile at all " * 20,
}


@given(at=st.integers(0, 400), byte=st.integers(0, 255), length=st.integers(0, 700))
def test_no_bytes_are_too_strange_to_be_judged(at: int, byte: int, length: int) -> None:
    data = bytearray(profile())
    data[at] = byte
    is_whole(bytes(data[:length]))


def test_a_whole_profile_is_for_its_own_number_of_colours() -> None:
    assert (
        is_whole(profile()) and is_for(profile(), 3) and not is_for(profile(), 1) and not is_for(profile(), 2)
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_profile_is_left_out_of_the_picture(name: str, kind: str) -> None:
    taken = take(coded(painted(size=(60, 80)), kind, icc_profile=BROKEN[name]))
    assert taken.remarks
    with Image.open(BytesIO(taken.data)) as picture:
        assert "icc_profile" not in picture.info
    assert taken.data == take(coded(painted(size=(60, 80)), kind)).data or kind == "WEBP"
    assert not take(coded(painted(size=(60, 80)), kind, icc_profile=profile())).remarks


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_profile_of_a_stored_picture_does_not_come_into_a_pdf(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As pictures were taken in before profiles were looked at.
    monkeypatch.setattr(jpeg, "is_whole", lambda data: True)
    data = make_sheets(
        picture_job(store_picture(coded(painted(size=(60, 80)), icc_profile=BROKEN[name])))
    ).data
    with pikepdf.open(BytesIO(data)) as document:
        assert not [
            one for one in document.objects if isinstance(one, pikepdf.Stream) and "/Alternate" in one
        ]
    assert [colours for _, _, colours in images(data)] == ["/DeviceRGB"]


def test_the_owner_is_told_of_a_profile_that_was_dropped(client: Client) -> None:
    page = bring(
        client, ("kai.jpg", coded(painted(size=(60, 80)), icc_profile=BROKEN["cut off"])), follow=True
    ).content.decode()
    assert "kai.jpg has a broken colour profile, which was left out." in page


def shown_colour(ref: Any) -> tuple[int, ...]:
    drawing = picture_drawing("Kai", ref, games()["spycraft"].trim)
    picture = card_image(drawing, 60)
    return tuple(picture.getpixel((picture.width // 2, picture.height // 2)))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_file_has_the_colours_of_the_profile_as_srgb(kind: str) -> None:
    how: dict[str, Any] = {"JPEG": {"quality": 100, "subsampling": 0}, "WEBP": {"lossless": True}}.get(
        kind, {}
    )
    picture = Image.new("RGB", (60, 84), (234, 51, 35))
    red = shown_colour(store_picture(coded(picture, kind, icc_profile=display_p3(), **how)))
    assert max(abs(a - b) for a, b in zip(red, (255, 0, 0), strict=True)) <= 12
    plain = shown_colour(store_picture(coded(picture, kind, icc_profile=profile(), **how)))
    assert max(abs(a - b) for a, b in zip(plain, (234, 51, 35), strict=True)) <= 2


def test_greys_and_see_through_pictures_are_converted_as_well() -> None:
    clear = see_through((60, 84))
    clear.putalpha(255)
    clear.putpixel((0, 0), (1, 2, 3, 0))
    assert shown_colour(store_picture(coded(clear, "PNG", icc_profile=display_p3()))) != shown_colour(
        store_picture(coded(clear, "PNG"))
    )
    # A profile of three colours says nothing of greys.
    grey = painted("L", (60, 84))
    assert shown_colour(store_picture(coded(grey, "PNG", icc_profile=profile()))) == shown_colour(
        store_picture(coded(grey, "PNG"))
    )


def test_a_profile_that_no_converter_understands_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ImageCms.PyCMSError

    monkeypatch.setattr(ImageCms, "buildTransform", fail)
    ref = store_picture(coded(Image.new("RGB", (60, 84), (234, 51, 35)), "PNG", icc_profile=display_p3()))
    assert shown_colour(ref) == (234, 51, 35)
