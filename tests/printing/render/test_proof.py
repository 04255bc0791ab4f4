"""Sheets proved by other people's programs: measured in the file, and in the picture that a printer would
make of it.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace

import pikepdf
import pytest
from PIL import Image, ImageChops

from cardsdb.games import games
from cardsdb.games.kit import Game
from printing.faces.strokes import Drawing, Rect
from printing.job.job import Job
from printing.layout import marks
from printing.layout.geometry import Area
from printing.layout.imposition import Piece
from printing.options.sizes import PAPERS
from printing.options.values import read_options
from printing.render.files import sides_of
from tests.support.programs import run
from tests.support.rendering import DOTS, SPYCRAFT, difference, ink, job_of, made, part, pictures, saved
from tests.support.sheets import make_sheets, placements

VARIED = [
    {},
    {"paper": "letter", "gap": "2", "marks": "edges", "marks_where": "above", "corner": "3"},
    {"paper": "a3", "backs": "long", "bleed": "3", "bleed_where": "outside", "micro": "yes"},
    {
        "paper": "legal",
        "backs": "short",
        "back_x": "0.4",
        "back_y": "-0.3",
        "back_turn": "0.2",
        "type": "large",
    },
    {"paper": "tabloid", "backs": "gutterfold", "heads": "to", "style": "saver", "ink": "grey"},
    {
        "paper": "250x350",
        "trim": "mini",
        "style": "outline",
        "backs": "long",
        "sleeves": "yes",
        "copies": "2",
    },
]
varied = pytest.mark.parametrize("options", VARIED, ids=lambda options: options.get("paper", "usual"))


# -- the file ---------------------------------------------------------------------------


@varied
def test_the_file_is_valid(options, tmp_path):
    assert "No syntax or stream encoding errors" in run(
        "qpdf", "--check", saved(made(SPYCRAFT, options), tmp_path)
    )


@varied
def test_pages_are_as_large_as_the_paper(options):
    layout = job_of(SPYCRAFT, **options).layout
    with pikepdf.open(io.BytesIO(made(SPYCRAFT, options))) as document:
        for page in document.pages:
            size = [float(length) / 72 * 25.4 for length in page.mediabox[2:]]
            assert size == pytest.approx([layout.paper.width / 1000, layout.paper.height / 1000], abs=0.01)


@varied
def test_every_card_lies_where_it_should_to_a_hundredth_of_a_millimetre(options):
    """The backs too; those that a calibration moves are measured where they were before it."""
    job = job_of(SPYCRAFT, **options)
    plain = replace(job, options=replace(job.options, back_x=0, back_y=0, back_turn=0))
    bleed = job.options.back_bled
    with pikepdf.open(io.BytesIO(make_sheets(plain).data)) as document:
        for page, side in zip(document.pages, sides_of(plain), strict=True):
            wanted = [one.area.grown(bleed, bleed, bleed, bleed) for one in side.placed]
            for (_, *measured), area in zip(placements(page), wanted, strict=True):
                assert measured == pytest.approx([length / 1000 for length in area], abs=0.01)


@varied
def test_all_fonts_are_embedded(options, tmp_path):
    rows = run("pdffonts", saved(made(SPYCRAFT, options), tmp_path)).splitlines()[2:]
    assert rows and all(re.search(r" (yes|no) (yes|no) (yes|no) ", row)[1] == "yes" for row in rows)


@varied
def test_each_card_is_a_figure_with_what_it_says(options, tmp_path):
    job = job_of(SPYCRAFT, **options)
    path = saved(made(SPYCRAFT, options), tmp_path)
    assert re.search(r"Tagged: +yes", run("pdfinfo", path))
    placed = [one.drawing.told or one.drawing.name for side in sides_of(job) for one in side.placed]
    with pikepdf.open(path) as document:
        assert [str(figure.Alt) for figure in document.Root.StructTreeRoot.K.K] == placed


@varied
def test_the_same_job_gives_the_same_bytes(options):
    assert make_sheets(job_of(SPYCRAFT, **options)).data == made(SPYCRAFT, options)


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize(
    "options", [{}, {"type": "large", "style": "saver", "micro": "yes"}], ids=["usual", "large"]
)
def test_every_name_can_be_selected(slug, options, tmp_path):
    text = "".join(run("pdftotext", "-raw", saved(made(slug, options), tmp_path), "-").split())
    assert [card.name for card, _ in job_of(slug).entries if "".join(card.name.split()) not in text] == []


@pytest.mark.parametrize(
    ("backs", "hint"), [("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge"), ("none", None)]
)
def test_the_file_tells_the_printer_how_to_print_it(backs, hint):
    with pikepdf.open(io.BytesIO(make_sheets(job_of(SPYCRAFT, backs=backs)).data)) as document:
        wishes = document.Root.ViewerPreferences
        assert (wishes.PrintScaling, wishes.get("/Duplex")) == ("/None", hint)
        assert (str(document.Root.Lang), str(document.docinfo["/Title"])) == ("en", "Proof")


def test_pages_are_called_by_sheet_and_side():
    with pikepdf.open(io.BytesIO(make_sheets(job_of(SPYCRAFT, backs="long")).data)) as document:
        assert [page.label for page in document.pages] == ["1 front", "1 back", "2 front", "2 back"]
        with document.open_outline() as outline:
            assert [str(item.title).split(":")[0] for item in outline.root] == [
                "Sheet 1",
                "Sheet 1, back",
                "Sheet 2",
                "Sheet 2, back",
            ]


def test_backs_of_their_own_are_a_zip_of_two_files_and_either_can_be_had_alone():
    job = job_of(SPYCRAFT, backs="separate")
    sheets = make_sheets(job)
    assert (sheets.filename, sheets.content_type, sheets.pages) == (
        "spycraft-proof.zip",
        "application/zip",
        4,
    )
    with zipfile.ZipFile(io.BytesIO(sheets.data)) as archive:
        assert archive.namelist() == ["spycraft-proof-fronts.pdf", "spycraft-proof-backs.pdf"]
        for name, side in zip(archive.namelist(), ("front", "back"), strict=True):
            alone = make_sheets(job_of(SPYCRAFT, backs="separate", side=f"{side}s"))
            assert alone.content_type == "application/pdf"
            for data in (archive.read(name), alone.data):
                with pikepdf.open(io.BytesIO(data)) as document:
                    assert [page.label for page in document.pages] == [f"1 {side}", f"2 {side}"]
    assert make_sheets(job).data == sheets.data


def test_progress_is_told_page_by_page_and_can_end_the_work():
    counts: list[int] = []
    make_sheets(job_of(SPYCRAFT, backs="separate"), counts.append)
    assert counts == [1, 2, 3, 4]

    def stop(pages: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_sheets(job_of(SPYCRAFT), stop)


# -- what the eye sees ------------------------------------------------------------------------


@pytest.mark.parametrize("slug", games())
def test_two_renderers_see_the_same_sheet(slug, tmp_path):
    """Drawn as printers do and looked at from six times as far, because each smooths the edges of letters in
    its own way.
    """
    data = made(slug, {})
    run(
        "pdftoppm",
        "-r",
        "300",
        "-f",
        "1",
        "-l",
        "1",
        "-singlefile",
        saved(data, tmp_path),
        str(tmp_path / "poppler"),
    )
    with Image.open(tmp_path / "poppler.ppm") as other:
        assert difference(pictures(data, 300 / 25.4)[0].reduce(6), other.convert("RGB").reduce(6)) < 3


def test_backs_run_on_beyond_the_block_so_that_a_small_shift_leaves_no_white_edge():
    job = job_of(SPYCRAFT, 9, backs="long", marks="none", header="no", style="full")
    block, (front, back) = job.layout.block, pictures(make_sheets(job).data)
    outside = Area(block.x - 1_500, block.y + 5_000, 1_000, 50_000)
    assert part(back, outside).convert("L").getextrema()[1] < 250
    assert part(front, outside).convert("L").getextrema()[0] == 255


@pytest.mark.parametrize("style", ["light", "full", "saver", "outline"])
def test_greys_only_are_greys_only(style):
    for page in pictures(
        make_sheets(job_of(SPYCRAFT, ink="grey", style=style, backs="long", marks="edges")).data, 3
    ):
        red, green, blue = page.split()
        assert ImageChops.difference(red, green).getextrema()[1] <= 1
        assert ImageChops.difference(green, blue).getextrema()[1] <= 1


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("extra", [{}, {"gap": "2"}, {"backs": "gutterfold"}], ids=["plain", "gap", "fold"])
def test_the_rules_measure_what_they_say_on_paper(paper, extra):
    """Along each rule the picture is dark for just so long: from the far side of one tick to that of the
    other.
    """
    job = job_of(SPYCRAFT, 1, paper=paper, marks="none", **extra)
    page = pictures(make_sheets(job).data)[0].convert("L")
    _, bars = marks.furnish(job.layout)
    assert {bar.label for bar in bars} == {"50 mm", "2 in"}
    for bar in bars:
        # Half a millimetre beside the line its ticks alone are dark: their middles are the rule's ends.
        line, beside = bar.line, 500
        if bar.turned:
            strip = [
                page.getpixel(((line.x1 + beside) * DOTS // 1000, y))
                for y in range(line.y1 // 100 - 20, line.y2 // 100 + 20)
            ]
        else:
            strip = [
                page.getpixel((x, (line.y1 + beside) * DOTS // 1000))
                for x in range(line.x1 // 100 - 20, line.x2 // 100 + 20)
            ]
        dark = [place for place, light in enumerate(strip) if light < 140]
        first, last = [d for d in dark if d < 40], [d for d in dark if d > 440]
        measured = (sum(last) / len(last) - sum(first) / len(first)) / DOTS
        assert measured == pytest.approx({"50 mm": 50, "2 in": 50.8}[bar.label], abs=0.15)


@pytest.mark.parametrize("ground", ["#000000", "#ffffff"])
def test_cut_lines_above_the_cards_show_on_black_and_on_white(sixth_game: Game, ground):
    full = Drawing("full", 63_500, 88_900, (Rect(0, 0, 63_500, 88_900, ground),))
    options = read_options({"marks": "edges", "marks_where": "above", "header": "no"})
    job = Job(sixth_game, (), options=options, extra=(Piece("full", full, None, 9),))
    page, cut = pictures(make_sheets(job).data)[0].convert("L"), job.layout.slot(1).x
    across = [page.getpixel((x, 400)) for x in range(cut // 100 - 8, cut // 100 + 8)]
    assert min(across) < 110 and max(across) > 200


def test_rounded_corners_are_cut_out_of_the_card(sixth_game: Game):
    full = Drawing("full", 63_500, 88_900, (Rect(0, 0, 63_500, 88_900, "#000000"),))
    job = Job(
        sixth_game,
        (),
        options=read_options({"corner": "5", "marks": "none"}),
        extra=(Piece("full", full, None, 1),),
    )
    page, slot = pictures(make_sheets(job).data)[0].convert("L"), job.layout.slot(0)
    diagonal = [
        page.getpixel(((slot.x + off) // 100, (slot.y + off) // 100)) > 128 for off in range(100, 4_000, 100)
    ]
    # A quarter circle of 5 mm leaves 5 x (1 - 1/sqrt 2) = 1.46 mm of the corner's square white, along each
    # side.
    assert sum(diagonal) / DOTS == pytest.approx(1.46, abs=0.2)


def test_bleed_on_the_outside_is_on_the_outside_alone(sixth_game: Game):
    full = Drawing("full", 63_500, 88_900, (Rect(-3_000, -3_000, 69_500, 94_900, "#000000"),))
    options = {"bleed": "3", "bleed_where": "outside", "gap": "4", "marks": "none", "header": "no"}
    job = Job(sixth_game, (), options=read_options(options), extra=(Piece("full", full, None, 9),))
    page, (first, second) = (
        pictures(make_sheets(job).data)[0].convert("L"),
        (job.layout.slot(0), job.layout.slot(1)),
    )
    middle = (first.y + first.height // 2) // 100
    assert page.getpixel(((first.x - 2_800) // 100, middle)) < 50
    assert page.getpixel(((first.x - 3_300) // 100, middle)) > 200
    assert {page.getpixel((x, middle)) > 200 for x in range(first.right // 100 + 2, second.x // 100 - 1)} == {
        True
    }


def test_a_test_print_shows_outlines_and_numbers_and_nothing_of_the_cards(tmp_path):
    data = make_sheets(job_of(SPYCRAFT, style="outline", backs="long")).data
    words = run("pdftotext", "-f", "1", "-l", "1", saved(data, tmp_path), "-").split()
    assert {str(number) for number in range(1, 10)} <= set(words)
    assert not [card.name for card, _ in job_of(SPYCRAFT).entries if card.name in " ".join(words)]
    assert ink(data)[0] < ink(made(SPYCRAFT, {}))[0] / 8


def test_the_decks_name_in_tiny_type_stands_on_each_card(tmp_path):
    job = job_of(SPYCRAFT, micro="yes", header="no")
    text = run("pdftotext", "-raw", saved(make_sheets(job).data, tmp_path), "-")
    assert text.count("Proof") == job.cards
