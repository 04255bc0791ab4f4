"""A snapshot as a file: good for one edition, one set of games and one state of the code; anything else is made anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsdb.catalogue.loader import load
from cardsdb.models import Card, Edition, EditionState
from cardsdb.search import snapshot_files, snapshots
from cardsdb.search.engine.snapshot import Snapshot
from cardsdb.search.snapshot_files import read_snapshot, write_snapshot
from cardsdb.search.snapshots import current_snapshot, store_snapshot
from tests.support.data_games import site_data
from tests.support.game_folders import edited

__all__ = ["edited", "site_data"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def started(site_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A process that has just started, with an edition of its own. The folder in which files lie."""
    monkeypatch.setattr(snapshots, "_snapshots", {})
    Edition.objects.create()
    return site_data / "snapshots"


def queries_of_cards(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many queries a process asks the table of cards until it has its snapshot."""
    monkeypatch.setattr(snapshots, "_snapshots", {})
    with CaptureQueriesContext(connection) as queries:
        assert current_snapshot().total == Card.objects.current().count()
        assert len(current_snapshot().cards([0, 1, 0])) == 3, "one that was read shows its cards too"
    return sum('FROM "cardsdb_card"' in query["sql"] for query in queries) - 1


def test_the_first_process_makes_the_snapshot_and_the_next_reads_it(started: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert queries_of_cards(monkeypatch) > 0
    assert [path.name for path in started.iterdir()] == ["cards"]
    assert queries_of_cards(monkeypatch) == 0


def test_who_loads_an_edition_writes_its_snapshot_before_anybody_asks(started: Path, edited: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    load(edited())
    # The sixth game is among no games here: no list has it.
    assert queries_of_cards(monkeypatch) == 0


def test_an_edition_of_another_machine_is_written_here_by_the_next_load_that_changes_nothing(started: Path) -> None:
    state = Edition.objects.current()
    assert read_snapshot(state, retired=False) is None
    store_snapshot(state)
    written = (started / "cards").stat().st_mtime_ns
    store_snapshot(state)
    assert read_snapshot(state, retired=False) is not None
    assert (started / "cards").stat().st_mtime_ns == written


@pytest.mark.parametrize("other", ["edition", "games", "code", "kind"])
def test_a_file_of_something_else_counts_as_none(started: Path, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = Edition.objects.current()
    write_snapshot(Snapshot(()), state, retired=False)
    assert read_snapshot(state, retired=False) is not None
    if other == "edition":
        state = EditionState(state.number, Edition.objects.create().made)
    elif other == "games":
        monkeypatch.setattr(snapshot_files, "games", dict)
    elif other == "code":
        monkeypatch.setattr(snapshot_files, "_digest_of_code", lambda: "newer")
    assert read_snapshot(state, retired=other == "kind") is None


def test_a_damaged_file_is_made_anew(started: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    current_snapshot()
    whole = (started / "cards").read_bytes()
    for damaged in (b"", whole[:40], whole[:-1], whole + b"x", whole[:-9] + b"x" + whole[-8:], whole[:-1] + bytes([whole[-1] ^ 1])):
        (started / "cards").write_bytes(damaged)
        assert queries_of_cards(monkeypatch) > 0, len(damaged)
        assert (started / "cards").read_bytes() == whole


def test_where_nothing_can_be_written_searches_go_on(started: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started.write_text("a file where the folder should be")
    assert queries_of_cards(monkeypatch) > 0
    assert queries_of_cards(monkeypatch) > 0
