"""The remarks on a print: each is said where it holds, and only there. Those on duplex printing, on own
pictures and on what a request asks for are tried where they are made.
"""

from __future__ import annotations

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
def test_margins_without_room_are_told_of(lacks):
    assert f"no room for {lacks}" in remarks(**NARROW)


def test_what_the_sheets_cannot_say_of_lines_that_are_missing_the_remarks_say():
    for made, says in ((job(**NARROW), False), (job(), True), (job(header="no"), False)):
        assert made.says_what_it_is is says
        told = " ".join(remarks_of(replace(made, unread=2)))
        assert ("they do not say that 2 lines of the list are missing" in told) is not says
        assert "are missing" not in " ".join(remarks_of(made))


def test_a_card_size_that_is_wider_than_high_is_told_of():
    assert "wider than high" in remarks(trim="88x63") and "wider" not in remarks(trim="63x88")


def test_bleed_that_moves_cards_apart_is_told_with_the_sheets_that_it_costs():
    told = remarks(paper="letter", bleed="1.5", gap="1.5")
    assert "Cards stand 3 mm apart, not 1.5, for each has 1.5 mm of bleed round it, which takes" in told
    assert ", which takes" not in remarks(paper="a3", bleed="1", gap="1")
    for apart in ({"gap": "3"}, {"gap": "1.5", "bleed_where": "outside"}):
        assert "apart" not in remarks(bleed="1.5", **apart)


def test_sides_of_a_folded_sheet_that_are_not_printed_alone_are_told():
    assert "both are printed" in remarks(backs="gutterfold", side="fronts")
    for other in ({"backs": "gutterfold"}, {"backs": "long", "side": "fronts"}):
        assert "both are printed" not in remarks(**other)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trim": "25x25", "corner": "12.5"}, "cannot be read"),
        ({"trim": "micro"}, "under 6 pt"),
        ({"trim": "micro", "style": "outline"}, ""),
        ({"trim": "poker"}, ""),
    ],
)
def test_cards_too_small_to_be_read_are_told(options, said):
    found = [words for words in ("cannot be read", "under 6 pt") if words in remarks(**options)]
    assert found == [said] * bool(said)


@pytest.mark.parametrize("marks", [*sorted(REGISTRATION_KINDS), "corners"])
@pytest.mark.parametrize("backs", ["none", "long", "gutterfold"])
def test_marks_of_a_machine_that_end_behind_a_fold_are_told_of(marks, backs):
    told = "Once the sheet is folded, half of its registration marks" in remarks(marks=marks, backs=backs)
    assert told is (marks != "corners" and backs == "gutterfold")


def test_a_credit_too_small_to_be_read_is_told_with_its_size():
    assert not [one for one in remarks_of(job("agentdecker", paper="letter", bleed="2")) if "credit" in one]
    small = remarks_of(job("agentdecker", trim="micro", paper="100x150"))
    (told,) = (one for one in small if "credit" in one)
    assert 1 <= float(told.removeprefix("The credit is printed in ").split(" pt")[0]) < 6


def test_a_code_without_room_is_told_with_where_else_it_stands():
    code = code_of("https://cutout.example/decks/gLAnIOVT4KE00NbFCRzZHQ/")
    assert code
    close, roomy = (
        replace(job(paper=paper, trim="poker"), codes=(code,), code_elsewhere=paper == "letter")
        for paper in ("letter", "a4")
    )
    assert "The margins have no room for the QR code: it stands on the register alone." in remarks_of(close)
    alone = replace(close, code_elsewhere=False)
    assert any("QR code: print the register, or choose other paper." in one for one in remarks_of(alone))
    assert not [one for one in remarks_of(roomy) if "QR" in one]


def test_what_a_print_brings_along_comes_last():
    assert remarks_of(replace(job(trim="88x63"), more_remarks=("One more.",)))[1:] == ("One more.",)


# -- the order of cuts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
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
def test_the_order_of_cuts_and_what_hinders_it_are_told_where_it_is_asked_for(options, said):
    assert said in remarks(cut_order="yes", **options) and said not in remarks(**options)


def test_each_order_is_told_once_and_a_print_without_cuts_has_none():
    made = job(cut_order="yes")
    assert len(remarks_of(made)) == 1 == len(remarks_of(replace(made, following=(made,))))
    register = Drawing("Register", *made.layout.paper.lengths, ())
    assert remarks_of(replace(made, entries=(), end_pages=(register,))) == ()
    whole = {"paper": "63x88", "trim": "63x88", "margin": "0", "marks": "edges"}
    assert remarks(cut_order="yes", **whole) == remarks(**whole)
