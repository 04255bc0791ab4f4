"""Unpack a game without Python from a zip or tgz into a folder, if the game has no faults.

It is in this room because archives from strangers are opened nowhere else (``container.py``).
``unpack_game`` serves ``manage.py new_game --from``, ``take_in_zips`` serves ``manage.py prepare``. File
names are chosen by us, code is refused, and the folder appears under its name only when it is complete.
Tests: ``tests/cardsdb/box/reading/test_packed_games.py``.
"""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from cardsdb.box.reading.container import BadPackage, Files, open_file
from cardsdb.games.kit import GAME_FILE, LICENCE_FILE, FolderError, slugify
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.folder.files import (
    DECLARED,
    MAX_DECLARED,
    MAX_STARTER,
    MAX_STARTERS,
    MAX_TABLE,
    TABLES,
)
from cardsdb.games.kit.folder.rulebook import TEXT_FILE
from cardsdb.games.kit.folder.table import SLUG

# Text files that a game's rulebook.toml may name.
MAX_TEXTS = 20
# The path of a starter deck in a game's folder.
STARTER = re.compile(r"starters/[^/]+\.txt")


def unpack_game(file: IO[bytes], name: str, place: Path, slug: str = "", taken: Iterable[str] = ()) -> Path:
    """Unpack a game into a new folder of ``place``, and return that folder.

    It is named ``slug``, else like the game's folder in the archive, else like the archive's file ``name``.
    ``taken``: slugs of games elsewhere. Raises BadPackage for a file that is no such archive or a slug that
    is bad or taken, FolderError with every fault of the game, FileExistsError if the folder exists. Nothing
    is left behind then.
    """
    with open_file(file, name) as files:
        root = _root(files)
        slug = slug or slugify(root.rstrip("/").rpartition("/")[2] or PurePosixPath(name).stem)
        if not SLUG.fullmatch(slug):
            raise BadPackage(
                "bad_name",
                f"“{slug}” cannot be part of an address: name the folder of the game with letters a to z,"
                " digits and hyphens.",
            )
        if slug in taken:
            raise BadPackage(
                "taken", f"There is a game “{slug}” already: give the folder of this one another name."
            )
        if (place / slug).exists():
            raise FileExistsError(place / slug)
        place.mkdir(parents=True, exist_ok=True)
        # Unpacked on the same disk, so that it can be renamed into place in one step. Games are not looked
        # for in folders that begin with a dot.
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place) as beside:
            folder = Path(beside, slug)
            _write(files, root, folder)
            if found := problems(read_game(folder)):
                raise FolderError(*found)
            folder.rename(place / slug)
    return place / slug


def _root(files: Files) -> str:
    """Return the archive's path of the game's folder, such as ``night-train/``; "" if its files are at the
    top. Raises BadPackage unless there is exactly one game.
    """
    found = [name for name in files.names if name.rpartition("/")[2].casefold() == GAME_FILE]
    if not found:
        raise BadPackage(
            "no_game", f"There is no {GAME_FILE} in it: pack the folder of a game of data as a zip."
        )
    if len(found) > 1:
        raise BadPackage(
            "several_games",
            f"There are {len(found)} games in it ({found[0]}, {found[1]}): pack each by itself.",
        )
    return found[0][: -len(GAME_FILE)]


def _write(files: Files, root: str, folder: Path) -> None:
    """Create the folder and write the game's known files into it; others are left out. Raises BadPackage for
    code, too many texts or decks, or two decks with one name.
    """
    # File name -> the most bytes that it may have. Besides decks, no other file is written.
    bounds = dict.fromkeys(TABLES, MAX_TABLE) | dict.fromkeys(DECLARED, MAX_DECLARED)
    inside = [name.removeprefix(root) for name in files.names if name.startswith(root)]
    if code := next((name for name in inside if name.casefold().endswith((".py", ".pyc", ".so"))), None):
        raise BadPackage(
            "code",
            f"{root}{code} is code. A game of data has none, and none is run: leave it out.",
            root + code,
        )
    texts = list(filter(TEXT_FILE.fullmatch, inside))
    starters = list(filter(STARTER.fullmatch, inside))
    for found, most, called, where in (
        (texts, MAX_TEXTS, "text files", root),
        (starters, MAX_STARTERS, "decks", f"{root}starters"),
    ):
        if len(found) > most:
            message = f"{where or 'It'} has {len(found)} {called}; {most} at most are read."
            raise BadPackage("too_many", message, where)
    bounds |= dict.fromkeys((*texts, LICENCE_FILE), MAX_DECLARED)
    folder.mkdir()
    if starters:
        (folder / "starters").mkdir()
    for name in inside:
        if name in bounds:
            (folder / name).write_bytes(files.read(root + name, bounds[name]))
    for number, name in enumerate(starters, start=1):
        stem = slugify(PurePosixPath(name).stem)[:60] or f"deck-{number}"
        path = folder / "starters" / f"{stem}.txt"
        if path.exists():
            raise BadPackage(
                "bad_name",
                f"{root}{name} has the name of another deck of the game: give it another name.",
                root + name,
            )
        path.write_bytes(files.read(root + name, MAX_STARTER))


