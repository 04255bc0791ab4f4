"""Two loads at once, of one database: what changed is written once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardsdb.catalogue import loader
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.folder.cards import CardFiles
from cardsdb.models import Card as StoredCard
from cardsdb.models import Edition, Print

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
def test_the_load_that_comes_second_compares_once_more_and_finds_nothing_to_do(
    sixth_game: Game, reads: list[int]
) -> None:
    before = Edition.objects.count()
    (loaded,) = loader.load_all((sixth_game,))
    assert len(reads) == 3, "this one, the other, and this one once more"
    assert (loaded.added, loaded.changed, loaded.retired) == (0, 0, 0)
    assert Edition.objects.count() == before + 1


@pytest.mark.usefixtures("overtaken")
def test_no_card_and_no_print_is_there_twice(sixth_game: Game) -> None:
    loader.load_all((sixth_game,))
    assert StoredCard.objects.in_game("deaddrop").count() == len(sixth_game.cards)
    assert Print.objects.filter(card__game="deaddrop").count() == sum(
        len(card.prints) for card in sixth_game.cards
    )


def test_a_load_that_nobody_overtakes_reads_once(sixth_game: Game, reads: list[int]) -> None:
    loader.load_all((sixth_game,))
    assert len(reads) == 1
