"""How the machine is: its folders, the secret, versions."""

from __future__ import annotations

import os
import platform
import secrets
import shutil
import sqlite3
import stat
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from cardsdb.box import picture_store as storage
from cardsdb.models import SiteSecret
from cardsdb.site.health import KNOWS_NOBODY, MAKE_KNOWN
from cardsdb.storage.contract import StoreAway
from cardsdb.storage.folder import FolderStore
from printing.doctor.backups import last_backup
from printing.doctor.diagnosis import Diagnosis, right, unusual, wrong

# Bytes that are free. Below the first a picture or a job may be refused any time.
MIN_FREE, LOW = 200_000_000, 2_000_000_000
# Days after which a backup is an old one.
OLD = 7
# The oldest SQLite that Django takes.
SQLITE = (3, 31, 0)


def folders() -> Diagnosis:
    """Whether the data folder and that of pictures can be written, and have room."""
    free = []
    pictures = () if storage.store().is_remote else (("CUTOUT_PICTURES", Path(storage.store().location)),)
    for name, folder in (("CUTOUT_VAR", Path(settings.VAR_DIR)), *pictures):
        place = folder if folder.exists() else folder.parent
        try:
            with tempfile.TemporaryFile(dir=place):
                free.append((shutil.disk_usage(place).free, name))
        except OSError as error:
            return wrong(
                f"{place} cannot be written: {error.strerror}", f"give it to the site's user, or set {name}"
            )
    room, name = min(free)
    words = f"can be written, {room / 1e9:,.1f} GB free"
    if room < MIN_FREE:
        return wrong(words, f"make room on the disk of {name}")
    return unusual(words, f"make room on the disk of {name} soon") if room < LOW else right(words)


def object_store() -> Diagnosis:
    """Whether the store of STORAGE_URL lets us list, write, read and delete."""
    name, content = f"doctor.{secrets.token_hex(8)}", secrets.token_bytes(64)
    if not storage.store().is_remote:
        return right("none: pictures, files of jobs and files that wait stand in folders")
    try:
        for name_of_store in ("pictures", "jobs", "waiting"):
            store: Any = storages[name_of_store]
            list(store.unfinished())
            store.save(name, ContentFile(content))
            found, listed = store.read(name), [file.name for file in store.files(name)]
            store.delete(name)
            if found != content or listed != [name] or store.exists(name):
                return wrong(
                    f"what was written to {name_of_store} is not what is read, listed or deleted",
                    "look at the object store",
                )
    except (StoreAway, OSError) as error:
        return wrong(
            f"does not do what it must: {error.__cause__ or error}",
            "look at it, at STORAGE_URL and at the rights of its key",
        )
    left = [name for name in ("pictures", "waiting", "jobs") if any(FolderStore(name).files())]
    if left:
        return unusual(
            f"does all it must, but files of before lie in {left[0]}/ of CUTOUT_VAR",
            "copy them (docs/deploy.md), then delete them",
        )
    return right("lists, writes, reads and deletes")


def secret() -> Diagnosis:
    if SiteSecret.objects.is_another():
        return wrong(KNOWS_NOBODY, MAKE_KNOWN)
    if os.environ.get("SECRET_KEY"):
        return right("from SECRET_KEY")
    path = Path(settings.VAR_DIR) / "secret_key"
    if not path.exists():
        return wrong(
            f"{path} is gone; the next start makes another, and every session and link made by it ends",
            "put it back from a backup",
        )
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return wrong(
            f"others on this machine can read {path}",
            f"chmod 600 {path}, and make another if others were there",
        )
    return right("in CUTOUT_VAR, for its owner alone")


def static_files() -> Diagnosis:
    if not (settings.STATIC_ROOT / "staticfiles.json").exists():
        return wrong("static files are not collected", "run manage.py prepare")
    return right("collected")


def backup() -> Diagnosis:
    last = last_backup()
    if last is None:
        found = "none was made of this site on this machine"
        return (
            unusual(found, "have manage.py backup run each night (docs/operate.md)")
            if settings.HTTPS
            else right(found)
        )
    days = (timezone.now() - last.made).days
    found = f"{last.made:%Y-%m-%d %H:%M} UTC, {last.bytes / 1e6:,.1f} MB, {last.file}"
    return (
        unusual(f"{found}: {days} days ago", "have manage.py backup run each night")
        if days > OLD
        else right(found)
    )


def project() -> dict[str, Any]:
    """The Cutout that runs, as its pyproject.toml has it: ``version``, ``requires-python``."""
    found: dict[str, Any] = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return found


def versions() -> Diagnosis:
    cutout = project()
    wanted = tuple(map(int, cutout["requires-python"].removeprefix(">=").split(".")))
    words = (
        f"Cutout {cutout['version']}, Python {platform.python_version()}, Django {django.__version__}, SQLite"
        f" {sqlite3.sqlite_version}"
    )
    if sys.version_info[:2] < wanted:
        return wrong(words, f"install Python {'.'.join(map(str, wanted))} or newer")
    return wrong(words, "install a newer SQLite") if sqlite3.sqlite_version_info < SQLITE else right(words)
