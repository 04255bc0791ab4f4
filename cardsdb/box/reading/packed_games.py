"""A game of data in a zip or tgz becomes a folder: unpacked to names that we choose, kept only if the game is
whole.

It stands in this room because archives of strangers are opened here alone, by ``container.py``, which bounds
and checks them; a packed game is no format of ``formats.py`` and gives no rows. ``unpack_game`` serves
``manage.py new_game --from``, ``take_in_zips`` serves ``manage.py prepare``.
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
from cardsdb.games.kit.folder.bounds import (
    DECLARED,
    MAX_DECLARED,
    MAX_STARTER,
    MAX_STARTERS,
    MAX_TABLE,
    TABLES,
)
from cardsdb.games.kit.folder.rulebook import TEXT_FILE
from cardsdb.games.kit.folder.table import SLUG

# The most texts of documents, which rulebook.toml names.
MAX_TEXTS = 20
# The path of a ready deck in the folder of a game.
STARTER = re.compile(r"starters/[^/]+\.txt")


def unpack_game(file: IO[bytes], name: str, place: Path, slug: str = "", taken: Iterable[str] = ()) -> Path:
    """Unpack the game that the file holds into a new folder of ``place``, and return that folder.

    The folder is called ``slug``, else as the game's folder in the archive, else as the archive, whose file
    name is ``name``. ``taken``: slugs of games that stand elsewhere. Raises BadPackage for a file that is no
    such archive and for a slug that is bad or taken, FolderError with every fault of the game, and
    FileExistsError where something of that name stands; nothing is written then.
    """
    with open_file(file, name) as files:
        root = _root(files)
        slug = slug or slugify(root.rstrip("/").rpartition("/")[2] or PurePosixPath(name).stem)
        if not SLUG.fullmatch(slug):
            raise BadPackage(
                "bad_name",
                f"“{slug}” cannot stand in addresses: call the folder of the game by small letters, digits"
                " and hyphens.",
            )
        if slug in taken:
            raise BadPackage(
                "taken", f"There is a game “{slug}” already: call the folder of this one otherwise."
            )
        if (place / slug).exists():
            raise FileExistsError(place / slug)
        place.mkdir(parents=True, exist_ok=True)
        # Beside its place, so that it can be moved there in one step; games are not looked for in folders
        # with a dot.
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place) as beside:
            folder = Path(beside, slug)
            _write(files, root, folder)
            if found := problems(read_game(folder)):
                raise FolderError(*found)
            folder.rename(place / slug)
    return place / slug


def _root(files: Files) -> str:
    """The path in the archive of the folder with the game, such as ``night-train/``; empty if the files of
    the game stand at the top. Raises BadPackage unless there is exactly one game.
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
    """Write the files that a game of data has into the folder, which is made; other files are left out.
    Raises BadPackage for an archive with code, with too many texts or decks, or with two decks of one name.
    """
    # Name of a file -> the bytes that it may have at most. Besides decks no file of another name is written.
    bounds = dict.fromkeys(TABLES, MAX_TABLE) | dict.fromkeys(DECLARED, MAX_DECLARED)
    inside = [name.removeprefix(root) for name in files.names if name.startswith(root)]
    if code := next((name for name in inside if name.casefold().endswith((".py", ".pyc", ".so"))), None):
        raise BadPackage(
            "code",
            f"{root}{code} is code. A game of data has none, and none is run: leave it out.",
            root + code,
        )
    texts, starters = (list(filter(kind.fullmatch, inside)) for kind in (TEXT_FILE, STARTER))
    for found, most, called, where in (
        (texts, MAX_TEXTS, "text files", root),
        (starters, MAX_STARTERS, "decks", f"{root}starters"),
    ):
        if len(found) > most:
            message = f"{where or 'It'} has {len(found)} {called}; {most} at most are read."
            raise BadPackage("too_many", message, where)
    bounds |= dict.fromkeys((*texts, LICENCE_FILE), MAX_DECLARED)
    (folder / "starters").mkdir(parents=True) if starters else folder.mkdir()
    for name in inside:
        if name in bounds:
            (folder / name).write_bytes(files.read(root + name, bounds[name]))
    for number, name in enumerate(starters, start=1):
        stem = slugify(PurePosixPath(name).stem)[:60] or f"deck-{number}"
        path = folder / "starters" / f"{stem}.txt"
        if path.exists():
            raise BadPackage(
                "bad_name",
                f"{root}{name} has the name of another deck of the game: call it otherwise.",
                root + name,
            )
        path.write_bytes(files.read(root + name, MAX_STARTER))


# -- the zips that lie among the site's data ------------------------------------------------

# The file in a folder of games that says what came out of which zip.
NOTE = ".from-zips.json"


def take_in_zips(
    place: Path, taken: Iterable[str], say: Callable[[str], object], warn: Callable[[str], object]
) -> None:
    """Unpack every zip of a folder of games that is new there, or has changed. ``say`` is called with a
    sentence for each game that was unpacked, ``warn`` with each fault of a zip, which is passed over.

    A game that was changed by hand since it came out of its zip is left as it is, with a warning.
    ``taken``: slugs of all games that there are.
    """
    found = (path for path in sorted(place.glob("*.zip")) if not path.name.startswith("."))
    zips = [path for path in found if path.is_file() and not path.is_symlink()]
    # Name of a zip -> its digest, the slug of its game, and the digest of what came out.
    noted = {
        name: note
        for name, note in read_note(place / NOTE).items()
        if isinstance(note, dict) and {"zip", "slug", "folder"} <= set(note)
    }
    # A zip that is gone is forgotten; its game stays.
    now = {path.name: noted[path.name] for path in zips if path.name in noted}
    from_zips = {note["slug"] for note in noted.values()}
    elsewhere = [slug for slug in taken if slug not in from_zips]
    for path in zips:
        state = _digest([path])
        if (note := noted.get(path.name)) and note["zip"] == state:
            continue
        try:
            slug = _taken_in(path, place, note, elsewhere)
        except (ValueError, OSError) as error:
            for line in error.problems if isinstance(error, FolderError) else [str(error)]:
                warn(f"games/{path.name}: {line}")
            continue
        now[path.name] = {"zip": state, "slug": slug, "folder": _digest(_files_of(place / slug))}
        say(f"games/{path.name}: unpacked as the game {slug}.")
    if now != noted:
        write_note(place / NOTE, now)


def _taken_in(path: Path, place: Path, note: Mapping[str, str] | None, elsewhere: Iterable[str]) -> str:
    """Unpack a zip into a folder of ``place``, in place of what came out of it before, and return the slug of
    the game. ``note`` says what came out before; ``elsewhere``: slugs of games that stand in other folders.

    Raises BadPackage, FolderError or OSError; the folder of before stays then.
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
                f"{goal.name}/ stands there already and did not come out of this zip. Call the zip's folder"
                " otherwise.",
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
    """The files in a folder and below it, always in the same order."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    """A digest of the names and bytes of these files."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return digest.hexdigest()


def read_note(path: Path) -> dict[str, Any]:
    """Return the values of a note, a JSON object; none where there is no note, or a damaged one."""
    try:
        noted = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return noted if isinstance(noted, dict) else {}


def write_note(path: Path, noted: Mapping[str, Any]) -> None:
    """Write a note. The file gets its name when it is whole: a crash leaves the note of before."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(noted, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
