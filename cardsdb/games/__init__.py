"""Every folder beside ``kit`` is one game; nothing else lists them."""

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

# People may keep games of their own outside the repository: each folder named here holds game folders.
__path__ += [path for path in os.environ.get("CUTOUT_GAMES_PATH", "").split(os.pathsep) if path]

# A file of the site's data: slug -> what is wrong, of games that were looked at and found not to be whole.
LEFT_OUT = "left-out.json"
# The folder of the site's data: its ``games/`` and ``formats/`` hold data alone, so no Python that lies there
# is run.
_site_data: list[Path] = []


def look_in(site_data: Path | None) -> None:
    """Look for games and formats in the folder of the site's data too; None stops that."""
    _site_data[:] = [site_data] if site_data else []
    games.cache_clear()


def roots() -> tuple[Path, ...]:
    """Every folder that games and formats are made from. One may be missing."""
    return (*map(Path, __path__), *(data / name for data in _site_data for name in ("games", "formats")))


@cache
def games() -> dict[str, Game]:
    """Return slug -> game for every game folder, in order of the games' names.

    A folder counts as a game when it is a package that defines ``GAME``, or has a ``game.toml`` and no code;
    the folder's name is the game's slug. One that has faults is left out: ``faults`` tells them.
    """
    return _read(_noted_as_left_out())[0]


def every_game() -> tuple[dict[str, Game], list[str]]:
    """Every game that can be read, those too that ``leave_out`` named, and what is wrong with the others;
    read anew each time.
    """
    return _read({})


def leave_out(broken: Mapping[str, Sequence[str]]) -> None:
    """Do without these games, slug -> what is wrong with each, in every process that begins with this data,
    until this is said anew.
    """
    for data in _site_data:
        new = data / f"{LEFT_OUT}.new"
        new.write_text(json.dumps(broken), encoding="utf-8")
        new.replace(data / LEFT_OUT)
    games.cache_clear()


def left_out() -> set[str]:
    """The slugs of the games whose folders are there and that are left out."""
    return {slug_of(folder) for folder in (*map(Path, _packages()), *_folders_of_data())} - games().keys()


def game_named(slug: str) -> Game | None:
    """Return the game with this slug, or None."""
    return games().get(slug)


def faults() -> list[str]:
    """One sentence for each fault of the games and formats that are left out; read anew each time."""
    return _read(_noted_as_left_out())[1]


def _read(without: Mapping[str, Sequence[str]]) -> tuple[dict[str, Game], list[str]]:
    by_slug: dict[str, Game] = {}
    found: list[str] = []
    for package in _packages():
        try:
            game = _game_of(package)
        except Exception as error:  # Code of other authors raises anything.
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
    for data in _site_data:
        with suppress(OSError, ValueError):
            noted: dict[str, list[str]] = json.loads((data / LEFT_OUT).read_text(encoding="utf-8"))
            return noted
    return {}


def _packages() -> list[str]:
    """The names of the folders with code."""
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name != "kit"]


def _game_of(package: str) -> Game:
    game: Game = importlib.import_module(f"{__name__}.{package}").GAME
    return game


@contextmanager
def _noted(place: Path, found: list[str]) -> Iterator[None]:
    """Note what is wrong with a game or a format, which is then left out; a number too long to be written is
    no FolderError.
    """
    try:
        yield
    except FolderError as error:
        found += error.problems
    except ValueError as error:
        found.append(f"{place}: {error}")


def _folders_of_data() -> list[Path]:
    outside = [
        folder
        for place in __path__
        for folder in _within(Path(place), "*")
        if not (folder / "__init__.py").exists()
    ]
    own = [folder for data in _site_data for folder in _within(data / "games", "*")]
    return [folder for folder in (*outside, *own) if (folder / GAME_FILE).is_file()]


def _format_files() -> list[Path]:
    places = [*(Path(place) / "formats" for place in __path__), *(data / "formats" for data in _site_data)]
    return [path for place in places for path in _within(place, "*.toml")]


def _within(place: Path, pattern: str) -> list[Path]:
    return sorted(path for path in place.glob(pattern) if not path.name.startswith("."))
