"""The files of a game of data as ``new_game`` writes it."""

from __future__ import annotations

from pathlib import Path

from cardsdb.management.commands.new_game import write_new_game


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def files_of_new_game(place: Path) -> dict[str, bytes]:
    """The files of the game Night Train, which is written into a folder of ``place``."""
    write_new_game(place / "night-train", "Night Train")
    return files_of(place / "night-train")
