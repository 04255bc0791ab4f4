"""The whole catalogue as files to download, written once per edition.

They lie in the store ``bulk`` (cardsdb.storage), in names that begin with the number of the edition and a
hash of the content. Its manifest, which names them with size, rows and SHA-256, comes last, so that every
edition with a manifest is whole, and a file is what the manifest says, whoever writes the same edition
meanwhile. The same edition gives the same bytes on the same machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from django.core.files.base import ContentFile, File
from django.core.files.storage import storages

from cardsdb.catalogue.bulk_writers import WRITERS, credits_text
from cardsdb.catalogue.card_json import Sources, card_json, sources_json
from cardsdb.games import games
from cardsdb.models import Card, Edition
from cardsdb.storage.contract import Store, StoreAway, Streamed

log = logging.getLogger(__name__)

# The number of the files' form, one higher with each change of it: files of another form are written anew.
FORM = 3
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
    files: tuple[BulkFile, ...]


def store() -> Store:
    """Where the files lie."""
    return cast("Store", storages["bulk"])


def current_bulk() -> Bulk | None:
    """The files of the newest edition that has some, None while there are none. Raises StoreAway."""
    for edition in sorted(_editions(), reverse=True):
        with contextlib.suppress(FileNotFoundError):  # Removed since it was listed: the next one is there.
            return _bulk_of(json.loads(store().read(_manifest(edition))))
    return None


def opened(bulk: Bulk, file: BulkFile) -> Streamed:
    """A file, from its beginning. Raises FileNotFoundError when a new edition has taken its place."""
    return store().stream(_name(bulk.edition, file))


def write_bulk(edition: int) -> Bulk:
    """Write the files of the current edition, unless they are there, and remove those of old ones.

    Takes bounded memory: cards stream through in the order of every list. Raises OSError when the
    disk refuses, and StoreAway; then nothing of the edition is left and the files of the one before stay.
    """
    date = _date(edition)
    if there := _whole(edition, date):
        return there
    with TemporaryDirectory() as folder:
        manifest = _write(Path(folder), edition, date)
        bulk = _bulk_of(manifest)
        _keep(Path(folder), bulk)
    store().save(
        _manifest(edition), ContentFile(json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n")
    )
    _remove_old(edition)
    return bulk


def has_bulk(edition: int) -> bool:
    """Whether the edition's files are there, whole; not, while the store is away."""
    with contextlib.suppress(StoreAway):
        return _whole(edition, _date(edition)) is not None
    return False


def _keep(folder: Path, bulk: Bulk) -> None:
    """Store the files of the folder that are not there yet; all of them, or none."""
    fresh: list[str] = []
    try:
        for file in bulk.files:
            name = _name(bulk.edition, file)
            if not store().exists(name):
                with (folder / file.name).open("rb") as content:
                    store().save(name, File(content))
                fresh.append(name)
    except BaseException:
        with contextlib.suppress(StoreAway):
            for name in fresh:
                store().delete(name)
        raise


def _remove_old(edition: int) -> None:
    # Looked up only now: another load may have made a newer edition, and its files, while these were written.
    current = {edition, *Edition.objects.values_list("number", flat=True)[:MAX_EDITIONS]}
    for file in store().files():
        # What lies in a folder is of an older version.
        if "/" in file.name or _number(file.name) not in current:
            store().delete(file.name)


def _date(edition: int) -> str:
    made = Edition.objects.filter(number=edition).values_list("made", flat=True).first()
    return made.isoformat() if made else ""


def _whole(edition: int, date: str) -> Bulk | None:
    """The edition's files, if they were written as they would be now."""
    try:
        manifest = json.loads(store().read(_manifest(edition)))
    except (OSError, ValueError):
        return None
    return _bulk_of(manifest) if (manifest.get("form"), manifest.get("date")) == (FORM, date) else None


def _manifest(edition: int) -> str:
    return f"{edition}.manifest.json"


def _name(edition: int, file: BulkFile) -> str:
    return f"{edition}.{file.sha256[:16]}.{file.name}"


def _number(name: str) -> int:
    """The edition of a file of this name."""
    number = re.match(r"[0-9]+", name)
    return int(number[0]) if number else 0


def _editions() -> dict[int, float]:
    """The editions whose files are there, and when each was written."""
    return {
        _number(file.name): file.written
        for file in store().files()
        if file.name == _manifest(_number(file.name))
    }


def _bulk_of(manifest: dict[str, Any]) -> Bulk:
    return Bulk(manifest["edition"], manifest["date"], tuple(BulkFile(**one) for one in manifest["files"]))


def _write(folder: Path, edition: int, date: str) -> dict[str, Any]:
    """Write the files into a folder; returns the manifest."""
    (folder / "LICENCES.txt").write_text(credits_text(), encoding="utf-8")
    with ExitStack() as stack:
        writers = [stack.enter_context(writer(folder, edition, date)) for writer in WRITERS]
        for card, sources in whole_cards():
            for writer in writers:
                writer.add(card, sources)
    files = [_described(folder / writer.name, writer.about, writer.rows) for writer in writers]
    files.append(
        _described(folder / "LICENCES.txt", "Whose the facts are, and what credit they ask for", None)
    )
    return {"form": FORM, "edition": edition, "date": date, "files": [asdict(file) for file in files]}


def _described(path: Path, about: str, rows: int | None) -> BulkFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BulkFile(path.name, about, path.stat().st_size, rows, digest)


def whole_cards() -> Iterator[tuple[dict[str, Any], Sources]]:
    """Every card that the catalogue lists, by name: as the API gives it in full, and the claims made about
    it.
    """
    known = games()
    rows = Card.objects.current().by_name().prefetch_related("prints")
    for row in rows.iterator(chunk_size=BATCH):
        game, card = known[row.game], row.as_card()
        yield card_json(game, card, full=True), sources_json(game, card)
