"""What a search box offers for a misspelt name."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.models import Edition
from cardsdb.search.completion import Completion, completions, likely_names, names_beginning
from cardsdb.search.snapshots import fields_for

pytestmark = pytest.mark.django_db


def offered(typed: str) -> list[Completion]:
    state = Edition.objects.current()
    return completions(typed, len(typed), fields_for(None, state), names_beginning(state), likely_names(state))


@pytest.mark.parametrize(
    ("typed", "word", "start"),
    [("glok", "Glock", 0), ("skully", "Scully", 0), ("t:agent skully", "Scully", 8), ("-skully", "Scully", 1), ("!skully", "Scully", 0)],
)
def test_a_word_that_no_name_begins_with_is_offered_likely_names(typed: str, word: str, start: int) -> None:
    names = offered(typed)
    assert any(word in one.text for one in names)
    assert {one.start for one in names} == {start}
    assert len(names) <= 5
    assert all(one.text.startswith('!"') for one in names)


def test_where_names_begin_so_no_others_are_offered() -> None:
    assert all("glock" in one.text.casefold() for one in offered("gloc"))


@pytest.mark.parametrize("typed", ["qzx", "qqqqqqq", "", "faction:glok"])
def test_a_short_or_hopeless_word_is_offered_nothing(typed: str) -> None:
    assert offered(typed) == []


def test_before_anything_is_loaded_no_name_is_offered(empty_catalogue: None) -> None:
    assert [one for one in offered("skully") if one.kind == "card"] == []


def test_a_likely_name_says_its_game() -> None:
    assert offered("glok")[0].label == games()["spycraft"].name
