"""``manage.py prepare`` does everything once, nothing if nothing has changed, and takes no file from a
running site.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files import locks
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from cardsdb import games as game_folders
from cardsdb.management.commands import prepare
from cardsdb.management.commands.new_game import write_new_game
from cardsdb.models import Card
from tests import ROOT
from tests.support.data_games import site_data

__all__ = ["site_data"]

pytestmark = pytest.mark.django_db
CLEARING = "own clear"
EVERYTHING = ["check", "migrate", "load_cards", "build_fonts", "collectstatic"]


class Steps(list[str]):
    """The commands that ``prepare`` called. Collecting writes a manifest of the files in ``static``."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.static = {"site.css": "site.1.css"}
        self.during: Callable[[str], object] = lambda name: None

    def call(self, name: str, *words: str, **options: Any) -> None:
        self.append(" ".join((name, *words)))
        self.during(name)
        if name == "collectstatic":
            assert not options.get("clear"), "a site that runs would lose its files"
            self.root.mkdir(exist_ok=True)
            for path in (*self.static, *self.static.values()):
                (self.root / path).write_text("x")
            (self.root / "staticfiles.json").write_text(json.dumps({"paths": self.static}))

    def after_preparing(self) -> list[str]:
        """Run ``prepare``; return the commands that it called, except the clearing, which is done each
        time.
        """
        self.clear()
        call_command("prepare")
        return [step for step in self if step != CLEARING]

    def files(self) -> set[str]:
        return {path.name for path in self.root.iterdir()} - {"staticfiles.json"}


@pytest.fixture
def steps(tmp_path, settings, monkeypatch):
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    steps = Steps(settings.STATIC_ROOT)
    monkeypatch.setattr(prepare, "call_command", steps.call)
    monkeypatch.setattr(prepare, "run_checks", lambda: steps.call("check") or [])
    return steps


@pytest.fixture
def prepared(steps):
    steps.after_preparing()
    return steps


def test_everything_is_done_once_and_files_that_wait_for_their_owner_are_cleared_each_time(steps):
    assert steps.after_preparing() == EVERYTHING
    assert steps.after_preparing() == [] and list(steps) == [CLEARING]


# Kind of change -> function that makes it in a watched folder with a file notes.csv.
CHANGES = {
    "a new file": lambda folder: (folder / "more.csv").touch(),
    "other text": lambda folder: (folder / "notes.csv").write_text("three"),
    "a file less": lambda folder: (folder / "notes.csv").unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_to_what_the_site_is_made_from_does_everything_again(
    steps, tmp_path_factory, monkeypatch, change
):
    folder = tmp_path_factory.mktemp("games")
    (folder / "notes.csv").write_text("one")
    monkeypatch.setattr(game_folders, "__path__", [*game_folders.__path__, str(folder)])
    steps.after_preparing()
    CHANGES[change](folder)
    assert steps.after_preparing() == EVERYTHING


@pytest.mark.parametrize("place", ["games/paper-moon/game.toml", "formats/tuesday.toml"])
def test_games_and_formats_among_the_site_s_data_are_watched(steps, site_data, place):
    steps.after_preparing()
    (site_data / place).parent.mkdir(parents=True)
    (site_data / place).write_text("# nothing yet")
    assert steps.after_preparing() == EVERYTHING


def test_a_game_in_a_zip_is_unpacked_once_and_found(steps, site_data):
    write_new_game(site_data / "night-train", "Night Train")
    shutil.make_archive(str(site_data / "games" / "night-train"), "zip", site_data / "night-train")
    assert steps.after_preparing() == EVERYTHING
    assert "night-train" in game_folders.games()
    assert steps.after_preparing() == []


@pytest.mark.parametrize("name", prepare.WATCHED)
def test_every_part_of_the_site_is_watched(prepared, name, monkeypatch):
    monkeypatch.setattr(prepare, "WATCHED", tuple(other for other in prepare.WATCHED if other != name))
    assert prepared.after_preparing() == EVERYTHING


# What is lacking -> function of ``Steps`` and ``monkeypatch`` that takes it away.
LACKS = {
    "another database": lambda _, patch: patch.setitem(connection.settings_dict, "HOST", "elsewhere"),
    "no cards": lambda *_: Card.objects.all().delete(),
    "a migration": lambda *_: MigrationRecorder.Migration.objects.filter(app="decks").delete(),
    "static files": lambda prepared, _: (prepared.root / "staticfiles.json").unlink(),
}


@pytest.mark.parametrize("lack", LACKS)
def test_what_is_lacking_is_made_though_no_file_changed(prepared, monkeypatch, lack):
    LACKS[lack](prepared, monkeypatch)
    assert prepared.after_preparing() == EVERYTHING


@pytest.mark.parametrize("failing", EVERYTHING)
def test_a_failed_step_is_repeated_the_next_time(prepared, failing):
    def fail(name):
        if name == failing:
            raise RuntimeError

    (prepared.root / "staticfiles.json").unlink()
    prepared.during = fail
    with pytest.raises(RuntimeError):
        prepared.after_preparing()
    prepared.during = lambda name: None
    assert prepared.after_preparing() == EVERYTHING


def test_prepare_holds_a_lock_during_every_step(steps, tmp_path):
    held: list[bool] = []

    def try_the_lock(name):
        with (tmp_path / "prepare.lock").open("w") as file:
            held.append(not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB))

    steps.during = try_the_lock
    steps.after_preparing()
    assert held == [True] * len(EVERYTHING) + [False], "clearing waits for nobody"


