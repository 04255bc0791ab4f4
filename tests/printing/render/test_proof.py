"""Sheets, checked in the picture that other programs make of them as a printer would. This tests all of
printing at once.
"""

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from cardsdb.games.kit import Game
from printing.faces.strokes import Drawing, Rect
from printing.job.job import Job
from printing.layout import marks
from printing.layout.bands import furnish
from printing.layout.geometry import Area
from printing.layout.imposition import Piece
from printing.options.values import read_options
from tests.support.programs import run
from tests.support.rendering import DOTS, SPYCRAFT, difference, job_of, made, part, pictures, saved
from tests.support.sheets import make_sheets


@pytest.mark.parametrize("slug", ["spycraft", "steamspy"])
def test_two_renderers_see_the_same_sheet(slug, tmp_path):
    """Renderers smooth the edges of letters differently, so the pictures are compared six times smaller than
    printed.
    """
    data, picture = made(slug, {}), tmp_path / "poppler"
    first = ("-r", "300", "-f", "1", "-l", "1", "-singlefile")
    run("pdftoppm", *first, saved(data, tmp_path), str(picture))
    with Image.open(picture.with_suffix(".ppm")) as other:
        assert difference(pictures(data, 300 / 25.4)[0].reduce(6), other.convert("RGB").reduce(6)) < 3


def test_backs_reach_beyond_the_block_of_cards_and_fronts_do_not():
    job = job_of(SPYCRAFT, 9, backs="long", marks="none", header="no", style="full")
    block, (front, back) = job.layout.block, pictures(make_sheets(job).data)
    outside = Area(block.x - 1_500, block.y + 5_000, 1_000, 50_000)
    assert part(back, outside).convert("L").getextrema()[1] < 250
    assert part(front, outside).convert("L").getextrema()[0] == 255


@pytest.mark.parametrize("style", ["light", "full", "saver", "outline"])
def test_a_print_in_greys_has_no_colour(style):
    job = job_of(SPYCRAFT, ink="grey", style=style, backs="long", marks="edges")
    for page in pictures(make_sheets(job).data, 3):
        red, green, blue = page.split()
        assert ImageChops.difference(red, green).getextrema()[1] <= 1
        assert ImageChops.difference(green, blue).getextrema()[1] <= 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("extra", [{}, {"gap": "2"}, {"backs": "gutterfold"}], ids=["plain", "gap", "fold"])
