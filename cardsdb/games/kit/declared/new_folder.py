"""A new folder of data that is a game at once: three types, ten invented cards, a format and a ready deck, all of them to be replaced."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cardsdb.games.kit.folder.files import GAME_FILE

SAMPLE = Path(__file__).parent / "sample"
NAME = "@NAME@"


def write_new_game(folder: Path, name: str) -> tuple[Path, ...]:
    """Write the folder of a game with this name and return its files. Raises FileExistsError where anything stands already."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
    declared = folder / GAME_FILE
    # What JSON writes in quotation marks TOML reads.
    declared.write_text(declared.read_text(encoding="utf-8").replace(NAME, json.dumps(name, ensure_ascii=False)), encoding="utf-8")
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))