def test_static_files_and_their_compressed_copies_stay_for_one_more_time(prepared):
    packed = {"site.1.css.gz", "site.1.css.br"}
    for name in (*packed, "site.css.br"):
        (prepared.root / name).write_text("packed")
    for number, before in ((2, {"site.1.css", *packed}), (3, {"site.2.css"})):
        (prepared.root.parent / "prepared").unlink()
        prepared.static = {"site.css": f"site.{number}.css"}
        prepared.after_preparing()
        assert prepared.files() == {"site.css", "site.css.br", f"site.{number}.css", *before}


def test_a_different_secret_is_reported_and_recorded_only_when_told(prepared, settings, capsys):
    settings.SECRET_KEY = "another" * 10
    call_command("prepare")
    assert "SECRET_KEY" in capsys.readouterr().err
    call_command("prepare", new_secret=True)
    assert capsys.readouterr().err == ""


# -- other users of the machine -----------------------------------------------------------

FIRST_START = """
import os; os.umask(0o022)
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE first (start)")
    print(*(f"{path.name} {path.stat().st_mode & 0o777:o}"
            for path in sorted(django.conf.settings.VAR_DIR.glob("cutout.sqlite3*"))))
"""


def mode(path: Path) -> str:
    return f"{path.stat().st_mode & 0o777:o}"


def test_data_is_readable_by_its_user_alone_from_the_first_start(tmp_path):
    others = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    given = others | {"CUTOUT_VAR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "cardsdb.settings"}
    started = subprocess.run(
        [sys.executable, "-c", FIRST_START], env=given, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert started.stdout.split("\n")[0] == "cutout.sqlite3 600 cutout.sqlite3-shm 600 cutout.sqlite3-wal 600"
    assert mode(tmp_path / "var") == "700"


def test_a_data_folder_that_others_could_read_is_closed(steps, tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    files = [tmp_path / f"cutout.sqlite3{end}" for end in ("", "-wal")]
    for path in files:
        path.touch(0o644)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(files[0]))
    monkeypatch.setattr(connection, "vendor", "sqlite")
    assert prepare.closed(prepare._private()) == []
    assert [mode(path) for path in (tmp_path, *files)] == ["700", "600", "600"]
    tmp_path.chmod(0o755)
    call_command("prepare")
    assert mode(tmp_path) == "700"


def test_a_data_folder_of_another_user_is_reported(monkeypatch, steps, capsys):
    def refused(path: Path, mode: int) -> None:
        raise PermissionError

    steps.root.parent.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", refused)
    call_command("prepare")
    assert f"may read {steps.root.parent}: it belongs to another user" in capsys.readouterr().err
