"""Hypothesis strategies for sheet layouts: papers, card sizes, gaps, margins, bleeds and folds, for
properties that must hold for every layout.

``layouts`` draws bare layouts; ``furnished`` draws layouts with everything in the margins (marks,
notes, codes). Lengths are micrometres. Combinations that do not fit are filtered out.
"""

from __future__ import annotations

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st

from printing.layout.geometry import Area, DoesNotFit, Layout, lay_out
from printing.layout.imposition import layout_for
from printing.layout.margins import Margins, Notes
from printing.layout.qr_code import code_of
from printing.options.sizes import PAPERS, TRIMS, Size
from printing.options.values import BadOption, read_options

# (width, height) of two card sizes.
POKER, STANDARD = (63_500, 88_900), (63_000, 88_000)

papers = st.sampled_from(list(PAPERS.values())) | st.builds(
    lambda width, height: Size("own", "own", width, height),
    st.integers(80_000, 450_000),
    st.integers(80_000, 450_000),
)
trims = st.sampled_from([size.lengths for size in TRIMS.values()]) | st.tuples(
    st.integers(30_000, 120_000), st.integers(30_000, 160_000)
)
gaps = st.tuples(*[st.sampled_from([0, 1, 999, 2_000, 5_000, 10_000])] * 2)


def for_all(*strategies):
    """Return a decorator like ``given``, without a deadline: hundreds of cards on one sheet take a while on a
    busy machine.
    """
    return lambda test: settings(deadline=None)(hypothesis.given(*strategies)(test))


def attempt(paper: Size, trim: tuple[int, int], **given) -> Layout | None:
    """Return the layout, or None if no card fits."""
    try:
        return lay_out(paper, trim, **given)
    except DoesNotFit:
        return None


# Keyword arguments of ``lay_out``.
arguments = st.fixed_dictionaries(
    {
        "gap": gaps,
        "margin": st.sampled_from([0, 3_000, 5_000, 6_350, 15_000]),
        "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
        "turn": st.sampled_from(["auto", "upright", "turned"]),
        "bleed": st.sampled_from([0, 1, 2_000, 3_175]),
        "outer_bleed_only": st.booleans(),
        "fold": st.sampled_from(["", "", "auto", "vertical", "horizontal"]),
    }
)
layouts = st.builds(
    lambda paper, trim, given: attempt(paper, trim, **given), papers, trims, arguments
).filter(bool)


def bled_cells(layout: Layout) -> list[Area]:
    """Return the area of each card of a sheet with its bleed, and of its back beyond the fold if the
    layout has one.
    """
    bled = [layout.bled(place) for place in range(layout.per_sheet)]
    return [*bled, *map(layout.folded, bled)] if layout.fold else bled


# What stands in the margins: words, without and with a QR code.
CODE = code_of("https://cutout.example/decks/gLAnIOVT4KE00NbFCRzZHQ/")
NOTES = Notes("Nine Tiger", "Spycraft · A4", "Spycraft belongs to its owner.")
WITH_CODE = NOTES._replace(codes=(CODE,) if CODE else ())


def margins_of(notes: Notes = WITH_CODE, **given: str) -> Margins:
    """Return the margins of a sheet with these notes and options."""
    options = read_options({"trim": "standard", **given})
    assert options.trim
    return Margins(layout_for(options, options.trim.lengths), options, notes)


def _margins_or_none(given: dict[str, str]) -> Margins | None:
    """Return the margins, or None if the options contradict each other or nothing fits."""
    try:
        return margins_of(**given)
    except (BadOption, DoesNotFit):
        return None


furnished = (
    st.fixed_dictionaries(
        {
            "paper": st.sampled_from(list(PAPERS)),
            "trim": st.sampled_from(["poker", "standard", "mini", "micro", "tarot", "jumbo", "50.8x88.9"]),
            "gap": st.sampled_from(["0", "0.5", "1.25", "2", "6"]),
            "margin": st.sampled_from(["0", "3", "5", "12", "3 3 12.5 3"]),
            "bleed": st.sampled_from(["auto", "0", "2", "3"]),
            "bleed_where": st.sampled_from(["each", "outside"]),
            "orientation": st.sampled_from(["auto", "portrait", "landscape"]),
            "turn": st.sampled_from(["auto", "upright", "turned"]),
            "marks": st.sampled_from(["corners", "edges", "none", "registration3", "registration4"]),
            "backs": st.sampled_from(["none", "long", "gutterfold"]),
            "style": st.sampled_from(["light", "saver"]),
            "cut_order": st.sampled_from(["yes", "no"]),
        },
        optional={"left": st.just("8"), "top": st.just("12")},
    )
    .map(_margins_or_none)
    .filter(bool)
)
