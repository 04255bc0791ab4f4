"""The checks of ``manage.py doctor`` and of ``/status/`` (``status.py``), and ``what_is_lacking``: what keeps
the site from serving, which ``/readyz`` and ``manage.py prepare`` ask too.

Those of the doctor are system checks of Django under the tag ``site``; those on the page have the tag
``page``. To add one, write a function with the decorator ``site_check`` that returns an Info, a Warning or an
Error: a message of what was found, and a hint of what to do. ``examined`` runs them; ``manage.py check`` does
not, because it names no database. Tests: ``tests/cardsdb/operate/test_checks.py``.
"""

import os
import platform
import secrets
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register, run_checks
from django.core.files.base import ContentFile
from django.core.mail import get_connection
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from redis import Redis, RedisError

from cardsdb.box.picture_store import store
from cardsdb.catalogue.loader import rows_of
from cardsdb.games import faults, games
from cardsdb.games.kit import some
from cardsdb.models import Card, Edition, EditionState, Letter, RowState, SiteSecret
from cardsdb.models.turns import answer_of
from cardsdb.operate.backup import last_backup, project
from cardsdb.storage.contract import FolderStore, StoreAway, store_of
from cardsdb.tasks.letters import SILENT
from cardsdb.watch.requests import once_a_request

# The tag of checks that the command ``doctor`` runs.
SITE = "site"
# The tag of checks that the page ``/status/`` runs.
PAGE = "page"
# Free bytes on the disk below which it is an error, because a picture or job may be refused at any time.
MIN_FREE = 200_000_000
# Free bytes on the disk below which it is a warning.
LOW = 2_000_000_000
# Days after which the last backup is too old.
OLD = 7
# The oldest SQLite that Django supports.
SQLITE = (3, 31, 0)
# A task that waits longer shows that no worker runs: workers take tasks within seconds, and signal all the
# time while they work.
WAITED = timedelta(minutes=2)
# The share of PostgreSQL's connections that may be in use. A request that gets none is answered 503.
MAX_TAKEN = 0.8
# Differences between clocks that are ignored.
MAX_CLOCK = timedelta(seconds=5)
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
KNOWS_NOBODY = "this machine has another secret than the site, so it knows no session"
MAKE_KNOWN = (
    "give it the SECRET_KEY of the other machines (or their secret_key in CUTOUT_VAR); if all have this one"
    " for good now, run manage.py prepare --new-secret: recovery codes made under another open nothing"
)

_numbers = count(1)
Check = Callable[[], CheckMessage]


def site_check(name: str, *tags: str) -> Callable[[Check], Check]:
    """Return a decorator that registers a check with Django under these tags, by default both. Checks run in
    the order in which they are declared. An exception in a check becomes an Error, so that the others still
    run. The message gets the name of the check as ``obj``, and an id such as "site.003".
    """
    # ``examined`` sorts by the id, which ends with this number.
    number = next(_numbers)

    def registered(check: Check) -> Check:
        def django_check(databases: object = None, **_: Any) -> list[CheckMessage]:
            # ``manage.py check`` without --database.
            if databases is None:
                return []
            try:
                message = check()
            except DatabaseError as error:
                words = f"could not be checked, because the database refuses ({type(error).__name__})"
                message = Error(words, "repair the database first")
            except Exception as error:
                words = f"could not be checked: {type(error).__name__}: {error}"
                message = Error(words, "repair what else is wrong first")
            message.obj, message.id = name, f"site.{number:03}"
            return [message]

        register(django_check, *(tags or (SITE, PAGE)), deploy=True)
        return check

    return registered


def examined(tag: str) -> list[CheckMessage]:
    """Run the checks of a tag. Return their messages in order; ``obj`` of each is the name of its check."""
    return sorted(
        run_checks(tags=[tag], include_deployment_checks=True, databases=[DEFAULT_DB_ALIAS]),
        key=lambda message: message.id,
    )


