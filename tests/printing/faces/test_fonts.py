"""Text fitted into boxes: its size, its lines, and the characters that our fonts have."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printing.faces import fonts
from printing.faces.fonts import fill, fit, pieces, wrap
from tests.support.drawings import squashed

sans = partial(fonts.width, "sans")
NINE, TWELVE = 3_175, 4_233

words = st.text(st.sampled_from("abcdefghij WMéø-/–,.\"'"), min_size=1, max_size=120).filter(str.strip)


@pytest.mark.parametrize(
    ("name", "box", "lines", "is_small"),
    [
        ("Kai", (50_000, 10_000), ("Kai",), False),
        # A little too long: the type shrinks, on one line.
        ("Counter-Intelligence Sweep", (48_000, 10_000), ("Counter-Intelligence Sweep",), True),
        # Far too long: two lines of about equal length.
        (
            "Alien DNA Steroid Program (Project Purity Control)",
            (48_000, 10_000),
            ("Alien DNA Steroid Program", "(Project Purity Control)"),
            None,
        ),
        ("  ", (50_000, 10_000), (), None),
    ],
)
def test_a_name_is_set_as_large_as_it_fits(name, box, lines, is_small):
    fitted = fit(name, *box, TWELVE, NINE, 2, sans)
    assert fitted.lines == lines and NINE <= fitted.size <= TWELVE
    assert is_small is None or (fitted.size < TWELVE) is is_small


@given(
    st.lists(words, min_size=1, max_size=6).map("\n".join),
    st.integers(8_000, 60_000),
    st.integers(4_000, 50_000),
    st.integers(1, 4),
)
@settings(deadline=None)
def test_fitted_words_keep_every_letter_and_stay_in_their_box(text, width, height, most):
    name = fit(text, width, height, TWELVE, NINE, most, sans)
    assert len(name.lines) <= most
    for fitted in (name, fill(text, width, height, 2_646, 2_117, sans)):
        assert squashed("".join(fitted.lines)) == squashed(text)
        assert all(sans(line) * fitted.size // 1000 <= width for line in fitted.lines)
        assert (len(fitted.lines) - 1) * fitted.pitch + fitted.size <= height


@given(words, st.integers(300, 20_000))
def test_wrapped_lines_fit_the_limit_and_the_pieces_joined_are_the_text(text, limit):
    assert "".join(pieces(text)) == " ".join(text.split())
    for line in wrap(pieces(text), limit, sans):
        assert sans(line) <= limit or len(line) == 1


def test_a_line_may_end_after_a_hyphen_between_words_but_not_in_a_code():
    assert pieces("Counter-Measures RS-9") == ["Counter-", "Measures ", "RS-9"]


def test_a_word_too_long_for_the_first_line_moves_on():
    assert wrap(pieces("Occult Investigation"), 9_000, sans, first=8_000) == ["", "Occult Investigation"]
    assert wrap(pieces("Occult Investigation"), 9_000, sans, first=5_000) == ["Occult", "Investigation"]


def test_paragraphs_begin_on_new_lines():
    assert fill("One.\n\nTwo.", 50_000, 20_000, 2_646, 2_117, sans).lines == ("One.", "Two.")


# -- the characters of our fonts --------------------------------------------------------------


def test_a_letter_that_the_serif_lacks_comes_from_the_sans():
    assert fonts.split("serif-bold", "AŧB") == (("serif-bold", "A"), ("sans-bold", "ŧ"), ("serif-bold", "B"))
    assert fonts.missing("AŧB") == ()


def test_lacking_characters_get_stand_ins_unless_invisible():
    words = "Agent \N{SLEUTH OR SPY}\ufe0f\u200d ス"
    assert fonts.with_stand_ins(f"{words}\npa\u0308 ") == "Agent ☐ ☐ pä"
    assert fonts.lacking(words) == ("\N{SLEUTH OR SPY}", "ス")
    for font in ("sans", "serif-bold"):
        assert fonts.split(font, fonts.STAND_IN) == ((font, fonts.STAND_IN),)


def test_accents_are_joined_to_their_letters_and_missing_characters_are_named():
    assert fonts.plain("e\u0301  x\r\ny ") == "é x\ny"
    assert fonts.missing("Agent \N{SLEUTH OR SPY} スパ \u200b") == ("\N{SLEUTH OR SPY}", "ス", "パ", "\u200b")
    assert fonts.missing(f"Агент Ørsted ŁÓDŹ ﬁ “…” −5 ½ × {fonts.STAND_IN}") == ()
