"""``Job``: its limits, its names and summaries, and its key."""

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Claim, Print
from cardsdb.games.kit.print.dossier import dossier
from printing.faces.strokes import Drawing, Rect
from printing.job.job import MAX_HEADING, Job
from printing.job.limits import MAX_CARDS, MAX_DIFFERENT, MAX_TEXT, MAX_TITLE, TooMuch
from printing.layout.imposition import Piece
from printing.options.values import BadOption, read_options
from tests import ROOT
from tests.support.game_folders import own_games
from tests.support.sheets import hard_job_of, make_sheets, parcel, with_options

GAME = games()["spycraft"]
KAI = GAME.cards[0]


def job(title: str = "Night Watch", count: int = 3, **options: str) -> Job:
    return Job(GAME, ((KAI, count),), title, read_options(options))


@pytest.fixture
def hard_job(sixth_game):
    return hard_job_of(sixth_game)


# -- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "title", "message"),
    [
        ((), "", "nothing to print"),
        (((parcel("A"), 0),), "", "nothing to print"),
        (((parcel("A"), MAX_CARDS + 1),), "", "at most 2,000 cards, not 2,001"),
        (
            tuple((parcel(f"Card {number}"), 1) for number in range(MAX_DIFFERENT + 1)),
            "",
            "print sections of the list by themselves",
        ),
        (((parcel("Long", text="x" * MAX_TEXT), 1),), "", "“Long” says more than 5,000 letters"),
        (((parcel("Long", facts={"city": "x" * MAX_TEXT}), 1),), "", "“Long” says more than"),
        (((parcel("A"), 1),), "x" * (MAX_TITLE + 1), f"at most {MAX_TITLE} letters"),
    ],
)
def test_a_job_without_cards_or_over_a_limit_is_refused(sixth_game, entries, title, message):
    with pytest.raises(TooMuch, match=message) as refused:
        Job(sixth_game, entries, title=title)
    assert refused.value.code == "too_much"


def test_a_job_exactly_at_its_limits_is_accepted(sixth_game):
    card = parcel("A", text="x" * (MAX_TEXT - 2), facts={})
    assert Job(sixth_game, ((card, MAX_CARDS),), title="x" * MAX_TITLE).cards == MAX_CARDS


@pytest.mark.parametrize(
    ("chosen", "field", "message"),
    [
        ({"trim": "200x200", "paper": "150x150"}, "trim", "small enough for"),
        ({"block": "4x4"}, "block", "as few columns and rows of 63 × 88 mm as fit on A4"),
        ({"left": "250"}, "left", "or less, so that a card fits on A4"),
        ({"top": "290", "left": "20"}, "top", "or less, so that a card fits on A4"),
        ({"paper": "148x210", "trim": "140x200", "margin": "30", "left": "1"}, "trim", "small enough for"),
        ({"backs": "gutterfold", "left": "10"}, "left", "stand at its fold"),
        ({"backs": "gutterfold", "top": "10"}, "top", "stand at its fold"),
        ({"marks": "registration3", "left": "1", "top": "1"}, "marks", "leave no room"),
    ],
)
def test_cards_too_large_for_the_paper_are_refused_with_the_option(chosen, field, message):
    with pytest.raises(BadOption, match=message) as caught:
        job(**chosen)
    assert caught.value.field == field


# -- names and summaries ------------------------------------------------------------------------


def test_a_summary_and_a_file_name_tell_what_the_file_will_be(hard_job):
    sheets = make_sheets(hard_job)
    assert hard_job.summary() == "18 cards, 2 sheets, 63.5 × 88.9 mm"
    assert sheets._replace(data=b"") == ("deaddrop-hard-names.pdf", "application/pdf", b"", 2, 18)
    assert replace(hard_job, entries=hard_job.entries[:1]).summary() == "2 cards, 1 sheet, 63.5 × 88.9 mm"
    assert replace(hard_job, title="\N{SLEUTH OR SPY}").filename == "deaddrop-cards.pdf"


def test_a_summary_counts_cards_stand_ins_and_components_apart():
    spynet = games()["spynet"]
    kinds = ("card", "stand-in", "component")
    entries = [next(card for card in spynet.cards if spynet.kind_of(card) == kind) for kind in kinds]
    alone = Job(spynet, tuple((entry, count) for count, entry in enumerate(entries, 1)))
    assert alone.summary().startswith("1 card, 2 unnamed cards, 3 components, 1 sheet, ")
    assert dict(alone.details())["Cards"] == "1 card, 2 unnamed cards, 3 components, 3 different"
    tokens = Piece("Token", Drawing("Token", 1, 1, ()), None, 2)
    longer = replace(alone, extra=(tokens,), following=(job(),), end_pages=(tokens.front,))
    # Six of the list, one kind of token, one card of the following part.
    assert dict(longer.details())["Cards"].endswith(f", {longer.different} different")
    assert longer.different == 3 + 1 + len(job().distinct)
    assert replace(alone, following=(alone,)).different == 3
    # Cards are told apart by identity: two that are written in may share a name and a code.
    twins = (replace(entries[0]), replace(entries[0]))
    assert replace(alone, entries=tuple((card, 1) for card in twins)).different == 2
    assert dict(longer.details())["Sheets"] == "2 with 9 on each, 3 × 3, and 1 whole page"
    assert longer.kinds == "6 cards, 2 unnamed cards, 3 components"
    assert sum(map(int, re.findall(r"\d+", longer.kinds))) == longer.cards


