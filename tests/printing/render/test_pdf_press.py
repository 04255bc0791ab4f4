"""Files for a press: PDF/X-4 in inks, words in black alone, cut lines on a layer and in a spot colour of
their own.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cardsdb.games import games
from printing.exports.print_services import SERVICES, service_remarks
from printing.render.inks import COATED, PressInks
from tests.support.exports import for_service, pdf_of, starter
from tests.support.pictures import coded, picture_folder, see_through, store_picture
from tests.support.programs import need, run

__all__ = ["picture_folder"]

MOST_INK = 240
LAID = {"gap": "4", "backs": "long", "corner": "3"}


@pytest.fixture(scope="module")
def cards():
    """A deck of Spycraft as cards for a press."""
    return pdf_of(for_service("press", starter("spycraft")[0]), "press")


@pytest.fixture(scope="module")
def sheets():
    """The same as sheets, both sides."""
    return pdf_of(for_service("press-sheets", starter("spycraft")[0], **LAID), "press-sheets")


@pytest.fixture(params=["cards", "sheets"])
def either(request):
    """One of them, and then the other, opened."""
    with pikepdf.open(io.BytesIO(request.getfixturevalue(request.param))) as document:
        yield document


def boxes(page: pikepdf.Page) -> list[list[float]]:
    """The TrimBox, the BleedBox and the MediaBox in millimetres."""
    names = ("/TrimBox", "/BleedBox", "/MediaBox")
    return [[round(float(one) / 72 * 25.4, 3) for one in page[name]] for name in names]


def operators(document: pikepdf.Pdf) -> Iterator[tuple[str, list[Any]]]:
    """The operators of every page and every form."""
    streams = [page.Contents for page in document.pages]
    streams += [
        one for one in document.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"
    ]
    for stream in streams:
        for parts, operator in pikepdf.parse_content_stream(stream):
            yield str(operator), list(parts)


def cut_forms(document: pikepdf.Pdf) -> list[list[pikepdf.Stream]]:
    """For each page the forms that lie on a layer."""
    return [
        [form for form in page.Resources.get("/XObject", {}).values() if "/OC" in form]
        for page in document.pages
    ]


def plates(path: Path) -> Iterator[list[int]]:
    """For each page all inks together at each point, in per cent, as Ghostscript separates them."""
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
        yield [(1020 - sum(point)) * 100 // 255 for point in zip(*inks, strict=True)]


# -- PDF/X-4 -----------------------------------------------------------------------------


def test_a_card_has_its_trim_and_an_eighth_of_an_inch_of_bleed_and_a_sheet_is_trimmed_at_the_papers_edge(
    cards, sheets
):
    whole = [0, 0, 69.35, 94.35]
    sizes = {cards: [[3.175, 3.175, 66.175, 91.175], whole, whole], sheets: [[0, 0, 210, 297]] * 3}
    for data, wanted in sizes.items():
        with pikepdf.open(io.BytesIO(data)) as document:
            for page in document.pages:
                assert boxes(page) == [pytest.approx(one) for one in wanted]


def test_the_file_says_that_it_is_pdf_x_4(either):
    with either.open_metadata() as told:
        assert told["{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"] == "PDF/X-4"
        assert told["pdf:Trapped"] == "False" and told["xmpMM:RenditionClass"] == "default"
        assert told["xmp:CreateDate"] == told["xmp:ModifyDate"] == told["xmp:MetadataDate"]
    assert either.trailer.Info.Trapped == pikepdf.Name("/False")
    assert either.pdf_version <= "1.6" and len(either.trailer.ID) == 2 and not either.is_encrypted


def test_the_inks_are_for_a_registered_paper_whose_profile_is_inside(either):
    (intent,) = either.Root.OutputIntents
    assert (intent.S, intent.OutputConditionIdentifier) == ("/GTS_PDFX", "CGATS TR 006")
    assert intent.RegistryName == "http://www.color.org"
    assert intent.DestOutputProfile.N == 4 and intent.DestOutputProfile.read_bytes() == COATED
    assert COATED[12:20] == b"prtrCMYK"


def test_nothing_is_in_rgb_and_every_font_is_inside(either):
    assert not {"rg", "RG"} & {operator for operator, _ in operators(either)}
    assert not [one for one in either.objects if "/DeviceRGB" in str(one) or "/ICCBased" in str(one)]
    named = [one for one in either.objects if isinstance(one, pikepdf.Dictionary)]
    told = [one for one in named if one.get("/Type") == "/FontDescriptor"]
    assert told and all("/FontFile2" in one for one in told)
    assert all("/FontDescriptor" in one for one in named if one.get("/Type") == "/Font")


def test_the_file_is_whole_and_has_the_same_bytes_each_time(cards, sheets, tmp_path):
    for data in (cards, sheets):
        (tmp_path / "press.pdf").write_bytes(data)
        assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(tmp_path / "press.pdf"))
    assert pdf_of(for_service("press", starter("spycraft")[0]), "press") == cards


# -- inks --------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(games()))
def test_words_are_in_black_alone(slug):
    job, _ = starter(slug)
    job = for_service("press", replace(job, entries=job.entries[:12]))
    with pikepdf.open(io.BytesIO(pdf_of(job, "press"))) as document:
        fill, outer, inks = "0 g", list[str](), set[str]()
        for operator, parts in operators(document):
            match operator:
                case "q":
                    outer.append(fill)
                case "Q":
                    fill = outer.pop()
                case "g" | "k" | "rg" | "sc" | "scn":
                    fill = f"{' '.join(map(str, parts))} {operator}"
                case "Tj":
                    inks.add(fill)
    assert {ink.split()[-1] for ink in inks} == {"k"} and "0 0 0 1.000 k" in inks
    assert all(ink.startswith("0 0 0 ") for ink in inks)


def test_no_colour_has_more_ink_than_240_per_cent():
    steps = [*range(0, 256, 15)]
    colours = [(red, green, blue) for red in steps for green in steps for blue in steps]
    every = Image.new("RGB", (len(colours), 1))
    every.putdata(colours)
    inked = PressInks().by_profile.apply(every).tobytes()
    assert max(sum(inked[at : at + 4]) for at in range(0, len(inked), 4)) / 2.55 < MOST_INK


def test_pictures_and_faces_have_no_more_ink_than_that_on_the_plates(picture_folder, tmp_path):
    need("gs")
    job, _ = starter("spycraft")
    kept = Image.effect_noise((75, 105), 255).point(lambda value: 255 * (value > 127)).resize((750, 1050), 0)
    brought = [
        coded(kept, "PNG"),
        coded(Image.new("CMYK", (750, 1050), (255, 255, 255, 255))),
        coded(Image.new("RGB", (750, 1050), (24, 0, 30))),
        coded(see_through(), "PNG"),
    ]
    chosen = {card.code: store_picture(data) for (card, _), data in zip(job.entries, brought, strict=False)}
    job = replace(
        job, entries=job.entries[:6], pictures={(code, "front"): ref for code, ref in chosen.items()}
    )
    (tmp_path / "press.pdf").write_bytes(pdf_of(for_service("press", job, one_each="yes"), "press"))
    most = [max(page) for page in plates(tmp_path / "press.pdf")]
    assert len(most) > len(brought) and 200 < max(most) <= MOST_INK


def test_pictures_are_in_inks_and_in_greys_in_black(picture_folder):
    job, _ = starter("spycraft")
    shown = {(job.entries[0][0].code, "front"): store_picture(coded(see_through(), "PNG"))}
    job = replace(job, entries=job.entries[:1], pictures=shown)
    for ink, space in (("colour", "/DeviceCMYK"), ("grey", "/DeviceGray")):
        with pikepdf.open(io.BytesIO(pdf_of(for_service("press", job, ink=ink), "press"))) as document:
            streams = (one for one in document.objects if isinstance(one, pikepdf.Stream))
            (image,) = (one for one in streams if one.get("/Subtype") == "/Image")
            assert image.ColorSpace == space and "/SMask" not in image


# -- cut lines ---------------------------------------------------------------------------


def test_cut_lines_are_a_spot_colour_that_overprints_on_a_layer_of_their_own(either):
    layers = either.Root.OCProperties
    (layer,) = layers.OCGs
    assert layer.Name == "CutContour" and layers.D.Name and list(layers.D.Order) == [layer]
    for form in {one.objgen: one for page in cut_forms(either) for one in page}.values():
        assert layer == form.OC
        kind, name, instead, _ = form.Resources.ColorSpace.Cut
        assert (kind, name, instead) == ("/Separation", "/CutContour", "/DeviceCMYK")
        assert form.Resources.ExtGState.Over.OP is True
        used = [str(one) for _, one in pikepdf.parse_content_stream(form)]
        assert [one for one in used if one in ("CS", "SCN", "f", "S")] == ["CS", "SCN", "S"]


def test_every_front_has_one_cut_line_round_it_and_no_back_has_any(sheets):
    job = for_service("press-sheets", starter("spycraft")[0], **LAID)
    with pikepdf.open(io.BytesIO(sheets)) as document:
        lines = [
            sum(str(operator) == "h" for form in forms for _, operator in pikepdf.parse_content_stream(form))
            for forms in cut_forms(document)
        ]
    assert sum(lines[::2]) == job.cards and set(lines[1::2]) == {0}


def test_a_cut_line_runs_along_the_trim_of_its_card(cards):
    with pikepdf.open(io.BytesIO(cards)) as document:
        ((form,), *_) = cut_forms(document)
        points = [
            [int(one) for one in parts[-2:]]
            for parts, _ in pikepdf.parse_content_stream(form)
            if len(parts) in (2, 6)
        ]
    assert [min(one) for one in zip(*points, strict=True)] == [3_175, 3_175]
    assert [max(one) for one in zip(*points, strict=True)] == [66_175, 91_175]


def test_files_for_those_who_know_no_cut_lines_have_none():
    for slug in ("generic", "drivethru"):
        with pikepdf.open(io.BytesIO(pdf_of(for_service(slug, starter("spycraft")[0]), slug))) as document:
            assert ("/OutputIntents" in document.Root) is (slug == "drivethru")
            assert "/OCProperties" not in document.Root


# -- sheets ------------------------------------------------------------------------------


def test_sheets_keep_their_layout_and_leave_out_what_was_measured_of_a_printer():
    measured = {"front_x": "1", "scale_x": "100.4", "back_y": "2"}
    words = {"gap": "4", "paper": "a3", "backs": "gutterfold", **measured}
    options = for_service("press-sheets", starter("spycraft")[0], **words).options
    assert (options.paper.slug, options.gap, options.backs, options.style) == ("a3", 4_000, "long", "full")
    assert not any(options.front_shift) and not any(options.shift)


def test_sheets_whose_cards_touch_are_remarked_upon():
    job, service = starter("spycraft")[0], SERVICES["press-sheets"]
    close, apart = (service_remarks(for_service("press-sheets", job, gap=gap), service) for gap in ("0", "4"))
    assert "The cards have no bleed" in " ".join(close) and "no bleed" not in " ".join(apart)
