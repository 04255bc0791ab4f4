"""The one name that a misspelt one surely means."""

import pytest

from cardsdb.games.kit.model.likeness import surely_meant


@pytest.mark.parametrize(
    ("typed", "labels", "meant"),
    [
        ("Termitte", ["Termite", "Kai"], "Termite"),
        ("Glock 18", ["Glock 17"], ""),
        ("Kia", ["Kai"], ""),
        ("Tracers", ["Tracer", "Tracery"], ""),
        ("", ["Kai"], ""),
    ],
)
def test_a_name_is_surely_meant_if_a_few_letters_are_wrong_and_no_other_is_as_near(typed, labels, meant):
    assert surely_meant(typed, labels) == meant