@site_check("versions")
def versions() -> CheckMessage:
    """Check the versions of Cutout, Python, Django and SQLite."""
    cutout = project()
    wanted = tuple(map(int, cutout["requires-python"].removeprefix(">=").split(".")))
    words = (
        f"Cutout {cutout['version']}, Python {platform.python_version()}, Django {django.__version__}, SQLite"
        f" {sqlite3.sqlite_version}"
    )
    if sys.version_info[:2] < wanted:
        return Error(words, f"install Python {'.'.join(map(str, wanted))} or newer")
    return Error(words, "install a newer SQLite") if sqlite3.sqlite_version_info < SQLITE else Info(words)


@site_check("data folder")
def folders() -> CheckMessage:
    """Check that the data folder and that of pictures can be written and have room."""
    free = []
    pictures = () if store().is_remote else (("CUTOUT_PICTURES", Path(store().location)),)
    for name, folder in (("CUTOUT_VAR", Path(settings.VAR_DIR)), *pictures):
        place = folder if folder.exists() else folder.parent
        try:
            with tempfile.TemporaryFile(dir=place):
                free.append((shutil.disk_usage(place).free, name))
        except OSError as error:
            return Error(
                f"{place} cannot be written: {error.strerror}", f"give it to the site's user, or set {name}"
            )
    room, name = min(free)
    words = f"can be written, {room / 1e9:,.1f} GB free"
    if room < MIN_FREE:
        return Error(words, f"make room on the disk of {name}")
    return Warning(words, f"make room on the disk of {name} soon") if room < LOW else Info(words)


@site_check("object store")
def object_store() -> CheckMessage:
    """Check by a small file that the store of STORAGE_URL lets us list, write, read and delete."""
    name, content = f"doctor.{secrets.token_hex(8)}", secrets.token_bytes(64)
    stores = {store_name: store_of(store_name) for store_name in ("pictures", "jobs", "waiting")}
    if not stores["pictures"].is_remote:
        return Info("none: pictures, files of jobs and files that wait stand in folders")
    try:
        for store_name, tried in stores.items():
            list(tried.unfinished())
            tried.save(name, ContentFile(content))
            found, listed = tried.read(name), [file.name for file in tried.files(name)]
            tried.delete(name)
            if found != content or listed != [name] or tried.exists(name):
                return Error(
                    f"what was written to {store_name} is not what is read, listed or deleted",
                    "look at the object store",
                )
    except (StoreAway, OSError) as error:
        return Error(
            f"does not do what it must: {error.__cause__ or error}",
            "look at it, at STORAGE_URL and at the rights of its key",
        )
    if left := [name for name in stores if any(FolderStore(name).files())]:
        return Warning(
            f"does all it must, but files of before lie in {left[0]}/ of CUTOUT_VAR",
            "copy them (docs/deploy.md), then delete them",
        )
    return Info("lists, writes, reads and deletes")


@site_check("secret")
def secret() -> CheckMessage:
    """Check that this machine has the site's secret, and that only its owner can read the file."""
    if SiteSecret.objects.is_another():
        return Error(KNOWS_NOBODY, MAKE_KNOWN)
    if os.environ.get("SECRET_KEY"):
        return Info("from SECRET_KEY")
    path = Path(settings.VAR_DIR) / "secret_key"
    if not path.exists():
        return Error(
            f"{path} is gone; the next start makes another, and every session and link made by it ends",
            "put it back from a backup",
        )
    # Any right of the group or of others.
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return Error(
            f"others on this machine can read {path}",
            f"chmod 600 {path}, and make another if others were there",
        )
    return Info("in CUTOUT_VAR, for its owner alone")


@site_check("static files")
def static_files() -> CheckMessage:
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        return Error("static files are not collected", "run manage.py prepare")
    return Info("collected")


@site_check("last backup")
def backup() -> CheckMessage:
    """Check that a backup was made, and not too long ago."""
    last = last_backup()
    if last is None:
        found = "none was made of this site on this machine"
        nightly = "have manage.py backup run each night (docs/operate.md)"
        return Warning(found, nightly) if settings.HTTPS else Info(found)
    days = (timezone.now() - last.made).days
    found = f"{last.made:%Y-%m-%d %H:%M} UTC, {last.bytes / 1e6:,.1f} MB, {last.file}"
    old = Warning(f"{found}: {days} days ago", "have manage.py backup run each night")
    return old if days > OLD else Info(found)


