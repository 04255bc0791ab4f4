"""Make the site ready to serve: database, catalogue, fonts, static files. Quick when nothing changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from cardsdb import games as game_folders
from cardsdb.models import Card

WATCHED = ("cardsdb", "decks", "printing", "templates", "requirements.txt")


class Command(BaseCommand):
    help = "Migrate, load the catalogue, build fonts and collect static files, as far as something changed since the last time."
    # The checks judge every game's examples; they run below when there is something new to check.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        stamp = settings.VAR_DIR / "prepared"
        state = self._state()
        if stamp.exists() and stamp.read_text() == state and self._loaded():
            return
        stamp.unlink(missing_ok=True)
        call_command("check")
        call_command("migrate", verbosity=0)
        call_command("load_cards", stdout=self.stdout)
        call_command("build_fonts")
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.write_text(state)

    def _state(self) -> str:
        """What preparing depends on, as a hash of names, sizes and times."""
        digest = hashlib.sha256(repr(sorted(map(str, connection.settings_dict.items()))).encode())
        roots = [settings.BASE_DIR / name for name in WATCHED] + [Path(path) for path in game_folders.__path__]
        for root in roots:
            for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
                if path.is_file() and "__pycache__" not in path.parts:
                    facts = path.stat()
                    digest.update(f"{path}{facts.st_size}{facts.st_mtime_ns}".encode())
        return digest.hexdigest()

    def _loaded(self) -> bool:
        try:
            executor = MigrationExecutor(connection)
            waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
            return not waiting and Card.objects.exists() and (settings.STATIC_ROOT / "staticfiles.json").exists()
        except DatabaseError:
            return False