# -- zips in the data of the site -----------------------------------------------------------

# The file that records which game came out of which zip.
NOTE = ".from-zips.json"


def take_in_zips(
    place: Path, taken: Iterable[str], say: Callable[[str], object], warn: Callable[[str], object]
) -> None:
    """Unpack every zip in a folder of games that is new or has changed.

    ``say`` is called with a sentence for each unpacked game, ``warn`` with each fault of a zip that is
    skipped. A game edited by hand since it was unpacked is left alone, with a warning. ``taken``: slugs of
    all games.
    """
    found = (path for path in sorted(place.glob("*.zip")) if not path.name.startswith("."))
    zips = [path for path in found if path.is_file() and not path.is_symlink()]
    # Name of a zip -> {"zip": its digest, "slug": of its game, "folder": digest of the unpacked files}.
    before = {
        name: note
        for name, note in read_note(place / NOTE).items()
        if isinstance(note, dict) and {"zip", "slug", "folder"} <= set(note)
    }
    # The notes to be written. A zip that was removed is forgotten; its game stays.
    notes = {path.name: before[path.name] for path in zips if path.name in before}
    # Games that came out of a zip may be replaced from one; all others may not.
    from_zips = {note["slug"] for note in before.values()}
    elsewhere = [slug for slug in taken if slug not in from_zips]
    for path in zips:
        digest = _digest([path])
        if (note := before.get(path.name)) and note["zip"] == digest:
            continue
        try:
            slug = _taken_in(path, place, note, elsewhere)
        except (ValueError, OSError) as error:
            for line in error.problems if isinstance(error, FolderError) else [str(error)]:
                warn(f"games/{path.name}: {line}")
            continue
        notes[path.name] = {"zip": digest, "slug": slug, "folder": _digest(_files_of(place / slug))}
        say(f"games/{path.name}: unpacked as the game {slug}.")
    if notes != before:
        write_note(place / NOTE, notes)


def _taken_in(path: Path, place: Path, note: Mapping[str, str] | None, elsewhere: Iterable[str]) -> str:
    """Unpack a zip into ``place``, replacing what came out of it before, and return the game's slug.

    ``note`` is the record of the last time, ``elsewhere`` the slugs of games in other folders. Raises
    BadPackage, FolderError or OSError; the earlier folder stays then: it is set aside, the new one is renamed
    into its place, and only then is the earlier one deleted, with the temporary folder.
    """
    before = place / note["slug"] if note else None
    if note and before and before.exists() and _digest(_files_of(before)) != note["folder"]:
        raise BadPackage(
            "changed",
            f"{before.name}/ was changed since it came out of the zip. Remove one of the two, the folder or"
            " the zip.",
        )
    with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place) as beside, path.open("rb") as file:
        new = unpack_game(file, path.name, Path(beside), taken=elsewhere)
        goal = place / new.name
        if goal.exists() and goal != before:
            raise BadPackage(
                "taken",
                f"{goal.name}/ stands there already and did not come out of this zip. Give the folder in the"
                " zip another name.",
            )
        set_aside = before.rename(Path(beside, ".before")) if before and before.exists() else None
        try:
            new.rename(goal)
        except OSError:
            if before and set_aside:
                set_aside.rename(before)
            raise
    return goal.name


def _files_of(folder: Path) -> Iterator[Path]:
    """Return the files below a folder, always in the same order."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    """Return a digest of the names and contents of these files."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return digest.hexdigest()


def read_note(path: Path) -> dict[str, Any]:
    """Return the JSON object in a note; {} if there is none or it is damaged."""
    try:
        noted = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return noted if isinstance(noted, dict) else {}


def write_note(path: Path, noted: Mapping[str, Any]) -> None:
    """Write a note under a temporary name and rename it, so that a crash leaves the earlier note intact."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(noted, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
