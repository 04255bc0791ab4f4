"""Sheets as files: read back with other people's programs."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pikepdf
import pypdfium2
import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game
from printing.job.job import Job
from printing.options.sizes import PAPERS
from printing.render.files import write_sheets
from tests.support.programs import run
from tests.support.sheets import (
    MM,
    NAMES,
    hard_job_of,
    make_sheets,
    opened,
    parcel,
    placements,
    saved,
    squashed,
    with_options,
)


@pytest.fixture
def hard_job(sixth_game: Game) -> Job:
    return hard_job_of(sixth_game)


# -- the file ---------------------------------------------------------------------------


def test_the_file_is_valid(hard_job, tmp_path):
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", saved(hard_job, tmp_path))


@pytest.mark.parametrize("paper", list(PAPERS))
def test_pages_have_the_papers_size(hard_job, paper):
    size = PAPERS[paper]
    job = with_options(hard_job, paper=paper)
    document = pypdfium2.PdfDocument(make_sheets(job).data)
    assert len(document) == job.sheets
    for page in document:
        width, height = sorted(page.get_size())
        assert (width / MM, height / MM) == pytest.approx((size.width / 1000, size.height / 1000), abs=0.001)


@pytest.mark.parametrize(
    ("paper", "trim", "gap"),
    [("a4", "poker", "0"), ("letter", "poker", "0"), ("a4", "standard", "2"), ("letter", "50x70", "0.5")],
)
def test_every_card_lies_where_it_should_to_a_hundredth_of_a_millimetre(hard_job, paper, trim, gap):
    job = with_options(hard_job, paper=paper, trim=trim, gap=gap)
    placed = [card for page in opened(job).pages for card in placements(page)]
    assert len(placed) == job.cards
    bleed = job.layout.bleed
    for index, (_, *measured) in enumerate(placed):
        slot = job.layout.slot(index)
        wanted = [slot.x - bleed, slot.y - bleed, slot.width + 2 * bleed, slot.height + 2 * bleed]
        assert measured == pytest.approx([length / 1000 for length in wanted], abs=0.01)


def test_what_is_drawn_fills_the_slots_it_was_put_in(sixth_game):
    """By the picture: at 10 dots a millimetre the edge of the name band is where the first slot begins and
    ends.
    """
    job = with_options(Job(sixth_game, ((sixth_game.card("zorka"), 9),)), marks="none", style="full")
    picture = pypdfium2.PdfDocument(make_sheets(job).data)[0].render(scale=254 / 72).to_pil().convert("RGB")
    band = [x for x in range(picture.width) if picture.getpixel((x, 160))[0] < 200]
    assert (band[0], band[-1]) == (pytest.approx(97.5, abs=1), pytest.approx(97.5 + 1905 - 1, abs=1))
    inked = [picture.getpixel((100, y))[0] < 200 for y in range(picture.height)]
    tops = [y for y in range(1, picture.height) if inked[y] and not inked[y - 1]]
    assert tops == [pytest.approx(151.5 + row * 889, abs=1) for row in range(3)]


def test_copies_stand_side_by_side_in_the_lists_order(hard_job):
    placed = [name for page in opened(hard_job).pages for name, *_ in placements(page)]
    assert placed == [name for name in dict.fromkeys(placed) for _ in range(2)]


def test_one_form_a_distinct_card_however_many_copies(hard_job):
    def forms(data: bytes) -> int:
        with pikepdf.open(io.BytesIO(data)) as document:
            return sum(
                isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
                for thing in document.objects
            )

    many = replace(hard_job, entries=tuple((card, 40) for card, _ in hard_job.entries))
    one, forty = make_sheets(hard_job).data, make_sheets(many).data
    # Beside the cards: what lies under them on every sheet, and what lies over them.
    assert forms(one) == forms(forty) == len(NAMES) + 1 + 2
    assert (len(forty) - len(one)) / (38 * len(many.entries)) < 350


def test_cards_that_look_alike_are_one_form(sixth_game):
    job = Job(sixth_game, ((parcel("Twice"), 1), (parcel("Twice"), 1)))
    with opened(job) as document:
        first, second = placements(document.pages[0])
    assert first[0] == second[0]


def test_all_fonts_are_embedded(hard_job, tmp_path):
    rows = run("pdffonts", saved(hard_job, tmp_path)).splitlines()[2:]
    assert {re.search(r"\+(\S+)", row)[1] for row in rows} == {
        "SourceSansPro-Regular",
        "SourceSansPro-Semibold",
        "SourceSerifPro-Semibold",
    }
    assert all(
        re.search(r" (yes|no) (yes|no) (yes|no) ", row)[0].split() == ["yes", "yes", "yes"] for row in rows
    )


def test_every_name_can_be_selected_and_copied(hard_job, tmp_path):
    text = squashed(run("pdftotext", "-raw", saved(hard_job, tmp_path), "-"))
    for name in NAMES:
        assert squashed(name) in text


def test_every_name_of_the_catalogue_is_found_in_its_sheets(tmp_path):
    for game in games().values():
        cards = [card for card in game.cards if len(card.name) > 24 or not card.name.isascii()][:60] or list(
            game.cards[:20]
        )
        job = Job(game, tuple((card, 1) for card in cards))
        text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
        assert [card.name for card in cards if squashed(card.name) not in text] == []


def test_the_file_says_what_it_is_and_how_to_be_printed(hard_job):
    document = opened(hard_job)
    assert str(document.docinfo["/Title"]) == "Hard names"
    assert str(document.docinfo["/Subject"]) == "18 cards, 2 sheets, 63.5 × 88.9 mm"
    assert str(document.Root.Lang) == "en"
    assert document.Root.ViewerPreferences.PrintScaling == "/None"
    with document.open_outline() as outline:
        assert [str(item.title) for item in outline.root] == [
            (
                'Sheet 1: RS-9, "The Koffin" to Tesos Dos Bichos Excavation, Ecquadorian Highlands, South'
                " America"
            ),
            "Sheet 2: Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America to Zorka",
        ]


def test_programs_that_know_no_pdf_find_what_it_is_in_a_packet_of_xml_without_a_date(hard_job, tmp_path):
    job = replace(
        hard_job,
        title='Hard & "soft" <names> \u0001',
        options=replace(hard_job.options, backs="long", header=False),
    )
    with pikepdf.open(saved(job, tmp_path)) as document:
        stream = document.Root.Metadata
        assert (stream.Type, stream.Subtype, stream.get("/Filter")) == ("/Metadata", "/XML", None)
        with document.open_metadata() as packet:
            assert packet["dc:title"] == 'Hard & "soft" <names> \N{REPLACEMENT CHARACTER}'
            assert packet["dc:description"] == str(document.docinfo["/Subject"]) == job.summary()
            assert (packet["dc:creator"], packet["xmp:CreatorTool"]) == (["Cutout"], "Cutout")
            assert packet["pdf:Producer"] == str(document.docinfo["/Producer"])
            assert not [name for name in (*packet, *document.docinfo) if "Date" in name]
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", saved(job, tmp_path))
    assert re.search(r"Metadata Stream: +yes", run("pdfinfo", saved(job, tmp_path)))
    assert re.search(r"Tagged: +yes", run("pdfinfo", saved(job, tmp_path)))


@pytest.mark.parametrize("backs", ["none", "long", "separate"])
def test_pages_are_told_one_by_one_while_they_are_drawn_and_while_they_are_written(hard_job, backs):
    job, out, told = with_options(hard_job, backs=backs, copies="4"), io.BytesIO(), []
    write_sheets(job, out, lambda pages: told.append((pages, out.tell())))
    assert [pages for pages, _ in told] == list(range(1, job.pages + 1))
    written = [at for _, at in told if at]
    # At least a quarter of the pages is told while bytes come, and between them are bytes.
    assert len(written) * 4 >= job.pages and max(written) > min(written)


def test_screen_readers_find_one_figure_a_card_that_begins_with_its_name(hard_job, tmp_path):
    path = saved(hard_job, tmp_path)
    assert re.search(r"Tagged: +yes", run("pdfinfo", path))
    assert run("pdfinfo", "-struct", path).count("Figure") == hard_job.cards
    with pikepdf.open(path) as document:
        figures = list(document.Root.StructTreeRoot.K.K)
        names = [card.name for card, count in hard_job.entries for _ in range(count)]
        assert all(str(one.Alt).startswith(name) for one, name in zip(figures, names, strict=True))
        assert [document.pages.index(figure.Pg) for figure in figures] == [0] * 9 + [1] * 9
        assert [page.StructParents for page in document.pages] == [0, 1]


def test_the_same_job_gives_the_same_bytes(hard_job):
    again = Job(hard_job.game, hard_job.entries, title=hard_job.title)
    assert make_sheets(hard_job).data == make_sheets(again).data
    assert hard_job.key == again.key


def test_jobs_made_at_once_do_not_disturb_each_other(hard_job):
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: make_sheets(hard_job).data, range(8)))
    assert len(made) == 1
