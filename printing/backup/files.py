"""The files of the data folder that cannot be made again, by their names in a backup."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from django.conf import settings

from cardsdb.box import picture_store as storage

SECRET = "secret_key"  # noqa: S105 (its file's name)
CHUNK = 1 << 20


class Readable(Protocol):
    """A file, or an object as it comes."""

    def read(self, size: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


PICTURES = "pictures/"


def folders() -> dict[str, Path]:
    """Name in a backup -> folder: the games, formats and own texts that whoever runs the site put there, and
    people's pictures, unless these lie in an object store.
    """
    kept = {name: Path(settings.VAR_DIR) / name for name in ("games", "formats", "own")}
    return kept if storage.store().is_remote else {"pictures": Path(storage.store().location), **kept}


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


def kept_files() -> Iterator[tuple[str, Callable[[], Readable]]]:
    """(name in a backup, what opens it) of each. Opening raises FileNotFoundError for one that was deleted
    meanwhile.
    """
    for name, path in _files():
        if not name.startswith(PICTURES) or _is_picture(name):
            yield name, partial(path.open, "rb")
    if storage.store().is_remote:
        for file in storage.store().files():
            if _is_picture(file.name):
                yield f"{PICTURES}{file.name}", partial(storage.store().stream, file.name)


def _files() -> Iterator[tuple[str, Path]]:
    for name, folder in kept_folders():
        yield from ((f"{name}/{path.name}", path) for path in _inside(folder) if path.is_file())


def _is_picture(name: str) -> bool:
    """Whole pictures and what printing needs of them; small copies are made again."""
    match = storage.NAME.fullmatch(name.rpartition("/")[2])
    return match is not None and match[2] != "small"


def is_kept(name: str) -> bool:
    """Whether a backup may have a file of this name besides those of its own."""
    first, *rest = PurePosixPath(name).parts or ("",)
    known = first in folders() or name.startswith(PICTURES)
    return (
        known
        and bool(rest)
        and ".." not in rest
        and "\0" not in name
        and PurePosixPath(name).as_posix() == name
    )


def put_back(name: str, content: IO[bytes]) -> None:
    """Write a file of a backup to where it belongs."""
    if name.startswith(PICTURES) and storage.store().is_remote:
        with storage.store().writing(name.removeprefix(PICTURES)) as file:
            shutil.copyfileobj(content, file, CHUNK)
    else:
        write_new(_place_of(name), content)


def take_away(name: str) -> None:
    """Delete a file that was put back, or was about to be."""
    if name.startswith(PICTURES) and storage.store().is_remote:
        storage.store().delete(name.removeprefix(PICTURES))
    else:
        _place_of(name).unlink(missing_ok=True)


def _place_of(name: str) -> Path:
    first, *rest = PurePosixPath(name).parts
    return folders()[first].joinpath(*rest)


def write_new(path: Path, content: IO[bytes]) -> None:
    """Write a file that is not there yet, which only its owner reads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while data := content.read(CHUNK):
            file.write(data)
        file.flush()
        os.fsync(file.fileno())


def in_the_way() -> list[str]:
    """The folders that a backup would be restored into and that hold something; and the bucket, if pictures
    would go there.
    """
    holding = {
        name.partition("/")[0]
        for name, path in _files()
        if not (name.startswith(PICTURES) and path.name == "lock")
    }
    found = [str(folder) for name, folder in folders().items() if name in holding]
    return (
        [*found, "The bucket of STORAGE_URL"]
        if storage.store().is_remote and any(storage.store().files())
        else found
    )
