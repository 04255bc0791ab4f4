"""Sheets as files: read back with other people's programs."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Claim, Credit, Game, Print
from cardsdb.games.kit.face import dossier
from printing import sheets
from printing.options import CannotPrint, read_options
from printing.papers import PAPERS
from printing.sheets import Job, MissingCharacters, Sheets, TooMuch, make_sheets
from tests.binaries import run

MM = 72 / 25.4
NAMES = (
    'RS-9, "The Koffin"',
    "Død Kalm",
    "2nd Lt. Chavez",
    "Not THIS Federal Building, You Don't",
    "Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America",
    "(Brackets) and \\ strokes",
    "Агент Ørsted ŧ",
    "Agent " + "Extraordinarily " * 10 + "Named",
)


def parcel(name: str, **given) -> Card:
    return Card(**{"game": "deaddrop", "code": name, "name": name, "type": "parcel", "facts": {"weight": 3}, **given})


@pytest.fixture
def hard_job(sixth_game: Game) -> Job:
    """Names that are hard to set, two copies each, one face lying across its slot."""
    game = replace(sixth_game, faces={**sixth_game.faces, "courier": dossier(landscape=True, lines=("city",))})
    cards = [*(parcel(name, text="Counts double.") for name in NAMES), sixth_game.card("zorka")]
    return Job(game, tuple((card, 2) for card in cards), title="Hard names")


def told(job: Job, **options: str) -> Job:
    """The job with these options and no others."""
    return replace(job, options=read_options(options))


def saved(job: Job, folder: Path) -> str:
    path = folder / job.filename
    path.write_bytes(make_sheets(job).data)
    return str(path)


def opened(job: Job) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(make_sheets(job).data))


def squashed(text: str) -> str:
    return "".join(text.split())


def placements(page: pikepdf.Page) -> list[tuple[str, float, float, float, float]]:
    """Form name and left, top, width, height in millimetres from the paper's top left corner."""
    height = float(page.mediabox[3])
    found, stack, matrix, tag = [], [], pikepdf.Matrix(), ""
    for operands, operator in pikepdf.parse_content_stream(page):
        match str(operator):
            case "q":
                stack.append(matrix)
            case "Q":
                matrix = stack.pop()
            case "cm":
                matrix = pikepdf.Matrix(operands) @ matrix
            case "BDC" | "BMC":
                tag = str(operands[0])
            case "Do" if tag == "/Figure":
                form = page.resources.XObject[str(operands[0])]
                x1, y1, x2, y2 = (float(number) for number in form.BBox)
                corners = [matrix.transform(point) for point in ((x1, y1), (x2, y2))]
                (left, right), (low, high) = (sorted(axis) for axis in zip(*corners, strict=True))
                found.append((str(operands[0]), left / MM, (height - high) / MM, (right - left) / MM, (high - low) / MM))
    return found


def lines_of(page: pikepdf.Page) -> list[tuple[float, float, float, float]]:
    """The straight lines drawn around the cards, each once, in millimetres from the page's top left corner."""
    found, tag = [], ""
    for operands, operator in pikepdf.parse_content_stream(page):
        tag = str(operands[0]) if str(operator) in ("BDC", "BMC") else tag
        if str(operator) != "Do" or tag != "/Artifact":
            continue
        steps = pairwise(pikepdf.parse_content_stream(page.resources.XObject[str(operands[0])]))
        found += [(*start.operands, *end.operands) for start, end in steps if str(start.operator) == "m" and str(end.operator) == "l"]
    return [tuple(float(number) / 1000 for number in line) for line in dict.fromkeys(found)]


# -- the file ---------------------------------------------------------------------------


def test_the_file_is_valid(hard_job, tmp_path):
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", saved(hard_job, tmp_path))


@pytest.mark.parametrize("paper", list(PAPERS))
def test_pages_have_the_papers_size(hard_job, paper):
    size = PAPERS[paper]
    job = told(hard_job, paper=paper)
    document = pypdfium2.PdfDocument(make_sheets(job).data)
    assert len(document) == job.sheets
    for page in document:
        width, height = sorted(page.get_size())
        assert (width / MM, height / MM) == pytest.approx((size.width / 1000, size.height / 1000), abs=0.001)


