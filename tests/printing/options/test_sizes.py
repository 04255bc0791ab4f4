"""Papers, card sizes and lengths: reading and writing them."""

import pytest
from hypothesis import strategies as st

from printing.options.sizes import TRIMS, NoSize, read_length, read_paper, read_trim
from tests.support.layouts import for_all


@pytest.mark.parametrize("size", TRIMS.values(), ids=lambda size: size.slug)
def test_every_card_size_has_a_source_and_is_found_by_its_lengths(size):
    assert size.source
    assert read_trim(f"{size.width / 1000}x{size.height / 1000}").lengths == size.lengths


@pytest.mark.parametrize(
    ("words", "lengths"),
    [
        ("A4", (210_000, 297_000)),
        (" 210 x 297 mm", (210_000, 297_000)),
        ("8.5x11in", (215_900, 279_400)),
        ("320×450", (320_000, 450_000)),
    ],
)
def test_papers_are_read_by_name_and_in_millimetres_and_inches(words, lengths):
    assert read_paper(words).lengths == lengths


@pytest.mark.parametrize("words", ["", "zz", "x", "10x10", "210x297x3", "1e9x5", "nanxinf", "²x²", "210x"])
def test_text_that_is_no_paper_is_refused_with_the_known_papers(words):
    with pytest.raises(NoSize, match="a4 or letter or a3"):
        read_paper(words)


@for_all(st.integers(-9_999_999, 9_999_999))
def test_written_lengths_are_read_back_exactly(micrometres):
    assert read_length(f"{micrometres / 1000:.3f} mm") == micrometres
