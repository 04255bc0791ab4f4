"""When the last backup was made: a note that ``manage.py backup`` leaves in the data folder."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from cardsdb.box.reading.folder_note import read_note, write_note

NAME = "last_backup.json"


class LastBackup(NamedTuple):
    """When it was made, which file it is, and how many bytes it had."""

    made: datetime
    file: str
    bytes: int


def note_backup(file: Path) -> None:
    write_note(
        _path(),
        {"made": timezone.now().isoformat(), "file": str(file.resolve()), "bytes": file.stat().st_size},
    )


def last_backup() -> LastBackup | None:
    """The last backup that was made of this data folder's site on this machine; None for none that is
    noted.
    """
    with suppress(KeyError, TypeError, ValueError):
        noted = read_note(_path())
        return LastBackup(datetime.fromisoformat(noted["made"]), noted["file"], noted["bytes"])
    return None


def _path() -> Path:
    return Path(settings.VAR_DIR) / NAME
