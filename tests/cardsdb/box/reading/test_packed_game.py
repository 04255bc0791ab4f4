"""A game of data in a zip is taken in when it is whole, and not at all otherwise."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from cardsdb.box.reading import packed_games as packed_game
from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.packed_games import unpack_game
from cardsdb.games.kit import FolderError, Game
from cardsdb.games.kit.declared.game_file import read_game
from tests.support.new_game import files_of, files_of_new_game
from tests.support.packages import tarred, zipped

WEB = "https://example.org/"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    return files_of_new_game(tmp_path)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


def unpacked(files: dict[str, bytes], place: Path, name: str = "night-train.zip", **options: object) -> Game:
    return read_game(unpack_game(io.BytesIO(zipped(files)), name, place, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("packed", [zipped, tarred])
@pytest.mark.parametrize("root", ["", "night-train/", "games/night-train/"])
def test_a_zip_of_the_folder_is_the_game(
    files: dict[str, bytes], place: Path, root: str, packed: object
) -> None:
    data = packed({root + name: data for name, data in files.items()})  # type: ignore[operator]
    assert unpack_game(io.BytesIO(data), "night-train.zip", place) == place / "night-train"
    assert files_of(place) == {f"night-train/{name}": data for name, data in files.items()}


def test_what_is_no_file_of_a_game_stays_in_the_zip(files: dict[str, bytes], place: Path) -> None:
    game = unpacked(
        files | {"README.md": b"Read me", "starters/deep/x.txt": b"", "art/a.png": b"", "sub/cards.csv": b""},
        place,
    )
    assert files_of(game.folder) == files


def test_the_texts_of_its_documents_and_its_licence_come_along(files: dict[str, bytes], place: Path) -> None:
    texts = {"rulebook.txt": b"Line 1\n", "LICENSE.md": b"CC BY\n"}
    said = b'[documents.played]\ntitle = "How we play"\nfile = "rulebook.txt"\n'
    credited = {"text": "By us", "licence": "CC BY", "licence_url": WEB, "work_url": WEB, "changes": "None."}
    credit = "\n[credit]\n" + "".join(f'{key} = "{words}"\n' for key, words in credited.items())
    whole = files | texts | {"rulebook.toml": said, "game.toml": files["game.toml"] + credit.encode()}
    assert files_of(unpacked(whole, place).folder) == whole


def test_too_many_texts_are_refused(files: dict[str, bytes], place: Path) -> None:
    with pytest.raises(BadPackage, match="21 text files; 20 at most"):
        unpacked(files | {f"page-{number}.txt": b"" for number in range(21)}, place)


@pytest.mark.parametrize("name", ["__init__.py", "sub/Face.PY", "fast.so"])
def test_a_zip_with_code_is_refused(files: dict[str, bytes], place: Path, name: str) -> None:
    with pytest.raises(BadPackage, match="is code") as refused:
        unpacked(files | {name: b"raise SystemExit"}, place)
    assert refused.value.faults[0].where == name
    assert list(place.iterdir()) == []


def test_every_fault_of_the_game_is_told_with_file_and_line_and_nothing_is_kept(
    files: dict[str, bytes], place: Path
) -> None:
    bad = files["cards.csv"].replace(b"ada-quill,Ada Quill,agent", b"ada-quill,Ada Quill,clown")
    with pytest.raises(FolderError) as refused:
        unpacked(files | {"cards.csv": bad, "sets.csv": b"code,name\n"}, place)
    assert len(refused.value.problems) > 1
    assert any(
        problem.startswith("night-train/cards.csv line 2, column type: ")
        for problem in refused.value.problems
    )
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game.toml": None}, "There is no game.toml in it"),
        ({"other/game.toml": b""}, "There are 2 games in it"),
        ({"../game.toml": b""}, "outside of it"),
        ({"starters/First.txt": b""}, "has the name of another deck"),
        ({"glossary.toml": b" " * 1_100_000}, "more than"),
    ],
)
def test_a_zip_that_holds_no_game_is_refused(
    files: dict[str, bytes], place: Path, change: dict[str, bytes | None], said: str
) -> None:
    with pytest.raises(BadPackage, match=said):
        unpacked({name: data for name, data in (files | change).items() if data is not None}, place)
    assert list(place.iterdir()) == []


def test_too_many_decks_are_refused(
    files: dict[str, bytes], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_game, "MAX_STARTERS", 1)
    with pytest.raises(BadPackage, match="2 decks; 1 at most"):
        unpacked(files | {"starters/second.txt": b""}, place)


def test_a_slug_that_is_taken_or_fits_no_address_is_refused(files: dict[str, bytes], place: Path) -> None:
    with pytest.raises(BadPackage, match="There is a game “night-train” already"):
        unpacked(files, place, taken=("night-train",))
    with pytest.raises(BadPackage, match="cannot stand in addresses"):
        unpacked(files, place, slug="../up")
    with pytest.raises(BadPackage, match="cannot stand in addresses"):
        unpacked(files, place, name="夜汽車.zip")
    assert unpacked(files, place, name="夜汽車.zip", slug="night").slug == "night"


# -- manage.py new_game --from ---------------------------------------------------------


def test_the_command_takes_a_zip(files: dict[str, bytes], place: Path, tmp_path: Path) -> None:
    (tmp_path / "night-train.zip").write_bytes(zipped(files))
    out = io.StringIO()
    call_command("new_game", "--from", str(tmp_path / "night-train.zip"), "--in", str(place), stdout=out)
    assert (
        out.getvalue().startswith("Night Train is written; ")
        and str(place / "night-train" / "cards.csv") in out.getvalue()
    )
    with pytest.raises(CommandError, match="is there already, and nothing was written"):
        call_command("new_game", "--from", str(tmp_path / "night-train.zip"), "--in", str(place))


def test_the_command_tells_each_fault(files: dict[str, bytes], place: Path, tmp_path: Path) -> None:
    faulty = (
        files["game.toml"]
        .replace(b'symbol = "pin"', b'symbol = "pun"', 1)
        .replace(b'players = "2"', b"players = 2")
    )
    (tmp_path / "a.zip").write_bytes(zipped(files | {"game.toml": faulty}))
    with pytest.raises(CommandError) as refused:
        call_command("new_game", "--from", str(tmp_path / "a.zip"), "--in", str(place))
    assert [line.partition(":")[0] for line in str(refused.value).splitlines()] == [
        "a/game.toml, types.place.symbol",
        "a/game.toml, players",
    ]
    with pytest.raises(CommandError, match=r"missing\.zip: "):
        call_command("new_game", "--from", str(tmp_path / "missing.zip"), "--in", str(place))
    with pytest.raises(CommandError, match="leave the name out"):
        call_command("new_game", "Name", "--from", str(tmp_path / "a.zip"))
