"""The zips in a folder of games, kept in step with the folders that came out of them."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from cardsdb.games.kit.folder.files import FolderError
from cardsdb.packages.container import BadPackage
from cardsdb.packages.folder_note import read_note, write_note
from cardsdb.packages.packed_game import unpack_game

NOTE = ".from-zips.json"


def take_in_zips(
    place: Path, taken: Iterable[str], say: Callable[[str], object], warn: Callable[[str], object]
) -> None:
    """Unpack every zip of a folder of games that is new there, or has changed. One that is not whole is told
    of and stops nothing.

    A game that was changed by hand since it came out of its zip is left as it is.
    """
    zips = sorted(
        path
        for path in place.glob("*.zip")
        if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
    )
    noted = _noted(place / NOTE)
    if not zips and not noted:
        return
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
    """The slug of the game of a zip, which stands in its folder now. What came out of the zip before goes
    when this one is whole.
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


def _noted(path: Path) -> dict[str, dict[str, str]]:
    """Name of a zip -> its digest, the slug of its game, and the digest of what came out."""
    keys = {"zip", "slug", "folder"}
    return {
        name: note for name, note in read_note(path).items() if isinstance(note, dict) and keys <= set(note)
    }


def _files_of(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return digest.hexdigest()
