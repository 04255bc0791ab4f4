"""The doctor says what is right with a site and what is not, each with what to do."""

from __future__ import annotations

import json
import shutil
from collections import namedtuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import ERROR, INFO, WARNING, CheckMessage, Info, run_checks
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from cardsdb.models import Card, Edition, Letter, RowState, SiteSecret
from cardsdb.operate import checks
from cardsdb.operate.backup import last_backup, note_backup
from cardsdb.operate.checks import examined
from printing.models import PrintJob
from tests.support.object_store import address_of, use_stores
from tests.support.redis_server import FULL, REPLICA, Server

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def is_wrong(message: CheckMessage, *words: str) -> bool:
    return message.level == ERROR and all(word in f"{message.msg} {message.hint}" for word in words)


# -- the command ------------------------------------------------------------------------


@pytest.fixture
def two_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with two checks alone: of versions, and of a database that is not migrated."""
    monkeypatch.setattr(checks, "what_is_lacking", lambda: "3 migrations wait: run manage.py migrate")
    known = ("versions", "database")
    monkeypatch.setattr(
        checks, "run_checks", lambda **asked: [one for one in run_checks(**asked) if one.obj in known]
    )


def test_a_fault_is_shown_with_what_to_do_and_ends_the_command_with_1(two_checks: None, capsys: Any) -> None:
    with pytest.raises(CommandError, match=r"1 thing wrong\."):
        call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0].startswith("  versions")
        and lines[-1] == "! database        3 migrations wait. To do: run manage.py migrate."
    )


def test_programs_are_answered_in_json(two_checks: None, capsys: Any) -> None:
    with pytest.raises(CommandError):
        call_command("doctor", json=True)
    answer = json.loads(capsys.readouterr().out)
    assert not answer["right"]
    assert [(one["name"], one["state"], one["remedy"]) for one in answer["checks"]] == [
        ("versions", "right", ""),
        ("database", "wrong", "run manage.py migrate"),
    ]


@pytest.mark.parametrize("error", [OperationalError("connection refused"), ValueError("odd")])
def test_a_check_that_fails_is_a_fault_and_the_others_are_made(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise error

    monkeypatch.setattr(checks, "what_is_lacking", fails)
    found = {one.obj: one for one in examined(checks.PAGE)}
    assert is_wrong(found["database"], "could not be looked at") and found["versions"].level == INFO


def test_the_page_looks_at_all_that_the_command_looks_at(settings: Any) -> None:
    names = [[one.obj for one in examined(tag)] for tag in (checks.SITE, checks.PAGE)]
    assert names[0] == names[1] and len(names[0]) == 14


def test_djangos_own_command_shows_them(two_checks: None) -> None:
    with pytest.raises(SystemCheckError, match="3 migrations wait"):
        call_command("check", "--deploy", "--tag", "site", "--database", "default")


def test_a_sound_site_is_right() -> None:
    looked = (checks.database, checks.catalogue, checks.clock, checks.worker, checks.queue, checks.versions)
    assert [one for check in looked if (one := check()).level != INFO] == []


# -- what is looked at ------------------------------------------------------------------


def test_a_database_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*args: Any, **kwargs: Any) -> Any:
        raise OperationalError("connection refused")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", down)
    assert is_wrong(checks.database(), "does not answer", "DATABASE_URL")


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
def test_a_database_whose_connections_are_nearly_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.database().level == INFO
    monkeypatch.setattr(checks, "MAX_TAKEN", 0.0)
    found = checks.database()
    assert found.level == WARNING and "connections are taken" in found.msg and "max_connections" in found.hint


def test_a_secret_that_is_not_the_site_s(settings: Any) -> None:
    SiteSecret.objects.note_first()
    settings.SECRET_KEY = "another" * 10
    assert is_wrong(checks.secret(), "another secret", "SECRET_KEY", "recovery codes")


@pytest.mark.both_databases
def test_cards_that_differ_from_the_folders() -> None:
    Card.objects.filter(
        game="spynet", code=Card.objects.in_game("spynet").values_list("code", flat=True)[0]
    ).update(digest="older")
    assert is_wrong(checks.catalogue(), "1 card ", "load_cards")


@pytest.mark.both_databases
def test_a_task_that_nobody_takes() -> None:
    Letter.objects.create(content={}, due=timezone.now() - timedelta(minutes=10))
    assert is_wrong(checks.worker(), "1 task waits", "600 seconds", "manage.py worker")


def test_a_task_that_has_just_come() -> None:
    Letter.objects.create(content={}, due=timezone.now())
    assert checks.worker().level == INFO


@pytest.mark.both_databases
def test_a_task_behind_another_that_is_made() -> None:
    PrintJob.objects.create(browser="b", made=timezone.now() - timedelta(minutes=10))
    PrintJob.objects.create(browser="b", state=RowState.RUNNING, heartbeat=timezone.now())
    assert checks.worker().level == WARNING


@pytest.mark.parametrize(("attempts", "minutes", "level"), [(1, 1, WARNING), (0, 1, ERROR), (1, 9, ERROR)])
def test_letters_behind_another_that_is_sent(attempts: int, minutes: int, level: int) -> None:
    now = timezone.now()
    Letter.objects.create(content={}, due=now - timedelta(minutes=10))
    Letter.objects.create(content={}, attempts=attempts, due=now + timedelta(minutes=minutes))
    assert checks.worker().level == level


def test_a_letter_that_nobody_takes_while_a_print_is_made() -> None:
    PrintJob.objects.create(browser="b", state=RowState.RUNNING, heartbeat=timezone.now())
    late = timezone.now() - timedelta(minutes=10)
    Letter.objects.create(content={}, due=late)
    assert is_wrong(checks.worker(), "1 task waits", "manage.py worker")


@pytest.mark.parametrize("name", ["CACHE_URL", "TASKS_URL"])
def test_a_redis_that_does_not_answer_and_whose_password_is_not_said(settings: Any, name: str) -> None:
    url = "redis://:hush@127.0.0.1:1/0"
    if name == "CACHE_URL":
        settings.CACHES = {"default": {"BACKEND": "cardsdb.site.ratelimits.SharedCache", "LOCATION": url}}
    else:
        settings.TASKS_URL = url
    found = checks.shared_cache() if name == "CACHE_URL" else checks.queue()
    assert is_wrong(found, name) and "hush" not in f"{found.msg} {found.hint}"


@pytest.mark.parametrize("how", [FULL, REPLICA])
def test_a_redis_that_answers_and_takes_nothing(settings: Any, tmp_path: Path, how: str) -> None:
    server = Server(tmp_path)
    settings.TASKS_URL = server.url
    try:
        assert checks.queue().level == INFO
        server.become(how)
        assert is_wrong(checks.queue(), "TASKS_URL", "takes nothing")
    finally:
        server.stop()


def test_a_mail_server_that_does_not_answer(settings: Any) -> None:
    settings.CUTOUT_MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT = "server", "127.0.0.1", 1
    assert is_wrong(checks.mail(), "CUTOUT_EMAIL_HOST")


def test_a_page_says_of_mail_what_became_of_letters_and_asks_no_server(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker alone may have a way to it (compose.yaml)."""
    settings.CUTOUT_MAIL = "server"
    monkeypatch.setattr(checks, "get_connection", lambda *of, **options: pytest.fail("it was asked"))
    assert checks.letters().level == INFO
    Letter.objects.create(content={}, attempts=2)
    found = checks.letters()
    assert found.level == WARNING and "1 letter could not be sent yet" in found.msg
    settings.CUTOUT_MAIL = "none"
    assert checks.letters() == checks.mail()


