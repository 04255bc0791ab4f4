"""Sixty pictures of every kind that people have: each is taken, or refused by the name of its kind with what
to do.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageOps

from cardsdb.box import converting, intake
from cardsdb.box.intake import AS_FOUND, hash_of, take
from cardsdb.box.picture_files.bounds import PRIVATE, PUBLIC, Bounds, Rejected
from cardsdb.box.pictures import NAMELESS
from cardsdb.games import games
from printing.management.commands.print_deck import brought
from tests.support.packages import zipped
from tests.support.pictures import (
    CANARY,
    Pictures,
    coded,
    heic,
    jpeg_that_claims,
    painted,
    png_that_claims,
    profile,
    see_through,
)

SIZE = (50, 70)
GAME = games()["spycraft"]


def of(mode: str, kind: str, **how: Any) -> bytes:
    return coded(see_through(SIZE) if mode == "RGBA" else painted(mode, SIZE), kind, **how)


def moving(kind: str, **how: Any) -> bytes:
    """Two frames, of which the second is black."""
    return coded(painted(size=SIZE), kind, save_all=True, append_images=[Image.new("RGB", SIZE)], **how)


def animated(kind: str, **how: Any) -> bytes:
    return moving(kind, duration=50, **how)


# Name of the file -> what is in it. Of those that are taken, and of those that are refused, with a word of
# the reason.
TAKEN = Pictures(
    {
        **{f"{mode} as {kind}.x": lambda mode=mode, kind=kind: of(mode, kind)  # type: ignore[misc]
           for kind, modes in {
               "GIF": ("RGB", "L", "P", "1", "RGBA"),
               "BMP": ("RGB", "L", "P", "1"),
               "TIFF": ("RGB", "L", "P", "1", "RGBA", "LA", "CMYK", "YCbCr", "LAB"),
               "AVIF": ("RGB", "L", "RGBA"),
               "PNG": ("RGB", "RGBA", "P", "1", "L"),
               "JPEG": ("RGB", "L", "CMYK"),
               "WEBP": ("RGB", "RGBA"),
           }.items() for mode in modes},
        "heic": heic,
        "lzw.tif": lambda: of("RGB", "TIFF", compression="tiff_lzw"),
        "deflate.tif": lambda: of("RGB", "TIFF", compression="tiff_adobe_deflate"),
        "bits.tif": lambda: of("L", "TIFF", compression="packbits"),
        "jpeg.tif": lambda: of("RGB", "TIFF", compression="jpeg"),
        "fax.tif": lambda: of("1", "TIFF", compression="group4"),
        "16 bit.tif": lambda: coded(Image.new("I;16", SIZE, 40_000), "TIFF"),
        "moving.gif": lambda: animated("GIF"),
        "moving.webp": lambda: animated("WEBP", lossless=True),
        "moving.png": lambda: animated("PNG"),
        "moving.avif": lambda: animated("AVIF"),
        "pages.tif": lambda: moving("TIFF"),
    }
)  # fmt: skip
REFUSED = Pictures(
    {
        "an SVG": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        "SVG": lambda: b'\xef\xbb\xbf\n<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        "SVGZ": lambda: b"\x1f\x8b\x08\0" + bytes(60),
        "a JPEG XL": lambda: b"\xff\x0a" + bytes(60),
        "JPEG XL": lambda: b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(60),
        "a JPEG 2000": lambda: coded(painted(size=SIZE), "JPEG2000"),
        "a Photoshop file": lambda: b"8BPS\0\1" + bytes(60),
        "an EPS": lambda: coded(painted(size=SIZE), "EPS"),
        "a PDF": lambda: coded(painted(size=SIZE), "PDF"),
        "an icon": lambda: coded(painted(size=SIZE), "ICO"),
        "a zip": lambda: zipped({"kai.png": b""}),
        "no picture we know": lambda: coded(painted(size=SIZE), "TGA"),
        "raw file of a camera": lambda: coded(painted(size=SIZE), "TIFF", tiffinfo={254: 1}),
        "numbers instead of colours": lambda: coded(Image.new("F", SIZE), "TIFF"),
        "damaged": lambda: heic()[:300],
        "is empty": lambda: b"",
        "17000 x 9 pixels": lambda: png_that_claims(17_000, 9),
    }
)


def seen(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as picture:
        return ImageOps.exif_transpose(picture).convert("RGBA")


def test_there_are_sixty() -> None:
    assert len(TAKEN) + len(REFUSED) == 60


@pytest.mark.parametrize("name", TAKEN)
def test_a_picture_is_taken_as_one_of_three_kinds_and_looks_as_it_did(name: str) -> None:
    taken = take(TAKEN[name])
    assert taken.kind in ("png", "jpeg", "webp")
    original, stored = seen(TAKEN[name]), seen(taken.data)
    assert original.size == stored.size
    for across, down in ((0.1, 0.1), (0.5, 0.5), (0.9, 0.9)):
        at = (int(stored.width * across), int(stored.height * down))
        assert stored.getpixel(at) == pytest.approx(original.getpixel(at), abs=14)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_by_name_with_what_to_do(name: str) -> None:
    with pytest.raises(Rejected, match=name) as refused:
        take(REFUSED[name], bounds=PRIVATE)
    assert any(verb in refused.value.message for verb in ("Save it", "Choose", "Make it"))


@pytest.mark.parametrize("name", [name for name in TAKEN if name.startswith(("moving", "pages"))])
def test_of_several_frames_the_first_is_taken_and_that_is_said(name: str) -> None:
    taken = take(TAKEN[name])
    assert taken.remarks == ("has several frames or pages, of which the first is taken.",)
    assert seen(taken.data).getpixel((44, 64)) != (0, 0, 0, 255)


@pytest.mark.parametrize("kind", ["TIFF", "AVIF"])
@pytest.mark.parametrize("way", range(1, 9))
@pytest.mark.parametrize("fine", [10_000_000, 1_000])
def test_a_converted_picture_stands_upright(
    kind: str, way: int, fine: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(converting, "FINE", fine)
    exif = Image.Exif()
    exif[0x0112] = way
    picture = painted(size=(60, 40))
    taken = take(coded(picture, kind, exif=exif.tobytes(), **({"quality": 95} if kind == "AVIF" else {})))
    exif[0x0112] = way
    jpeg = seen(coded(picture, "JPEG", exif=exif.tobytes(), quality=95))
    stored = seen(taken.data)
    assert (taken.turn, taken.mirrored) == (0, False)
    for across, down in ((0.1, 0.1), (0.9, 0.2), (0.2, 0.9)):
        pixels = [one.getpixel((int(one.width * across), int(one.height * down))) for one in (stored, jpeg)]
        assert pixels[0] == pytest.approx(pixels[1], abs=24)


@pytest.mark.parametrize("kind", ["TIFF", "AVIF"])
def test_a_converted_picture_keeps_its_profile_and_says_nothing_of_its_maker(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = CANARY.decode()
    data = coded(painted(size=SIZE), kind, exif=exif.tobytes(), icc_profile=profile())
    taken = take(data)
    with Image.open(BytesIO(taken.data)) as picture:
        assert picture.info["icc_profile"] == profile()
    assert CANARY in data and CANARY not in taken.data


def test_a_see_through_picture_stays_so() -> None:
    for kind in ("TIFF", "AVIF"):
        assert take(of("RGBA", kind)).mask


def test_the_same_picture_has_the_same_hash_however_often_it_comes() -> None:
    for data in (TAKEN["heic"], TAKEN["moving.gif"], TAKEN["RGB as PNG.x"]):
        assert hash_of(data) == take(data).sha256 == take(data).sha256


# -- bounds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "bounds", "message"),
    [
        (png_that_claims(6_000, 5_000), PUBLIC, "30.0 million pixels .6000 x 5000.; 25 million are the most"),
        (png_that_claims(12_001, 10_000), PRIVATE, "120.1 million pixels .12001 x 10000.; 120 million"),
        (jpeg_that_claims(16_001, 10), PRIVATE, "a side may have 16,000"),
        (coded(painted(size=(60, 40)), "BMP"), PUBLIC._replace(pixels=2_000), "has 0.1 million pixels"),
        (coded(painted(size=(60, 40)), "AVIF"), PUBLIC._replace(costly_pixels=2_000), "0.1 million pixels"),
        (heic(), PUBLIC._replace(costly_pixels=2_000), "0.1 million pixels"),
        (b"\xff\xd8\xff" + bytes(PRIVATE.bytes), PRIVATE, "has 40.1 MB; 40 MB are the most"),
    ],
)
def test_a_picture_is_bounded_before_it_is_decoded(
    data: bytes, bounds: Bounds, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "converted", lambda *_: pytest.fail("it was decoded"))
    monkeypatch.setattr(intake, "_decoded", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(Rejected, match=message):
        take(data, bounds=bounds)


def test_a_second_frame_that_claims_to_be_huge_is_no_bomb() -> None:
    data = bytearray(TAKEN["moving.gif"])
    second = data.rindex(b"\x2c\0\0\0\0" + bytes((SIZE[0], 0, SIZE[1], 0)))
    data[second + 5 : second + 9] = b"\xff\xff\xff\xff"
    taken = take(bytes(data))
    assert (taken.width, taken.height) == SIZE


def test_a_progressive_jpeg_of_half_as_many_pixels_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.box.picture_files.bounds.FINE", 1)
    bounds = PRIVATE._replace(pixels=2 * 60 * 39)
    with pytest.raises(Rejected, match="pixels"):
        take(coded(painted(size=(60, 40)), "JPEG", progressive=True), bounds=bounds)
    assert take(coded(painted(size=(60, 40)), "JPEG"), bounds=bounds).width == 60


@pytest.mark.parametrize(
    "data",
    [of("RGB", "JPEG"), of("RGBA", "PNG"), of("P", "PNG"), of("1", "PNG"), of("CMYK", "JPEG"),
     of("RGB", "WEBP"), coded(Image.new("I;16", SIZE, 40_000), "PNG"), of("RGB", "TIFF"), heic()],
    ids=["jpeg", "see-through", "palette", "one bit", "cmyk", "webp", "16 bit", "tiff", "heic"],
)  # fmt: skip
def test_more_pixels_than_a_printer_shows_are_made_fewer_and_that_is_said(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (converting, intake):
        monkeypatch.setattr(module, "FINE", 1_000)
    taken = take(data)
    assert taken.width * taken.height <= 1_000 and taken.width / taken.height == pytest.approx(
        5 / 7, abs=0.06
    )
    assert "which is finer than printers are" in taken.remarks[0]
    original, smaller = seen(data).resize((5, 7)), seen(taken.data).resize((5, 7))
    middle = [one.getpixel((one.width // 2, one.height // 2)) for one in (original, smaller)]
    assert middle[0] == pytest.approx(middle[1], abs=40)


# -- in a folder or a zip -------------------------------------------------------------


def packed(tmp_path: Path, files: dict[str, bytes]) -> str:
    (tmp_path / "mine.zip").write_bytes(zipped(files))
    return str(tmp_path / "mine.zip")


def test_none_of_a_package_vanishes_without_a_word(tmp_path: Path) -> None:
    codes = iter(card.code for card in GAME.cards if card.type == "action")
    endings = {
        "a JPEG XL": "jxl",
        "a Photoshop file": "psd",
        "a PDF": "pdf",
        "a JPEG 2000": "jp2",
        "an icon": "ico",
    }
    files = {f"{next(codes)}.heif": data for data in TAKEN.values()}
    files |= {f"{next(codes)}.{endings.get(name, 'svg')}": data for name, data in REFUSED.items()}
    found = brought(GAME, "", packed(tmp_path, files), tmp_path, AS_FOUND)
    assert len(found.pictures) == len(TAKEN) and found.lacks
    assert (
        found.remarks[0]
        == f"60 pictures: {len(TAKEN)} taken ({len(TAKEN)} by id), 0 left, {len(REFUSED)} refused"
    )
    told = {remark.partition(":")[0] for remark in found.remarks[1:] if "several frames" not in remark}
    assert told == set(list(files)[len(TAKEN) :])


def test_those_of_no_card_and_a_second_one_of_a_card_are_left_with_the_reason(tmp_path: Path) -> None:
    gif = of("RGB", "GIF")
    path = packed(tmp_path, {"kai.gif": gif, "Kai.bmp": gif, "holiday.gif": gif, "notes.txt": b"Kai"})
    found = brought(GAME, "", path, tmp_path)
    assert found.remarks[0].startswith("3 pictures: 1 taken") and found.remarks[0].endswith(
        "2 left, 0 refused"
    )
    assert f"holiday.gif: {NAMELESS}" in found.remarks
    assert list(found.pictures) == [("kai", "front")] and found.lacks


def test_a_picture_that_is_too_large_is_refused_and_the_others_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardsdb.box.pictures.PRIVATE", PRIVATE._replace(bytes=3_000))
    path = packed(tmp_path, {"kai.bmp": of("RGB", "BMP"), "termite.gif": of("1", "GIF")})
    found = brought(GAME, "", path, tmp_path)
    assert list(found.pictures) == [("termite", "front")]
    assert "1 refused" in found.remarks[0] and "kai.bmp: The picture has" in found.remarks[1]
