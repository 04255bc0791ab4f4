"""The whole catalogue as files to download, written once per edition.

``VAR_DIR/bulk/<edition>/`` holds the files and ``manifest.json``, which names them with size, rows
and SHA-256. A folder is named by its number once all of it is written, so that every folder with a number is whole.
The same edition gives the same bytes on the same machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from cardsdb.catalogue.bulk_writers import WRITERS, credits_text
from cardsdb.catalogue.card_json import Sources, card_json, sources_json
from cardsdb.games import games
from cardsdb.games.kit.model.dataclass import dataclass
from cardsdb.models import Card, Edition

log = logging.getLogger(__name__)

# The number of the files' form, one higher with each change of it: files of another form are written anew.
FORM = 2
# The newest editions whose files stay: a download that began before a load goes on after it.
MAX_EDITIONS = 2
BATCH = 500


@dataclass(frozen=True, slots=True)
class BulkFile:
    """One file of an edition. ``size`` in bytes; ``rows`` is None for a file that is no table."""

    name: str
    about: str
    size: int
    rows: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Bulk:
    """The files of one edition. ``date`` is when the edition was made, in ISO 8601."""

    edition: int
    date: str
    folder: Path
    files: tuple[BulkFile, ...]


def bulk_folder() -> Path:
    return Path(settings.VAR_DIR) / "bulk"


def current_bulk() -> Bulk | None:
    """The files of the newest edition that has some, None while there are none."""
    for number in sorted(_editions(), reverse=True):
        folder = bulk_folder() / str(number)
        with contextlib.suppress(FileNotFoundError):  # Removed since it was listed: the next one is there.
            return _read(folder, (folder / "manifest.json").stat().st_mtime_ns)
    return None


def write_bulk(edition: int) -> Bulk:
    """Write the files of the current edition, unless they are there, and remove those of old ones.

    Takes bounded memory: cards stream through in the order of every list. Raises OSError when the
    disk refuses; then nothing of the edition is left and the files of the one before stay.
    """
    folder = bulk_folder() / str(edition)
    date = _date(edition)
    if _is_whole(folder, date):
        return _read(folder, (folder / "manifest.json").stat().st_mtime_ns)
    part = bulk_folder() / f".{edition}.{os.getpid()}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        _write(part, edition, date)
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    # Looked up only now: another load may have made a newer edition, and its files, while these were written.
    current = {edition, *Edition.objects.values_list("number", flat=True)[:MAX_EDITIONS]}
    for number in set(_editions()) - current:
        shutil.rmtree(bulk_folder() / str(number), ignore_errors=True)
    return _read(folder, (folder / "manifest.json").stat().st_mtime_ns)


def has_bulk(edition: int) -> bool:
    """Whether the edition's files are there, whole."""
    return _is_whole(bulk_folder() / str(edition), _date(edition))


def _date(edition: int) -> str:
    made = Edition.objects.filter(number=edition).values_list("made", flat=True).first()
    return made.isoformat() if made else ""


def _is_whole(folder: Path, date: str) -> bool:
    """Whether the edition's files are there, written as they would be now."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return False
    return (manifest.get("form"), manifest.get("date")) == (FORM, date)


def _editions() -> list[int]:
    folder = bulk_folder()
    paths = folder.iterdir() if folder.is_dir() else ()
    return [int(path.name) for path in paths if path.name.isascii() and path.name.isdigit() and (path / "manifest.json").exists()]


@lru_cache(maxsize=2)
def _read(folder: Path, changed: int) -> Bulk:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return Bulk(manifest["edition"], manifest["date"], folder, tuple(BulkFile(**one) for one in manifest["files"]))


def _write(folder: Path, edition: int, date: str) -> None:
    (folder / "LICENCES.txt").write_text(credits_text(), encoding="utf-8")
    with ExitStack() as stack:
        writers = [stack.enter_context(writer(folder, edition, date)) for writer in WRITERS]
        for card, sources in whole_cards():
            for writer in writers:
                writer.add(card, sources)
    files = [_described(folder / writer.name, writer.about, writer.rows) for writer in writers]
    files.append(_described(folder / "LICENCES.txt", "Whose the facts are, and what credit they ask for", None))
    manifest = {"form": FORM, "edition": edition, "date": date, "files": [asdict(file) for file in files]}
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _described(path: Path, about: str, rows: int | None) -> BulkFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BulkFile(path.name, about, path.stat().st_size, rows, digest)


def whole_cards() -> Iterator[tuple[dict[str, Any], Sources]]:
    """Every card that the catalogue lists, by name: as the API gives it in full, and the claims made about it."""
    known = games()
    rows = Card.objects.current().by_name().prefetch_related("prints")
    for row in rows.iterator(chunk_size=BATCH):
        game, card = known[row.game], row.as_card()
        yield card_json(game, card, full=True), sources_json(game, card)
