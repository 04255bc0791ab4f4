"""Layouts of all papers, card sizes, gaps, margins, bleeds, turns and folds, for what must hold of every
one.
"""

from __future__ import annotations

import hypothesis
from hypothesis import settings
from hypothesis import strategies as st

from printing.layout.geometry import Area, DoesNotFit, Layout, lay_out
from printing.options.sizes import PAPERS, TRIMS, Size

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
    """``given`` without a deadline: hundreds of cards on one sheet take a while on a busy machine."""
    return lambda test: settings(deadline=None)(hypothesis.given(*strategies)(test))


def attempt(paper: Size, trim: tuple[int, int], **given) -> Layout | None:
    try:
        return lay_out(paper, trim, **given)
    except DoesNotFit:
        return None


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
    """Every card's area of a side, with its bleed."""
    bled = [layout.bled(place) for place in range(layout.per_sheet)]
    return [*bled, *map(layout.folded, bled)] if layout.fold else bled
