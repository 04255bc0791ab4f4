from __future__ import annotations

from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from printing.faces import fonts
from printing.faces.fonts import fill, fit, pieces, wrap

sans = partial(fonts.width, "sans")
NINE, TWELVE = 3_175, 4_233

words = st.text(st.sampled_from("abcdefghij WMéø-/–,.\"'"), min_size=1, max_size=120).filter(str.strip)


def squashed(text: str) -> str:
    return "".join(text.split())


def test_a_short_name_keeps_its_full_size():
    fitted = fit("Kai", 50_000, 10_000, TWELVE, NINE, 2, sans)
    assert (fitted.size, fitted.lines) == (TWELVE, ("Kai",))


def test_a_name_a_little_too_long_shrinks_on_its_line():
    fitted = fit("Counter-Intelligence Sweep", 48_000, 10_000, TWELVE, NINE, 2, sans)
    assert len(fitted.lines) == 1
    assert NINE <= fitted.size < TWELVE


def test_a_long_name_takes_a_second_line_of_equal_length_rather_than_small_type():
    fitted = fit("Alien DNA Steroid Program (Project Purity Control)", 48_000, 10_000, TWELVE, NINE, 2, sans)
    assert fitted.lines == ("Alien DNA Steroid Program", "(Project Purity Control)")


def test_a_word_longer_than_its_line_is_broken_without_a_hyphen():
    fitted = fit("Donaudampfschiffahrtsgesellschaftskapitaen", 40_000, 12_000, TWELVE, NINE, 2, sans)
    assert len(fitted.lines) == 2
    assert "".join(fitted.lines) == "Donaudampfschiffahrtsgesellschaftskapitaen"
    assert fitted.size >= NINE


def test_a_name_that_fits_nowhere_is_smaller_than_least_but_whole():
    name = "An Extraordinarily Long Name That Nobody Would Print On A Card " * 4
    fitted = fit(name, 30_000, 6_000, TWELVE, NINE, 2, sans)
    assert fitted.size < NINE
    assert squashed("".join(fitted.lines)) == squashed(name)


@given(words, st.integers(3_000, 80_000), st.integers(1_500, 30_000), st.integers(1, 4))
@settings(deadline=None)
def test_fitted_words_keep_every_letter_and_stay_in_their_box(text, width, height, lines):
    fitted = fit(text, width, height, TWELVE, NINE, lines, sans)
    assert squashed("".join(fitted.lines)) == squashed(text)
    assert len(fitted.lines) <= lines
    assert all(sans(line) * fitted.size // 1000 <= width for line in fitted.lines)
    assert (len(fitted.lines) - 1) * fitted.pitch + fitted.size <= height


@given(
    st.lists(words, min_size=1, max_size=6).map("\n".join),
    st.integers(8_000, 60_000),
    st.integers(4_000, 50_000),
)
@settings(deadline=None)
def test_filled_paragraphs_keep_every_letter_and_stay_in_their_box(text, width, height):
    fitted = fill(text, width, height, 2_646, 2_117, sans)
    assert squashed("".join(fitted.lines)) == squashed(text)
    assert all(sans(line) * fitted.size // 1000 <= width for line in fitted.lines)
    assert (len(fitted.lines) - 1) * fitted.pitch + fitted.size <= height


@given(words, st.integers(300, 20_000))
def test_wrapped_lines_are_as_long_as_they_may_be_at_most(text, limit):
    for line in wrap(pieces(text), limit, sans):
        assert sans(line) <= limit or len(line) == 1


@given(words)
def test_pieces_joined_are_the_text(text):
    assert "".join(pieces(text)) == " ".join(text.split())


def test_a_line_may_end_after_a_hyphen_between_words_but_not_in_a_code():
    assert pieces("Counter-Measures RS-9") == ["Counter-", "Measures ", "RS-9"]


def test_a_first_line_that_is_taken_passes_its_word_on():
    assert wrap(pieces("Occult Investigation"), 9_000, sans, first=8_000) == ["", "Occult Investigation"]
    assert wrap(pieces("Occult Investigation"), 9_000, sans, first=5_000) == ["Occult", "Investigation"]


def test_paragraphs_begin_on_lines_of_their_own():
    assert fill("One.\n\nTwo.", 50_000, 20_000, 2_646, 2_117, sans).lines == ("One.", "Two.")


def test_nothing_to_say_is_no_line():
    assert fit("  ", 50_000, 10_000, TWELVE, NINE, 2, sans).lines == ()


def test_five_thousand_letters_without_a_space_are_all_set():
    fitted = fill("x" * 5_000, 50_000, 50_000, 2_646, 2_117, sans)
    assert "".join(fitted.lines) == "x" * 5_000
