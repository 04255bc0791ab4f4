"""The zips among the site's data become games there, once each."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardsdb.box.reading.packed_games import NOTE, take_in_zips
from cardsdb.games.kit.declared.game_file import read_game
from tests.support.new_game import files_of, files_of_new_game
from tests.support.packages import zipped


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    return files_of_new_game(tmp_path)


class Site:
    """A folder of games, what was said of its zips, and what was warned of."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def put(self, files: dict[str, bytes], name: str = "night-train.zip") -> None:
        (self.place / name).write_bytes(zipped(files))

    def take_in(self, taken: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
        said: list[str] = []
        warned: list[str] = []
        take_in_zips(self.place, taken, said.append, warned.append)
        return said, warned


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "games").mkdir()
    return Site(tmp_path / "games")


def test_a_zip_is_unpacked_once(site: Site, files: dict[str, bytes]) -> None:
    site.put(files)
    assert site.take_in() == (["games/night-train.zip: unpacked as the game night-train."], [])
    assert files_of(site.place / "night-train") == files
    assert site.take_in(("night-train",)) == ([], [])


def test_a_zip_that_changed_takes_the_place_of_what_came_out_before(
    site: Site, files: dict[str, bytes]
) -> None:
    site.put(files)
    site.take_in()
    site.put(files | {"game.toml": files["game.toml"].replace(b"Night Train", b"Day Train")})
    assert site.take_in(("night-train",))[1] == []
    assert read_game(site.place / "night-train").name == "Day Train"
    assert sorted(path.name for path in site.place.iterdir()) == [
        ".from-zips.json",
        "night-train",
        "night-train.zip",
    ]


def test_a_game_stays_where_the_new_one_cannot_be_put_in_its_place(
    site: Site, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put(files)
    site.take_in()
    site.put(files | {"game.toml": files["game.toml"].replace(b"Night Train", b"Day Train")})
    rename = Path.rename

    def refusing(path: Path, target: Path) -> Path:
        if (
            target == site.place / "night-train"
            and path.name == "night-train"
            and path.parent.parent == site.place
        ):
            raise OSError("no room")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refusing)
    assert site.take_in(("night-train",)) == ([], ["games/night-train.zip: no room"])
    assert files_of(site.place / "night-train") == files


def test_a_game_changed_by_hand_is_not_lost(site: Site, files: dict[str, bytes]) -> None:
    site.put(files)
    site.take_in()
    (site.place / "night-train" / "cards.csv").write_bytes(files["cards.csv"] + b"\n")
    site.put(files | {"README.md": b"newer"})
    assert "was changed since it came out of the zip" in site.take_in()[1][0]
    assert (site.place / "night-train" / "cards.csv").read_bytes().endswith(b"\n\n")


def test_a_folder_that_stands_there_is_not_replaced(site: Site, files: dict[str, bytes]) -> None:
    (site.place / "night-train").mkdir()
    site.put(files)
    assert "stands there already" in site.take_in()[1][0]
    assert list((site.place / "night-train").iterdir()) == []


def test_a_faulty_zip_is_told_each_time_and_stops_no_other(site: Site, files: dict[str, bytes]) -> None:
    site.put({"readme.txt": b"no game"}, "empty.zip")
    site.put(files | {"game.toml": b"a = " + b"1" * 5_000}, "long.zip")
    site.put(files)
    said, warned = site.take_in()
    assert len(said) == 1 and [line.partition(":")[0] for line in warned] == [
        "games/empty.zip",
        "games/long.zip",
    ]
    assert len(site.take_in()[1]) == 2


def test_a_note_that_cannot_be_read_loses_nothing(site: Site, files: dict[str, bytes]) -> None:
    site.put(files)
    site.take_in()
    (site.place / NOTE).write_text("[")
    assert "stands there already" in site.take_in()[1][0]
    assert files_of(site.place / "night-train") == files


def test_without_a_zip_nothing_is_noted(site: Site) -> None:
    assert site.take_in() == ([], []) and not (site.place / NOTE).exists()


def test_a_first_game_that_cannot_get_its_folder_leaves_none(
    site: Site, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put(files)
    plain = Path.rename

    def rename(path: Path, goal: Path) -> Path:
        if goal == site.place / "night-train":
            raise OSError("the disk is full")
        return plain(path, goal)

    monkeypatch.setattr(Path, "rename", rename)
    assert site.take_in() == ([], ["games/night-train.zip: the disk is full"])
    assert [path.name for path in site.place.iterdir() if path.is_dir()] == []
