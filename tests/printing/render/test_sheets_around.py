"""What stands around the cards of a sheet, what cannot be printed, and what a job says of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games.kit import Claim, Credit, Game, Print
from cardsdb.games.kit.print.dossier import dossier
from printing.faces.strokes import Drawing, Rect
from printing.job import job
from printing.job.job import Job, TooMuch
from printing.job.pieces import MissingCharacters
from printing.options.sizes import PAPERS
from printing.options.values import CannotPrint
from printing.render.files import Sheets
from tests.support.programs import run
from tests.support.sheets import (
    hard_job_of,
    lines_of,
    make_sheets,
    opened,
    parcel,
    saved,
    squashed,
    with_options,
)


@pytest.fixture
def hard_job(sixth_game: Game) -> Job:
    return hard_job_of(sixth_game)


# -- around the cards -------------------------------------------------------------------


@pytest.mark.parametrize("paper", list(PAPERS))
def test_scale_bars_measure_50_mm_and_2_in_on_paper(hard_job, paper):
    with opened(with_options(hard_job, paper=paper, marks="none")) as document:
        long = sorted(
            length
            for line in lines_of(document.pages[0])
            if (length := abs(line[2] - line[0]) + abs(line[3] - line[1])) > 10
        )
    assert long == pytest.approx([50.0, 50.8])


def test_crop_marks_point_at_every_cut_and_can_be_left_out(hard_job):
    def ticks(job: Job) -> set[float]:
        with opened(job) as document:
            return {x1 for x1, y1, x2, y2 in lines_of(document.pages[0]) if x1 == x2 and abs(y2 - y1) < 10}

    assert {9.75, 73.25, 136.75, 200.25} <= ticks(hard_job)
    assert ticks(with_options(hard_job, marks="none")) == set()


@pytest.mark.parametrize("paper", list(PAPERS))
def test_sheets_are_numbered_and_say_how_to_print_them(hard_job, paper, tmp_path):
    job = with_options(hard_job, paper=paper, copies="2")
    text = " ".join(run("pdftotext", saved(job, tmp_path), "-").split())
    for words in (
        "Hard names",
        "Dead Drop · 63.5 × 88.9 mm",
        f"Sheet 2 of {job.sheets}",
        "Print at 100 %",
        "50 mm",
        "2 in",
    ):
        assert words in text


@pytest.mark.parametrize("paper", list(PAPERS))
@pytest.mark.parametrize("trim", ["poker", "40x60", "100x140"])
def test_a_credit_stands_on_every_card_and_whole_on_every_sheet(sixth_game, paper, trim, tmp_path):
    credit = Credit(
        "Dead Drop by N. N., CC BY-NC 4.0",
        "CC BY-NC 4.0",
        "https://example.org/by-nc",
        "https://example.org/dd",
        "Redrawn by us.",
    )
    job = with_options(
        Job(replace(sixth_game, credit=credit), ((parcel("A"), 5), (parcel("B"), 5))), paper=paper, trim=trim
    )
    text = squashed(run("pdftotext", "-raw", saved(job, tmp_path), "-"))
    assert text.count(squashed(credit.text)) == job.cards + job.pages
    for part in ("https://example.org/by-nc", "https://example.org/dd", "Redrawn by us."):
        assert text.count(squashed(part)) == job.pages


# -- what cannot be printed ---------------------------------------------------------------


def test_a_character_no_font_has_is_named_before_anything_is_drawn(sixth_game):
    cards = (
        (parcel("Agent \N{SLEUTH OR SPY}"), 1),
        (parcel("Plain"), 1),
        (parcel("Other", text="ス and \u200b"), 1),
    )
    with pytest.raises(MissingCharacters) as caught:
        make_sheets(Job(sixth_game, cards))
    assert list(caught.value.missing) == [
        ("Agent \N{SLEUTH OR SPY}", "\N{SLEUTH OR SPY}"),
        ("Other", "ス"),
        ("Other", "\u200b"),
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
        (((parcel("A"), job.MAX_CARDS + 1),), ""),
        (tuple((parcel(f"Card {number}"), 1) for number in range(job.MAX_DIFFERENT + 1)), ""),
        (((parcel("A", text="x" * job.MAX_TEXT), 1),), ""),
        (((parcel("A", facts={"city": "x" * job.MAX_TEXT}), 1),), ""),
        (((parcel("A"), 1),), "x" * (job.MAX_TITLE + 1)),
    ],
)
def test_more_than_a_job_may_ask_for_is_refused(sixth_game, entries, title):
    with pytest.raises(TooMuch) as caught:
        Job(sixth_game, entries, title=title)
    assert isinstance(caught.value, CannotPrint) and caught.value.code == "too_much"


def test_the_largest_text_a_card_may_have_is_printed_whole(sixth_game, tmp_path):
    text = "It waits under the third bench until someone comes. " * 96
    card = parcel("A", text=text)
    assert squashed(text) in squashed(
        run("pdftotext", "-raw", saved(Job(sixth_game, ((card, 1),)), tmp_path), "-")
    )


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
        with_options(hard_job, paper="letter"),
        with_options(hard_job, trim="standard"),
        with_options(hard_job, gap="1"),
        with_options(hard_job, marks="none"),
        replace(hard_job, entries=((card, 3), *others)),
        replace(hard_job, entries=(*others, (card, 2))),
        replace(hard_job, entries=((replace(card, facts={"weight": 4}), 2), *others)),
        replace(hard_job, entries=((replace(card, text="Else.", sentences=()), 2), *others)),
        replace(hard_job, entries=((replace(card, prints=(Print("ONE", "9"),)), 2), *others)),
        replace(
            hard_job,
            entries=((replace(card, sources={"name": (Claim("sheet", value="Other"),)}), 2), *others),
        ),
        replace(hard_job, game=replace(game, hue=("#000000", "#ffffff"))),
        replace(hard_job, game=replace(game, faces={**game.faces, "parcel": dossier()})),
        replace(hard_job, game=replace(game, rights="Ours.")),
    ]
    assert len({job.key for job in variants}) == len(variants)
    assert len({make_sheets(job).data for job in variants}) == len(variants)


def test_the_key_changes_with_what_is_printed_behind_the_sheets(hard_job):
    (card, count), *others = hard_job.entries
    paper = hard_job.layout.paper.lengths

    def page(width):
        return replace(
            hard_job,
            end_pages=(Drawing("Register", *paper, (Rect(10_000, 10_000, width, 5_000, "#000000"),)),),
        )

    def followed(card):
        return replace(hard_job, following=(replace(hard_job, entries=((card, count), *others)),))

    # No count and no word of the summary tells these apart.
    for one, other in (
        (page(5_000), page(6_000)),
        (followed(card), followed(replace(card, text="Else.", sentences=()))),
    ):
        assert one.summary() == other.summary() and one.notes() == other.notes()
        assert one.key != other.key
        assert make_sheets(one).data != make_sheets(other).data
