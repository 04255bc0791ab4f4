"""Colours on paper: a home printer prints words and thin lines with black ink only. Files for a press:
PDF/X-4 in printing inks, words in black only, cut lines in a spot colour on a separate layer.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cardsdb.games import games
from printing.exports.print_services import SERVICES, service_remarks
from printing.faces import colours
from printing.faces.strokes import Line, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.render.pdf_inks import COATED, PressInks
from tests.support.exports import for_service, pdf_of, starter
from tests.support.pictures import coded, picture_folder, see_through, store_picture
from tests.support.programs import need, run
from tests.support.rendering import job_of
from tests.support.sheets import make_sheets, streams_of

__all__ = ["picture_folder"]

# The most of all inks together, in per cent.
MOST_INK = 240
SHEET_OPTIONS = {"gap": "4", "backs": "long", "corner": "3"}


def deck() -> Job:
    return starter("spycraft")[0]


def opened(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(data))


@pytest.fixture(scope="module")
def cards():
    """A deck of Spycraft as cards for a press."""
    return pdf_of(for_service("press", deck()), "press")


@pytest.fixture(scope="module")
def sheets():
    """The same deck as sheets with both sides."""
    return pdf_of(for_service("press-sheets", deck(), **SHEET_OPTIONS), "press-sheets")


@pytest.fixture(params=["cards", "sheets"])
def either(request):
    """The opened file of the cards, and then that of the sheets."""
    with opened(request.getfixturevalue(request.param)) as document:
        yield document


def boxes(page: pikepdf.Page) -> list[list[float]]:
    """Return TrimBox, BleedBox and MediaBox in millimetres."""
    names = ("/TrimBox", "/BleedBox", "/MediaBox")
    return [[round(float(edge) / 72 * 25.4, 3) for edge in page[name]] for name in names]


def operators(document: pikepdf.Pdf) -> Iterator[tuple[str, list[Any]]]:
    """Yield (operator, operands) of every page and every form."""
    for stream in (*(page.Contents for page in document.pages), *streams_of(document, "/Form")):
        for operands, operator in pikepdf.parse_content_stream(stream):
            yield str(operator), list(operands)


def cut_forms(document: pikepdf.Pdf) -> list[list[pikepdf.Stream]]:
    """Return for each page its forms that are on a layer."""
    return [
        [form for form in page.Resources.get("/XObject", {}).values() if "/OC" in form]
        for page in document.pages
    ]


def plates(path: Path) -> Iterator[list[int]]:
    """Yield for each page the sum of all inks at each point, in per cent, as Ghostscript separates them."""
    args = (
        "-q",
        "-dBATCH",
        "-dNOPAUSE",
        "-dSAFER",
        "-sDEVICE=tiffsep",
        "-r100",
        f"-sOutputFile={path}.%03d",
        str(path),
    )
    run("gs", *args)
    for page in sorted(path.parent.glob(f"{path.name}.[0-9][0-9][0-9]")):
        inks = []
        for name in ("Cyan", "Magenta", "Yellow", "Black"):
            with Image.open(f"{page}({name}).tif") as plate:
                inks.append(plate.tobytes())
        # On a plate 0 is full ink: four plates without ink sum up to 4 x 255.
        yield [(1020 - sum(point)) * 100 // 255 for point in zip(*inks, strict=True)]


# -- at home ----------------------------------------------------------------------------


def contents(data: bytes) -> str:
    """Return the operators of all pages and forms of the file."""
    with opened(data) as document:
        drawn = [*(page.Contents for page in document.pages), *streams_of(document, "/Form")]
        return "\n".join(stream.read_bytes().decode("latin-1") for stream in drawn)


def operator(colour: str) -> str:
    """Return the numbers of a colour as they stand before an operator: ``0.114 0.106 0.094``."""
    return " ".join(f"{value / 255:.3f}" for value in colours.channels(colour))


@pytest.mark.parametrize("slug", sorted(games()))
def test_words_and_lines_are_printed_with_black_ink_only(slug):
    job = job_of(slug, backs="long")
    operators = contents(make_sheets(job).data)
    inks = {
        stroke.colour
        for piece in pieces_of(job)
        for stroke in piece.front.strokes
        if isinstance(stroke, TextRun | Line)
    }
    assert colours.INK in inks
    for colour in (*colours.ROLES.values(), colours.FAINT):
        assert f"{operator(colour)} rg" not in operators and f"{operator(colour)} RG" not in operators
    assert re.search(r"^0\.000 g$", operators, re.M)


def test_the_darkest_colour_becomes_pure_black_also_in_greys():
    operators = contents(make_sheets(job_of("spycraft", 1, ink="grey")).data)
    assert re.search(r"^0\.000 g$", operators, re.M)
    assert f"{operator(colours.grey_of(colours.INK)).split()[0]} g" not in operators


# -- PDF/X-4 -----------------------------------------------------------------------------


def test_cards_have_bleed_and_sheets_are_trimmed_at_their_edge(cards, sheets):
    page_box = [0, 0, 69.35, 94.35]
    card_boxes = [[3.175, 3.175, 66.175, 91.175], page_box, page_box]
    for data, expected in ((cards, card_boxes), (sheets, [[0, 0, 210, 297]] * 3)):
        with opened(data) as document:
            for page in document.pages:
                assert boxes(page) == [pytest.approx(box) for box in expected]


def test_the_file_declares_pdf_x_4(either):
    with either.open_metadata() as packet:
        assert packet["{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"] == "PDF/X-4"
        assert packet["pdf:Trapped"] == "False" and packet["xmpMM:RenditionClass"] == "default"
        assert packet["xmp:CreateDate"] == packet["xmp:ModifyDate"] == packet["xmp:MetadataDate"]
    assert either.trailer.Info.Trapped == pikepdf.Name("/False")
    assert either.pdf_version <= "1.6" and len(either.trailer.ID) == 2 and not either.is_encrypted


def test_the_file_names_a_registered_paper_and_embeds_its_profile(either):
    (intent,) = either.Root.OutputIntents
    assert (intent.S, intent.OutputConditionIdentifier) == ("/GTS_PDFX", "CGATS TR 006")
    assert intent.RegistryName == "http://www.color.org"
    assert intent.DestOutputProfile.N == 4 and intent.DestOutputProfile.read_bytes() == COATED
    assert COATED[12:20] == b"prtrCMYK"


def test_nothing_is_in_rgb(either):
    assert not {"rg", "RG"} & {operator for operator, _ in operators(either)}
    assert not [part for part in either.objects if "/DeviceRGB" in str(part) or "/ICCBased" in str(part)]


def test_the_file_is_valid_and_has_the_same_bytes_each_time(cards, sheets, tmp_path):
    for data in (cards, sheets):
        (tmp_path / "press.pdf").write_bytes(data)
        assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(tmp_path / "press.pdf"))
    assert pdf_of(for_service("press", deck()), "press") == cards


# -- inks --------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(games()))
def test_words_are_in_black_ink_only(slug):
    job, _ = starter(slug)
    job = for_service("press", replace(job, entries=job.entries[:12]))
    with opened(pdf_of(job, "press")) as document:
        # Follow the fill colour through saved (q) and restored (Q) states up to each text (Tj).
        fill, saved, inks = "0 g", list[str](), set[str]()
        for operator, parts in operators(document):
            match operator:
                case "q":
                    saved.append(fill)
                case "Q":
                    fill = saved.pop()
                case "g" | "k" | "rg" | "sc" | "scn":
                    fill = f"{' '.join(map(str, parts))} {operator}"
                case "Tj":
                    inks.add(fill)
    assert {ink.split()[-1] for ink in inks} == {"k"} and "0 0 0 1.000 k" in inks
    assert all(ink.startswith("0 0 0 ") for ink in inks)


def test_no_colour_has_more_ink_than_240_per_cent():
    steps = [*range(0, 256, 15)]
    colours = [(red, green, blue) for red in steps for green in steps for blue in steps]
    row = Image.new("RGB", (len(colours), 1))
    row.putdata(colours)
    inked = PressInks().by_profile.apply(row).tobytes()
    assert max(sum(inked[at : at + 4]) for at in range(0, len(inked), 4)) / 2.55 < MOST_INK


def test_no_plates_have_more_ink_than_240_per_cent(picture_folder, tmp_path):
    need("gs")
    # Hard edges, full ink, a dark violet, and a see-through picture.
    noise = Image.effect_noise((75, 105), 255).point(lambda value: 255 * (value > 127)).resize((750, 1050), 0)
    files = [
        coded(noise, "PNG"),
        coded(Image.new("CMYK", (750, 1050), (255, 255, 255, 255))),
        coded(Image.new("RGB", (750, 1050), (24, 0, 30))),
        coded(see_through(), "PNG"),
    ]
    codes = [card.code for card, _ in deck().entries]
    own = {(code, "front"): store_picture(data) for code, data in zip(codes, files, strict=False)}
    job = replace(deck(), entries=deck().entries[:6], pictures=own)
    (tmp_path / "press.pdf").write_bytes(pdf_of(for_service("press", job, one_each="yes"), "press"))
    most = [max(page) for page in plates(tmp_path / "press.pdf")]
    assert len(most) > len(files) and 200 < max(most) <= MOST_INK


def test_pictures_are_in_cmyk_or_in_black_for_greys(picture_folder):
    shown = {(deck().entries[0][0].code, "front"): store_picture(coded(see_through(), "PNG"))}
    job = replace(deck(), entries=deck().entries[:1], pictures=shown)
    for ink, space in (("colour", "/DeviceCMYK"), ("grey", "/DeviceGray")):
        with opened(pdf_of(for_service("press", job, ink=ink), "press")) as document:
            (image,) = streams_of(document, "/Image")
            assert image.ColorSpace == space and "/SMask" not in image


# -- cut lines ---------------------------------------------------------------------------


def test_cut_lines_are_a_spot_colour_on_a_separate_layer(either):
    layers = either.Root.OCProperties
    (layer,) = layers.OCGs
    assert layer.Name == "CutContour" and layers.D.Name and list(layers.D.Order) == [layer]
    for form in {form.objgen: form for forms in cut_forms(either) for form in forms}.values():
        assert layer == form.OC
        kind, name, replacement, _ = form.Resources.ColorSpace.Cut
        assert (kind, name, replacement) == ("/Separation", "/CutContour", "/DeviceCMYK")
        assert form.Resources.ExtGState.Over.OP is True
        used = [str(operator) for _, operator in pikepdf.parse_content_stream(form)]
        assert [name for name in used if name in ("CS", "SCN", "f", "S")] == ["CS", "SCN", "S"]


def test_every_front_has_one_cut_line_and_no_back_has_any(sheets):
    job = for_service("press-sheets", deck(), **SHEET_OPTIONS)
    with opened(sheets) as document:
        lines = [
            sum(str(operator) == "h" for form in forms for _, operator in pikepdf.parse_content_stream(form))
            for forms in cut_forms(document)
        ]
    assert sum(lines[::2]) == job.cards and set(lines[1::2]) == {0}


def test_a_cut_line_runs_along_the_trim_of_its_card(cards):
    with opened(cards) as document:
        ((form,), *_) = cut_forms(document)
        # Lines have two operands, curves six; the last two are the point.
        points = [
            [int(number) for number in operands[-2:]]
            for operands, _ in pikepdf.parse_content_stream(form)
            if len(operands) in (2, 6)
        ]
    assert [min(axis) for axis in zip(*points, strict=True)] == [3_175, 3_175]
    assert [max(axis) for axis in zip(*points, strict=True)] == [66_175, 91_175]


def test_files_for_other_services_have_no_cut_lines():
    for slug in ("generic", "drivethru"):
        with opened(pdf_of(for_service(slug, deck()), slug)) as document:
            assert ("/OutputIntents" in document.Root) is (slug == "drivethru")
            assert "/OCProperties" not in document.Root


# -- sheets ------------------------------------------------------------------------------


def test_sheets_keep_their_layout_but_no_printer_correction():
    measured = {"front_x": "1", "scale_x": "100.4", "back_y": "2"}
    words = {"gap": "4", "paper": "a3", "backs": "gutterfold", **measured}
    options = for_service("press-sheets", deck(), **words).options
    assert (options.paper.slug, options.gap, options.backs, options.style) == ("a3", 4_000, "long", "full")
    assert not any(options.front_shift) and not any(options.shift)


def test_sheets_whose_cards_touch_have_a_remark():
    service = SERVICES["press-sheets"]
    close, apart = (
        service_remarks(for_service("press-sheets", deck(), gap=gap), service) for gap in ("0", "4")
    )
    assert "The cards have no bleed" in " ".join(close) and "no bleed" not in " ".join(apart)