@pytest.mark.parametrize(
    ("paper", "trim", "gap"), [("a4", "poker", "0"), ("letter", "poker", "0"), ("a4", "standard", "2"), ("letter", "50x70", "0.5")]
)
def test_every_card_lies_where_it_should_to_a_hundredth_of_a_millimetre(hard_job, paper, trim, gap):
    job = told(hard_job, paper=paper, trim=trim, gap=gap)
    placed = [card for page in opened(job).pages for card in placements(page)]
    assert len(placed) == job.cards
    bleed = job.layout.bleed
    for index, (_, *found) in enumerate(placed):
        slot = job.layout.slot(index)
        wanted = [slot.x - bleed, slot.y - bleed, slot.width + 2 * bleed, slot.height + 2 * bleed]
        assert found == pytest.approx([length / 1000 for length in wanted], abs=0.01)


def test_what_is_drawn_fills_the_slots_it_was_put_in(sixth_game):
    """By the picture: at 10 dots a millimetre the edge of the name band is where the first slot begins and ends."""
    job = told(Job(sixth_game, ((sixth_game.card("zorka"), 9),)), marks="none")
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
            return sum(isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form" for thing in document.objects)

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
    assert {re.search(r"\+(\S+)", row)[1] for row in rows} == {"SourceSansPro-Regular", "SourceSansPro-Semibold", "SourceSerifPro-Semibold"}
    assert all(re.search(r" (yes|no) (yes|no) (yes|no) ", row)[0].split() == ["yes", "yes", "yes"] for row in rows)


def test_every_name_can_be_selected_and_copied(hard_job, tmp_path):
    text = squashed(run("pdftotext", "-raw", saved(hard_job, tmp_path), "-"))
    for name in NAMES:
        assert squashed(name) in text


def test_every_name_of_the_catalogue_is_found_in_its_sheets(tmp_path):
    for game in games().values():
        cards = [card for card in game.cards if len(card.name) > 24 or not card.name.isascii()][:60] or list(game.cards[:20])
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
            'Sheet 1: RS-9, "The Koffin" to Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America',
            "Sheet 2: Tesos Dos Bichos Excavation, Ecquadorian Highlands, South America to Zorka",
        ]


def test_screen_readers_find_one_figure_a_card_called_by_its_name(hard_job, tmp_path):
    path = saved(hard_job, tmp_path)
    assert re.search(r"Tagged: +yes", run("pdfinfo", path))
    assert run("pdfinfo", "-struct", path).count("Figure") == hard_job.cards
    with pikepdf.open(path) as document:
        figures = list(document.Root.StructTreeRoot.K.K)
        assert [str(figure.Alt) for figure in figures] == [card.name for card, count in hard_job.entries for _ in range(count)]
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


# -- around the cards -------------------------------------------------------------------


@pytest.mark.parametrize("paper", list(PAPERS))
def test_scale_bars_measure_50_mm_and_2_in_on_paper(hard_job, paper):
    with opened(told(hard_job, paper=paper, marks="none")) as document:
        long = sorted(length for line in lines_of(document.pages[0]) if (length := abs(line[2] - line[0]) + abs(line[3] - line[1])) > 10)
    assert long == pytest.approx([50.0, 50.8])


def test_crop_marks_point_at_every_cut_and_can_be_left_out(hard_job):
    def ticks(job: Job) -> set[float]:
        with opened(job) as document:
            return {x1 for x1, y1, x2, y2 in lines_of(document.pages[0]) if x1 == x2 and abs(y2 - y1) < 10}

    assert {9.75, 73.25, 136.75, 200.25} <= ticks(hard_job)
    assert ticks(told(hard_job, marks="none")) == set()


@pytest.mark.parametrize("paper", list(PAPERS))
def test_sheets_are_numbered_and_say_how_to_print_them(hard_job, paper, tmp_path):
    job = told(hard_job, paper=paper, copies="2")
    text = " ".join(run("pdftotext", saved(job, tmp_path), "-").split())
    for words in ("Hard names", "Dead Drop · 63.5 × 88.9 mm", f"Sheet 2 of {job.sheets}", "Print at 100 %", "50 mm", "2 in"):
        assert words in text


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("trim", ["poker", "40x60", "100x140"])
def test_a_credit_stands_on_every_card_and_whole_on_every_sheet(sixth_game, paper, trim, tmp_path):
    credit = Credit(
        "Dead Drop by N. N., CC BY-NC 4.0", "CC BY-NC 4.0", "https://example.org/by-nc", "https://example.org/dd", "Redrawn by us."
    )
    job = told(Job(replace(sixth_game, credit=credit), ((parcel("A"), 5), (parcel("B"), 5))), paper=paper, trim=trim)
    text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
    assert text.count(squashed(credit.text)) == job.cards + job.pages
    for part in ("https://example.org/by-nc", "https://example.org/dd", "Redrawn by us."):
        assert text.count(squashed(part)) == job.pages


