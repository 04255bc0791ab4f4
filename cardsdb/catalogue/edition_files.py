"""The bulk files: the whole catalogue as files to download, written once per edition after a load.

They are in the store ``bulk`` (``cardsdb.storage``). A file's name begins with the number of the edition and
a hash of its content (``12.<hash>.cards.jsonl.gz``). The manifest (``12.manifest.json``), which lists the
files with size, rows and SHA-256, is written last: an edition with a manifest is complete, and each file is
what the manifest says even if two processes write the same edition at once. The same edition gives the same
bytes on the same machine. ``loader.py`` writes the files after a load; the page ``/bulk/`` and the API offer
them. Tests: ``tests/cardsdb/catalogue/test_edition_files.py``.
"""

import contextlib
import csv
import gzip
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO

from django.core.files.base import ContentFile, File

from cardsdb.catalogue.as_json import PRINT_PARTS, card_json, sources_json
from cardsdb.games import games
from cardsdb.games.kit import as_words
from cardsdb.models import Card, Edition
from cardsdb.storage.contract import Store, StoreAway, Streamed, store_of

# Version of the content of the files; raise it with each change, so that existing files are written again.
FORM = 4
# Number of the newest editions whose files are kept, so that a download can go on after a load.
MAX_EDITIONS = 2
# Rows of the database read at a time.
BATCH = 500
# Level of gzip, 1 to 9: a higher one takes three times as long for files a tenth smaller.
LEVEL = 3
# Bytes that are collected for each call of gzip, which is slow with small pieces.
BUFFER = 256 * 1024
# A cell that is a number although it begins with a sign.
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
CARDS, PRINTS, LICENCES = "cards.jsonl.gz", "prints.csv.gz", "LICENCES.txt"
ABOUT_FILES = {
    CARDS: "One card a line, as JSON, with the sources of every fact and the credit its game asks for",
    PRINTS: "One print a line, for spreadsheets; a card without prints has one line of its own",
    LICENCES: "Whose the facts are, and what credit they ask for",
}
ABOUT = (
    "Facts about out-of-print espionage card games, gathered by Cutout, with the document behind each. What"
    " no document states is left out. The games belong to their owners; no art and no card text of theirs is"
    " in here."
)


class BulkFile(NamedTuple):
    """One file of an edition. ``size``: in bytes. ``rows``: None for a file that is no table."""

    name: str
    about: str
    size: int
    rows: int | None
    sha256: str


class Bulk(NamedTuple):
    """The files of one edition. ``date``: when the edition was made, in ISO 8601."""

    edition: int
    date: str
    files: tuple[BulkFile, ...]


def store() -> Store:
    """Return the store of the files."""
    return store_of("bulk")


def current_bulk() -> Bulk | None:
    """Return the files of the newest edition that has some; None if there are none. Raises StoreAway."""
    names = {file.name for file in store().files()}
    editions = {_number(name) for name in names if name == _manifest(_number(name))}
    for edition in sorted(editions, reverse=True):
        # It may have been removed since it was listed.
        with contextlib.suppress(FileNotFoundError):
            return _bulk_of(json.loads(store().read(_manifest(edition))))
    return None


def opened(bulk: Bulk, file: BulkFile) -> Streamed:
    """Return the content of a file as a stream. Raises FileNotFoundError if it was removed after a new
    edition.
    """
    return store().stream(_name(bulk.edition, file))


def write_bulk(edition: int) -> Bulk:
    """Write the files of the current edition unless they exist, remove those of old editions, and return
    them.

    Memory is bounded: cards are streamed in the order of lists. Raises OSError if the disk refuses, and
    StoreAway; then no file of the edition is left and the files of earlier ones stay.
    """
    date = _date(edition)
    if existing := _whole(edition, date):
        return existing
    with TemporaryDirectory() as folder:
        bulk = Bulk(edition, date, _write(Path(folder)))
        _keep(Path(folder), bulk)
    manifest = {"form": FORM, **bulk._asdict(), "files": [file._asdict() for file in bulk.files]}
    content = json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"
    store().save(_manifest(edition), ContentFile(content))
    # Asked only now, because another load may have made a newer edition while these were written.
    kept = {edition, *Edition.objects.values_list("number", flat=True)[:MAX_EDITIONS]}
    for stored in store().files():
        # Earlier versions of this code stored files in folders.
        if "/" in stored.name or _number(stored.name) not in kept:
            store().delete(stored.name)
    return bulk


def has_bulk(edition: int) -> bool:
    """True if all files of the edition exist; False also while the store does not answer."""
    with contextlib.suppress(StoreAway):
        return _whole(edition, _date(edition)) is not None
    return False


def _keep(folder: Path, bulk: Bulk) -> None:
    """Store the files of a folder that are not stored yet. If one fails, those stored here are removed."""
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


