"""The file of an index: whole or not there, of one edition, and never taken for something else."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest
from cardsdb.search.index import Index, IndexUnreadable, Row
from cardsdb.search.index.build import build

from cardsdb.search.query.fields import Fields
from cardsdb.search.query.tree import Word


def row(pk: int, name: str, code: str = "") -> Row:
    return Row(pk, f"game/{code or name}", name.title(), name, name, f"{name}\nagent", "|game=game|type=agent|")


ROWS = [row(9, "kai"), row(4, "tracer"), row(7, "zorka")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build(tmp_path / "1.index", 3, ROWS)
    return tmp_path / "1.index"


def test_an_index_knows_its_edition_and_its_cards(path: Path) -> None:
    index = Index.open(path)
    assert (index.edition, len(index)) == (3, 3)
    assert index.keys([0, 2]) == ["game/kai", "game/zorka"]
    assert index.names([1]) == ["Tracer"]
    assert index.pks([2, 0]) == [7, 9]
    assert [index.position(pk) for pk in (9, 4, 7, 5, 10**9)] == [0, 1, 2, None, None]


def test_an_index_of_another_edition_is_refused_with_both_numbers(path: Path) -> None:
    assert Index.open(path, 3).edition == 3
    with pytest.raises(IndexUnreadable, match="is of edition 3, not of 4"):
        Index.open(path, 4)


def test_an_index_of_no_cards_finds_nothing(tmp_path: Path) -> None:
    assert build(tmp_path / "empty", 1, []) == 0
    index = Index.open(tmp_path / "empty")
    found = index.matching(Word("kai"), Fields([]))
    assert (len(index), len(found), index.in_order(found, ()).slice(0, 9)) == (0, 0, [])
    assert (index.names_starting("k", 9), index.names_like("kai", 9), index.position(1)) == ([], [], None)
    assert index.facet(index.matching(None, Fields([])), "type") == []


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(IndexUnreadable, match=r"cannot be opened.*Load the cards again"):
        Index.open(tmp_path / "nowhere")


@pytest.mark.parametrize("content", [b"", b"CUT", b"SQLite format 3\0" + bytes(4096), b"CUTOUTIX", bytes(100)])
def test_a_foreign_file_is_no_index(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "foreign").write_bytes(content)
    with pytest.raises(IndexUnreadable):
        Index.open(tmp_path / "foreign")


def test_a_file_cut_off_anywhere_is_refused(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    for end in (*range(0, len(whole), 97), len(whole) - 1):
        (tmp_path / "cut").write_bytes(whole[:end])
        with pytest.raises(IndexUnreadable):
            Index.open(tmp_path / "cut")


def test_a_file_with_something_behind_it_is_refused(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(IndexUnreadable, match="damaged"):
        Index.open(path)


def test_a_file_of_a_later_format_is_refused_by_number(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8] = 99
    path.write_bytes(content)
    with pytest.raises(IndexUnreadable, match="of format 99"):
        Index.open(path)


@pytest.mark.parametrize("rows", [[ROWS[1], ROWS[0]], [row(1, "kai", "b"), row(2, "kai", "a")], [ROWS[0], ROWS[0]]])
def test_rows_in_another_order_are_refused_and_leave_nothing_behind(tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="not in catalogue order"):
        build(tmp_path / "folder" / "1.index", 1, rows)
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_failed_build_leaves_the_index_before_it_alone(path: Path) -> None:
    def broken() -> Iterator[Row]:
        yield ROWS[0]
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        build(path, 4, broken())
    assert Index.open(path, 3).keys([0]) == ["game/kai"]
    assert list(path.parent.iterdir()) == [path]


def test_an_open_index_goes_on_when_its_file_is_replaced(path: Path) -> None:
    before = Index.open(path)
    build(path, 4, ROWS[:1])
    assert (len(before), before.keys([2])) == (3, ["game/zorka"])
    assert len(Index.open(path, 4)) == 1


def _finds(path: Path, index: Index | None) -> list[str]:
    index = index or Index.open(path)
    return index.keys(index.matching(Word("ra"), Fields([])))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_index_opened_before_a_fork_answers_after_it(path: Path) -> None:
    index = Index.open(path)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap(_finds, [(path, None)] * 2) == [["game/tracer"]] * 2
    assert _finds(path, index) == ["game/tracer"]