@pytest.mark.both_databases
def test_a_clock_before_the_last_load() -> None:
    Edition.objects.update(made=timezone.now() + timedelta(days=400))
    assert is_wrong(checks.clock(), "before the catalogue was loaded")


@pytest.mark.parametrize(
    ("https", "debug", "hosts", "state"),
    [
        (False, False, ["127.0.0.1", "localhost"], INFO),
        (False, True, ["localhost"], WARNING),
        (False, False, ["cutout.example"], ERROR),
        (True, True, ["cutout.example"], ERROR),
        # Settings of a private site, whatever their name says: no cookie is kept to https.
        (True, False, ["cutout.example"], ERROR),
    ],
)
def test_who_may_come(settings: Any, https: bool, debug: bool, hosts: list[str], state: int) -> None:
    settings.HTTPS, settings.DEBUG, settings.ALLOWED_HOSTS = https, debug, hosts
    assert checks.public().level == state


# What the settings of a public site say (cardsdb/settings.py).
PUBLIC = {
    "HTTPS": True,
    "ALLOWED_HOSTS": ["cutout.example"],
    "SECRET_KEY": "Vq7xW2mK9pZr4tYbN6cHs8dJf3gLaE5uRiOwTyQzXvCnMkPj1B0GhSeD",
    "SECURE_SSL_REDIRECT": True,
    "SECURE_HSTS_SECONDS": 31536000,
    "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
    "SECURE_HSTS_PRELOAD": True,
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
}