@site_check("who may come")
def public() -> CheckMessage:
    """Check that the settings fit a private site, or a public one."""
    foreign = [host for host in settings.ALLOWED_HOSTS if host not in LOOPBACK]
    if not settings.HTTPS:
        if foreign:
            words = f"ALLOWED_HOSTS has {foreign[0]}, but the site is a private one"
            return Error(words, "set CUTOUT_HTTPS=1 (docs/deploy.md)")
        if settings.DEBUG:
            return Warning("private, with pages for debugging", "unset CUTOUT_DEBUG unless you write code")
        return Info("private: plain http on this machine")
    if settings.DEBUG:
        return Error(
            "public, with pages for debugging, which show settings to all visitors", "unset CUTOUT_DEBUG"
        )
    if found := run_checks(tags=[Tags.security], include_deployment_checks=True):
        return Error(f"public: {found[0].msg.splitlines()[0]}", "see manage.py check --deploy")
    if not settings.CUTOUT_BEHIND_PROXY:
        return Warning(
            "public, without a proxy that is trusted", "set CUTOUT_BEHIND_PROXY=1 if one stands in front"
        )
    return Info(f"public: https, {', '.join(settings.ALLOWED_HOSTS)}")


def what_is_lacking() -> str:
    """Return why the site cannot serve, and what to do; empty if it can."""
    try:
        executor = MigrationExecutor(connection)
        if waiting := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return f"{len(waiting)} migrations wait: run manage.py migrate"
        if not Card.objects.exists():
            return "the catalogue is empty: run manage.py load_cards"
    except (DatabaseError, InterfaceError):
        return "the database does not answer"
    return ""


@site_check("database")
def database() -> CheckMessage:
    """Check that the database answers, is migrated and loaded, and has free connections."""
    if lacking := what_is_lacking():
        found, _, remedy = lacking.partition(": ")
        return Error(found, remedy or "start it, or look at DATABASE_URL")
    version = ".".join(map(str, connection.get_database_version()))
    if connection.vendor == "postgresql":
        taken, most = answer_of(
            "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity"
        )
        if taken > most * MAX_TAKEN:
            return Warning(
                f"{taken} of PostgreSQL's {most} connections are taken",
                "raise max_connections: docs/operate.md says to what",
            )
    return Info(f"{connection.vendor} {version} answers, migrated and loaded")


def _edition() -> EditionState:
    """Return the newest edition, read once for all checks of a page."""
    return once_a_request("edition of checks", Edition.objects.current)


@site_check("catalogue")
def catalogue() -> CheckMessage:
    """Check that the game folders of this machine have the same cards as the database."""
    if found := faults():
        return Error(
            f"{some(len(found), 'fault')} of game folders, left out: {found[0]}",
            "mend the folder, then start the site anew",
        )
    differing = 0
    for game in games().values():
        stored = set(Card.objects.in_game(game.slug).filter(retired=False).values_list("code", "digest"))
        here = {(card.code, rows_of(card, game).card.digest) for card in game.cards}
        # Pairs that are in one set only: a new or lost card once, a changed card twice, with both digests. So
        # codes are counted.
        differing += len({code for code, _ in stored ^ here})
    edition = _edition().number
    if differing:
        words = f"{some(differing, 'card')} of the game folders differ from edition {edition} of the database"
        return Error(words, "run manage.py load_cards; of several machines give all the same version first")
    return Info(f"edition {edition}, as in the folders of {len(games())} games")


@site_check("clock")
def clock() -> CheckMessage:
    """Check the clock against that of the database and the date of the edition."""
    now = timezone.now()
    if connection.vendor == "postgresql":
        (theirs,) = answer_of("SELECT clock_timestamp()")
        if abs(theirs - now) > MAX_CLOCK:
            words = f"{abs(theirs - now).total_seconds():.0f} seconds from that of the database"
            return Error(words, "let both keep time (NTP)")
    made = _edition().made
    words = f"{now:%Y-%m-%d %H:%M} UTC"
    if made is not None and made > now + MAX_CLOCK:
        return Error(f"{words}, before the catalogue was loaded", "set the clock, and let it keep time (NTP)")
    return Info(words)


