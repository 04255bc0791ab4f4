"""Which files a backup holds, and that it is none of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardsdb.operate.backup import BackupRefused, kept_files, take
from cardsdb.operate.restore import in_the_way


@pytest.fixture
def var(settings: Any, tmp_path: Path) -> Path:
    """A data folder whose games are in a folder elsewhere, ``elsewhere``, that a link leads to."""
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path / "var", ""
    (tmp_path / "elsewhere" / "cards").mkdir(parents=True)
    (tmp_path / "elsewhere" / "cards" / "one.toml").write_text("one")
    (tmp_path / "var" / "games").mkdir(parents=True)
    (tmp_path / "var" / "games" / "mine").symlink_to(tmp_path / "elsewhere")
    return tmp_path / "var"


def names() -> list[str]:
    return [name for name, _ in kept_files()]


def test_a_folder_that_a_link_leads_to_is_kept(var: Path) -> None:
    assert names() == ["games/mine/cards/one.toml"]


def test_a_folder_that_two_links_lead_to_is_kept_twice(var: Path) -> None:
    (var / "games" / "yours").symlink_to(var / "games" / "mine")
    assert names() == ["games/mine/cards/one.toml", "games/yours/cards/one.toml"]


def test_a_link_that_leads_back_is_followed_no_further(var: Path) -> None:
    (var / "games" / "mine" / "cards" / "back").symlink_to(var / "games")
    assert names() == ["games/mine/cards/one.toml"]


def test_a_file_in_place_of_a_folder_is_not_kept(var: Path) -> None:
    """No backup that held it could be restored."""
    (var / "own").write_text("words")
    assert names() == ["games/mine/cards/one.toml"]
    assert in_the_way() == [str(var / "games"), str(var / "own")]


def test_what_a_link_leads_to_is_in_the_way_of_restoring(var: Path) -> None:
    assert in_the_way() == [str(var / "games")]


@pytest.mark.django_db
@pytest.mark.parametrize("folder", ["games", "games/mine", "games/mine/cards", "../elsewhere"])
def test_a_backup_among_the_files_it_holds_is_refused(var: Path, folder: str) -> None:
    with pytest.raises(BackupRefused, match="would lie among the files that the backup holds"):
        take(var / folder / "one.zip")
    assert names() == ["games/mine/cards/one.toml"]


@pytest.mark.django_db
def test_a_secret_too_short_to_be_restored_is_said_when_the_backup_is_taken(var: Path, settings: Any) -> None:
    settings.SECRET_KEY = "short"
    with pytest.raises(BackupRefused, match="less than 32 characters"):
        take(var / "one.zip")
