"""The whole catalogue as files to download, written once per edition.

They lie in the store ``bulk`` (cardsdb.storage), in names that begin with the number of the edition and a
hash of the content. Its manifest, which names them with size, rows and SHA-256, comes last, so that every
edition with a manifest is whole, and a file is what the manifest says, whichever process writes the same
edition meanwhile. The same edition gives the same bytes on the same machine.
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

# The number of the files' form, one higher with each change of it: files of another form are written anew.
FORM = 4
# The newest editions whose files stay: a download that began before a load goes on after it.
MAX_EDITIONS = 2
BATCH = 500
# Of compression; fast rather than small: the difference is a tenth, the time threefold.
LEVEL = 3
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
    """One file of an edition. ``size`` in bytes; ``rows`` is None for a file that is no table."""

    name: str
    about: str
    size: int
    rows: int | None
    sha256: str


class Bulk(NamedTuple):
    """The files of one edition. ``date`` is when the edition was made, in ISO 8601."""

    edition: int
    date: str
    files: tuple[BulkFile, ...]


def store() -> Store:
    """Return where the files lie."""
    return store_of("bulk")


def current_bulk() -> Bulk | None:
    """The files of the newest edition that has some, None while there are none. Raises StoreAway."""
    names = {file.name for file in store().files()}
    for edition in sorted({n for name in names if name == _manifest(n := _number(name))}, reverse=True):
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
        bulk = Bulk(edition, date, _write(Path(folder)))
        _keep(Path(folder), bulk)
    manifest = {"form": FORM, **bulk._asdict(), "files": [file._asdict() for file in bulk.files]}
    content = json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"
    store().save(_manifest(edition), ContentFile(content))
    # Looked up only now: another load may have made a newer edition, and its files, while these were written.
    current = {edition, *Edition.objects.values_list("number", flat=True)[:MAX_EDITIONS]}
    for stored in store().files():
        # What lies in a folder is of an older version.
        if "/" in stored.name or _number(stored.name) not in current:
            store().delete(stored.name)
    return bulk


def has_bulk(edition: int) -> bool:
    """Return whether the edition's files are there, whole; not, while the store is away."""
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


def _bulk_of(manifest: dict[str, Any]) -> Bulk:
    return Bulk(manifest["edition"], manifest["date"], tuple(BulkFile(**one) for one in manifest["files"]))


# -- what stands in them -----------------------------------------------------------------


def credits_text() -> str:
    """The rights and the credit of every game, as plain text that goes with the files."""
    lines = [ABOUT, ""]
    for game in games().values():
        lines.append(f"{game.name}: {game.rights or 'facts only.'}")
        if credit := game.credit:
            told = (credit.text, f"{credit.licence}: {credit.licence_url}", credit.work_url, credit.changes)
            lines += [f"  {line}" for line in told]
    return "\n".join(lines) + "\n"


def _write(folder: Path) -> tuple[BulkFile, ...]:
    """Write the files into a folder, card after card, so that many take no more memory than one."""
    (folder / LICENCES).write_text(credits_text(), encoding="utf-8")
    encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
    known = games()
    facts = tuple(dict.fromkeys(fact.key for game in known.values() for fact in game.facts))
    heads = [f"print.{part}" for part in PRINT_PARTS] + [f"facts.{key}" for key in facts]
    rows = {CARDS: 0, PRINTS: 0}
    with _gzipped(folder / CARDS) as lines, _gzipped(folder / PRINTS) as text:
        table = csv.writer(text, lineterminator="\r\n")
        table.writerow(["key", "game", "name", "type", *heads, "text", "told", "documents", "credit"])
        stored = Card.objects.current().by_name().prefetch_related("prints")
        for row in stored.iterator(chunk_size=BATCH):
            game, card = known[row.game], row.as_card()
            whole = card_json(game, card, full=True)
            lines.write(encode(whole) + "\n")
            claims = [claim for of_fact in sources_json(game, card).values() for claim in of_fact]
            documents = "; ".join(dict.fromkeys(claim["document"] for claim in claims))
            credit = game.credit.text if game.credit else ""
            stated = (as_words(card.facts[key]) if key in card.facts else "" for key in facts)
            after = [*map(safe_cell, (*stated, card.text, card.told, documents, credit))]
            prints = whole["prints"] or [dict.fromkeys(PRINT_PARTS, "")]
            for one in prints:
                before = [card.key, card.game, safe_cell(card.name), card.type]
                table.writerow([*before, *map(safe_cell, one.values()), *after])
            rows[CARDS], rows[PRINTS] = rows[CARDS] + 1, rows[PRINTS] + len(prints)
    return tuple(_described(folder / name, about, rows.get(name)) for name, about in ABOUT_FILES.items())


@contextlib.contextmanager
def _gzipped(path: Path) -> Iterator[TextIO]:
    """UTF-8 text, compressed. The file holds neither time nor name, so that the same cards give the same
    bytes.
    """
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=LEVEL, mtime=0) as zipped,
        io.TextIOWrapper(io.BufferedWriter(zipped, 1 << 18), encoding="utf-8", newline="") as text,
    ):
        yield text


def safe_cell(text: str) -> str:
    """Text as a cell that no spreadsheet takes for a formula; a number stays one."""
    if text and text[0] in "=+-@\t\r" and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def _described(path: Path, about: str, rows: int | None) -> BulkFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BulkFile(path.name, about, path.stat().st_size, rows, digest)
