"""Every folder beside ``kit`` is one game; nothing else lists them.

``games()`` finds and reads them all, once per process: packages that define ``GAME``, folders with only a
``game.toml``, and league formats (``formats/*.toml``) added to them. A broken game never stops the site: it
is left out, and ``faults()`` says why.
"""

import importlib
import json
import os
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from cardsdb.games.kit import GAME_FILE, FolderError, Game
from cardsdb.games.kit.declared.formats import with_format
from cardsdb.games.kit.declared.game_file import read_game, slug_of

# Operators may keep games outside the repository: each folder named in CUTOUT_GAMES_PATH holds game folders.
__path__ += [path for path in os.environ.get("CUTOUT_GAMES_PATH", "").split(os.pathsep) if path]

# The file in the site's data folder that ``leave_out`` writes: game slug -> sentences about its faults.
LEFT_OUT = "left-out.json"
# The site's data folder, or nothing. Only data is read from its ``games/`` and ``formats/``: Python files
# that lie there are never run.
_site_data: list[Path] = []


def look_in(site_data: Path | None) -> None:
    """Also look for games and formats in this folder of the site's data; None stops doing so."""
    _site_data[:] = [site_data] if site_data else []
    games.cache_clear()


def roots() -> tuple[Path, ...]:
    """Return every folder that games and formats are read from. Some may not exist."""
    return (*map(Path, __path__), *(data / name for data in _site_data for name in ("games", "formats")))


@cache
def games() -> dict[str, Game]:
    """Return slug -> game for every game folder, in order of the games' names. Read once per process.

    A folder counts as a game when it is a package that defines ``GAME``, or has a ``game.toml`` and no code;
    the folder's name is the game's slug. A game with faults is left out: ``faults`` lists them.
    """
    return _read(_noted_as_left_out())[0]


def every_game() -> tuple[dict[str, Game], list[str]]:
    """Return (slug -> game, one sentence for each fault of the others), read from disk at each call.

    Unlike ``games``, this includes the games that ``leave_out`` named.
    """
    return _read({})


def leave_out(broken: Mapping[str, Sequence[str]]) -> None:
    """Leave out these games (slug -> sentences about its faults), here and in every process that uses the
    same data folder. Each call replaces the list of the call before.
    """
    for data in _site_data:
        new = data / f"{LEFT_OUT}.new"
        new.write_text(json.dumps(broken), encoding="utf-8")
        new.replace(data / LEFT_OUT)
    games.cache_clear()


def left_out() -> set[str]:
    """Return the slugs of the games that have a folder and are left out."""
    return {slug_of(folder) for folder in (*map(Path, _packages()), *_folders_of_data())} - games().keys()


def game_named(slug: str) -> Game | None:
    """Return the game with this slug, or None."""
    return games().get(slug)


def faults() -> list[str]:
    """Return one sentence for each fault of the games and formats that are left out, read from disk at each
    call.
    """
    return _read(_noted_as_left_out())[1]


def _read(without: Mapping[str, Sequence[str]]) -> tuple[dict[str, Game], list[str]]:
    """Return (slug -> game, sentences about faults). ``without``: games to leave out, with their faults."""
    by_slug: dict[str, Game] = {}
    found: list[str] = []
    # Packages first, then folders of data, which may not take the slug of a package; then formats of both.
    for package in _packages():
        try:
            game = _game_of(package)
        except Exception as error:  # Code of other authors may raise anything.
            found.append(f"{package}: its code cannot be read: {type(error).__name__}: {error}")
        else:
            by_slug[game.slug] = game
    for folder in _folders_of_data():
        with _noted(folder, found):
            if (taken := by_slug.get(slug_of(folder))) is not None:
                raise FolderError(
                    f"{folder}: a game called {taken.slug!r} stands in {taken.folder} already; call this"
                    " folder otherwise"
                )
            by_slug[slug_of(folder)] = read_game(folder)
    for path in _format_files():
        with _noted(path, found):
            game = with_format(by_slug, path)
            by_slug[game.slug] = game
    for slug, problems in without.items():
        if by_slug.pop(slug, None):
            found += problems
    return dict(sorted(by_slug.items(), key=lambda item: item[1].name.casefold())), found


def _noted_as_left_out() -> Mapping[str, Sequence[str]]:
    """Return what ``leave_out`` has written; empty if there is no such file or it cannot be read."""
    for data in _site_data:
        with suppress(OSError, ValueError):
            noted: dict[str, list[str]] = json.loads((data / LEFT_OUT).read_text(encoding="utf-8"))
            return noted
    return {}


def _packages() -> list[str]:
    """Return the names of the game folders that are Python packages: ["agentdecker", "spycraft", ...]."""
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name != "kit"]


def _game_of(package: str) -> Game:
    """Return the ``GAME`` of a package. Raises what its code raises."""
    game: Game = importlib.import_module(f"{__name__}.{package}").GAME
    return game


@contextmanager
def _noted(place: Path, found: list[str]) -> Iterator[None]:
    """Add the faults of the game or format that is read inside this block to ``found`` instead of raising.

    A ValueError that is no FolderError comes from a number with too many digits for Python.
    """
    try:
        yield
    except FolderError as error:
        found += error.problems
    except ValueError as error:
        found.append(f"{place}: {error}")


def _folders_of_data() -> list[Path]:
    """Return the folders of games without code: outside the site's data and in it."""
    outside = [
        folder
        for place in __path__
        for folder in _within(Path(place), "*")
        if not (folder / "__init__.py").exists()
    ]
    own = [folder for data in _site_data for folder in _within(data / "games", "*")]
    return [folder for folder in (*outside, *own) if (folder / GAME_FILE).is_file()]


def _format_files() -> list[Path]:
    """Return the files of formats that are added to games, outside the site's data and in it."""
    places = [*(Path(place) / "formats" for place in __path__), *(data / "formats" for data in _site_data)]
    return [path for place in places for path in _within(place, "*.toml")]


def _within(place: Path, pattern: str) -> list[Path]:
    """Return the paths in a folder that match, sorted, without hidden ones; empty if there is no folder."""
    return sorted(path for path in place.glob(pattern) if not path.name.startswith("."))
