"""The choices of a length in ``options.toml``: its usual word, and lengths."""

import pytest

from printing.options.sizes import MM
from printing.options.values import declared

OPTION = """[corner]
kind = "length"
label = "Corners"
default = "as-printed"
most = 10_000
[corner.choices]
as-printed = "As printed"
3 = "Round"
"""


def test_the_usual_word_of_a_length_is_none_and_a_choice_that_is_a_length_is_that_length(tmp_path):
    (tmp_path / "options.toml").write_text(OPTION)
    (corner,) = declared(str(tmp_path / "values.py"), {})
    assert [corner.read(text) for text in ("", "as-printed", "3", "2")] == [None, None, 3 * MM, 2 * MM]


def test_another_word_among_the_choices_of_a_length_is_refused_with_its_place(tmp_path):
    (tmp_path / "options.toml").write_text(f'{OPTION}narrow = "Narrow"\n')
    with pytest.raises(ValueError, match=r"options.toml, corner.choices: 'narrow' is no length"):
        declared(str(tmp_path / "values.py"), {})