def test_the_rules_on_a_sheet_have_their_true_length(paper, extra):
    job = job_of(SPYCRAFT, 1, paper=paper, marks="none", **extra)
    page = pictures(make_sheets(job).data)[0].convert("L")
    _, bars = furnish(job.layout)
    assert {bar.label for bar in bars} == {"50 mm", "2 in"}
    for bar in bars:
        # Half a millimetre beside a rule only its two ticks are dark; their middles are its ends.
        x1, y1, x2, y2 = (length * DOTS // 1000 for length in bar.line)
        beside = DOTS // 2
        if bar.turned:
            strip = [page.getpixel((x1 + beside, y)) for y in range(y1 - 20, y2 + 20)]
        else:
            strip = [page.getpixel((x, y1 + beside)) for x in range(x1 - 20, x2 + 20)]
        dark = [place for place, light in enumerate(strip) if light < 140]
        first, last = [place for place in dark if place < 40], [place for place in dark if place > 440]
        measured = (sum(last) / len(last) - sum(first) / len(first)) / DOTS
        assert measured == pytest.approx({"50 mm": 50, "2 in": 50.8}[bar.label], abs=0.15)


def filled(
    game: Game, ground: str, beyond: int = 0, count: int = 9, **options: str
) -> tuple[Job, Image.Image]:
    """Return a job of cards of one colour, and the first page of its sheets in greys."""
    area = Rect(-beyond, -beyond, 63_500 + 2 * beyond, 88_900 + 2 * beyond, ground)
    full = Drawing("full", 63_500, 88_900, (area,))
    job = Job(game, (), options=read_options(options), extra=(Piece("full", full, None, count),))
    return job, pictures(make_sheets(job).data)[0].convert("L")


def test_crop_marks_below_the_cards_are_visible():
    job = job_of(SPYCRAFT, 1, marks_where="below")
    page = pictures(make_sheets(job).data)[0].convert("L")
    for mark in marks.crop_marks(job.layout):
        x, y = (mark.x1 + mark.x2) * DOTS // 2_000, (mark.y1 + mark.y2) * DOTS // 2_000
        around = [page.getpixel((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        assert min(around) < 140, mark


@pytest.mark.parametrize("ground", ["#000000", "#ffffff"])
def test_cut_lines_are_visible_on_black_and_on_white(sixth_game, ground):
    job, page = filled(sixth_game, ground, marks="edges", marks_where="above", header="no")
    cut = job.layout.slot(1).x
    across = [page.getpixel((x, 400)) for x in range(cut // 100 - 8, cut // 100 + 8)]
    assert min(across) < 110 and max(across) > 200


def test_round_corners_are_left_white(sixth_game):
    job, page = filled(sixth_game, "#000000", count=1, corner="5", marks="none")
    slot = job.layout.slot(0)
    diagonal = [
        page.getpixel(((slot.x + off) // 100, (slot.y + off) // 100)) > 128 for off in range(100, 4_000, 100)
    ]
    # Along the diagonal of the corner, a radius of 5 mm leaves white up to 5 x (1 - 1/sqrt 2) = 1.46 mm in x
    # and in y.
    assert sum(diagonal) / DOTS == pytest.approx(1.46, abs=0.2)


def test_bleed_on_the_outside_is_not_between_cards(sixth_game):
    options = {"bleed": "3", "bleed_where": "outside", "gap": "4", "marks": "none", "header": "no"}
    job, page = filled(sixth_game, "#000000", 3_000, **options)
    first, second = job.layout.slot(0), job.layout.slot(1)
    middle = (first.y + first.height // 2) // 100
    assert page.getpixel(((first.x - 2_800) // 100, middle)) < 50
    assert page.getpixel(((first.x - 3_300) // 100, middle)) > 200
    assert all(page.getpixel((x, middle)) > 200 for x in range(first.right // 100 + 2, second.x // 100 - 1))


# -- backs behind fronts ------------------------------------------------------------------------


def lopsided(number: int) -> Piece:
    """Return a card like no other, with a back that covers its front exactly against the light."""
    width, height = 63_500, 88_900
    colour, ground = f"#{40 + number * 9:02x}50{200 - number * 9:02x}", "#d0d0d0"
    front = (Rect(0, 0, width, height, ground), Rect(6_000, 5_000, 20_000, 30_000, colour))
    back = (Rect(0, 0, width, height, ground), Rect(width - 26_000, 5_000, 20_000, 30_000, colour))
    return Piece(
        f"{number}",
        Drawing(f"front {number}", width, height, front),
        Drawing(f"back {number}", width, height, back),
        1,
    )


@pytest.mark.parametrize(
    "options",
    [
        {"backs": "long"},
        {"backs": "short", "orientation": "landscape", "paper": "letter", "gap": "2"},
        {"backs": "long", "turn": "turned", "start": "3", "skip": "5"},
        {"backs": "gutterfold", "fold": "vertical", "bleed": "2"},
        {"backs": "gutterfold", "fold": "horizontal", "heads": "to"},
    ],
    ids=lambda options: "-".join(options.values()),
)
def test_turned_over_every_back_shows_the_picture_of_its_front(sixth_game, options):
    """Thirteen cards leave the last sheet partly filled."""
    job = Job(
        replace(sixth_game, trim=(63_500, 88_900)),
        (),
        options=read_options({**options, "marks": "none", "header": "no"}),
        extra=tuple(lopsided(number) for number in range(13)),
    )
    layout, sheets = job.layout, pictures(make_sheets(job).data)
    axis = layout.fold or layout.axis(job.options.flip or "long")
    flip = Image.Transpose.FLIP_LEFT_RIGHT if axis == "vertical" else Image.Transpose.FLIP_TOP_BOTTOM
    fronts, backs = (sheets, sheets) if layout.fold else (sheets[::2], sheets[1::2])
    seen = 0
    for front, back in zip(fronts, backs, strict=True):
        behind = back.transpose(flip)
        for place in range(layout.per_sheet):
            seen_front, seen_back = (part(page, layout.slot(place), 500) for page in (front, behind))
            assert difference(seen_front, seen_back) < 0.5
            seen += seen_front.getextrema() != ((255, 255),) * 3
    assert seen == 13


def test_a_calibration_moves_and_turns_the_backs(sixth_game):
    def block_of_backs(**chosen: str) -> tuple[float, float, float, float]:
        options = read_options({"backs": "long", "marks": "none", "header": "no", **chosen})
        black = Drawing("b", 63_500, 88_900, (Rect(0, 0, 63_500, 88_900, "#000000"),))
        job = Job(sixth_game, (), options=options, extra=(Piece("b", black, black, 9),))
        page = pictures(make_sheets(job).data)[1].convert("L").crop((95, 150, 2005, 2820))
        return ImageChops.invert(page).point(lambda light: 255 if light > 100 else 0).getbbox()

    still, turned = block_of_backs(), block_of_backs(back_turn="0.3")
    moved = block_of_backs(back_x="0.5", back_y="0.3")
    assert (moved[0] - still[0], moved[1] - still[1]) == (pytest.approx(5, abs=1), pytest.approx(3, abs=1))
    # Turned by 0.3 degrees about its middle, a block of 190 x 267 mm grows by 1.4 and 1.0 mm.
    growth = (still[0] - turned[0], still[1] - turned[1])
    assert growth == (pytest.approx(0, abs=8), pytest.approx(0, abs=6)) and turned != still
