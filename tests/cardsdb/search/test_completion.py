"""What a search box offers for a misspelt name."""

from __future__ import annotations

import pytest
from cardsdb.search.index import Index

from cardsdb.games import games
from cardsdb.search.completion import completions, likely_names
from cardsdb.search.query.fields import fields_of
from tests.cardsdb.search.test_index import Catalogue

ALL = tuple(games().values())


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Catalogue(ALL, tmp_path_factory.mktemp("index") / "real").index


def offered(typed: str, index: Index) -> list[tuple[str, int]]:
    def names(beginning: str, most: int) -> list[tuple[str, str]]:
        return [(name, "") for name in index.names(index.names_starting(beginning, most))]

    return [(one.text, one.start) for one in completions(typed, len(typed), fields_of(ALL), names, likely_names(index))]


@pytest.mark.parametrize(
    ("typed", "word", "start"),
    [("glok", "Glock", 0), ("skully", "Scully", 0), ("t:agent skully", "Scully", 8), ("-skully", "Scully", 1), ("!skully", "Scully", 0)],
)
def test_a_word_that_no_name_begins_with_is_offered_likely_names(index: Index, typed: str, word: str, start: int) -> None:
    found = offered(typed, index)
    assert any(word in text for text, _ in found)
    assert {at for _, at in found} == {start}
    assert len(found) <= 5
    assert all(text.startswith('!"') for text, _ in found)


def test_where_names_begin_so_no_others_are_offered(index: Index) -> None:
    assert all("glock" in text.casefold() for text, _ in offered("gloc", index))


@pytest.mark.parametrize("typed", ["qzx", "qqqqqqq", "", "faction:glok"])
def test_a_short_or_hopeless_word_is_offered_nothing(index: Index, typed: str) -> None:
    assert offered(typed, index) == []


def test_without_an_index_nothing_is_offered() -> None:
    assert completions("skully", 6, fields_of(ALL), lambda *_: [], likely_names(None)) == []


def test_a_likely_name_says_its_game(index: Index) -> None:
    first, *_ = completions("glok", 4, fields_of(ALL), lambda *_: [], likely_names(index))
    assert first.label == games()["spycraft"].name
