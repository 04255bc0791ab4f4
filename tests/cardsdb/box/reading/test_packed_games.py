"""Packed games: a zip with a whole game becomes a folder, a faulty one leaves nothing behind. Zips in the
site's data become games once each.
"""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError

from cardsdb.box.reading.container import BadPackage
from cardsdb.box.reading.packed_games import NOTE, read_note, take_in_zips, unpack_game, write_note
from cardsdb.games.kit import Game
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.folder.files import MAX_STARTERS
from tests.support.commands import run
from tests.support.new_game import files_of, files_of_new_game
from tests.support.packages import tarred, zipped

Files = dict[str, bytes]


@pytest.fixture
def files(tmp_path):
    return files_of_new_game(tmp_path)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


def unpacked(files: Files, place: Path, name: str = "night-train.zip", **options: object) -> Game:
    return read_game(unpack_game(io.BytesIO(zipped(files)), name, place, **options))


@pytest.mark.parametrize("packed", [zipped, tarred])
@pytest.mark.parametrize("root", ["", "night-train/", "games/night-train/"])
def test_a_zip_of_the_folder_is_the_game_with_or_without_starters(files, place, root, packed):
    kept = {name: data for name, data in files.items() if root or "starters/" not in name}
    data = packed({root + name: data for name, data in kept.items()})
    assert unpack_game(io.BytesIO(data), "night-train.zip", place) == place / "night-train"
    assert files_of(place / "night-train") == kept


CREDIT = b"""
[credit]
text = "By us"
licence = "CC BY"
licence_url = "https://example.org/"
work_url = "https://example.org/"
changes = "None."
"""
DOCUMENTS = b"""[documents.played]\ntitle = "How we play"\nfile = "rulebook.txt"\n"""


def test_texts_and_licence_are_unpacked_and_files_that_no_game_has_are_left_out(files, place):
    whole = files | {"rulebook.txt": b"Line 1\n", "LICENSE.md": b"CC BY\n", "rulebook.toml": DOCUMENTS}
    whole["game.toml"] += CREDIT
    others = {"README.md": b"Read me", "starters/deep/x.txt": b"", "art/a.png": b"", "sub/cards.csv": b""}
    assert files_of(unpacked(whole | others, place).folder) == whole


@pytest.mark.parametrize("name", ["__init__.py", "sub/Face.PY", "fast.so"])
def test_a_zip_with_code_is_refused(files, place, name):
    with pytest.raises(BadPackage, match="is code") as refused:
        unpacked(files | {name: b"raise SystemExit"}, place)
    assert refused.value.faults[0].where == name and list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game.toml": None}, "There is no game.toml in it"),
        ({"other/game.toml": b""}, "There are 2 games in it"),
        ({"../game.toml": b""}, "outside of it"),
        ({"starters/First.txt": b""}, "has the name of another deck"),
        ({"glossary.toml": b" " * 1_100_000}, "more than"),
        ({f"page-{number}.txt": b"" for number in range(21)}, "21 text files; 20 at most"),
        ({f"starters/{number}.txt": b"" for number in range(MAX_STARTERS)}, "decks; 200 at most"),
    ],
    ids=["none", "two", "outside", "twice", "too large", "texts", "decks"],
)
def test_a_zip_that_holds_no_game_is_refused(files, place, change, message):
    with pytest.raises(BadPackage, match=message):
        unpacked({name: data for name, data in (files | change).items() if data is not None}, place)
    assert list(place.iterdir()) == []


def test_a_slug_that_is_taken_or_fits_no_address_is_refused(files, place):
    for options, message in (
        ({"taken": ("night-train",)}, "There is a game “night-train” already"),
        ({"slug": "../up"}, "cannot be part of an address"),
        ({"name": "夜汽車.zip"}, "cannot be part of an address"),
    ):
        with pytest.raises(BadPackage, match=message):
            unpacked(files, place, **options)
    assert unpacked(files, place, name="夜汽車.zip", slug="night").slug == "night"


# -- manage.py new_game --from ---------------------------------------------------------


def test_the_command_takes_a_zip_and_tells_each_fault(files, place, tmp_path):
    wrong = files["game.toml"].replace(b'symbol = "pin"', b'symbol = "pun"', 1)
    faulty = files | {"game.toml": wrong.replace(b'players = "2"', b"players = 2")}
    for name, content in (("night-train", files), ("faulty", faulty)):
        (tmp_path / f"{name}.zip").write_bytes(zipped(content))

    def new_game(name: str, *words: str) -> str:
        return run("new_game", *words, "--from", str(tmp_path / f"{name}.zip"), "--in", str(place)).out

    assert new_game("night-train").startswith("Night Train is written; ")
    for words, message in (
        (("night-train",), "is there already, and nothing was written"),
        (("faulty",), "(?s)^faulty/game.toml, types.place.symbol: .*\nfaulty/game.toml, players: "),
        (("missing",), r"missing\.zip: "),
        (("night-train", "Name"), "leave the name out"),
    ):
        with pytest.raises(CommandError, match=message):
            new_game(*words)
    assert [path.name for path in place.iterdir()] == ["night-train"]