# -- what cannot be printed ---------------------------------------------------------------


def test_a_character_no_font_has_is_named_before_anything_is_drawn(sixth_game):
    cards = ((parcel("Agent \N{SLEUTH OR SPY}"), 1), (parcel("Plain"), 1), (parcel("Other", text="ス and \u200b"), 1))
    with pytest.raises(MissingCharacters) as caught:
        make_sheets(Job(sixth_game, cards))
    assert [(one.card, one.codepoint, one.named) for one in caught.value.missing] == [
        ("Agent \N{SLEUTH OR SPY}", "U+1F575", "SLEUTH OR SPY"),
        ("Other", "U+30B9", "KATAKANA LETTER SU"),
        ("Other", "U+200B", "ZERO WIDTH SPACE"),
    ]
    assert "U+1F575 SLEUTH OR SPY" in str(caught.value)
    assert caught.value.field == "cards"


def test_a_title_no_font_can_write_is_named_as_the_title(sixth_game):
    with pytest.raises(MissingCharacters, match=r"the title: U\+1F575") as caught:
        make_sheets(Job(sixth_game, ((parcel("Plain"), 1),), title="\N{SLEUTH OR SPY}"))
    assert caught.value.field == "title"


@pytest.mark.parametrize(
    ("entries", "title"),
    [
        ((), ""),
        (((parcel("A"), 0),), ""),
        (((parcel("A"), sheets.MOST_COPIES + 1),), ""),
        (tuple((parcel(f"Card {number}"), 1) for number in range(sheets.MOST_DISTINCT + 1)), ""),
        (((parcel("A", text="x" * sheets.MOST_TEXT), 1),), ""),
        (((parcel("A", facts={"city": "x" * sheets.MOST_TEXT}), 1),), ""),
        (((parcel("A"), 1),), "x" * (sheets.MOST_TITLE + 1)),
    ],
)
def test_more_than_a_job_may_ask_for_is_refused(sixth_game, entries, title):
    with pytest.raises(TooMuch) as caught:
        Job(sixth_game, entries, title=title)
    assert isinstance(caught.value, CannotPrint) and caught.value.code == "too_much"


def test_the_largest_text_a_card_may_have_is_printed_whole(sixth_game, tmp_path):
    text = "It waits under the third bench until someone comes. " * 96
    card = parcel("A", text=text)
    assert squashed(text) in squashed(run("pdftotext", "-raw", saved(Job(sixth_game, ((card, 1),)), tmp_path), "-"))


# -- the job --------------------------------------------------------------------------


def test_a_job_says_what_it_will_make_before_it_is_made(hard_job):
    made = make_sheets(hard_job)
    assert hard_job.summary() == "18 cards, 2 sheets, 63.5 × 88.9 mm"
    assert made == Sheets("deaddrop-hard-names.pdf", "application/pdf", made.data, 2, 18)
    assert replace(hard_job, entries=hard_job.entries[:1]).summary() == "2 cards, 1 sheet, 63.5 × 88.9 mm"
    assert replace(hard_job, title="\N{SLEUTH OR SPY}").filename == "deaddrop-cards.pdf"


def test_the_key_changes_with_whatever_changes_the_file(hard_job):
    (card, _), *others = hard_job.entries
    game = hard_job.game
    variants = [
        hard_job,
        replace(hard_job, title="Other"),
        told(hard_job, paper="letter"),
        told(hard_job, trim="standard"),
        told(hard_job, gap="1"),
        told(hard_job, marks="none"),
        replace(hard_job, entries=((card, 3), *others)),
        replace(hard_job, entries=(*others, (card, 2))),
        replace(hard_job, entries=((replace(card, facts={"weight": 4}), 2), *others)),
        replace(hard_job, entries=((replace(card, text="Else."), 2), *others)),
        replace(hard_job, entries=((replace(card, prints=(Print("ONE", "9"),)), 2), *others)),
        replace(hard_job, entries=((replace(card, sources={"": (Claim("sheet"),)}), 2), *others)),
        replace(hard_job, game=replace(game, hue=("#000000", "#ffffff"))),
        replace(hard_job, game=replace(game, faces={**game.faces, "parcel": dossier()})),
        replace(hard_job, game=replace(game, rights="Ours.")),
    ]
    assert len({job.key for job in variants}) == len(variants)
    assert len({make_sheets(job).data for job in variants}) == len(variants)
