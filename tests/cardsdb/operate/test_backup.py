"""A backup holds the whole site as it was at one moment, and brings all of it back, or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import BinaryField, DurationField, FloatField

from cardsdb.games import games
from cardsdb.models import Letter, UploadedPicture
from cardsdb.operate import backup
from cardsdb.operate import restore as restoring
from cardsdb.operate.backup import (
    LEFT_OUT,
    MANIFEST,
    QUEUE_APPS,
    SECRET,
    BackupRefused,
    columns_of,
    folders,
    line_of,
    models_of,
    take,
)
from cardsdb.operate.restore import add_lines, restore
from decks.core.judging import judge_text
from decks.models import Deck, DeckRevision, new_deck
from tests.support.processes import Site, answer, copied_site
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db
PICTURE = b"as if it were a picture"
SHA256 = hashlib.sha256(PICTURE).hexdigest()


@pytest.fixture(scope="module")
def site(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("backup")) as site:
        answer(site, fill)
        yield site


def fill() -> None:
    """What people leave on a site: an account, a deck with words of every kind, a picture; and a game of
    whoever runs it.
    """
    owner = User.objects.create_user("Ødegård", password="a long password 1")
    deck, _ = new_deck(owner_id=owner.pk)
    save_list(
        deck,
        judge_text(games()["spycraft"], "2 Kai ^keep #blue // “late” game\n1 Kestrel | unknown"),
        name="Zoë 🂡",
    )
    UploadedPicture.objects.create(
        owner=owner, sha256=SHA256, kind="jpeg", bytes=len(PICTURE), width=7, height=9
    )
    Letter.objects.create(content={"to": ["zoe@example.org"]})
    write("pictures", f"{SHA256[:2]}/{SHA256}", PICTURE)
    write("pictures", f"{SHA256[:2]}/{SHA256}.small", b"made again")
    write("games", "mine/game.toml", b"[game]\n")


def write(folder: str, name: str, data: bytes) -> None:
    path = folders()[folder] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def everything() -> dict[str, Any]:
    """Every row of every table but of letters, by the database's own words; and every file."""
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if table not in {"django_migrations", *LEFT_OUT}:
                cursor.execute(f'SELECT * FROM "{table}"')
                found[table] = sorted(map(repr, cursor.fetchall()))
    for folder in folders().values():
        found |= {
            str(path): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".small"
        }
    return found


def empty() -> None:
    call_command("flush", interactive=False, inhibit_post_migrate=True, verbosity=0)
    for folder in folders().values():
        shutil.rmtree(folder, ignore_errors=True)
    (settings.VAR_DIR / "secret_key").unlink(missing_ok=True)


def refusal(act: Callable[[], object]) -> str:
    try:
        act()
    except BackupRefused as refused:
        return str(refused)
    return ""


# -- what is taken ----------------------------------------------------------------------


def test_a_backup_is_for_its_owners_eyes_alone(site: Site, tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        answer(site, lambda: bool(take(tmp_path / "one.zip")))
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "one.zip").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["one.zip"]


def test_the_manifest_says_what_there_is(site: Site, tmp_path: Path) -> None:
    answer(site, lambda: bool(take(tmp_path / "one.zip")))
    with ZipFile(tmp_path / "one.zip") as archive:
        manifest = json.loads(archive.read(MANIFEST))
        names = set(archive.namelist())
    assert manifest["database"] == connection.vendor and manifest["tables"]["decks_deck"]["rows"] == 1
    assert manifest["files"][f"pictures/{SHA256[:2]}/{SHA256}"] == SHA256 and "games/mine/game.toml" in names
    assert names == {*manifest["files"], MANIFEST} and not any(name.endswith(".small") for name in names)


def test_the_manifest_names_no_migration_of_a_queue(site: Site, tmp_path: Path) -> None:
    """Which queue a site has is up to TASKS_URL, there and where the backup is restored."""
    answer(site, lambda: bool(take(tmp_path / "one.zip")))
    with ZipFile(tmp_path / "one.zip") as archive:
        named = {app for app, _ in json.loads(archive.read(MANIFEST))["migrations"]}
    assert "decks" in named and not named & QUEUE_APPS


def test_every_table_is_kept_but_the_engines_queue_and_letters_that_wait() -> None:
    tables = set(connection.introspection.table_names()) - {"django_migrations"}
    assert tables - {model._meta.db_table for model in models_of(apps)} == {
        "django_tasks_database_dbtaskresult",
        Letter._meta.db_table,
    }


def test_every_kind_of_value_can_be_written() -> None:
    """Those of which a line of JSON has no form yet are in no table."""
    kinds = {type(field) for model in models_of(apps) for field in model._meta.concrete_fields}
    assert not kinds & {BinaryField, DurationField, FloatField}


def rows_of(model: Any) -> list[tuple[Any, ...]]:
    return list(model._base_manager.order_by("pk").values_list(*columns_of(model)))


