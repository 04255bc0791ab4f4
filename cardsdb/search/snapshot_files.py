"""Snapshots as files in the folder of the site's data, so that a process that starts, or meets a new edition, need not make them.

Reading one takes a fortieth of the time of making it. Each is good for exactly the edition, the games and the code that it was made
from; whoever finds none, or another, makes it anew and writes it, and whoever loads an edition writes it before anybody can ask for it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from array import array
from functools import cache
from hashlib import blake2b
from pathlib import Path

from cardsdb.games import games, site_data
from cardsdb.models import EditionState
from cardsdb.search import engine
from cardsdb.search.engine.parts import PartReader, PartWriter
from cardsdb.search.engine.snapshot import Snapshot


def read_snapshot(state: EditionState, retired: bool) -> Snapshot | None:
    """The snapshot of an edition's cards, listed or retired, if it lies there whole."""
    path = _path(retired)
    with contextlib.suppress(OSError, ValueError):
        if path:
            with path.open("rb") as file:
                return Snapshot.stored(PartReader(file, path.stat().st_size, _key(state)))
    return None


def write_snapshot(snapshot: Snapshot, state: EditionState, retired: bool) -> None:
    """Put it in place of the one of before. A disk that is full or may not be written to is no fault: it is made again next time."""
    path = _path(retired)
    if not path:
        return
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as file:
            parts = PartWriter(file, _key(state))
            snapshot.store(parts)
            parts.end()
        fresh.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()


def _path(retired: bool) -> Path | None:
    folder = site_data()
    return folder / "snapshots" / ("retired" if retired else "cards") if folder else None


def _key(state: EditionState) -> bytes:
    """Of what a snapshot is; numbers lie in the file as this machine has them in memory."""
    machine = (sys.byteorder, *(array(kind).itemsize for kind in "IQ"))
    return repr((state.number, str(state.made), sorted(games()), machine, _digest_of_code())).encode()


@cache
def _digest_of_code() -> str:
    """Of the code that makes snapshots."""
    found = blake2b(digest_size=20)
    for path in sorted(Path(engine.__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    found.update(Path(__file__).with_name("snapshots.py").read_bytes())
    return found.hexdigest()
