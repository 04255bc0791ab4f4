"""Fill a site with data of every kind, read all of it, and empty the site. For tests of backup and restore,
which run these functions in a process of their own.
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
    """Store an account, a deck with words of every kind, a picture, a letter, and a game of the operator."""
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
    """Every row of every table that is backed up, and every file but small copies, by table or path."""
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
    """Delete all rows and files, as on a new site."""
    call_command("flush", interactive=False, inhibit_post_migrate=True, verbosity=0)
    for folder in folders().values():
        shutil.rmtree(folder, ignore_errors=True)
    (settings.VAR_DIR / "secret_key").unlink(missing_ok=True)
