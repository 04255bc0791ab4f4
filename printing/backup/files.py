"""The files of the data folder that cannot be made again, by their names in a backup."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from django.conf import settings

from printing.uploads import storage

SECRET = "secret_key"  # noqa: S105 (its file's name)
CHUNK = 1 << 20


def folders() -> dict[str, Path]:
    """Name in a backup -> folder: people's pictures, and the games, formats and own texts that whoever runs the site put there."""
    return {"pictures": storage.folder(), **{name: Path(settings.VAR_DIR) / name for name in ("games", "formats", "own")}}


def kept_folders() -> Iterator[tuple[str, Path]]:
    """Each folder of which files are kept, by its name in a backup, and those that links lead to."""
    for name, folder in folders().items():
        yield from _folders_in(name, folder, ())


def _folders_in(name: str, folder: Path, above: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    place = folder.resolve()
    if place in above or not folder.is_dir():
        return  # A link that leads back to where it stands would have no end.
    yield name, folder
    for path in _inside(folder):
        if path.is_dir():
            yield from _folders_in(f"{name}/{path.name}", path, (*above, place))


def _inside(folder: Path) -> list[Path]:
    """Nothing where the folder was deleted meanwhile, or is for others' eyes."""
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, PermissionError):
        return []


def kept_files() -> Iterator[tuple[str, Path]]:
    for name, path in _files():
        if not name.startswith("pictures/") or _is_picture(path):
            yield name, path


def _files() -> Iterator[tuple[str, Path]]:
    for name, folder in kept_folders():
        yield from ((f"{name}/{path.name}", path) for path in _inside(folder) if path.is_file())


def _is_picture(path: Path) -> bool:
    """Whole pictures and what printing needs of them; small copies are made again."""
    match = storage.NAME.fullmatch(path.name)
    return match is not None and match[2] != "small"


def place_of(name: str) -> Path | None:
    """Where the file of this name in a backup belongs; None for a name that no backup has."""
    first, *rest = PurePosixPath(name).parts or ("",)
    if first not in folders() or not rest or ".." in rest or "\0" in name or PurePosixPath(name).as_posix() != name:
        return None
    return folders()[first].joinpath(*rest)


def write_new(path: Path, content: IO[bytes]) -> None:
    """Write a file that is not there yet, which only its owner reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while data := content.read(CHUNK):
            file.write(data)
        file.flush()
        os.fsync(file.fileno())


def in_the_way() -> list[Path]:
    """The folders that a backup would be restored into and that hold something."""
    holding = {name.partition("/")[0] for name, path in _files() if not (name.startswith("pictures/") and path.name == "lock")}
    return [folder for name, folder in folders().items() if name in holding]
