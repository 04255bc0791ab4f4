"""The note in a folder of what was taken in from it. It is written whole or not at all; where it cannot be
read, nothing was taken in.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_note(path: Path) -> dict[str, Any]:
    """What is noted; nothing where there is no note, or a damaged one."""
    try:
        noted = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return noted if isinstance(noted, dict) else {}


def write_note(path: Path, noted: Mapping[str, Any]) -> None:
    """The file gets its name when it is whole: a crash leaves the note of before."""
    unfinished = path.with_name(f"{path.name}.new")
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(noted, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
