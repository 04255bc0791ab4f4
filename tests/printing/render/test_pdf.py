"""Sheets as PDF, read back with other programs: the file itself, its words, and what a screen reader finds in
it.
"""

import io
import re
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pikepdf
import pytest
from pdfua import validate
from reportlab.pdfgen.canvas import Canvas

from cardsdb.games import games
from printing.job.job import Job
from printing.options.values import read_options
from printing.render import pdf, pdf_document
from printing.render.files import sides_of
from printing.request.lists import pasted_list
from tests.support.drawings import CREDIT, squashed
from tests.support.print_lists import job_for
from tests.support.programs import run
from tests.support.rendering import SPYCRAFT, job_of, made
from tests.support.rendering import saved as saved_data
from tests.support.sheets import (
    NAMES,
    hard_job_of,
    make_sheets,
    opened,
    parcel,
    placements,
    saved,
    streams_of,
    with_options,
)

# Very different prints, with which some tests are repeated.
VARIED: list[dict[str, str]] = [
    {},
    {"paper": "letter", "gap": "2", "marks": "edges", "marks_where": "above", "corner": "3"},
    {
        "paper": "a3",
        "backs": "short",
        "bleed": "3",
        "bleed_where": "outside",
        "back_turn": "0.2",
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


@pytest.fixture
def hard_job(sixth_game):
    return hard_job_of(sixth_game)


# -- the file ---------------------------------------------------------------------------


@varied
def test_a_file_is_valid_reproducible_and_embeds_its_fonts(options, tmp_path):
    path = saved_data(made(SPYCRAFT, options), tmp_path)
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", path)
    # Each font is embedded, a subset, and has a map to Unicode.
    rows = run("pdffonts", path).splitlines()[2:]
    assert rows and all(" yes yes yes " in row for row in rows)
    assert make_sheets(job_of(SPYCRAFT, **options)).data == made(SPYCRAFT, options)


@varied
def test_every_card_is_in_its_place_to_a_hundredth_of_a_millimetre(options):
    """Backs are measured without the calibration that would move them."""
    job = job_of(SPYCRAFT, **options)
    plain = replace(job, options=replace(job.options, back_x=0, back_y=0, back_turn=0))
    bleed = job.options.back_bled
    with pikepdf.open(io.BytesIO(make_sheets(plain).data)) as document:
        for page, side in zip(document.pages, sides_of(plain), strict=True):
            size = [float(length) / 72 * 25_400 for length in page.mediabox[2:]]
            assert size == pytest.approx(job.layout.paper.lengths, abs=10)
            areas = [placed.area.grown(*[bleed] * 4) for placed in side.placed]
            for (_, *measured), area in zip(placements(page), areas, strict=True):
                assert measured == pytest.approx([length / 1000 for length in area], abs=0.01)


def test_each_card_is_one_form_however_many_copies_there_are(hard_job):
    def forms(data: bytes) -> int:
        with pikepdf.open(io.BytesIO(data)) as document:
            return len(streams_of(document, "/Form"))

    many = replace(hard_job, entries=tuple((card, 40) for card, _ in hard_job.entries))
    two, forty = make_sheets(hard_job).data, make_sheets(many).data
    # The cards, a courier, and two forms for the strokes under and over the cards of every sheet.
    assert forms(two) == forms(forty) == len(NAMES) + 1 + 2
    # A further copy takes less than 350 bytes.
    assert (len(forty) - len(two)) / (38 * len(many.entries)) < 350


def test_cards_that_look_alike_share_a_form(hard_job):
    with opened(replace(hard_job, entries=((parcel("Twice"), 1), (parcel("Twice"), 1)))) as document:
        first, second = placements(document.pages[0])
    assert first[0] == second[0]


def test_jobs_made_at_the_same_time_do_not_disturb_each_other(hard_job):
    with ThreadPoolExecutor(4) as pool:
        files = set(pool.map(lambda _: make_sheets(hard_job).data, range(8)))
    assert files == {make_sheets(Job(hard_job.game, hard_job.entries, title=hard_job.title)).data}


def test_one_document_is_made_at_a_time(monkeypatch):
    """reportlab reads fonts through one shared file position: two documents at a time would be garbled."""
    locked = list[bool]()
    monkeypatch.setattr(pdf, "write_document", lambda *_: locked.append(pdf._press.locked()))
    pdf.make_pdf((1, 1), [], pdf.About("", ""))
    assert locked == [True]


# -- reportlab --------------------------------------------------------------------------


def test_reportlab_is_the_release_that_was_checked():
    assert version("reportlab") == pdf_document.CHECKED, (
        "reportlab is another release: read printing/render/pdf_document.py beside its changes, look at a"
        " sheet, then raise CHECKED"
    )


def test_a_form_is_released_when_it_is_written():
    canvas = Canvas(io.BytesIO(), invariant=1)
    canvas.beginForm("card", 0, 0, 1, 1)
    canvas.endForm()
    canvas.doForm("card")
    canvas.showPage()
    document = pdf_document.document_of(canvas)
    form = weakref.ref(document.idToObject[document.getXObjectName("card")])
    is_kept: list[bool] = []
    pdf_document.write_document(canvas, io.BytesIO(), lambda share: is_kept.append(form() is not None))
    assert is_kept[0] and not is_kept[-1]


# -- words and description --------------------------------------------------------------


def test_every_name_can_be_selected_and_copied(hard_job, tmp_path):
    text = squashed(run("pdftotext", "-raw", saved(hard_job, tmp_path), "-"))
    assert [name for name in NAMES if squashed(name) not in text] == []


@pytest.mark.parametrize(("paper", "trim"), [("a4", "poker"), ("letter", "40x60"), ("a3", "100x140")])
def test_a_credit_is_on_every_card_and_complete_on_every_sheet(sixth_game, paper, trim, tmp_path):
    job = Job(replace(sixth_game, credit=CREDIT), ((parcel("A"), 5), (parcel("B"), 5)))
    job = with_options(job, paper=paper, trim=trim)
    text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
    assert text.count(squashed(f"{CREDIT.text}, {CREDIT.licence}")) == job.cards + job.pages
    for part in (CREDIT.licence_url, CREDIT.work_url, CREDIT.changes, f"of{job.sheets}"):
        assert text.count(squashed(part)) == job.pages


@pytest.mark.parametrize(
    ("backs", "hint"), [("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge"), ("none", None)]
)
def test_the_file_tells_the_printer_how_to_print_it(backs, hint):
    with opened(job_of(SPYCRAFT, backs=backs)) as document:
        preferences = document.Root.ViewerPreferences
        assert (preferences.PrintScaling, preferences.get("/Duplex")) == ("/None", hint)


def test_pages_are_named_by_sheet_side_and_cards(hard_job):
    with opened(with_options(hard_job, backs="long")) as document:
        assert [page.label for page in document.pages] == ["1 front", "1 back", "2 front", "2 back"]
        with document.open_outline() as outline:
            place = "Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America"
            assert [str(item.title) for item in outline.root] == [
                f'Sheet 1: RS-9, "The Koffin" to {place}',
                "Sheet 1, back",
                f"Sheet 2: {place} to Zorka",
                "Sheet 2, back",
            ]


def test_the_description_is_also_an_xmp_packet_and_states_no_date(hard_job, tmp_path):
    options = replace(hard_job.options, backs="long", header=False)
    job = replace(hard_job, title='Hard & "soft" <names> \u0001', options=options)
    path = saved(job, tmp_path)
    with pikepdf.open(path) as document:
        stream, info = document.Root.Metadata, document.docinfo
        assert (stream.Type, stream.Subtype, stream.get("/Filter")) == ("/Metadata", "/XML", None)
        with document.open_metadata() as packet:
            title = 'Hard & "soft" <names> \N{REPLACEMENT CHARACTER}'
            assert (packet["dc:title"], packet["dc:creator"]) == (title, ["Cutout"])
            assert packet["dc:description"] == str(info["/Subject"]) == job.summary()
            assert (packet["xmp:CreatorTool"], packet["pdf:Producer"]) == ("Cutout", str(info["/Producer"]))
            assert not [name for name in (*packet, *info) if "Date" in name]
        assert str(document.Root.Lang) == "en"


# -- screen readers ---------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_file_declares_pdf_ua_and_a_checker_finds_nothing(slug, tmp_path):
    game = games()[slug]
    job = Job(game, tuple((card, 2) for card in game.cards[:5]), "", read_options({"backs": "long"}))
    path = Path(saved(job, tmp_path))
    assert list(validate(str(path)).findings) == []
    assert b"<pdfuaid:part>1</pdfuaid:part>" in path.read_bytes()


@varied
def test_each_card_is_a_figure_of_its_page_with_its_words(options, tmp_path):
    path = saved_data(made(SPYCRAFT, options), tmp_path)
    assert re.search(r"Tagged: +yes", run("pdfinfo", path))
    sides = [*sides_of(job_of(SPYCRAFT, **options))]
    drawings = [placed.drawing for side in sides for placed in side.placed]
    with pikepdf.open(path) as document:
        figures = list(document.Root.StructTreeRoot.K.K)
        assert [str(figure.Alt) for figure in figures] == [each.told or each.name for each in drawings]
        pages = [number for number, side in enumerate(sides) for _ in side.placed]
        assert [document.pages.index(figure.Pg) for figure in figures] == pages
        assert [page.StructParents for page in document.pages] == list(range(len(sides)))


@pytest.mark.parametrize(("style", "count"), [("light", 1), ("outline", 0)])
def test_a_text_is_in_a_file_once_for_all_copies(style, count):
    data = make_sheets(job_for(pasted_list("spycraft", "90 Kai\n"), {"style": style})).data
    assert sum(data.count("Soldier".encode(coding)) for coding in ("ascii", "utf-16-be")) == count
