"""A store that is a folder, of this machine or shared by several."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.utils.deconstruct import deconstructible

from cardsdb.storage.contract import CHUNK, StoredFile

# Of a file that is not whole yet.
UNFINISHED = ".part"


class StreamedFile:
    """An open file with its size."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("rb")
        self.size = os.fstat(self.file.fileno()).st_size
        self.read, self.close = self.file.read, self.file.close


@deconstructible
class FolderStore(FileSystemStorage):
    """``folder``: a folder in ``VAR_DIR``, or a path. ``setting``: the name of a setting that may name
    another.

    Files are for the site's user alone. The settings are looked up each time, so that a test can have a
    folder of its own.
    """

    is_remote = False

    def __init__(self, folder: str, setting: str = "") -> None:
        super().__init__()
        self.folder, self.setting = folder, setting

    def __repr__(self) -> str:
        return f"FolderStore({self.folder})"

    @property
    def base_location(self) -> str:  # type: ignore[override]
        return str(getattr(settings, self.setting, "") or Path(settings.VAR_DIR) / self.folder)

    @property
    def location(self) -> str:  # type: ignore[override]
        return os.path.abspath(self.base_location)

    def url(self, name: str | None) -> str:
        raise NotImplementedError("only Cutout knows whose a file is")

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        found = {}
        for name in names:
            with suppress(FileNotFoundError, NotADirectoryError):
                found[name] = self._path(name).stat().st_size
        return found

    def read(self, name: str) -> bytes:
        return self._path(name).read_bytes()

    def stream(self, name: str) -> StreamedFile:
        return StreamedFile(self._path(name))

    def _save(self, name: str, content: Any) -> str:
        with self.writing(name) as file:
            content.seek(0)
            while data := content.read(CHUNK):
                file.write(data)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    @contextmanager
    def writing(self, name: str, step: Callable[[], None] = lambda: None) -> Iterator[IO[bytes]]:
        path = self._path(name)
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}{UNFINISHED}")
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        self._path(name).unlink(missing_ok=True)

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        return (one for one in self._all(beginning) if not one.name.endswith(UNFINISHED))

    def unfinished(self) -> Iterator[StoredFile]:
        return (one for one in self._all("") if one.name.endswith(UNFINISHED))

    def delete_unfinished(self, file: StoredFile) -> None:
        self.delete(file.name)

    def _all(self, beginning: str) -> Iterator[StoredFile]:
        folder, _, start = beginning.rpartition("/")
        yield from _kept_in(Path(self.location) / folder, f"{folder}/" if folder else "", start)

    def _path(self, name: str) -> Path:
        return Path(self.path(name))


def _kept_in(folder: Path, before: str, start: str) -> Iterator[StoredFile]:
    """Others may delete files meanwhile; the folder may not be there yet."""
    try:
        entries = sorted(
            (entry for entry in os.scandir(folder) if entry.name.startswith(start)),
            key=lambda entry: entry.name,
        )
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.is_dir():
            yield from _kept_in(folder / entry.name, f"{before}{entry.name}/", "")
            continue
        try:
            status = entry.stat()
        except FileNotFoundError:
            continue
        yield StoredFile(f"{before}{entry.name}", status.st_size, status.st_mtime)
