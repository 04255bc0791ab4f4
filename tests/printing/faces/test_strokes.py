"""Strokes: text in runs of one font each, and round corners."""

from hypothesis import given
from hypothesis import strategies as st

from printing.faces import fonts
from printing.faces.strokes import rounded, text_runs

# The size of type, in micrometres.
SIZE = 3_000


@given(st.text("Kai Ørsted Агент ŧ", max_size=30), st.booleans())
def test_runs_of_text_follow_one_another_without_a_gap(text, turned):
    runs = text_runs(text, "serif-bold", SIZE, 100, 200, "#000000", turned)
    assert "".join(run.text for run in runs) == text
    x, y = 100, 200
    for run in runs:
        # `fonts.width` counts thousandths of the size.
        width = fonts.width(run.font, run.text) * SIZE // 1_000
        assert (run.x, run.y, run.width) == (x, y, width)
        # Turned text runs up the page.
        x, y = (x, y - width) if turned else (x + width, y)


@given(st.integers(1, 1_000), st.integers(1, 1_000), st.integers(0, 2_000))
def test_round_corners_stay_in_their_box(width, height, corner):
    # The numbers of a step are x and y in turn. A corner may be wider than the box.
    numbers = [number for _, step in rounded(10, 20, width, height, corner) for number in step]
    xs, ys = numbers[::2], numbers[1::2]
    assert (min(xs), max(xs), min(ys), max(ys)) == (10, 10 + width, 20, 20 + height)
