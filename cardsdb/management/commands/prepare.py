"""``manage.py prepare``: make the site ready to serve (games, database, catalogue, fonts, static files,
secret).

``make run`` and deployments call it before each start. If nothing has changed since the last time, it is
quick: a stamp file (``prepared`` in the data folder) holds a hash of all that it depends on. What is prepared
from further files must be watched in ``_state``.
Tests: ``tests/cardsdb/management/commands/test_prepare.py``.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import run_checks
from django.core.files import locks
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser, SystemCheckError
from django.db import connection

from cardsdb import games as game_folders
from cardsdb.apps import NOT_WHOLE
from cardsdb.box.reading.packed_games import take_in_zips
from cardsdb.management.commands.load_cards import tell_what_is_left_out
from cardsdb.models import SiteSecret
from cardsdb.models.box import has_box_for_everyone
from cardsdb.operate.checks import KNOWS_NOBODY, MAKE_KNOWN, what_is_lacking
from cardsdb.site.static_files import PACKED

# Files and folders of the repository that preparing depends on.
WATCHED = ("cardsdb", "decks", "printing", "templates", "requirements.txt")


class Command(BaseCommand):
    help = "Migrate, load the catalogue, build fonts, collect static files, as far as something changed."
    # The system checks judge every game's examples, so they run in ``_check``, only if something has changed.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--new-secret",
            action="store_true",
            help="SECRET_KEY was changed on all machines: it is the site's now",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if open_to_others := closed(_private()):
            self.stderr.write(
                f"Others on this machine may read {open_to_others[0]}: it belongs to another user, who must"
                " close it."
            )
        # A second process waits here, and then finds everything done.
        with (settings.VAR_DIR / "prepare.lock").open("w") as file:
            locks.lock(file, locks.LOCK_EX)
            self._unpack_games()
            self._prepare()
        self._note_secret(options["new_secret"])
        # The command belongs to a higher app, so it is called by name, not imported.
        call_command("own", "clear")
        if has_box_for_everyone() and (settings.VAR_DIR / "own").is_dir():
            call_command("own", "folder", stdout=self.stdout, stderr=self.stderr)

    def _unpack_games(self) -> None:
        """Unpack games that lie as zips in the site's data."""
        take_in_zips(settings.VAR_DIR / "games", game_folders.games(), self.stdout.write, self.stderr.write)
        game_folders.games.cache_clear()

    def _prepare(self) -> None:
        """Migrate, load and collect, unless the stamp says that nothing has changed."""
        stamp = settings.VAR_DIR / "prepared"
        state = self._state()
        if stamp.exists() and stamp.read_text() == state and _manifest().exists() and not what_is_lacking():
            tell_what_is_left_out(self.stderr.write)
            return
        stamp.unlink(missing_ok=True)
        self._check()
        call_command("migrate", verbosity=0)
        call_command("load_cards", stdout=self.stdout, stderr=self.stderr)
        call_command("build_fonts")
        self._collect()
        stamp.write_text(state)

    def _check(self) -> None:
        """Run the system checks. A game with faults is left out; any other error stops the start."""
        broken: dict[str, list[str]] = {}
        found = [message for message in run_checks() if not message.is_silenced()]
        for message in found:
            if message.id == NOT_WHOLE and message.obj:
                broken.setdefault(message.obj, []).append(f"{message.obj}: {message.msg}")
        game_folders.leave_out(broken)
        others = [message for message in found if message.id != NOT_WHOLE]
        if wrong := [message for message in others if message.is_serious()]:
            raise SystemCheckError("\n".join(map(str, wrong)))
        for message in others:
            self.stderr.write(str(message))

    def _note_secret(self, is_new: bool) -> None:
        """Record this machine's secret if there is none or it ``is_new``; warn if the site has another."""
        SiteSecret.objects.note() if is_new else SiteSecret.objects.note_first()
        if SiteSecret.objects.is_another():
            self.stderr.write(f"{KNOWS_NOBODY}: {MAKE_KNOWN}")

    def _collect(self) -> None:
        """Collect the static files. Those of the time before are kept, for pages that are still open; older
        ones are deleted.
        """
        before = _collected()
        call_command("collectstatic", interactive=False, verbosity=0)
        kept = before | _collected()
        for path in settings.STATIC_ROOT.rglob("*"):
            if not path.is_file() or path == _manifest():
                continue
            # A packed copy, such as site.css.gz, stays as long as its original.
            original = path.with_suffix("") if path.suffix in PACKED else path
            names = {file.relative_to(settings.STATIC_ROOT).as_posix() for file in (path, original)}
            if names.isdisjoint(kept):
                path.unlink()

    def _state(self) -> str:
        """Return a hash of all that preparing depends on: the database, and files by name, size and time."""
        digest = hashlib.sha256(repr(sorted(map(str, connection.settings_dict.items()))).encode())
        roots = [settings.BASE_DIR / name for name in WATCHED] + list(game_folders.roots())
        for root in roots:
            # A root is a folder, or a single file such as requirements.txt.
            for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
                if path.is_file() and "__pycache__" not in path.parts:
                    facts = path.stat()
                    digest.update(f"{path}{facts.st_size}{facts.st_mtime_ns}".encode())
        return digest.hexdigest()


def _manifest() -> Path:
    """Return the path of Django's list of collected files with their hashed names."""
    path: Path = settings.STATIC_ROOT / "staticfiles.json"
    return path


def _collected() -> set[str]:
    """Return the names of the files that were last collected, plain and hashed: "cutout/cutout.css",
    "cutout/cutout.0123456789ab.css".
    """
    if not _manifest().exists():
        return set()
    paths = json.loads(_manifest().read_text(encoding="utf-8"))["paths"]
    return {*paths, *paths.values()}


def _private() -> list[Path]:
    """Return the paths that only the site's user may read: the data folder, and the SQLite database with its
    companions.
    """
    name = str(connection.settings_dict["NAME"])
    files = [Path(f"{name}{end}") for end in ("", "-wal", "-shm")] if connection.vendor == "sqlite" else []
    return [settings.VAR_DIR, *files]


def closed(paths: Iterable[Path]) -> list[Path]:
    """Remove all rights of other users; return the paths that another user owns, where that failed."""
    failed = []
    for path in paths:
        try:
            mode = path.stat().st_mode
            # 0o077: rights of the group and of others; 0o700: those of the owner, which stay.
            if mode & 0o077:
                path.chmod(mode & 0o700)
        except FileNotFoundError:
            continue
        except OSError:
            failed.append(path)
    return failed
