"""The bleed of an own picture, on the other side of the cut line: its mirrored edge, its own bleed, or
white.
"""

import io
from zipfile import ZipFile

import pytest
from PIL import Image, ImageChops, ImageOps

from cardsdb.box.picture_files.ref import PictureRef
from printing.exports.card_pictures import card_pictures, file_options, with_bleed
from printing.exports.print_services import SERVICES, service_archive, service_options
from printing.faces.own_pictures import picture_drawing
from printing.job.job import Job
from printing.options.values import Options, read_options
from printing.render.png import card_image
from tests.support.exports import zip_of
from tests.support.pictures import coded, painted, picture_folder, store_picture
from tests.support.rendering import GAME, TRIM, apart, card_on, page, picture_job
from tests.support.sheets import make_sheets

__all__ = ["picture_folder"]

EIGHTH = 3_175
TRIMMED = {"trim": "63.5x88.9"}
SHEET = {**TRIMMED, "turn": "upright", "marks": "none"}


def ringed() -> bytes:
    """Return a card scanned with 3 mm of bleed, 10 pixels per mm: red bleed, 2 mm of blue, then green."""
    picture = Image.new("RGB", (695, 949), "red")
    picture.paste((0, 0, 255), (30, 30, 665, 919))
    picture.paste((0, 255, 0), (50, 50, 645, 899))
    return coded(picture, "PNG")


def colours(drawn: Image.Image, out: int, *beyond: float) -> list[str]:
    """Return the colours at these distances in mm outside of the left and the upper cut line (equal).

    ``out`` is the bleed with which the card is drawn, in micrometres.
    """
    names = {(255, 0, 0): "red", (0, 255, 0): "green", (0, 0, 255): "blue", (255, 255, 255): "white"}
    colours = []
    for far in beyond:
        across = drawn.width / (TRIM[0] + 2 * out) * (out - far * 1000)
        down = drawn.height / (TRIM[1] + 2 * out) * (out - far * 1000)
        seen = {
            drawn.getpixel((int(across), drawn.height // 2)),
            drawn.getpixel((drawn.width // 2, int(down))),
        }
        assert len(seen) == 1
        colours.append(names.get(seen.pop(), "mixed"))
    return colours


def on_sheet(ref: PictureRef, bleed: int) -> Image.Image:
    made = picture_job(ref, bleed=f"{bleed / 1000:g}", gap=f"{bleed / 500:g}", **SHEET)
    return card_on(make_sheets(made).data, made, bleed)


def as_picture(ref: PictureRef, bleed: int) -> Image.Image:
    made = job_of(ref, file_options(read_options(TRIMMED), bleed))
    return opened(next(member.data for member in card_pictures(made) if member.name.endswith(".png")))


def opened(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB")


def job_of(ref: PictureRef, options: Options) -> Job:
    card = GAME.cards[0]
    return Job(GAME, ((card, 1),), pictures={(card.code, "front"): ref}, options=options)


def for_service(ref: PictureRef, slug: str) -> bytes:
    """Return the first picture of a service's archive, or its PDF."""
    service = SERVICES[slug]
    made = job_of(ref, service_options(service, read_options(TRIMMED), GAME.trim))
    with ZipFile(io.BytesIO(zip_of(service_archive(made, service)))) as archive:
        return archive.read(next(name for name in archive.namelist() if name.endswith((".png", ".pdf"))))


RENDERED = {"sheet": on_sheet, "png": as_picture}


@pytest.mark.parametrize("render", RENDERED)
@pytest.mark.parametrize(
    ("bleed", "beyond", "seen"),
    [
        (0, (-1, -3), ["blue", "green"]),
        (1_000, (0.5, -1, -3), ["red", "blue", "green"]),
        (3_000, (2.5, 0.5, -1, -3), ["red", "red", "blue", "green"]),
        # Outside of its own bleed the edge of the picture is mirrored.
        (5_000, (4.5, 3.5, 0.5, -1, -3), ["red", "red", "red", "blue", "green"]),
    ],
)
def test_a_picture_with_its_own_bleed_is_cut_inside_of_it(render, bleed, beyond, seen):
    ref = store_picture(ringed(), edge="included", bleed=3_000)
    assert colours(RENDERED[render](ref, bleed), bleed, *beyond) == seen


@pytest.mark.parametrize("render", RENDERED)
def test_a_picture_may_end_at_the_cut_line(render):
    ref = store_picture(coded(Image.new("RGB", (635, 889), "red"), "PNG"), edge="none")
    assert colours(RENDERED[render](ref, 3_000), 3_000, 2.5, 0.5, -0.5) == ["white", "white", "red"]


@pytest.mark.parametrize(("edge", "seen"), [("mirrored", "blue"), ("included", "red"), ("none", "white")])
@pytest.mark.parametrize("slug", ["mpc", "generic"])
def test_files_for_services_have_the_same_bleed(slug, edge, seen):
    """The picture with a mirrored edge is cropped to its blue, which is then mirrored."""
    values = {"bleed": 3_000} if edge == "included" else {"crop": (43, 32, 957, 968)}
    data = for_service(store_picture(ringed(), edge=edge, **values), slug)
    drawn = opened(data) if slug == "mpc" else page(data)
    assert colours(drawn.resize((702, 956)), EIGHTH, 1.5, -3) == [seen, "green"]


def test_each_picture_of_a_print_has_its_own_edge():
    refs = [store_picture(ringed(), edge=edge, bleed=3_000) for edge in ("included", "none")]
    made = picture_job(*refs, bleed="2", gap="4", **SHEET)
    drawn = page(make_sheets(made).data, 254)
    slots = [made.layout.slot(number) for number in range(2)]
    outside = [drawn.getpixel((slot.x // 100 - 10, (slot.y + slot.bottom) // 200)) for slot in slots]
    assert outside == [(255, 0, 0), (255, 255, 255)]


def test_bleed_on_the_outside_only_also_holds_for_pictures():
    refs = [store_picture(ringed(), edge="included", bleed=3_000)] * 2
    made = picture_job(*refs, bleed="2", bleed_where="outside", **SHEET)
    drawn = page(make_sheets(made).data, 254)
    first, second = made.layout.slot(0), made.layout.slot(1)
    middle = (first.y + first.bottom) // 200
    assert first.right == second.x and drawn.getpixel((first.x // 100 - 10, middle)) == (255, 0, 0)
    for x in (first.right // 100 - 5, second.x // 100 + 5):
        assert drawn.getpixel((x, middle)) == (0, 0, 255)


@pytest.mark.parametrize("on_a_sheet", [True, False])
def test_bleed_is_the_mirrored_edge(on_a_sheet):
    bleed, ref = 3_000, store_picture(coded(painted(), "PNG"))
    if on_a_sheet:
        made = picture_job(ref, bleed="3", gap="6", turn="upright")
        drawn = card_on(make_sheets(made).data, made, bleed)
    else:
        drawn = card_image(with_bleed(picture_drawing("x", ref, TRIM, bleed), bleed))
    wide, high, out = 375, 525, round(bleed * 150 / 25_400)
    inside = painted().resize((wide, high))
    expected = Image.new("RGB", (wide + 2 * out, high + 2 * out))
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            part = ImageOps.mirror(inside) if dx else inside
            expected.paste(ImageOps.flip(part) if dy else part, (out + dx * wide, out + dy * high))
    assert apart(drawn, expected) < 3
    # There is no hairline at the cut: no single pixel differs much.
    difference = ImageChops.difference(drawn.resize(expected.size), expected)
    assert max(high for _, high in difference.getextrema()) < 40
