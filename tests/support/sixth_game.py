"""Dead Drop, the invented sixth game of the tests, and its twin Letter Box.

Many tests install Dead Drop themselves, to see what a new game changes. ``make test-sixth``
(``CUTOUT_GAMES_PATH=tests/sixth_game``) runs all tests on a site that has a sixth game already. Then Dead
Drop would be there too early, so its twin is installed instead: the same folder with every name changed.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

SIXTH_GAME = Path(__file__).parents[1] / "sixth_game"

# Text in Dead Drop's files -> text in Letter Box's. Applied in this order.
TWIN = {
    "deaddrop": "letterbox",
    "Dead Drop": "Letter Box",
    "DD-": "LB-",
    "first": "post",
    "First": "Post",
    "ONE": "BOX",
    "Zorka": "Ottoline",
    "zorka": "ottoline",
    "Sealed Box": "Blue Letter",
    "sealed-box": "blue-letter",
    "courier": "postman",
    "Courier": "Postman",
    "parcel": "letter",
    "Parcel": "Letter",
    "weight": "postage",
    "city": "town",
    "Trieste": "Ghent",
    "cities": "towns",
}


def install_twin() -> None:
    """Replace the sixth game by its twin, if the environment installs the sixth game."""
    paths = [path for path in os.environ.get("CUTOUT_GAMES_PATH", "").split(os.pathsep) if path]
    if SIXTH_GAME not in [Path(path).resolve() for path in paths]:
        return
    folder = tempfile.mkdtemp(prefix="cutout-twin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_twin(Path(folder))
    os.environ["CUTOUT_GAMES_PATH"] = os.pathsep.join(
        folder if Path(path).resolve() == SIXTH_GAME else path for path in paths
    )

    from cardsdb import games

    games.__path__[:] = [folder if Path(path).resolve() == SIXTH_GAME else path for path in games.__path__]
    games.games.cache_clear()
    for name in [name for name in sys.modules if name.startswith("cardsdb.games.deaddrop")]:
        del sys.modules[name]


def write_twin(folder: Path) -> None:
    """Write the twin's folder into this one."""
    for source in (
        path for path in (SIXTH_GAME / "deaddrop").rglob("*") if path.is_file() and path.suffix != ".pyc"
    ):
        target = folder / "letterbox" / source.relative_to(SIXTH_GAME / "deaddrop")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        for old, new in TWIN.items():
            text = text.replace(old, new)
        target.write_text(text, encoding="utf-8")