def test_a_backup_of_an_older_version_goes_into_tables_as_migrations_make_them() -> None:
    """Their columns may stand in another order than those of today's code."""
    loader = MigrationExecutor(connection).loader
    then = {
        model._meta.db_table: model
        for model in models_of(loader.project_state(loader.graph.leaf_nodes()).apps)
    }
    today = {model._meta.db_table: columns_of(model) for model in models_of(apps)}
    assert {table: sorted(columns_of(model)) for table, model in then.items()} == {
        table: sorted(names) for table, names in today.items()
    }
    deck, _ = new_deck(owner_id=User.objects.create_user("Ødegård").pk)
    save_list(deck, judge_text(games()["spycraft"], "2 Kai ^keep"))
    for model in (DeckRevision, User):
        table, rows = model._meta.db_table, rows_of(model)
        model._base_manager.all()._raw_delete("default")  # type: ignore[attr-defined]
        add_lines(then[table], today[table], map(line_of, rows))
        assert rows and rows_of(model) == rows


# -- while the site runs ----------------------------------------------------------------


def written_meanwhile(path: Path) -> tuple[int, int, int]:
    """Decks in the backup, its states of decks, and decks that are there, when somebody else saves one in the
    middle.
    """
    lines = backup._lines

    def save() -> None:
        save_list(new_deck()[0], judge_text(games()["spycraft"], "1 Kai"))
        connection.close()

    def one_saves(model: Any, entry: Any) -> Any:
        if model is User:
            other = threading.Thread(target=save)
            other.start()
            other.join()
        return lines(model, entry)

    backup._lines = one_saves
    manifest, _ = take(path)
    there = Deck.objects.count()
    Deck.objects.filter(owner=None).delete()
    return (
        manifest.tables["decks_deck"]["rows"],
        manifest.tables[DeckRevision._meta.db_table]["rows"],
        there,
    )


def test_who_saves_meanwhile_does_not_wait_and_the_backup_is_of_one_moment(
    site: Site, tmp_path: Path
) -> None:
    assert answer(site, written_meanwhile, tmp_path / "one.zip") == (1, 1, 2)


def deleted_meanwhile(path: Path) -> list[str]:
    place = folders()["pictures"] / SHA256[:2] / SHA256
    place.unlink()
    _, lost = take(path)
    place.write_bytes(PICTURE)
    return lost


def test_a_picture_without_its_file_is_named(site: Site, tmp_path: Path) -> None:
    assert answer(site, deleted_meanwhile, tmp_path / "one.zip") == [SHA256]


# -- all of it, or nothing --------------------------------------------------------------


def harmed(folder: Path) -> dict[str, tuple[str, bool]]:
    """What is said of each harmed backup, and whether the empty place stayed empty; of the whole one, whether
    all of it came back.
    """
    os.environ.pop("SECRET_KEY", None)
    take(folder / "one.zip")
    before = everything()
    empty()
    nothing, said = everything(), {}
    for harm in HARMS:
        harm_file(folder / "one.zip", folder / f"{harm}.zip", harm)
        said[harm] = refusal(lambda harm=harm: restore(folder / f"{harm}.zip")), everything() == nothing
    said["a full disk"] = with_full_disk(folder / "one.zip"), everything() == nothing
    restore(folder / "one.zip")
    said["letters"] = "", not Letter.objects.exists()
    return said | {"none": ((settings.VAR_DIR / "secret_key").read_text(), everything() == before)}


def with_full_disk(path: Path) -> str:
    put_back = restoring.put_back

    def full(name: str, content: Any) -> None:
        put_back(name, content)
        raise OSError(28, "No space left on device")

    restoring.put_back = full
    try:
        call_command("restore", path)
    except CommandError as error:
        return str(error)
    finally:
        restoring.put_back = put_back
    return ""


@pytest.fixture(scope="module")
def said(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bool]]:
    said: dict[str, tuple[str, bool]] = answer(site, harmed, tmp_path_factory.mktemp("harmed"))
    return said


