"""The whole catalogue as files to take away, written once per edition.

``VAR_DIR/bulk/<edition>/`` holds the files and ``manifest.json``, which names them with size, rows
and SHA-256. A folder gets its name when all of it is written, so whoever finds one finds it whole.
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
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from cardsdb.api.card_json import credit_json, source_json, sourced
from cardsdb.catalogue.bulk_writers import WRITERS, Sources, credits_text
from cardsdb.games import games
from cardsdb.games.kit import Claim, Game
from cardsdb.models import Card, Edition, Print

log = logging.getLogger(__name__)

# Raised when a file is written otherwise from now on: files of an edition with another number are written anew.
FORM = 1
# Editions whose files are kept: a download that began before a load goes on after it.
KEPT = 2
BATCH = 500
PRINT_COLUMNS = ("set_code", "number", "rarity", "code", "note")
COLUMNS = ("pk", "game", "code", "name", "type", "facts", "text", "aliases", "note", "sources")


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

    Works in bounded memory: cards stream through in the order of every list. Raises OSError when the
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
    # Asked now: another load may have made a newer edition, and its files, while these were written.
    kept = {edition, *Edition.objects.values_list("number", flat=True)[:KEPT]}
    for number in set(_editions()) - kept:
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
    found = folder.iterdir() if folder.is_dir() else ()
    return [int(path.name) for path in found if path.name.isascii() and path.name.isdigit() and (path / "manifest.json").exists()]


@lru_cache(maxsize=2)
def _read(folder: Path, changed: int) -> Bulk:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return Bulk(manifest["edition"], manifest["date"], folder, tuple(BulkFile(**one) for one in manifest["files"]))


def _write(folder: Path, edition: int, date: str) -> None:
    (folder / "LICENCES.txt").write_text(credits_text(), encoding="utf-8")
    with ExitStack() as stack:
        writers = [stack.enter_context(writer(folder, edition, date)) for writer in WRITERS]
        for card, told in whole_cards():
            for writer in writers:
                writer.add(card, told)
    files = [_described(folder / writer.name, writer.about, writer.rows) for writer in writers]
    files.append(_described(folder / "LICENCES.txt", "Whose the facts are, and what credit they ask for", None))
    manifest = {"form": FORM, "edition": edition, "date": date, "files": [asdict(file) for file in files]}
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _described(path: Path, about: str, rows: int | None) -> BulkFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BulkFile(path.name, about, path.stat().st_size, rows, digest)


def whole_cards() -> Iterator[tuple[dict[str, Any], Sources]]:
    """Every card that the catalogue lists, by name: as the API gives it in full, and the claims made about it.

    Of the claims, those under ``""`` stand behind every fact that has none of its own; in the card
    they are written out for each fact. Reads rows, not objects, for speed.
    """
    known = games()
    credits = {slug: credit_json(game) for slug, game in known.items()}
    rows = Card.objects.current().by_name().values_list(*COLUMNS).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        prints: dict[int, list[dict[str, str]]] = {row[0]: [] for row in batch}
        found = Print.objects.filter(card_id__in=list(prints)).order_by("id")
        for card_id, set_code, number, rarity, code, note in found.values_list("card_id", *PRINT_COLUMNS):
            prints[card_id].append({"set": set_code, "number": number, "rarity": rarity, "code": code, "note": note})
        for pk, slug, code, name, card_type, facts, text, aliases, note, sources in batch:
            game = known[slug]
            told = {key: [_source(game, *claim.items()) for claim in claims] for key, claims in sources.items()}
            common = told.get("", [])
            card = {
                "key": f"{slug}/{code}",
                "game": slug,
                "code": code,
                "name": name,
                "type": card_type,
                "facts": {fact.key: facts[fact.key] for fact in game.facts if fact.key in facts},
                "prints": prints[pk],
                "text": text,
                "aliases": aliases,
                "note": note,
                "sources": {key: told.get(key) or common for key in sourced(game, facts, sources)},
                "credit": credits[slug],
            }
            yield card, told


@lru_cache(maxsize=4096)
def _source(game: Game, *claim: tuple[str, Any]) -> dict[str, Any]:
    return source_json(game, Claim(**dict(claim)))
