"""Remarks on a print: each is given where it applies, and only there. Remarks on duplex printing, own
pictures and the request are tested beside the code that makes them.
"""

from dataclasses import replace

import pytest

from cardsdb.games import games
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.layout.qr_code import code_of
from printing.options.values import read_options

GAME = games()["spycraft"]
NARROW = {"paper": "64x89", "margin": "0", "marks_where": "below"}


def job(slug: str = "spycraft", count: int = 3, **options: str) -> Job:
    game = games()[slug]
    return Job(game, ((game.cards[0], count),), "Night Watch", read_options(options))


def remarks(**options: str) -> str:
    return " ".join(remarks_of(job(count=45, **options)))


def test_a_usual_print_needs_no_remark():
    assert remarks() == ""


CLOSE = {"paper": "letter", "bleed": "1.5", "gap": "1.5"}
FOLDED = {"backs": "gutterfold"}
TINY = {"trim": "25x25", "corner": "12.5"}
MICRO = {"trim": "micro"}
ROUND = {"trim": "40x40", "gap": "2", "corner": "3"}
LETTER = {"paper": "letter", "trim": "poker", "margin": "6.35"}
NUMBERED = {"cut_order": "yes"}


@pytest.mark.parametrize(
    ("options", "others", "remark"),
    [
        (NARROW, {}, "no room for a scale bar"),
        (NARROW, {}, "no room for words"),
        (NARROW, {}, "no room for cut marks"),
        ({"trim": "88x63"}, {"trim": "63x88"}, "wider than high"),
        (
            CLOSE,
            CLOSE | {"gap": "3"},
            "Cards stand 3 mm apart, not 1.5, for each has 1.5 mm of bleed round it",
        ),
        (CLOSE, CLOSE | {"bleed_where": "outside"}, "apart"),
        (CLOSE, {"paper": "a3", "bleed": "1", "gap": "1"}, ", which takes"),
        (FOLDED | {"side": "fronts"}, FOLDED, "both are printed"),
        (FOLDED | {"side": "fronts"}, {"backs": "long", "side": "fronts"}, "both are printed"),
        (TINY, MICRO, "cannot be read"),
        (MICRO, TINY, "under 6 pt"),
        (MICRO, MICRO | {"style": "outline"}, "under 6 pt"),
        (FOLDED | {"marks": "registration3"}, FOLDED, "Once the sheet is folded, half of its registration"),
        (FOLDED | {"marks": "registration4"}, {"marks": "registration4"}, "Once the sheet is folded"),
        (NUMBERED, {}, "Cut 1 to 8 in order; stack pieces before 4 and 8."),
        (NUMBERED | FOLDED, FOLDED, "Fold and glue, then cut 1 to 7 in order"),
        (
            NUMBERED | LETTER,
            LETTER,
            "no room for the numbers of cuts. Cut at 203.2, 139.7, 76.2 mm from the left, ",
        ),
        (NUMBERED | {"marks": "none"}, {"marks": "none"}, "choose marks at the corners or from edge to edge"),
        (NUMBERED | {"marks": "registration3"}, NUMBERED, "choose marks at the corners or from edge to edge"),
        (NUMBERED | ROUND, ROUND, "No guillotine cuts round corners or circles"),
    ],
)
def test_a_remark_is_given_with_these_options_and_not_with_others(options, others, remark):
    assert remark in remarks(**options) and remark not in remarks(**others)


@pytest.mark.parametrize(("options", "has_words"), [(NARROW, False), ({}, True), ({"header": "no"}, False)])
def test_a_remark_tells_of_missing_lines_if_the_sheets_do_not(options, has_words):
    whole = job(**options)
    assert whole.says_what_it_is is has_words
    text = " ".join(remarks_of(replace(whole, unread=2)))
    assert ("they do not say that 2 lines of the list are missing" in text) is not has_words
    assert "are missing" not in " ".join(remarks_of(whole))


def test_a_remark_tells_the_size_of_a_credit_too_small_to_be_read():
    assert "credit" not in " ".join(remarks_of(job("agentdecker", paper="letter", bleed="2")))
    small = remarks_of(job("agentdecker", trim="micro", paper="100x150"))
    (about_credit,) = (remark for remark in small if "credit" in remark)
    assert 1 <= float(about_credit.removeprefix("The credit is printed in ").split(" pt")[0]) < 6


def test_a_remark_tells_if_the_margins_have_no_room_for_a_qr_code():
    code = code_of("https://cutout.example/decks/gLAnIOVT4KE00NbFCRzZHQ/")
    assert code
    close, roomy = (
        replace(job(paper=paper, trim="poker"), codes=(code,), code_elsewhere=paper == "letter")
        for paper in ("letter", "a4")
    )
    assert "The margins have no room for the QR code: it stands on the register alone." in remarks_of(close)
    alone = replace(close, code_elsewhere=False)
    assert "QR code: print the register, or choose other paper." in " ".join(remarks_of(alone))
    assert "QR" not in " ".join(remarks_of(roomy))


def test_the_remarks_that_a_job_brings_come_last():
    assert remarks_of(replace(job(trim="88x63"), more_remarks=("One more.",)))[1:] == ("One more.",)


def test_parts_with_the_same_order_of_cuts_share_one_remark():
    numbered = job(cut_order="yes")
    assert len(remarks_of(numbered)) == 1 == len(remarks_of(replace(numbered, following=(numbered,))))


def test_a_print_without_cuts_has_no_remark_on_their_order():
    numbered = job(cut_order="yes")
    register = Drawing("Register", *numbered.layout.paper.lengths, ())
    assert remarks_of(replace(numbered, entries=(), end_pages=(register,))) == ()
    card_is_paper = {"paper": "63x88", "trim": "63x88", "margin": "0", "marks": "edges"}
    assert remarks(cut_order="yes", **card_is_paper) == remarks(**card_is_paper)