@site_check("worker")
def worker() -> CheckMessage:
    """Check by the tasks that wait whether a worker runs, on any machine and for any queue.

    Nothing has waited for WAITED: right. Something has, and a worker shows signs of life: unusual. Else
    wrong.
    """
    now = timezone.now()
    jobs = apps.get_model("printing", "PrintJob").objects.all_owners("whether a worker takes them")
    waiting = jobs.filter(state=RowState.WAITING).order_by("made").values_list("made", flat=True)
    letters = Letter.objects.filter(due__lte=now).order_by("due").values_list("due", flat=True)
    firsts = [first for first in (waiting.first(), letters.first()) if first]
    oldest = now - min(firsts) if firsts else timedelta(0)
    count = waiting.count() + letters.count()
    found = f"{some(count, 'task waits', 'tasks wait')}, the oldest for {int(oldest.total_seconds())} seconds"
    if oldest < WAITED:
        return Info(found if count else "nothing waits")
    is_busy = jobs.filter(state=RowState.RUNNING, heartbeat__gt=now - WAITED).exists()
    # A mail that is being sent right now has a next due time within SILENT (cardsdb/tasks/letters.py).
    is_sending = Letter.objects.filter(attempts__gt=0, due__gt=now, due__lte=now + SILENT).exists()
    # A worker that makes a print still sends mails, in its main process. So a print excuses late prints only.
    if is_sending or (is_busy and not letters.filter(due__lte=now - WAITED).exists()):
        return Warning(f"{found}, and a worker is at another", "wait, or start another manage.py worker")
    return Error(f"{found}, and no worker is at work", "start manage.py worker, or look at its log")


@site_check("queue of tasks")
def queue() -> CheckMessage:
    url = settings.TASKS_URL
    return _redis("TASKS_URL", url) if url else Info("in the database (no TASKS_URL)")


@site_check("shared cache")
def shared_cache() -> CheckMessage:
    url = settings.CACHES["default"].get("LOCATION", "")
    alone = "each process counts requests for itself (no CACHE_URL)"
    return _redis("CACHE_URL", url) if url else Info(alone)


def _redis(name: str, url: str) -> CheckMessage:
    """Check a Redis directly, because the cache hides failures of its server. The address is not shown,
    because it may contain a password.
    """
    try:
        with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as server:
            # A full server or a read-only replica answers, but takes no writes.
            server.set("cutout:doctor", 1, px=1)
    except (RedisError, OSError) as error:
        found = f"the server of {name} does not answer, or takes nothing ({type(error).__name__})"
        return Error(found, f"start it, make room in it, or look at {name}")
    return Info(f"the server of {name} answers and takes what is written")


@site_check("mail", SITE)
def mail() -> CheckMessage:
    """Check by connecting that the mail server accepts us."""
    if settings.CUTOUT_MAIL == "files":
        return Info("letters become files in mail/ of CUTOUT_VAR")
    if settings.CUTOUT_MAIL == "none":
        return Warning(
            "the site sends no letters",
            "set CUTOUT_EMAIL_HOST, or set forgotten passwords by manage.py changepassword",
        )
    server = get_connection(settings.CUTOUT_MAIL_SENDER, timeout=5)
    try:
        server.open()
    # Errors of smtplib are OSErrors too.
    except OSError as error:
        words = f"the mail server does not take us: {type(error).__name__}"
        return Error(words, "look at CUTOUT_EMAIL_HOST and those beside it")
    finally:
        server.close()
    return Info("the mail server answers, and takes name and password")


@site_check("mail", PAGE)
def letters() -> CheckMessage:
    """Check mails by those that failed. The page does not contact the mail server, which may be reachable
    only for the worker (compose.yaml).
    """
    if settings.CUTOUT_MAIL != "server":
        return mail()
    if tried := Letter.objects.filter(attempts__gt=0).count():
        words = (
            f"{some(tried, 'letter')} could not be sent yet, and {'is' if tried == 1 else 'are'} tried again"
        )
        return Warning(words, "run manage.py doctor where the worker runs")
    return Info("no letter failed that is not sent")
