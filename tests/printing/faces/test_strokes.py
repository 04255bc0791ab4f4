"""Strokes: how they move, text in runs of one font each, and round corners."""

from hypothesis import given
from hypothesis import strategies as st

from cardsdb.box.picture_files.ref import PictureRef
from printing.faces import fonts
from printing.faces.strokes import Line, Path, Picture, Rect, Stroke, TextRun, moved, rounded, text_runs

REF = PictureRef("0" * 64, "jpeg", 100, 140, "", "")
# Strokes before and after a move by (10, -20).
STROKES: tuple[tuple[Stroke, Stroke], ...] = (
    (Rect(1, 2, 3, 4, "#000000"), Rect(11, -18, 3, 4, "#000000")),
    (Line(1, 2, 3, 4, 5, "#000000"), Line(11, -18, 13, -16, 5, "#000000")),
    (
        TextRun(1, 2, "Kai", "sans", 3, 4, "#000000", True),
        TextRun(11, -18, "Kai", "sans", 3, 4, "#000000", True),
    ),
    (
        Path((("M", (1, 2)), ("C", (1, 2, 3, 4, 5, 6)), ("Z", ())), "#000000"),
        Path((("M", (11, -18)), ("C", (11, -18, 13, -16, 15, -14)), ("Z", ())), "#000000"),
    ),
    (Picture(1, 2, 3, 4, REF, (0, 0, 100, 140), "x"), Picture(11, -18, 3, 4, REF, (0, 0, 100, 140), "x")),
)


def test_a_stroke_moves_and_keeps_its_size():
    assert moved([before for before, _ in STROKES], 10, -20) == [after for _, after in STROKES]


@given(st.text("Kai Ørsted Агент ŧ", max_size=30), st.booleans())
def test_runs_of_text_follow_one_another_without_a_gap(text, turned):
    runs = text_runs(text, "serif-bold", 3_000, 100, 200, "#000000", turned)
    assert "".join(run.text for run in runs) == text
    x, y = 100, 200
    for run in runs:
        assert (run.x, run.y, run.width) == (x, y, fonts.width(run.font, run.text) * 3)
        x, y = (x, y - run.width) if turned else (x + run.width, y)


@given(st.integers(1, 1_000), st.integers(1, 1_000), st.integers(0, 2_000))
def test_round_corners_stay_in_their_box(width, height, corner):
    numbers = [number for _, place in rounded(10, 20, width, height, corner) for number in place]
    xs, ys = numbers[::2], numbers[1::2]
    assert (min(xs), max(xs), min(ys), max(ys)) == (10, 10 + width, 20, 20 + height)
