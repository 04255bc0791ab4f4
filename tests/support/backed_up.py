"""The content of a small site, for tests that back it up, empty it and restore it.

These functions run in a child process (``tests.support.processes``) on a copied database. ``fill`` makes the
content, ``everything`` takes a snapshot to compare with, ``empty`` deletes it all.
"""

from __future__ import annotations

import hashlib
import shutil
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from cardsdb.games import games
from cardsdb.models import Letter, UploadedPicture
from cardsdb.operate.backup import LEFT_OUT, folders
from decks.core.judging import judge_text
from decks.models import new_deck
from tests.support.saved_decks import save_list

PICTURE = b"as if it were a picture"
SHA256 = hashlib.sha256(PICTURE).hexdigest()


def fill() -> None:
    """Make one of each kind of thing that people leave on a site: an account, a deck, a picture, an email not
    yet sent, and a game of the operator's.
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
    """Write a file into one of the folders that a backup contains."""
    path = folders()[folder] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def everything() -> dict[str, Any]:
    """Return a comparable snapshot: table name -> all rows as sorted text, and file path -> bytes. Emails
    (``LEFT_OUT``) and ``.small`` pictures are left out, because a backup leaves them out.
    """
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
    """Delete all rows, all files and the secret key."""
    call_command("flush", interactive=False, inhibit_post_migrate=True, verbosity=0)
    for folder in folders().values():
        shutil.rmtree(folder, ignore_errors=True)
    (settings.VAR_DIR / "secret_key").unlink(missing_ok=True)
