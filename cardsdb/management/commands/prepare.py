"""Make the site ready to serve: database, catalogue, fonts, static files. Quick when nothing
changed.
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

WATCHED = ("cardsdb", "decks", "printing", "templates", "requirements.txt")


class Command(BaseCommand):
    help = "Migrate, load the catalogue, build fonts, collect static files, as far as something changed."
    # The checks judge every game's examples; they run below when there is something new to check.
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
        # A second call waits; everything is done then.
        with (settings.VAR_DIR / "prepare.lock").open("w") as file:
            locks.lock(file, locks.LOCK_EX)
            self._unpack_games()
            self._prepare()
        self._note_secret(options["new_secret"])
        # Above the catalogue, so that both go by their names.
        call_command("own", "clear")
        if has_box_for_everyone() and (settings.VAR_DIR / "own").is_dir():
            call_command("own", "folder", stdout=self.stdout, stderr=self.stderr)

    def _unpack_games(self) -> None:
        """Games of data that lie as zips among the site's data become folders there."""
        take_in_zips(settings.VAR_DIR / "games", game_folders.games(), self.stdout.write, self.stderr.write)
        game_folders.games.cache_clear()

    def _prepare(self) -> None:
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
        """Games that are not whole are left out, with their decks; whatever else is wrong with the site stops
        it.
        """
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
        SiteSecret.objects.note() if is_new else SiteSecret.objects.note_first()
        if SiteSecret.objects.is_another():
            self.stderr.write(f"{KNOWS_NOBODY}: {MAKE_KNOWN}")

    def _collect(self) -> None:
        """Collect the static files. Those of the last time stay, for a running site and for open pages; older
        ones are removed.
        """
        before = _collected()
        call_command("collectstatic", interactive=False, verbosity=0)
        names = before | _collected()
        for path in settings.STATIC_ROOT.rglob("*"):
            name = path.relative_to(settings.STATIC_ROOT).as_posix()
            unpacked = path.with_suffix("") if path.suffix in PACKED else path
            if (
                path.is_file()
                and path != _manifest()
                and not names & {name, unpacked.relative_to(settings.STATIC_ROOT).as_posix()}
            ):
                path.unlink()

    def _state(self) -> str:
        """Return what preparing depends on, as a hash of names, sizes and times."""
        digest = hashlib.sha256(repr(sorted(map(str, connection.settings_dict.items()))).encode())
        roots = [settings.BASE_DIR / name for name in WATCHED] + list(game_folders.roots())
        for root in roots:
            for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
                if path.is_file() and "__pycache__" not in path.parts:
                    facts = path.stat()
                    digest.update(f"{path}{facts.st_size}{facts.st_mtime_ns}".encode())
        return digest.hexdigest()


def _manifest() -> Path:
    """Return the path of the list of files that were collected, with their hashed names."""
    path: Path = settings.STATIC_ROOT / "staticfiles.json"
    return path


def _collected() -> set[str]:
    """The names of the files collected last, plain and hashed."""
    if not _manifest().exists():
        return set()
    paths = json.loads(_manifest().read_text(encoding="utf-8"))["paths"]
    return {*paths, *paths.values()}


def _private() -> list[Path]:
    """Paths for the site's user alone: the data folder, and a SQLite database with the files beside it."""
    name = str(connection.settings_dict["NAME"])
    files = [Path(f"{name}{end}") for end in ("", "-wal", "-shm")] if connection.vendor == "sqlite" else []
    return [settings.VAR_DIR, *files]


def closed(paths: Iterable[Path]) -> list[Path]:
    """Take all rights from others, as an older version left them; those that are open still, as they are
    another user's.
    """
    left = []
    for path in paths:
        try:
            if (mode := path.stat().st_mode) & 0o077:
                path.chmod(mode & 0o700)
        except FileNotFoundError:
            continue
        except OSError:
            left.append(path)
    return left
