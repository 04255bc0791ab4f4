"""Write the whole catalogue as a folder of plain pages."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardsdb.catalogue.static_export import write_catalogue
from cardsdb.games import game_named, games
from cardsdb.models import Card

# Stands in every folder written here: only such a folder is ever replaced.
MARK = ".cutout-export"


class Command(BaseCommand):
    help = "Write the catalogue as a folder of pages that need no server. Exit status: 0, or 2 when nothing was written."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="DIR")
        parser.add_argument("--game", default="", help="one game instead of all of them")
        parser.add_argument("--replace", action="store_true", help="replace the pages of an earlier export in DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        game = game_named(options["game"])
        if options["game"] and game is None:
            self._refuse(f"There is no game “{options['game']}”. Games: {', '.join(games())}.")
        folder = Path(options["folder"]).absolute()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            if not options["replace"]:
                self._refuse(f"{folder} is not empty. Name a new folder, or give --replace to replace an earlier export.")
            if not (folder / MARK).is_file():
                self._refuse(f"{folder} was not written by export_static, so it is not replaced. Name another folder.")
        if not Card.objects.current().exists():
            self._refuse("The catalogue is empty: run manage.py load_cards first.")
        try:
            self._write(folder, [game] if game else list(games().values()))
        except OSError as error:
            self._refuse(f"{folder} could not be written: {error.strerror or error}.")

    def _write(self, folder: Path, chosen: list[Any]) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Beside the folder, so that the last step is one rename and a reader finds the old pages or the new.
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            write_catalogue(fresh, chosen, self._progress)
            (fresh / MARK).write_text("Written by manage.py export_static, which may replace this folder.\n", encoding="utf-8")
            fresh.chmod(0o755)
            if folder.exists():
                shutil.rmtree(folder)
            fresh.rename(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        self.stdout.write(f"Written to {folder}: open {folder / 'index.html'}")

    def _progress(self, game: str, done: int, total: int) -> None:
        if self.stdout.isatty() and (done == total or not done % 25):
            self.stdout.write(f"\r{game}: {done:,} of {total:,} cards", ending="\n" if done == total else "")
            self.stdout.flush()

    def _refuse(self, message: str) -> None:
        self.stderr.write(message)
        sys.exit(2)
