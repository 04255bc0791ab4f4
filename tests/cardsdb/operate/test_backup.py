"""Taking a backup: what it contains, that it is of one moment, which files it follows, and when it is
refused.
"""

import json
import os
import stat
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import BinaryField, DurationField, FloatField

from cardsdb.games import games
from cardsdb.models import Letter
from cardsdb.operate.backup import (
    MANIFEST,
    QUEUE_APPS,
    BackupRefused,
    folders,
    kept_files,
    models_of,
    take,
)
from cardsdb.operate.restore import in_the_way
from decks.core.judging import judge_text
from decks.models import Deck, DeckRevision, new_deck
from tests.support.backed_up import PICTURE, SHA256
from tests.support.meanwhile import before_first
from tests.support.processes import answer
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db


# -- what is taken ----------------------------------------------------------------------


def test_a_backup_is_for_its_owners_eyes_alone(site, tmp_path):
    umask = os.umask(0)
    try:
        answer(site, lambda: bool(take(tmp_path / "one.zip")))
    finally:
        os.umask(umask)
    (path,) = tmp_path.iterdir()
    assert (path.name, stat.S_IMODE(path.stat().st_mode)) == ("one.zip", 0o600)


@pytest.fixture(scope="module")
def taken(site, tmp_path_factory):
    """Return (manifest, names of all files) of a backup."""
    path = tmp_path_factory.mktemp("taken") / "one.zip"
    answer(site, lambda: bool(take(path)))
    with ZipFile(path) as archive:
        return json.loads(archive.read(MANIFEST)), set(archive.namelist())


def test_the_manifest_lists_rows_of_tables_and_files_but_no_small_copies_of_pictures(taken):
    manifest, names = taken
    assert manifest["database"] == connection.vendor and manifest["tables"]["decks_deck"]["rows"] == 1
    assert names == {*manifest["files"], MANIFEST} and "games/mine/game.toml" in names
    # A picture is named by its checksum.
    assert manifest["files"][f"pictures/{SHA256[:2]}/{SHA256}"] == SHA256
    assert not any(name.endswith(".small") for name in names)


def test_the_manifest_lists_no_migration_of_a_queue(taken):
    """The site into which it is restored may have another queue, by TASKS_URL."""
    manifest, _ = taken
    named = {app for app, _ in manifest["migrations"]}
    assert "decks" in named and not named & QUEUE_APPS


def test_all_tables_but_queue_and_waiting_mails_are_kept_with_kinds_of_values_that_json_can_hold():
    tables = set(connection.introspection.table_names()) - {"django_migrations"}
    assert tables - {model._meta.db_table for model in models_of(apps)} == {
        "django_tasks_database_dbtaskresult",
        Letter._meta.db_table,
    }
    # Kinds of fields whose values ``line_of`` cannot write yet.
    kinds = {type(field) for model in models_of(apps) for field in model._meta.concrete_fields}
    assert not kinds & {BinaryField, DurationField, FloatField}


# -- while the site runs ----------------------------------------------------------------


def written_meanwhile(path: Path) -> tuple[int, int, int]:
    """Take a backup while another thread saves a deck in the middle. Return the numbers of decks and of their
    states in the backup, and of decks in the database.
    """

    def save():
        save_list(new_deck()[0], judge_text(games()["spycraft"], "1 Kai"))
        connection.close()

    def one_saves():
        other = threading.Thread(target=save)
        other.start()
        other.join()

    with before_first('SELECT "auth_user"."id"', one_saves):
        manifest, _ = take(path)
    there = Deck.objects.count()
    Deck.objects.filter(owner=None).delete()
    rows = (manifest.tables[table]["rows"] for table in ("decks_deck", DeckRevision._meta.db_table))
    return *rows, there


def test_a_deck_saved_during_a_backup_does_not_wait_and_is_not_in_it(site, tmp_path):
    assert answer(site, written_meanwhile, tmp_path / "one.zip") == (1, 1, 2)


def deleted_meanwhile(path: Path) -> list[str]:
    """Take a backup without the file of a picture. Return the pictures that it names as lost."""
    place = folders()["pictures"] / SHA256[:2] / SHA256
    place.unlink()
    _, lost = take(path)
    place.write_bytes(PICTURE)
    return lost


def test_a_picture_without_its_file_is_named(site, tmp_path):
    assert answer(site, deleted_meanwhile, tmp_path / "one.zip") == [SHA256]


# -- which files ------------------------------------------------------------------------


@pytest.fixture
def var(settings, tmp_path):
    """Return a data folder whose game is a symbolic link to another folder, ``elsewhere``."""
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path / "var", ""
    (tmp_path / "elsewhere" / "cards").mkdir(parents=True)
    (tmp_path / "elsewhere" / "cards" / "one.toml").write_text("one")
    (tmp_path / "var" / "games").mkdir(parents=True)
    (tmp_path / "var" / "games" / "mine").symlink_to(tmp_path / "elsewhere")
    return tmp_path / "var"


def names() -> list[str]:
    return [name for name, _ in kept_files()]


def test_a_linked_folder_is_kept_under_each_link_unless_that_leads_to_a_folder_above(var):
    assert names() == ["games/mine/cards/one.toml"] and in_the_way() == [str(var / "games")]
    (var / "games" / "yours").symlink_to(var / "games" / "mine")
    (var / "games" / "mine" / "cards" / "back").symlink_to(var / "games")
    assert names() == ["games/mine/cards/one.toml", "games/yours/cards/one.toml"]


def test_a_file_in_place_of_a_kept_folder_is_not_kept(var):
    """A backup with it could not be restored."""
    (var / "own").write_text("words")
    assert names() == ["games/mine/cards/one.toml"]
    assert in_the_way() == [str(var / "games"), str(var / "own")]


# -- refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["games", "games/mine", "games/mine/cards", "../elsewhere"])
def test_a_backup_into_a_kept_folder_is_refused(var, folder):
    with pytest.raises(BackupRefused, match="would lie among the files that the backup holds"):
        take(var / folder / "one.zip")
    assert names() == ["games/mine/cards/one.toml"]


def test_what_cannot_be_written_or_restored_is_refused(var, settings):
    with pytest.raises(CommandError, match="was not written"):
        call_command("backup", var / "no" / "folder.zip")
    settings.SECRET_KEY = "short"
    with pytest.raises(BackupRefused, match="less than 32 characters"):
        take(var / "one.zip")