def _date(edition: int) -> str:
    """Return when the edition was made, in ISO 8601; empty if there is no such edition."""
    made = Edition.objects.filter(number=edition).values_list("made", flat=True).first()
    return made.isoformat() if made else ""


def _whole(edition: int, date: str) -> Bulk | None:
    """Return the edition's files if its manifest is of this FORM and date, else None. The date tells editions
    of the same number in another database apart.
    """
    try:
        manifest = json.loads(store().read(_manifest(edition)))
    except (OSError, ValueError):
        return None
    return _bulk_of(manifest) if (manifest.get("form"), manifest.get("date")) == (FORM, date) else None


def _manifest(edition: int) -> str:
    """Return the name of the manifest of an edition."""
    return f"{edition}.manifest.json"


def _name(edition: int, file: BulkFile) -> str:
    """Return the name of a file in the store."""
    # 16 digits suffice to tell the few files of an edition apart.
    return f"{edition}.{file.sha256[:16]}.{file.name}"


def _number(name: str) -> int:
    """Return the number of the edition in a file's name; 0 if it has none."""
    number = re.match(r"[0-9]+", name)
    return int(number[0]) if number else 0


def _bulk_of(manifest: dict[str, Any]) -> Bulk:
    """Return the files that a manifest lists."""
    return Bulk(manifest["edition"], manifest["date"], tuple(BulkFile(**file) for file in manifest["files"]))


# -- the content of the files --------------------------------------------------------------


def credits_text() -> str:
    """Return the rights and the credit of every game as plain text."""
    lines = [ABOUT, ""]
    for game in games().values():
        lines.append(f"{game.name}: {game.rights or 'facts only.'}")
        if credit := game.credit:
            licence = f"{credit.licence}: {credit.licence_url}"
            lines += [f"  {line}" for line in (credit.text, licence, credit.work_url, credit.changes)]
    return "\n".join(lines) + "\n"


def _write(folder: Path) -> tuple[BulkFile, ...]:
    """Write the files into a folder, card by card, so that memory does not grow with their number."""
    (folder / LICENCES).write_text(credits_text(), encoding="utf-8")
    encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
    known = games()
    # The keys of all facts of all games; each is a column.
    facts = tuple(dict.fromkeys(fact.key for game in known.values() for fact in game.facts))
    heads = [f"print.{part}" for part in PRINT_PARTS] + [f"facts.{key}" for key in facts]
    rows = {CARDS: 0, PRINTS: 0}
    with _gzipped(folder / CARDS) as lines, _gzipped(folder / PRINTS) as text:
        table = csv.writer(text, lineterminator="\r\n")
        table.writerow(["key", "game", "name", "type", *heads, "text", "told", "documents", "credit"])
        stored = Card.objects.current().by_name().prefetch_related("prints")
        for row in stored.iterator(chunk_size=BATCH):
            game, card = known[row.game], row.as_card()
            full = card_json(game, card, full=True)
            lines.write(encode(full) + "\n")
            claims = [claim for of_fact in sources_json(game, card).values() for claim in of_fact]
            documents = "; ".join(dict.fromkeys(claim["document"] for claim in claims))
            credit = game.credit.text if game.credit else ""
            stated = (as_words(card.facts[key]) if key in card.facts else "" for key in facts)
            # A row is the card (``before``), one of its prints, then facts and texts of the card (``after``).
            before = [card.key, card.game, safe_cell(card.name), card.type]
            after = list(map(safe_cell, (*stated, card.text, card.told, documents, credit)))
            prints = full["prints"] or [dict.fromkeys(PRINT_PARTS, "")]
            for print_ in prints:
                table.writerow([*before, *map(safe_cell, print_.values()), *after])
            rows[CARDS] += 1
            rows[PRINTS] += len(prints)
    return tuple(_described(folder / name, about, rows.get(name)) for name, about in ABOUT_FILES.items())


@contextlib.contextmanager
def _gzipped(path: Path) -> Iterator[TextIO]:
    """Open a gzip file for UTF-8 text. It stores neither time nor name, so that the same text gives the same
    bytes.
    """
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=LEVEL, mtime=0) as zipped,
        io.TextIOWrapper(io.BufferedWriter(zipped, BUFFER), encoding="utf-8", newline="") as text,
    ):
        yield text


def safe_cell(text: str) -> str:
    """Return the text, with a quote before it if a spreadsheet would take it for a formula: ``=1+1`` ->
    ``'=1+1``. Numbers such as ``-1`` are not changed.
    """
    if text and text[0] in "=+-@\t\r" and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def _described(path: Path, about: str, rows: int | None) -> BulkFile:
    """Return a written file with its size and hash."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BulkFile(path.name, about, path.stat().st_size, rows, digest)
