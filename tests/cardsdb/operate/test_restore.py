"""Restoring: everything comes back, or nothing; a damaged backup and a site that is not empty are refused.

Taking and restoring run in a process of their own, on a copied site (``answer(site, ...)``), because they
change a whole database and data folder.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from cardsdb.games import games
from cardsdb.models import Letter
from cardsdb.operate import restore as restoring
from cardsdb.operate.backup import (
    MANIFEST,
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
from decks.models import DeckRevision, new_deck
from tests.support.backed_up import PICTURE, empty, everything
from tests.support.processes import answer
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db
# Kind of damage -> (message of the refusal, whether the empty site stayed empty).
Outcomes = dict[str, tuple[str, bool]]


def refusal(act: Callable[[], object]) -> str:
    """Return the message of the BackupRefused that a function raises; empty if it raises none."""
    try:
        act()
    except BackupRefused as refused:
        return str(refused)
    return ""


def rows_of(model: Any) -> list[tuple[Any, ...]]:
    return list(model._base_manager.order_by("pk").values_list(*columns_of(model)))


def test_rows_are_restored_into_tables_as_migrations_make_them():
    """Older backups are restored so. Columns may have another order than those of today's models."""
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
        model._base_manager.all()._raw_delete("default")
        add_lines(then[table], today[table], map(line_of, rows))
        assert rows and rows_of(model) == rows


# -- all of it, or nothing --------------------------------------------------------------


def harmed(folder: Path) -> Outcomes:
    """Take a backup, empty the site, and try to restore the backup in every damaged form; then restore the
    whole one. Return the outcomes of all; "none" has (the secret, whether everything came back) of the whole
    one, "letters" ("", whether no mail waits).
    """
    os.environ.pop("SECRET_KEY", None)
    whole = folder / "one.zip"
    take(whole)
    before = everything()
    empty()
    nothing = everything()
    outcomes = {}
    for harm in HARMS:
        copy = folder / f"{harm}.zip"
        harm_file(whole, copy, harm)
        message = refusal(lambda copy=copy: restore(copy))
        outcomes[harm] = message, everything() == nothing
    outcomes["a full disk"] = with_full_disk(whole), everything() == nothing
    restore(whole)
    outcomes["letters"] = "", not Letter.objects.exists()
    outcomes["none"] = (settings.VAR_DIR / "secret_key").read_text(), everything() == before
    return outcomes


def with_full_disk(path: Path) -> str:
    """Restore with a disk that is full after the first file. Return the message of the command."""
    put_back = restoring.put_back

    def full(name, content):
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
def outcomes(site, tmp_path_factory):
    """Return what ``harmed`` returns; it runs once for all tests of this module."""
    return answer(site, harmed, tmp_path_factory.mktemp("harmed"))


def harm_file(path: Path, copy: Path, harm: str) -> None:
    """Write a damaged copy of a backup. Checksums are made right, except for "a file is another"."""
    if harm in OF_BYTES:
        copy.write_bytes(OF_BYTES[harm](path.read_bytes()))
        return
    with ZipFile(path) as old:
        files = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(files.pop(MANIFEST))
    HARMS[harm].do(files, manifest)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    if harm == "a file is another":
        files["games/mine/game.toml"] = b"[games]\n"
    files[MANIFEST] = json.dumps(manifest | {"files": manifest.get("files", {}) | digests}).encode()
    with ZipFile(copy, "w") as new:
        for name, content in files.items():
            new.writestr(name, content)


def as_at_first(files: dict[str, bytes], manifest: Any) -> None:
    """Give a backup the form of the first version, with mails and the queue of another site, and a wrong
    number of rows.
    """
    queues = ("django_rq", "django_tasks_database")
    manifest["migrations"] += [[queue, "9999_tomorrow"] for queue in queues]
    files[f"rows/{Letter._meta.db_table}.jsonl"] = b"no row"
    manifest["tables"][Letter._meta.db_table] = {"columns": ["id"], "rows": 1, "digest": ""}
    manifest["tables"]["decks_deck"]["rows"] = 5