# -- the zips of a folder --------------------------------------------------------------


def put(place: Path, files: Files, name: str = "night-train.zip") -> None:
    (place / name).write_bytes(zipped(files))


def take_in(place: Path, *taken: str) -> tuple[list[str], list[str]]:
    """Return (sentences said, faults warned of) for the zips of the folder."""
    said, warned = list[str](), list[str]()
    take_in_zips(place, taken, said.append, warned.append)
    return said, warned


def renamed(files: Files) -> Files:
    return files | {"game.toml": files["game.toml"].replace(b"Night Train", b"Day Train")}


def test_a_zip_is_unpacked_once_and_again_when_it_has_changed(place, files):
    assert take_in(place) == ([], []) and not (place / NOTE).exists()
    put(place, files)
    assert take_in(place) == (["games/night-train.zip: unpacked as the game night-train."], [])
    assert files_of(place / "night-train") == files
    assert take_in(place, "night-train") == ([], [])
    put(place, renamed(files))
    assert take_in(place, "night-train")[1] == [] and read_game(place / "night-train").name == "Day Train"
    assert {path.name for path in place.iterdir()} == {NOTE, "night-train", "night-train.zip"}


def test_a_game_changed_by_hand_is_not_lost(place, files):
    put(place, files)
    take_in(place)
    (place / "night-train" / "cards.csv").write_bytes(files["cards.csv"] + b"\n")
    put(place, files | {"README.md": b"newer"})
    assert "was changed since it came out of the zip" in take_in(place)[1][0]
    # A folder without a readable note does not count as having come out of this zip.
    (place / NOTE).write_text("[")
    assert "stands there already" in take_in(place)[1][0]
    assert (place / "night-train" / "cards.csv").read_bytes().endswith(b"\n\n")


def test_every_fault_of_a_zip_is_reported_each_time_and_other_zips_are_still_unpacked(place, files):
    bad = files["cards.csv"].replace(b"ada-quill,Ada Quill,agent", b"ada-quill,Ada Quill,clown")
    put(place, {"readme.txt": b"no game"}, "empty.zip")
    put(place, files | {"game.toml": b"a = " + b"1" * 5_000}, "long.zip")
    put(place, files | {"cards.csv": bad, "sets.csv": b"code,name\n"}, "many.zip")
    put(place, files)
    said, warned = take_in(place)
    assert [line.partition(":")[0] for line in warned[:2]] == ["games/empty.zip", "games/long.zip"]
    assert len(warned) > 3 and "games/many.zip: many/cards.csv line 2, column type: " in "\n".join(warned)
    assert len(said) == 1 and take_in(place) == ([], warned)
    assert {path.name for path in place.iterdir() if path.is_dir()} == {"night-train"}


@pytest.mark.parametrize("is_there", [True, False])
def test_the_old_game_stays_if_the_new_one_cannot_replace_it(place, files, monkeypatch, is_there):
    goal, rename = place / "night-train", Path.rename
    if is_there:
        put(place, files)
        take_in(place)
    put(place, renamed(files))

    def refusing(path: Path, target: Path) -> Path:
        # Only the last step fails; moving the old folder back still works.
        if target == goal and path.name == "night-train":
            raise OSError("the disk is full")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refusing)
    assert take_in(place) == ([], ["games/night-train.zip: the disk is full"])
    assert files_of(goal) == (files if is_there else {})
    assert [path for path in place.iterdir() if path.is_dir() and path != goal] == []


# -- the note --------------------------------------------------------------------------


def test_a_note_is_read_back_and_a_full_disk_leaves_the_earlier_one_intact(tmp_path, request):
    note = tmp_path / "note.json"
    assert read_note(note) == {}
    write_note(note, {"夜.zip": [1, 2]})
    request.getfixturevalue("full_disk")
    with pytest.raises(OSError, match="No space"):
        write_note(note, {"a.zip": "after"})
    assert read_note(note) == {"夜.zip": [1, 2]}


@pytest.mark.parametrize("damaged", ['{"a": [1', "[]", "\ufeff", "", "[" * 200_000])
def test_a_damaged_note_counts_as_empty(tmp_path, damaged):
    note = tmp_path / "note.json"
    note.write_text(damaged, encoding="utf-8")
    assert read_note(note) == {}