def test_heading_and_file_name_join_the_titles_of_all_lists():
    first = replace(job("One"), titles=("One", "Other"), following=(replace(job("Other")),))
    assert (first.heading, first.filename) == ("One + Other", "spycraft-one-other.pdf")
    assert [part.notes().title for part in first.parts] == ["One", "Other"]
    other = replace(job("Other"), game=games()["spynet"])
    assert replace(first, following=(other,)).filename == "cards-one-other.pdf"
    many = replace(first, titles=tuple(f"A deck with rather a long name {number}" for number in range(9)))
    assert len(many.heading) <= MAX_HEADING and many.heading.endswith(" + 7 more")
    assert many.heading.startswith("A deck with rather a long name 0 + A deck")
    assert many.filename == "spycraft-a-deck-with-rather-a-long-name-0-8-more.pdf"


def test_part_with_finds_the_part_of_a_sheet_and_no_part_after_the_cards():
    ten_cards = job(count=10)
    assert (ten_cards.sheets, ten_cards.part_with(2), ten_cards.part_with(3)) == (2, (ten_cards, 0), None)
    longer = replace(ten_cards, following=(job(),))
    assert longer.part_with(3) == (longer.following[0], 2) and longer.part_with(4) is None


@pytest.mark.parametrize(("side", "pages"), [("both", 2), ("fronts", 1), ("backs", 1)])
def test_a_sheet_has_two_pages_only_if_both_sides_are_printed(side, pages):
    assert job(backs="long", side=side).pages == pages


@pytest.mark.parametrize(("trim", "why"), [("50x70", "You asked for this size."), ("", GAME.trim_source)])
def test_details_say_where_the_card_size_comes_from(trim, why):
    assert dict(job(trim=trim).details())["Why this size"] == why


def test_notes_name_a_cutting_template_only_if_it_fits_the_sheets():
    cutter = {"orientation": "landscape", "marks": "registration3", "gap": "1.26", "gap_y": "0.9"}
    assert "a4_standard_v2" in job(**cutter).notes().about
    others: tuple[dict[str, str], ...] = (
        {"marks": "corners"},
        {"gap": "1.25"},
        {"turn": "turned"},
        {"block": "3x2"},
        {"left": "30"},
        {"bleed": "3"},
        {"trim": "70x110"},
        {"orientation": "portrait"},
    )
    assert [other for other in others if "template" in job(**cutter | other).notes().about] == []


# -- the key --------------------------------------------------------------------------------


def keys_of_all_types() -> list[str]:
    """A key for each game, of one card of each of its types."""
    one_of_each = [(game, {card.type: card for card in game.cards}) for game in own_games().values()]
    return [Job(game, tuple((card, 1) for card in cards.values())).key for game, cards in one_of_each]


def test_a_key_is_the_same_in_every_process():
    code = (
        "import django; django.setup();"
        "from tests.printing.job.test_job import keys_of_all_types as keys; print(*keys())"
    )
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == keys_of_all_types()


def test_the_key_changes_with_everything_that_changes_the_file(hard_job, tmp_path):
    (card, count), *others = hard_job.entries
    game, paper = hard_job.game, hard_job.layout.paper.lengths

    def with_card(number: int = count, **changed) -> Job:
        return replace(hard_job, entries=((replace(card, **changed), number), *others))

    def with_end_page(width: int) -> Job:
        page = Drawing("Register", *paper, (Rect(10_000, 10_000, width, 5_000, "#000000"),))
        return replace(hard_job, end_pages=(page,))

    variants = [
        hard_job,
        replace(hard_job, title="Other"),
        with_options(hard_job, paper="letter"),
        with_options(hard_job, trim="standard"),
        with_options(hard_job, marks="none"),
        with_card(3),
        replace(hard_job, entries=(*others, (card, count))),
        with_card(facts={"weight": 4}),
        with_card(text="Else.", sentences=()),
        with_card(prints=(Print("ONE", "9"),)),
        with_card(sources={"name": (Claim("sheet", value="Other"),)}),
        replace(hard_job, game=replace(game, hue=("#000000", "#ffffff"))),
        replace(hard_job, game=replace(game, faces={**game.faces, "parcel": dossier()})),
        replace(hard_job, game=replace(game, rights="Ours.")),
        # These two have the same counts and the same summary.
        with_end_page(5_000),
        with_end_page(6_000),
        replace(hard_job, following=(hard_job,)),
        replace(hard_job, following=(with_card(text="Else.", sentences=()),)),
    ]
    assert len({job.key for job in variants}) == len(variants)
    assert len({make_sheets(job).data for job in variants}) == len(variants)
    # The code of the game's folder is part of the key too.
    assert replace(hard_job, game=replace(game, folder=tmp_path)).key != hard_job.key