class Harm(NamedTuple):
    """A kind of damage: a part of the refusal's message, and the function that does it to the files of a
    backup (name -> content) and to its manifest.
    """

    message: str
    do: Callable[[dict[str, bytes], Any], object] = lambda files, manifest: None


# Kind of damage to the zip file itself -> function from its bytes to the damaged bytes.
OF_BYTES = {
    "cut short": lambda data: data[: len(data) // 2],
    "a bit flipped": lambda data: data.replace(PICTURE, PICTURE.swapcase()),
}
HARMS = {
    "cut short": Harm("is damaged"),
    "a bit flipped": Harm("is damaged"),
    "a file is lacking": Harm("does not hold the files", lambda files, _: files.pop("games/mine/game.toml")),
    "a file leads out": Harm(
        "is no file of a backup", lambda files, _: files.update({"pictures/../../out": b""})
    ),
    # ``harm_file`` does it after the checksums are made.
    "a file is another": Harm("games/mine/game.toml is not what was written"),
    "no manifest of ours": Harm("is damaged", lambda _, manifest: manifest.clear()),
    "of a newer version": Harm(
        "tables that this version does not know (decks 9999_tomorrow)",
        lambda _, manifest: manifest["migrations"].append(["decks", "9999_tomorrow"]),
    ),
    "of another form": Harm("of form 99", lambda _, manifest: manifest.update(form=99)),
    "rows are lacking": Harm("decks_deck: the 1 rows read back are not the 5 written", as_at_first),
    "migrations of numbers": Harm(
        "its migrations are not pairs of app and name",
        lambda _, manifest: manifest["migrations"].append(["decks", 1]),
    ),
    "columns of numbers": Harm(
        "the columns of its tables are not names",
        lambda _, manifest: manifest["tables"]["decks_deck"]["columns"].append(1),
    ),
    "rows are counted in words": Harm(
        "the rows of its tables are not counted",
        lambda _, manifest: manifest["tables"]["decks_deck"].update(rows="one"),
    ),
    "a short secret": Harm(
        "secret_key is not a text of 32", lambda files, _: files.update({SECRET: b"short"})
    ),
    "no text": Harm("secret_key is not a text of 32", lambda files, _: files.update({SECRET: b"\xff" * 60})),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_backup_is_refused_and_changes_nothing(outcomes, harm):
    message, stayed_empty = outcomes[harm]
    assert HARMS[harm].message in message and stayed_empty


def test_all_rows_and_files_come_back_but_no_waiting_mail(outcomes):
    assert outcomes["none"] == (settings.SECRET_KEY, True) and outcomes["letters"] == ("", True)


def test_a_disk_that_fills_up_during_a_restore_leaves_nothing_behind(outcomes):
    message, stayed_empty = outcomes["a full disk"]
    assert "Nothing was restored" in message and stayed_empty


def has_new_number() -> bool:
    """True if a new row gets a primary key that no restored row has."""
    known = set(User.objects.values_list("pk", flat=True))
    made = User.objects.create_user("after").pk
    User.objects.filter(pk=made).delete()
    return made not in known


@pytest.mark.usefixtures("outcomes")
def test_a_row_that_is_added_after_a_restore_gets_a_new_primary_key(site):
    assert answer(site, has_new_number)


def into_what_is_there(path: Path) -> tuple[str, str, str, bool]:
    """Restore into a site with files, then into one with rows only, and take a backup onto a file that
    exists. Return the three refusals, and whether the site is unchanged.
    """
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


def test_a_site_that_is_not_empty_is_refused_and_left_alone(site, tmp_path):
    files, rows, again, unchanged = answer(site, into_what_is_there, tmp_path / "one.zip")
    assert "holds files already" in files and "has rows already" in rows and "is there already" in again
    assert unchanged


def test_another_secret_of_the_environment_is_refused(site, tmp_path):
    def with_another(path: Path) -> str:
        take(path)
        os.environ["SECRET_KEY"] = "another" * 10
        return refusal(lambda: restore(path))

    assert "SECRET_KEY is not that of the backup" in answer(site, with_another, tmp_path / "one.zip")


def test_a_file_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(CommandError, match="is not there") as caught:
        call_command("restore", tmp_path / "none.zip")
    # No subclass, whose name the command line would show before the message.
    assert caught.type is CommandError
