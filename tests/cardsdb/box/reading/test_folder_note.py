"""The note of what was taken in from a folder is never half of one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardsdb.box.reading.packed_games import read_note, write_note


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_note(tmp_path / "note.json", {"夜.zip": [1, 2]})
    assert read_note(tmp_path / "note.json") == {"夜.zip": [1, 2]}


def test_a_disk_that_is_full_leaves_the_note_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_note(tmp_path / "note.json", {"a.zip": "before"})

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_note(tmp_path / "note.json", {"a.zip": "after"})
    assert read_note(tmp_path / "note.json") == {"a.zip": "before"}


@pytest.mark.parametrize("damaged", ['{"a": [1', "[]", "\ufeff", "", "[" * 200_000])
def test_a_damaged_note_notes_nothing(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "note.json").write_text(damaged, encoding="utf-8")
    assert read_note(tmp_path / "note.json") == {}


def test_a_folder_without_a_note_has_nothing_noted(tmp_path: Path) -> None:
    assert read_note(tmp_path / "note.json") == {}
