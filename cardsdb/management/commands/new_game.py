"""``manage.py new_game``: create the folder of a new game without Python, which runs at once, or unpack one
from a zip.

A new game is a copy of ``cardsdb/games/kit/declared/sample`` with its name filled in. Archives are unpacked
by ``cardsdb.box.reading.packed_games``. Tests: ``tests/cardsdb/games/test_data_games.py``, and for ``--from``
``tests/cardsdb/box/reading/test_packed_games.py``.
"""

import json
import os
import shutil
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from cardsdb import games as game_folders
from cardsdb.box.reading.packed_games import unpack_game
from cardsdb.games.kit import GAME_FILE, FolderError, Game, declared, slugify, unprintable
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.folder.table import SLUG

MAX_NAME = 60
# A game of three types, ten invented cards, a format and a starter deck, all meant to be replaced.
SAMPLE = Path(declared.__file__).parent / "sample"
# Stands in the sample's game.toml for the game's name with its quotation marks: name = @NAME@.
NAME = "@NAME@"
GUIDE = "docs/a-game-of-your-own.md"


class Command(BaseCommand):
    help = (
        "Write the folder of a game of your own: game.toml, ten invented cards, a format and a ready deck,"
        " all of them to be replaced."
    )
    # A fault in another game must not prevent a new one.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name", nargs="?", default="", help='what the game is called, such as "Night Train"'
        )
        parser.add_argument(
            "--from",
            dest="packed",
            metavar="FILE",
            help="a zip or tgz of the folder of a game of data, instead of a new one",
        )
        parser.add_argument(
            "--in",
            dest="place",
            metavar="FOLDER",
            help="where its folder is made; without it, games/ of the site's data",
        )
        parser.add_argument(
            "--slug", default="", help="how addresses and the folder call it, where the name does not say"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        of_site = Path(settings.VAR_DIR) / "games"
        place = Path(options["place"]).expanduser().resolve() if options["place"] else of_site
        if options["packed"] and options["name"]:
            raise CommandError(
                "A game out of a zip has its name in game.toml: leave the name out. --slug says how addresses"
                " call it."
            )
        if options["packed"]:
            game = self._unpacked(Path(options["packed"]), place, options["slug"])
        else:
            game = self._written(place, options)
        files = sorted(path for path in game.folder.rglob("*") if path.is_file())
        self.stdout.write(f"{game.name} is written; {len(files)} files:")
        for path in files:
            self.stdout.write(f"  {path}")
        run = "make run"
        # The site finds games in these places by itself; any other must be in CUTOUT_GAMES_PATH.
        if place not in (of_site, *(Path(path).resolve() for path in game_folders.__path__)):
            run = f"CUTOUT_GAMES_PATH={os.pathsep.join((*_named_places(), str(place)))} {run}"
        self.stdout.write(
            f"\nNext:\n  {run}, then look at /games/{game.slug}/. A site that runs already is stopped and"
            f" started again.\n  Put your own types, facts and cards into game.toml and cards.csv: {GUIDE}"
            " shows how.\n  manage.py check names whatever is wrong, with file and key."
        )

    def _written(self, place: Path, options: Mapping[str, Any]) -> Game:
        """Write a new game into a folder of ``place``, and return it. Raises CommandError for a bad name or
        slug, or if the folder exists.
        """
        name, slug = " ".join(options["name"].split()), options["slug"] or slugify(options["name"])
        if not name or len(name) > MAX_NAME:
            raise CommandError(f"A game's name has 1 to {MAX_NAME} letters.")
        if problem := unprintable(name):
            raise CommandError(f"The name {problem}.")
        if not SLUG.fullmatch(slug):
            raise CommandError(
                f"“{slug}” cannot be part of an address: give --slug with at most 40 letters a to z, digits"
                " and hyphens."
            )
        if (taken := game_folders.game_named(slug)) is not None:
            raise CommandError(
                f"There is a game “{slug}” already, in {taken.folder}. Give this one another name or --slug."
            )
        try:
            write_new_game(place / slug, name)
            return read_game(place / slug)
        except FileExistsError:
            raise CommandError(f"{place / slug} is there already, and nothing was written.") from None
        except (OSError, ValueError) as error:
            raise CommandError(f"The folder cannot be written: {error}") from None

    def _unpacked(self, packed: Path, place: Path, slug: str) -> Game:
        """Unpack an archive into a folder of ``place``, and return the game. Raises CommandError with every
        fault; then nothing is written.
        """
        try:
            with packed.open("rb") as file:
                return read_game(unpack_game(file, packed.name, place, slug, game_folders.games()))
        except FileExistsError as error:
            raise CommandError(f"{error} is there already, and nothing was written.") from None
        except FolderError as error:
            raise CommandError("\n".join(error.problems)) from None
        except (ValueError, OSError) as error:
            raise CommandError(f"{packed.name}: {error}") from None


def _named_places() -> list[str]:
    """Return the folders in CUTOUT_GAMES_PATH."""
    return [path for path in os.environ.get("CUTOUT_GAMES_PATH", "").split(os.pathsep) if path]


def write_new_game(folder: Path, name: str) -> None:
    """Copy the sample into a new folder, with the name in game.toml. Raises FileExistsError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    shutil.copytree(SAMPLE, folder, dirs_exist_ok=True)
    game_file = folder / GAME_FILE
    # A JSON string is also a valid TOML string.
    game_file.write_text(
        game_file.read_text(encoding="utf-8").replace(NAME, json.dumps(name, ensure_ascii=False)),
        encoding="utf-8",
    )
