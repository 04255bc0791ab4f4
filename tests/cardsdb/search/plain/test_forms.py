"""Forms of phrases and verbs."""

import pytest

from cardsdb.search.plain.forms import forms, phrase_of, verb_forms


def test_a_phrase_is_folded_and_has_no_punctuation():
    assert phrase_of("X-Files: Zoë's Case") == "x files zoe's case"


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("secret agents", "secret agent"),
        ("agencies", "agency"),
        ("boxes", "box"),
        ("wheelmen", "wheelman"),
        ("wheelman", "wheelmen"),
        ("ally", "allies"),
    ],
)
def test_a_phrase_has_its_singular_or_plural(phrase, other):
    assert {phrase, other} <= {*forms(phrase)}


def test_a_verb_has_forms_with_a_doubled_consonant_and_without():
    assert {"cancel", "cancels", "canceling", "cancelling", "canceled", "cancelled"} == {
        *verb_forms("cancel")
    }


def test_a_verb_in_te_has_a_noun():
    assert {"activated", "activating", "activation", "activations"} <= {*verb_forms("activate")}