@pytest.mark.parametrize(
    ("changed", "state", "words"),
    [
        ({"CUTOUT_BEHIND_PROXY": True}, INFO, "public: https, cutout.example"),
        ({"CUTOUT_BEHIND_PROXY": False}, WARNING, "without a proxy"),
        ({"CUTOUT_BEHIND_PROXY": True, "SESSION_COOKIE_SECURE": False}, ERROR, "SESSION_COOKIE_SECURE"),
    ],
)
def test_a_public_site_is_judged_by_djangos_deployment_checks(
    settings: Any, changed: dict[str, Any], state: int, words: str
) -> None:
    for name, value in (PUBLIC | changed).items():
        setattr(settings, name, value)
    found = checks.public()
    assert found.level == state and words in found.msg


def test_a_backup_is_noted_when_it_was_made(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert last_backup() is None and checks.backup().level == INFO
    settings.HTTPS = True
    assert checks.backup().level == WARNING
    (tmp_path / "one.zip").write_bytes(b"x" * 1_000_000)
    note_backup(tmp_path / "one.zip")
    assert checks.backup().level == INFO and "1.0 MB" in checks.backup().msg


def test_a_backup_of_long_ago_is_unusual(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    made = (timezone.now() - timedelta(days=9)).isoformat()
    (tmp_path / "last_backup.json").write_text(json.dumps({"made": made, "file": "/one.zip", "bytes": 1}))
    assert checks.backup().level == WARNING and "9 days ago" in checks.backup().msg


@pytest.mark.parametrize(
    "noted", ["", "[]", '{"made": "yesterday", "file": "x", "bytes": 1}', '{"file": "x"}']
)
def test_a_damaged_note_of_a_backup_is_none(settings: Any, tmp_path: Path, noted: str) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "last_backup.json").write_text(noted)
    assert last_backup() is None


def test_a_folder_that_cannot_be_written(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "is" / "not" / "there"
    assert is_wrong(checks.folders(), "cannot be written", "CUTOUT_VAR")


@pytest.mark.parametrize(
    ("free", "state"),
    [(5_000_000_000, INFO), (1_000_000_000, WARNING), (1_000_000, ERROR)],
)
def test_room_on_the_disk(monkeypatch: pytest.MonkeyPatch, free: int, state: int) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(0, 0, free))
    assert checks.folders().level == state


def test_an_object_store_that_does_all_it_must(bucket: str, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert checks.object_store() == Info("lists, writes, reads and deletes")
    assert [list(storages[name].files()) for name in ("pictures", "jobs", "waiting")] == [[], [], []]  # type: ignore[attr-defined]
    (tmp_path / "pictures" / "ab").mkdir(parents=True)
    (tmp_path / "pictures" / "ab" / "abcd").write_bytes(b"from before")
    assert checks.object_store().level == WARNING and "pictures/ of CUTOUT_VAR" in checks.object_store().msg


def test_an_object_store_without_our_bucket_is_said_without_its_secret(bucket: str, settings: Any) -> None:
    use_stores(settings, address_of("nobodys"))
    found = checks.object_store()
    assert (
        is_wrong(found, "does not do what it must", "NoSuchBucket", "STORAGE_URL")
        and "secret" not in f"{found.msg} {found.hint}"
    )


def test_without_an_object_store_nothing_of_it_is_asked() -> None:
    assert checks.object_store().level == INFO


@pytest.mark.parametrize(("mode", "state"), [(0o600, INFO), (0o644, ERROR), (0o640, ERROR)])
def test_who_can_read_the_secret(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, state: int
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(mode)
    assert checks.secret().level == state


def test_static_files_that_were_not_collected(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert is_wrong(checks.static_files(), "manage.py prepare")
