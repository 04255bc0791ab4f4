"""``manage.py restore FILE``: bring a backup back into an empty database and data folder. The work is in
operate/restore.py, tests in ``tests/cardsdb/operate/test_restore.py``.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from cardsdb.games.kit import some
from cardsdb.operate.backup import BackupRefused
from cardsdb.operate.restore import NotFinished, restore
from cardsdb.storage.contract import StoreAway


class Command(BaseCommand):
    help = (
        "Bring a backup back into an empty database, SQLite or PostgreSQL, and an empty data folder: all of"
        " it, or nothing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what manage.py backup wrote")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            manifest = restore(file)
        except (BackupRefused, NotFinished) as error:
            raise CommandError(str(error)) from None
        except (OSError, DatabaseError, StoreAway) as error:
            raise CommandError(f"Nothing was restored: {error}") from None
        rows, files = manifest.size
        self.stdout.write(
            f"{some(rows, 'row')} and {some(files, 'file')} of {manifest.made}. Now run manage.py prepare."
        )
