"""Files of a game folder that are too large, links or no plain files are refused before any file is read."""

from __future__ import annotations

import pytest

from cardsdb.games.kit import FolderError
from cardsdb.games.kit.folder.files import MAX_DECLARED, MAX_STARTER, MAX_STARTERS, check_files


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "night-train"
    (folder / "starters").mkdir(parents=True)
    return folder


def test_each_file_that_is_not_read_is_named(folder):
    (folder / "rulebook.toml").write_text("#" * (MAX_DECLARED + 1))
    (folder / "glossary.toml").symlink_to("/etc/passwd")
    (folder / "claims.csv").mkdir()
    (folder / "starters" / "long.txt").write_text("x" * (MAX_STARTER + 1))
    with pytest.raises(FolderError) as told:
        check_files(folder)
    assert told.value.problems == (
        "night-train/claims.csv: no plain file",
        "night-train/rulebook.toml: 1,048,577 bytes; 1,048,576 at most are read",
        "night-train/glossary.toml: a link; put the file itself here, for nothing outside of the folder is"
        " read",
        "starters/long.txt: 262,145 bytes; 262,144 at most are read",
    )


def test_files_of_the_largest_size_and_number_are_taken_and_no_more(folder):
    (folder / "rulebook.toml").write_text("#" * MAX_DECLARED)
    for number in range(MAX_STARTERS):
        (folder / "starters" / f"{number}.txt").write_text("")
    check_files(folder)
    (folder / "starters" / "more.txt").write_text("")
    with pytest.raises(FolderError, match="night-train/starters: 201 decks; 200 at most are read"):
        check_files(folder)
