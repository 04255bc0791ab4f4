"""Own pictures on sheets: their bytes are copied, each once, in their own colours; and they are read one by
one.
"""

import io
import tracemalloc
from itertools import pairwise
from typing import Any, NamedTuple

import pikepdf
import pytest
from PIL import Image, ImageChops, ImageOps, ImageStat

from cardsdb.box.picture_files.png import pixels_of
from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.own_pictures import picture_drawing, ppi
from printing.faces.strokes import Picture
from printing.render.files import sides_of, write_sheets
from printing.render.png import card_image
from printing.render.svg import draw_svg
from tests.support.pictures import (
    CARD,
    Pictures,
    coded,
    interlaced,
    painted,
    path_of,
    profile,
    see_through,
    store_picture,
)
from tests.support.programs import run
from tests.support.rendering import TRIM, apart, card_on, picture_job
from tests.support.sheets import make_sheets, streams_of

KINDS = Pictures(
    {
        "jpeg": lambda: coded(painted(), quality=92),
        "progressive": lambda: coded(painted(), progressive=True),
        "grey": lambda: coded(painted("L")),
        "cmyk": lambda: coded(painted("CMYK"), quality=92),
        "png": lambda: coded(painted(), "PNG"),
        "palette": lambda: coded(painted().quantize(64), "PNG"),
        "grey png": lambda: coded(painted("L"), "PNG"),
        "16 bit": lambda: coded(Image.new("I;16", CARD, 40_000), "PNG"),
        "interlaced": lambda: interlaced(painted(size=(125, 175))),
        "alpha": lambda: coded(see_through(), "PNG"),
        "webp": lambda: coded(see_through(), "WEBP", lossless=True),
    }
)


def printed(*refs: PictureRef, **options: Any) -> bytes:
    """Return the PDF of cards with these own pictures."""
    return make_sheets(picture_job(*refs, **options)).data


class InFile(NamedTuple):
    """A picture object in a file."""

    filter: str
    raw: bytes
    colours: str


def images(data: bytes) -> list[InFile]:
    """Return every picture object of the file, without masks."""
    with pikepdf.open(io.BytesIO(data)) as document:
        shown = streams_of(document, "/Image")
        masks = {image.SMask.objgen for image in shown if "/SMask" in image}
        return [
            InFile(str(image.get("/Filter")), image.read_raw_bytes(), str(image.get("/ColorSpace")))
            for image in shown
            if image.objgen not in masks
        ]


@pytest.mark.parametrize("kind", ["jpeg", "png", "palette", "grey png", "16 bit"])
def test_the_bytes_of_a_picture_are_copied_as_they_are(kind):
    (seen,) = images(printed(store_picture(KINDS[kind])))
    wanted = ("/DCTDecode", KINDS[kind]) if kind == "jpeg" else ("/FlateDecode", pixels_of(KINDS[kind]))
    assert (seen.filter, seen.raw) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_printed_as_it_looks(kind):
    ref = store_picture(KINDS[kind])
    made = picture_job(ref)
    with Image.open(io.BytesIO(KINDS[kind])) as original:
        if kind == "16 bit":
            looks = Image.new("RGB", CARD, (156,) * 3)
        else:
            looks = Image.new("RGB", original.size, "white")
            shown = original.convert("RGBA")
            looks.paste(shown.convert("RGB"), mask=shown.getchannel("A"))
        # Renderers differ in how they show CMYK.
        assert apart(card_on(make_sheets(made).data, made), looks) < (40 if kind == "cmyk" else 3)


def test_a_picture_is_one_object_however_often_it_is_placed():
    jpeg, alpha = store_picture(KINDS["jpeg"]), store_picture(KINDS["alpha"])
    refs = (jpeg, jpeg._replace(turn=180), alpha)
    made = picture_job(*refs, count=9, back=jpeg, backs="long", bleed="3", gap="6")
    drawings = [placed.drawing for side in sides_of(made) for placed in side.placed]
    assert sum(isinstance(stroke, Picture) for drawing in drawings for stroke in drawing.strokes) > 400
    assert len(images(make_sheets(made).data)) == 2


def test_a_file_with_pictures_is_a_valid_pdf(tmp_path):
    path = tmp_path / "sheets.pdf"
    refs = [store_picture(data) for data in KINDS.values()]
    path.write_bytes(printed(*refs, back=refs[0], backs="long", bleed="2", gap="4"))
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(path))
    assert run("pdfimages", "-list", str(path)).count("\n") > len(KINDS)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_colour_profile_is_in_the_file_once(kind):
    refs = [store_picture(coded(painted(size=(100 + n, 140)), kind, icc_profile=profile())) for n in range(3)]
    data = printed(*refs)
    assert all("ICCBased" in image.colours for image in images(data))
    with pikepdf.open(io.BytesIO(data)) as document:
        streams = [part for part in document.objects if isinstance(part, pikepdf.Stream)]
        profiles = [part.read_bytes() for part in streams if "/N" in part and "/Alternate" in part]
        assert profiles == [profile()]


def test_a_profile_for_other_colours_is_left_out():
    grey = store_picture(coded(painted("L"), icc_profile=profile()))
    assert images(printed(grey))[0].colours == "/DeviceGray"


