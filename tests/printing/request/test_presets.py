"""Presets, which change the options that they name and leave the others."""

from __future__ import annotations

import pytest

from printing.options.values import read_options
from printing.request.settings import PRESETS, applied

TRIM = (63_000, 88_000)


def test_from_a_page_of_one_card_a_preset_leads_back_to_the_paper_of_sheets() -> None:
    page = applied(PRESETS["service"], read_options({"paper": "letter"}), "letter", TRIM)
    assert page.paper.lengths == (69_350, 94_350)
    assert applied(PRESETS["usual"], page, "letter", TRIM).paper.slug == "letter"
    assert applied(PRESETS["saver"], page, "letter", TRIM).paper == page.paper
    assert applied(PRESETS["a4-85x54"], page, "letter", TRIM).paper.slug == "a4"


@pytest.mark.parametrize(
    ("paper", "gaps"), [("a4", (1_260, 900)), ("letter", (1_230, 900)), ("tabloid", (1_250, 1_250))]
)
def test_cards_for_a_cutter_are_as_far_apart_as_the_template_of_their_size_and_paper_has_them(
    paper: str, gaps: tuple[int, int]
) -> None:
    options = applied(PRESETS["silhouette"], read_options({"paper": paper}), paper, TRIM)
    assert (options.gaps, options.trim, options.marks) == (gaps, None, "registration3")


def test_cuts_are_numbered_for_a_guillotine_and_no_longer_for_what_is_cut_otherwise() -> None:
    guillotine = applied(PRESETS["guillotine"], read_options({}), "a4", TRIM)
    assert guillotine.cut_order
    for other in ("usual", "scissors", "silhouette"):
        assert not applied(PRESETS[other], guillotine, "a4", TRIM).cut_order
