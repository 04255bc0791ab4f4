"""Sheets as files: read back with other people's programs. What a file holds and says, where its cards lie,
and what it tells those who cannot see it.
"""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from pdfua import validate

from cardsdb.games import games
from printing.job.job import Job
from printing.options.sizes import PAPERS
from printing.options.values import read_options
from printing.render import pdf
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
    with_options,
)

VARIED: list[dict[str, str]] = [
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


@pytest.fixture
def hard_job(sixth_game):
    return hard_job_of(sixth_game)


# -- the file ---------------------------------------------------------------------------


@varied
def test_a_file_is_valid_has_its_fonts_inside_and_the_same_bytes_each_time(options, tmp_path):
    path = saved_data(made(SPYCRAFT, options), tmp_path)
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", path)
    rows = run("pdffonts", path).splitlines()[2:]
    assert rows and all(
        re.search(r" (yes|no) (yes|no) (yes|no) ", row)[0].split() == ["yes"] * 3 for row in rows
    )
    assert make_sheets(job_of(SPYCRAFT, **options)).data == made(SPYCRAFT, options)


@varied
def test_every_card_lies_on_its_paper_where_it_should_to_a_hundredth_of_a_millimetre(options):
    """The backs too; those that a calibration moves are measured where they were before it."""
    job = job_of(SPYCRAFT, **options)
    plain = replace(job, options=replace(job.options, back_x=0, back_y=0, back_turn=0))
    bleed = job.options.back_bled
    with pikepdf.open(io.BytesIO(make_sheets(plain).data)) as document:
        for page, side in zip(document.pages, sides_of(plain), strict=True):
            size = [float(length) / 72 * 25_400 for length in page.mediabox[2:]]
            assert size == pytest.approx(job.layout.paper.lengths, abs=10)
            wanted = [one.area.grown(bleed, bleed, bleed, bleed) for one in side.placed]
            for (_, *measured), area in zip(placements(page), wanted, strict=True):
                assert measured == pytest.approx([length / 1000 for length in area], abs=0.01)


def test_copies_stand_side_by_side_in_the_lists_order_as_one_form_for_each_card_that_looks_different(
    hard_job,
):
    def forms(data: bytes) -> int:
        with pikepdf.open(io.BytesIO(data)) as document:
            streams = (thing for thing in document.objects if isinstance(thing, pikepdf.Stream))
            return sum(thing.get("/Subtype") == "/Form" for thing in streams)

    placed = [name for page in opened(hard_job).pages for name, *_ in placements(page)]
    assert placed == [name for name in dict.fromkeys(placed) for _ in range(2)]
    many = replace(hard_job, entries=tuple((card, 40) for card, _ in hard_job.entries))
    one, forty = make_sheets(hard_job).data, make_sheets(many).data
    # Beside the cards: what lies under them on every sheet, and what lies over them.
    assert forms(one) == forms(forty) == len(NAMES) + 1 + 2
    assert (len(forty) - len(one)) / (38 * len(many.entries)) < 350
    with opened(replace(hard_job, entries=((parcel("Twice"), 1), (parcel("Twice"), 1)))) as document:
        first, second = placements(document.pages[0])
    assert first[0] == second[0]


def test_jobs_made_at_once_do_not_disturb_each_other(hard_job):
    with ThreadPoolExecutor(4) as pool:
        files = set(pool.map(lambda _: make_sheets(hard_job).data, range(8)))
    assert files == {make_sheets(Job(hard_job.game, hard_job.entries, title=hard_job.title)).data}


def test_one_document_is_made_at_a_time(monkeypatch):
    """reportlab reads its fonts through one shared position; two documents at once would be garbled now and
    then.
    """
    held = list[bool]()
    monkeypatch.setattr(pdf, "write_document", lambda *_: held.append(pdf._press.locked()))
    pdf.make_pdf((1, 1), [], pdf.About("", ""))
    assert held == [True]


# -- what it says -----------------------------------------------------------------------


def test_every_name_can_be_selected_and_copied(hard_job, tmp_path):
    text = squashed(run("pdftotext", "-raw", saved(hard_job, tmp_path), "-"))
    assert [name for name in NAMES if squashed(name) not in text] == []


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize(
    "options", [{}, {"type": "large", "style": "saver", "micro": "yes"}], ids=["usual", "large"]
)
def test_every_name_of_the_catalogue_is_found_in_its_sheets(slug, options, tmp_path):
    game = games()[slug]
    hard = [card for card in game.cards if len(card.name) > 24 or not card.name.isascii()][:60]
    cards = hard or game.cards[:20]
    job = Job(game, tuple((card, 1) for card in cards), options=read_options(options))
    text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
    assert [card.name for card in cards if squashed(card.name) not in text] == []


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("trim", ["poker", "40x60", "100x140"])
def test_a_credit_stands_on_every_card_and_whole_on_every_numbered_sheet(sixth_game, paper, trim, tmp_path):
    job = Job(replace(sixth_game, credit=CREDIT), ((parcel("A"), 5), (parcel("B"), 5)))
    job = with_options(job, paper=paper, trim=trim)
    text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
    assert text.count(squashed(f"{CREDIT.text}, {CREDIT.licence}")) == job.cards + job.pages
    for part in (CREDIT.licence_url, CREDIT.work_url, CREDIT.changes, f"of{job.sheets}"):
        assert text.count(squashed(part)) == job.pages


def test_the_largest_text_a_card_may_have_is_printed_whole(sixth_game, tmp_path):
    text = "It waits under the third bench until someone comes. " * 96
    job = Job(sixth_game, ((parcel("A", text=text), 1),))
    assert squashed(text) in squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))


