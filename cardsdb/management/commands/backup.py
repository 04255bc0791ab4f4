"""``manage.py backup FILE``: write the whole site into one zip file while it runs. The work is in
operate/backup.py, tests in ``tests/cardsdb/operate/test_backup.py``.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from cardsdb.games.kit import some
from cardsdb.operate.backup import BackupRefused, note_backup, take
from cardsdb.storage.contract import StoreAway


class Command(BaseCommand):
    help = (
        "Write rows, pictures, games, formats, own texts and the secret into one file that only its owner"
        " reads, while the site runs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a zip that is not there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            manifest, lost = take(file)
        except BackupRefused as refused:
            raise CommandError(str(refused)) from None
        except (OSError, DatabaseError, StoreAway) as error:
            raise CommandError(f"{file} was not written: {error}") from None
        note_backup(file)
        rows, files = manifest.size
        self.stdout.write(f"{file}: {some(rows, 'row')} and {some(files, 'file')}.")
        for sha256 in lost:
            self.stderr.write(
                f"picture {sha256}: its file is missing; it was deleted just now, or sanity_check says more"
            )