def harm_file(path: Path, copy: Path, harm: str) -> None:
    data = path.read_bytes()
    if harm == "cut short":
        copy.write_bytes(data[: len(data) // 2])
        return
    if harm == "a bit flipped":
        place = data.index(PICTURE)
        copy.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        return
    with ZipFile(path) as old, ZipFile(copy, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == MANIFEST:
                content = harm_manifest(json.loads(content), harm)
            if (harm, name) != ("a file is lacking", "games/mine/game.toml"):
                new.writestr(name, SECRETS.get(harm, content) if name == SECRET else content)
        if harm in ADDED:
            new.writestr(*ADDED[harm])


ADDED = {
    "a file leads out": ("pictures/../../out", b""),
    "rows are lacking, with letters and the queue of another site": (
        f"rows/{Letter._meta.db_table}.jsonl",
        b"no row",
    ),
}
SECRETS = {"a short secret": b"short", "a secret that is no text": b"\xff" * 60}


def harm_manifest(manifest: dict[str, Any], harm: str) -> bytes:
    if harm in ADDED:
        name, content = ADDED[harm]
        manifest["files"][name] = hashlib.sha256(content).hexdigest()
    if harm in SECRETS:
        manifest["files"][SECRET] = hashlib.sha256(SECRETS[harm]).hexdigest()
    match harm:
        case "migrations without names":
            manifest["migrations"].append(["decks"])
        case "migrations of numbers":
            manifest["migrations"].append(["decks", 1])
        case "columns of numbers":
            manifest["tables"]["decks_deck"]["columns"].append(1)
        case "rows are not counted":
            del manifest["tables"]["decks_deck"]["rows"]
        case "rows are counted in words":
            manifest["tables"]["decks_deck"]["rows"] = "one"
        case "of a newer version":
            manifest["migrations"].append(["decks", "9999_tomorrow"])
        case "of another form":
            manifest["form"] = 99
        case "rows are lacking":
            manifest["tables"]["decks_deck"]["rows"] = 5
        case "rows are lacking, with letters and the queue of another site":  # As backups were at first.
            manifest["migrations"] += [
                ["django_rq", "9999_tomorrow"],
                ["django_tasks_database", "9999_tomorrow"],
            ]
            manifest["tables"][Letter._meta.db_table] = {"columns": ["id"], "rows": 1, "digest": ""}
            manifest["tables"]["decks_deck"]["rows"] = 5
        case "no manifest of ours":
            return b"[]"
    return json.dumps(manifest).encode()


HARMS = {
    "cut short": "is damaged",
    "a bit flipped": "is damaged",
    "a file is lacking": "does not hold the files",
    "a file leads out": "is no file of a backup",
    "no manifest of ours": "is damaged",
    "of a newer version": "tables that this version does not know (decks 9999_tomorrow)",
    "of another form": "of form 99",
    "rows are lacking": "decks_deck: the 1 rows read back are not the 5 written",
    "rows are lacking, with letters and the queue of another site": (
        "decks_deck: the 1 rows read back are not the 5 written"
    ),
    "migrations without names": "its migrations are not pairs of app and name",
    "migrations of numbers": "its migrations are not pairs of app and name",
    "columns of numbers": "the columns of its tables are not names",
    "rows are not counted": "is damaged: 'rows'",
    "rows are counted in words": "is damaged: the rows of its tables are not counted",
    "a short secret": "secret_key is no text of 32 characters or more",
    "a secret that is no text": "secret_key is no text of 32 characters or more",
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_backup_is_refused_and_changes_nothing(said: dict[str, tuple[str, bool]], harm: str) -> None:
    words, stayed_empty = said[harm]
    assert HARMS[harm] in words
    assert stayed_empty


def test_what_was_taken_comes_back_row_by_row_and_byte_by_byte(said: dict[str, tuple[str, bool]]) -> None:
    assert said["none"] == (settings.SECRET_KEY, True)


def test_no_letter_is_sent_again(said: dict[str, tuple[str, bool]]) -> None:
    assert said["letters"] == ("", True)


def test_a_disk_that_fills_in_the_middle_leaves_nothing_behind(said: dict[str, tuple[str, bool]]) -> None:
    words, stayed_empty = said["a full disk"]
    assert "Nothing was restored" in words and stayed_empty


def number_of_the_next() -> bool:
    """Whether a new row has a number that no restored one has."""
    known = set(User.objects.values_list("pk", flat=True))
    made = User.objects.create_user("after").pk
    User.objects.filter(pk=made).delete()
    return made not in known


def test_new_rows_take_numbers_of_their_own(site: Site, said: dict[str, tuple[str, bool]]) -> None:
    assert answer(site, number_of_the_next)


def into_what_is_there(path: Path) -> tuple[str, str, str, bool]:
    take(path)
    before = everything()
    files = refusal(lambda: restore(path))
    kept = [
        folder.rename(folder.with_name(f"{folder.name}.away"))
        for folder in folders().values()
        if folder.is_dir()
    ]
    rows = refusal(lambda: restore(path))
    for folder in kept:
        folder.rename(folder.with_name(folder.name.removesuffix(".away")))
    again = refusal(lambda: take(path))
    return files, rows, again, everything() == before


def test_a_place_that_is_not_empty_is_left_alone_and_said_so(site: Site, tmp_path: Path) -> None:
    files, rows, again, unchanged = answer(site, into_what_is_there, tmp_path / "one.zip")
    assert "holds files already" in files and "has rows already" in rows and "is there already" in again
    assert unchanged


def test_another_secret_of_the_environment_is_refused(site: Site, tmp_path: Path) -> None:
    def with_another(path: Path) -> str:
        take(path)
        os.environ["SECRET_KEY"] = "another" * 10
        return refusal(lambda: restore(path))

    assert "SECRET_KEY is not that of the backup" in answer(site, with_another, tmp_path / "one.zip")


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not there") as caught:
        call_command("restore", tmp_path / "none.zip")
    assert caught.type is CommandError  # Its name stands before what the command says.
    with pytest.raises(CommandError, match="was not written"):
        call_command("backup", tmp_path / "no" / "folder.zip")
