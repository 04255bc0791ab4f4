"""Two loads at once, of one database: what changed is written once, and the files of the newer edition stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardsdb.catalogue import loader
from cardsdb.catalogue.publish import make_index
from cardsdb.games.kit import Game
from cardsdb.models import Card, Edition, EditionState, Print
from cardsdb.search.open_index import index_of, index_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def overtaken(sixth_game: Game, monkeypatch: pytest.MonkeyPatch, var: Path) -> Iterator[list[str]]:
    """Another load does all its work between this one's reading and its writing. Gives what happened, in order."""
    really_read, happened = loader._read_all, list[str]()

    def read(chosen: Sequence[Game], say: loader.Say) -> Any:
        readings = really_read(chosen, say)
        happened.append("read")
        if len(happened) == 1:
            loader.load_all(chosen)
            happened.append("the other load wrote")
        return readings

    monkeypatch.setattr(loader, "_read_all", read)
    yield happened


def test_the_load_that_comes_second_compares_once_more_and_finds_nothing_to_do(sixth_game: Game, overtaken: list[str]) -> None:
    before = Edition.objects.count()
    (loaded,) = loader.load_all((sixth_game,))
    assert overtaken == ["read", "read", "the other load wrote", "read"]
    assert (loaded.added, loaded.changed, loaded.retired) == (0, 0, 0)
    assert Edition.objects.count() == before + 1


@pytest.mark.usefixtures("overtaken")
def test_no_card_and_no_print_is_there_twice(sixth_game: Game) -> None:
    loader.load_all((sixth_game,))
    assert Card.objects.in_game("deaddrop").count() == len(sixth_game.cards)
    assert Print.objects.filter(card__game="deaddrop").count() == sum(len(card.prints) for card in sixth_game.cards)


def test_a_load_that_nobody_overtakes_reads_once(sixth_game: Game, var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really_read, read = loader._read_all, list[int]()
    monkeypatch.setattr(loader, "_read_all", lambda *args: read.append(1) or really_read(*args))
    loader.load_all((sixth_game,))
    assert read == [1]


# -- the files made afterwards ------------------------------------------------------


def editions(count: int) -> list[EditionState]:
    for _ in range(count):
        Edition.objects.create()
    return list(reversed(Edition.objects.values_list("number", "made")[:count]))


def test_the_slower_load_leaves_the_newer_editions_index_alone(var: Path) -> None:
    older, newer = editions(2)
    make_index(newer)
    make_index(older)
    assert index_of(newer) is not None


def test_the_index_of_an_edition_long_gone_is_removed(var: Path) -> None:
    states = editions(4)
    for state in states:
        make_index(state)
    assert {path.name for path in (var / "index").glob("*.index")} == {index_path(state).name for state in states[-2:]}


def test_the_index_of_another_database_is_not_ours(var: Path) -> None:
    (state,) = editions(1)
    make_index(state)
    Edition.objects.filter(number=state[0]).delete()
    Edition.objects.create(number=state[0])
    assert index_of(Edition.objects.current()) is None