@pytest.mark.parametrize("kind", ["jpeg", "cmyk", "palette", "grey"])
def test_pictures_become_grey_without_changing_their_bytes(kind):
    made = picture_job(store_picture(KINDS[kind]), ink="grey")
    data = make_sheets(made).data
    assert images(data)[0].raw in KINDS[kind]
    seen = card_on(data, made)
    for channel, other in pairwise(seen.split()):
        assert ImageChops.difference(channel, other).getextrema()[1] <= 1
    with Image.open(io.BytesIO(KINDS[kind])) as original:
        assert apart(seen, original.convert("L")) < (40 if kind == "cmyk" else 3)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_picture_is_turned_and_mirrored_in_pdf_and_png(turn, mirrored):
    ref = store_picture(KINDS["png"], turn=turn, mirrored=mirrored, fit="whole")
    made = picture_job(ref)
    upright = painted()
    upright = (ImageOps.mirror(upright) if mirrored else upright).rotate(-turn, expand=True)
    if turn % 180:
        # A picture wider than high lies across the card, with its left edge at the foot.
        upright = upright.rotate(90, expand=True)
    assert apart(card_on(make_sheets(made).data, made), upright) < 3
    drawing = picture_drawing("x", ref, TRIM)
    drawn = card_image(drawing, 150)
    assert apart(drawn.rotate(90, expand=True) if drawing.turned else drawn, upright) < 3


def test_a_crop_shows_only_its_part():
    made = picture_job(store_picture(KINDS["png"], crop=(0, 0, 500, 500)))
    part = painted().crop((0, 0, CARD[0] // 2, CARD[1] // 2))
    assert apart(card_on(make_sheets(made).data, made), part) < 3


def test_a_whole_picture_leaves_white_borders_and_a_filling_one_none():
    square = coded(Image.new("RGB", (600, 600), "black"), "PNG")
    whole, filled = store_picture(square, fit="whole"), store_picture(square)
    shares = []
    for ref in (whole, filled):
        made = picture_job(ref)
        shares.append(ImageStat.Stat(card_on(make_sheets(made).data, made).convert("L")).mean[0] / 255)
    assert shares[0] == pytest.approx(1 - 63.5 / 88.9, abs=0.01) and shares[1] < 0.001


def test_the_resolution_is_that_of_the_part_that_is_shown():
    ref = PictureRef("0" * 64, "jpeg", 750, 1050, "", "")
    assert ppi(ref, TRIM) == 300
    assert ppi(ref._replace(crop=(250, 250, 750, 750)), TRIM) == 150
    assert ppi(ref._replace(width=1050, height=750, turn=90), TRIM) == 300
    assert ppi(ref._replace(turn=90), TRIM) == 300  # It lies across the card.
    assert ppi(ref._replace(edge="included", bleed=3_175), TRIM) == 272


@pytest.mark.parametrize(
    ("trim", "bleed"), [("63x88", 0), ("63.5x88.9", 3_175), ("44x68", 3_000), ("70x120", 0), ("88x63", 3_175)]
)
def test_a_picture_made_for_300_ppi_is_sharp_despite_rounding(trim, bleed):
    """63 x 88 mm at 300 pixels per inch are 744.09 x 1039.37 pixels, which programs round to 744 x 1039."""
    size = [round(float(side) * 1000) for side in trim.split("x")]
    across, down = (round((side + 2 * bleed) * 300 / 25_400) for side in size)
    own = {"edge": "included", "bleed": bleed} if bleed else {}
    sharp, soft = (
        picture_job(
            store_picture(coded(Image.new("RGB", (across - less, down - less))), **own), trim=trim, bleed="0"
        )
        for less in (0, 2)
    )
    assert sharp.soft == () and [picture.ppi for picture in soft.soft] == [299]
    assert "1 picture under 300 ppi" in soft.summary() and "ppi" not in sharp.summary()


def test_equal_jobs_give_equal_bytes_and_pictures_change_the_key():
    jpeg, png = store_picture(KINDS["jpeg"]), store_picture(KINDS["png"])
    assert printed(jpeg) == printed(jpeg)
    jobs = [picture_job(ref) for ref in (jpeg, png, jpeg._replace(turn=180))]
    assert len({job.key for job in (*jobs, picture_job(jpeg, pictures="no"))}) == 4


def test_pictures_are_read_one_by_one_while_the_file_is_written(tmp_path):
    noise = Image.effect_noise((300, 420), 90)
    refs = [
        store_picture(coded(Image.merge("RGB", (noise, noise.rotate(n), noise)), "PNG", compress_level=1))
        for n in range(20)
    ]
    size = sum(path_of(ref.sha256).stat().st_size for ref in refs)
    make_sheets(picture_job(refs[0]))  # Load fonts, which stay in memory.
    tracemalloc.start()
    with (tmp_path / "sheets.pdf").open("wb") as out:
        write_sheets(picture_job(*refs), out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "sheets.pdf").stat().st_size > size > 0
    assert peak < size / 4


def test_the_preview_links_to_the_picture_and_does_not_contain_it():
    ref = store_picture(KINDS["jpeg"])
    svg = draw_svg(picture_drawing("x", ref, TRIM, 3_000), "x")
    assert svg.count(f'href="{ref.address}"') == 9 and "data:" not in svg and len(svg) < 5_000