def test_the_decks_name_in_tiny_type_stands_on_each_card(tmp_path):
    job = job_of(SPYCRAFT, micro="yes", header="no")
    assert run("pdftotext", "-raw", saved(job, tmp_path), "-").count("Proof") == job.cards


@pytest.mark.parametrize(
    ("backs", "hint"), [("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge"), ("none", None)]
)
def test_the_file_tells_the_printer_how_to_print_it(backs, hint):
    with opened(job_of(SPYCRAFT, backs=backs)) as document:
        wishes = document.Root.ViewerPreferences
        assert (wishes.PrintScaling, wishes.get("/Duplex")) == ("/None", hint)


def test_pages_are_called_by_sheet_and_side_and_the_first_and_last_of_their_cards(hard_job):
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


def test_programs_that_know_no_pdf_find_what_it_is_in_a_packet_of_xml_without_a_date(hard_job, tmp_path):
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
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", path)
    assert re.search(r"Metadata Stream: +yes", run("pdfinfo", path))


# -- what it tells those who cannot see it ----------------------------------------------------


def told(job: Job) -> list[str]:
    """The alternative texts of the figures of the sheets, in their order."""
    with opened(job) as file:
        return [str(one.Alt) for one in file.Root.StructTreeRoot.K.K]


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_file_declares_pdf_ua_and_a_checker_finds_nothing(slug, tmp_path):
    game = games()[slug]
    job = Job(game, tuple((card, 2) for card in game.cards[:5]), "", read_options({"backs": "long"}))
    path = Path(saved(job, tmp_path))
    assert list(validate(str(path)).findings) == []
    assert b"<pdfuaid:part>1</pdfuaid:part>" in path.read_bytes()


@varied
def test_each_card_is_a_figure_on_its_page_with_what_it_says(options, tmp_path):
    path = saved_data(made(SPYCRAFT, options), tmp_path)
    assert re.search(r"Tagged: +yes", run("pdfinfo", path))
    sides = [*sides_of(job_of(SPYCRAFT, **options))]
    placed = [one.drawing.told or one.drawing.name for side in sides for one in side.placed]
    with pikepdf.open(path) as document:
        figures = list(document.Root.StructTreeRoot.K.K)
        assert [str(figure.Alt) for figure in figures] == placed
        pages = [number for number, side in enumerate(sides) for _ in side.placed]
        assert [document.pages.index(figure.Pg) for figure in figures] == pages
        assert [page.StructParents for page in document.pages] == list(range(len(sides)))


def test_a_card_is_told_with_its_numbers_and_what_it_does_and_a_reference_card_with_its_words():
    one, other = told(job_for(pasted_list("spycraft", "2 Kai\n"), {}))
    assert one == other and one.startswith("Kai") and "Soldier" in one
    assert games()["spycraft"].card("kai").told.split("\n")[0].strip("*") in one
    reference = job_for(pasted_list("spycraft", "1 Kai\n"), {"extras": "reference", "only": "none"})
    assert max(map(len, told(reference))) > 200


def test_a_text_stands_in_a_file_once_however_often_its_card_is_printed_and_in_an_outline_never():
    for style, count in (("light", 1), ("outline", 0)):
        data = make_sheets(job_for(pasted_list("spycraft", "90 Kai\n"), {"style": style})).data
        assert sum(data.count("Soldier".encode(coding)) for coding in ("ascii", "utf-16-be")) == count
