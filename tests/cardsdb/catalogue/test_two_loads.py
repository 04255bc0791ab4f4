"""Two loads at once, of one database: what changed is written once, and the files of the newer edition stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cardsdb.catalogue.publish import make_index
from cardsdb.search.open_index import index_of, index_path

from cardsdb.catalogue import loader
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.folder.cards import CardFiles
from cardsdb.models import Card as StoredCard
from cardsdb.models import Edition, EditionState, Print

pytestmark = pytest.mark.django_db


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def reads(sixth_game: Game, monkeypatch: pytest.MonkeyPatch, var: Path) -> list[int]:
    """How many cards each reading of the folder gave, in order."""
    really_read, counts = CardFiles.cards, list[int]()

    def cards(files: CardFiles, problems: list[str] | None = None) -> Iterator[Card]:
        found = list(really_read(files, problems))
        counts.append(len(found))
        yield from found

    monkeypatch.setattr(CardFiles, "cards", cards)
    return counts


@pytest.fixture
def overtaken(sixth_game: Game, monkeypatch: pytest.MonkeyPatch, reads: list[int]) -> None:
    """Another load does all its work between this one's reading and its writing."""
    begin, others = loader._Writing.begin, iter([sixth_game])

    def begin_after_another(writing: loader._Writing) -> None:
        for game in others:
            loader.load(game)
        begin(writing)

    monkeypatch.setattr(loader._Writing, "begin", begin_after_another)


@pytest.mark.usefixtures("overtaken")
def test_the_load_that_comes_second_compares_once_more_and_finds_nothing_to_do(sixth_game: Game, reads: list[int]) -> None:
    before = Edition.objects.count()
    (loaded,) = loader.load_all((sixth_game,))
    assert len(reads) == 3, "this one, the other, and this one once more"
    assert (loaded.added, loaded.changed, loaded.retired) == (0, 0, 0)
    assert Edition.objects.count() == before + 1


@pytest.mark.usefixtures("overtaken")
def test_no_card_and_no_print_is_there_twice(sixth_game: Game) -> None:
    loader.load_all((sixth_game,))
    assert StoredCard.objects.in_game("deaddrop").count() == len(sixth_game.cards)
    assert Print.objects.filter(card__game="deaddrop").count() == sum(len(card.prints) for card in sixth_game.cards)


def test_a_load_that_nobody_overtakes_reads_once(sixth_game: Game, reads: list[int]) -> None:
    loader.load_all((sixth_game,))
    assert len(reads) == 1


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
