"""The lines of worksheets. ``test_worksheets.py`` tests the blocks in the sheets that they make."""

from printing.extras.worksheet_blocks import wrapped


def test_the_last_line_is_never_a_single_word():
    text = "SS-02: Nora Field: organisation not chosen. That is allowed, but the bonus of it is lost."
    for width in range(40_000, 140_000, 1_000):
        lines = wrapped(text, "sans", 2_800, width)
        assert len(lines) == 1 or " " in lines[-1], lines
        assert "".join(" ".join(lines).split()) == "".join(text.split())
