"""Remarks on a print: each is given where it applies, and only there. Remarks on duplex printing, own
pictures and the request are tested beside the code that makes them.
"""

from dataclasses import replace

import pytest

from cardsdb.games import games
from printing.faces.strokes import Drawing
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.layout.marks import REGISTRATION_KINDS
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


@pytest.mark.parametrize("lacks", ["a scale bar", "words", "cut marks"])
def test_a_remark_tells_what_the_margins_have_no_room_for(lacks):
    assert f"no room for {lacks}" in remarks(**NARROW)


@pytest.mark.parametrize(("options", "has_words"), [(NARROW, False), ({}, True), ({"header": "no"}, False)])
def test_a_remark_tells_of_missing_lines_if_the_sheets_do_not(options, has_words):
    whole = job(**options)
    assert whole.says_what_it_is is has_words
    text = " ".join(remarks_of(replace(whole, unread=2)))
    assert ("they do not say that 2 lines of the list are missing" in text) is not has_words
    assert "are missing" not in " ".join(remarks_of(whole))


def test_a_remark_tells_of_a_card_size_that_is_wider_than_high():
    assert "wider than high" in remarks(trim="88x63") and "wider" not in remarks(trim="63x88")


def test_a_remark_tells_of_bleed_that_moves_cards_apart():
    text = remarks(paper="letter", bleed="1.5", gap="1.5")
    assert "Cards stand 3 mm apart, not 1.5, for each has 1.5 mm of bleed round it, which takes" in text
    assert ", which takes" not in remarks(paper="a3", bleed="1", gap="1")


@pytest.mark.parametrize("options", [{"gap": "3"}, {"gap": "1.5", "bleed_where": "outside"}])
def test_bleed_that_fits_into_the_gap_has_no_remark(options):
    assert "apart" not in remarks(bleed="1.5", **options)


def test_a_remark_tells_that_a_folded_sheet_prints_both_sides():
    assert "both are printed" in remarks(backs="gutterfold", side="fronts")
    for other in ({"backs": "gutterfold"}, {"backs": "long", "side": "fronts"}):
        assert "both are printed" not in remarks(**other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trim": "25x25", "corner": "12.5"}, "cannot be read"),
        ({"trim": "micro"}, "under 6 pt"),
        ({"trim": "micro", "style": "outline"}, ""),
        ({"trim": "poker"}, ""),
    ],
)
def test_a_remark_tells_of_cards_too_small_to_be_read(options, message):
    found = [words for words in ("cannot be read", "under 6 pt") if words in remarks(**options)]
    assert found == [message] * bool(message)


@pytest.mark.parametrize("marks", [*sorted(REGISTRATION_KINDS), "corners"])
@pytest.mark.parametrize("backs", ["none", "long", "gutterfold"])
def test_a_remark_tells_of_registration_marks_that_a_fold_hides(marks, backs):
    warned = "Once the sheet is folded, half of its registration marks" in remarks(marks=marks, backs=backs)
    assert warned is (marks != "corners" and backs == "gutterfold")


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


# -- the order of cuts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "Cut 1 to 8 in order; stack pieces before 4 and 8."),
        ({"backs": "gutterfold"}, "Fold and glue, then cut 1 to 7 in order"),
        (
            {"paper": "letter", "trim": "poker", "margin": "6.35"},
            "no room for the numbers of cuts. Cut at 203.2, 139.7, 76.2 mm from the left, then",
        ),
        ({"marks": "none"}, "choose marks at the corners or from edge to edge"),
        ({"marks": "registration3"}, "choose marks at the corners or from edge to edge"),
        ({"trim": "40x40", "gap": "2", "corner": "3"}, "No guillotine cuts round corners or circles"),
    ],
)
def test_remarks_tell_the_order_of_cuts_or_what_hinders_it(options, message):
    assert message in remarks(cut_order="yes", **options) and message not in remarks(**options)


def test_parts_with_the_same_order_of_cuts_share_one_remark():
    numbered = job(cut_order="yes")
    assert len(remarks_of(numbered)) == 1 == len(remarks_of(replace(numbered, following=(numbered,))))


def test_a_print_without_cuts_has_no_remark_on_their_order():
    numbered = job(cut_order="yes")
    register = Drawing("Register", *numbered.layout.paper.lengths, ())
    assert remarks_of(replace(numbered, entries=(), end_pages=(register,))) == ()
    card_is_paper = {"paper": "63x88", "trim": "63x88", "margin": "0", "marks": "edges"}
    assert remarks(cut_order="yes", **card_is_paper) == remarks(**card_is_paper)
