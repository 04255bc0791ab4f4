"""The doctor says what is right with a site and what is not, each with what to do."""

from __future__ import annotations

import json
import shutil
from collections import namedtuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from cardsdb.models import Card, Edition, Letter, RowState, SiteSecret
from printing.doctor import machine, site
from printing.doctor.backups import last_backup, note_backup
from printing.doctor.diagnosis import Diagnosis, State, examined, right
from printing.models import PrintJob
from tests.support.object_store import address_of, use_stores
from tests.support.redis_server import FULL, REPLICA, Server

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def is_wrong(diagnosis: Diagnosis, *words: str) -> bool:
    return diagnosis.state == State.WRONG and all(word in " ".join(diagnosis) for word in words)


# -- the command ------------------------------------------------------------------------


def test_a_fault_is_shown_with_what_to_do_and_ends_the_command_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setattr(site, "what_is_lacking", lambda: "3 migrations wait: run manage.py migrate")
    from printing.management.commands import doctor

    monkeypatch.setattr(doctor, "CHECKS", {"versions": machine.versions, "database": site.database})
    with pytest.raises(CommandError, match=r"1 thing wrong\."):
        call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0].startswith("  versions")
        and lines[-1] == "! database        3 migrations wait. To do: run manage.py migrate."
    )


def test_programs_are_answered_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from printing.management.commands import doctor

    monkeypatch.setattr(doctor, "CHECKS", {"database": site.database})
    call_command("doctor", json=True)
    answer = json.loads(capsys.readouterr().out)
    assert answer["right"] and [(one["name"], one["state"], one["remedy"]) for one in answer["checks"]] == [
        ("database", "right", "")
    ]


@pytest.mark.parametrize("error", [OperationalError("connection refused"), ValueError("odd")])
def test_a_check_that_fails_is_a_fault_and_the_others_are_made(error: Exception) -> None:
    def fails() -> Diagnosis:
        raise error

    first, second = dict(examined({"fails": fails, "another": lambda: right("well")})).values()
    assert is_wrong(first, "could not be looked at") and second.state == State.RIGHT


def test_a_sound_site_is_right() -> None:
    found = [
        check()
        for check in (site.database, site.catalogue, site.clock, site.worker, site.queue, machine.versions)
    ]
    assert [one for one in found if one.state != State.RIGHT] == []


# -- what is looked at ------------------------------------------------------------------


def test_a_database_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*args: Any, **kwargs: Any) -> Any:
        raise OperationalError("connection refused")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", down)
    assert is_wrong(site.database(), "does not answer", "DATABASE_URL")


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
def test_a_database_whose_connections_are_nearly_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert site.database().state == State.RIGHT
    monkeypatch.setattr(site, "MAX_TAKEN", 0.0)
    found = site.database()
    assert (
        found.state == State.UNUSUAL
        and "connections are taken" in found.found
        and "max_connections" in found.remedy
    )


def test_a_secret_that_is_not_the_site_s(settings: Any) -> None:
    SiteSecret.objects.note_first()
    settings.SECRET_KEY = "another" * 10
    assert is_wrong(machine.secret(), "another secret", "SECRET_KEY", "recovery codes")


@pytest.mark.both_databases
def test_cards_that_differ_from_the_folders() -> None:
    Card.objects.filter(
        game="spynet", code=Card.objects.in_game("spynet").values_list("code", flat=True)[0]
    ).update(digest="older")
    assert is_wrong(site.catalogue(), "1 card ", "load_cards")


@pytest.mark.both_databases
def test_a_task_that_nobody_takes() -> None:
    Letter.objects.create(content={}, due=timezone.now() - timedelta(minutes=10))
    assert is_wrong(site.worker(), "1 task waits", "600 seconds", "manage.py worker")


def test_a_task_that_has_just_come() -> None:
    Letter.objects.create(content={}, due=timezone.now())
    assert site.worker().state == State.RIGHT


@pytest.mark.both_databases
def test_a_task_behind_another_that_is_made() -> None:
    PrintJob.objects.create(browser="b", made=timezone.now() - timedelta(minutes=10))
    PrintJob.objects.create(browser="b", state=RowState.RUNNING, heartbeat=timezone.now())
    assert site.worker().state == State.UNUSUAL


def test_a_letter_that_nobody_takes_while_a_print_is_made() -> None:
    PrintJob.objects.create(browser="b", state=RowState.RUNNING, heartbeat=timezone.now())
    late = timezone.now() - timedelta(minutes=10)
    Letter.objects.create(content={}, due=late)
    assert is_wrong(site.worker(), "1 task waits", "manage.py worker")
    Letter.objects.create(content={}, due=late, worker="x", state=RowState.RUNNING, heartbeat=timezone.now())
    assert site.worker().state == State.UNUSUAL


@pytest.mark.parametrize("name", ["CACHE_URL", "TASKS_URL"])
def test_a_redis_that_does_not_answer_and_whose_password_is_not_said(settings: Any, name: str) -> None:
    url = "redis://:hush@127.0.0.1:1/0"
    if name == "CACHE_URL":
        settings.CACHES = {"default": {"BACKEND": "cardsdb.site.shared_cache.SharedCache", "LOCATION": url}}
    else:
        settings.TASKS_URL = url
    found = site.cache() if name == "CACHE_URL" else site.queue()
    assert is_wrong(found, name) and "hush" not in " ".join(found)


@pytest.mark.parametrize("how", [FULL, REPLICA])
def test_a_redis_that_answers_and_takes_nothing(settings: Any, tmp_path: Path, how: str) -> None:
    server = Server(tmp_path)
    settings.TASKS_URL = server.url
    try:
        assert site.queue().state == State.RIGHT
        server.become(how)
        assert is_wrong(site.queue(), "TASKS_URL", "takes nothing")
    finally:
        server.stop()


def test_a_mail_server_that_does_not_answer(settings: Any) -> None:
    settings.CUTOUT_MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT = "server", "127.0.0.1", 1
    assert is_wrong(site.mail(), "CUTOUT_EMAIL_HOST")


def test_a_page_says_of_mail_what_became_of_letters_and_asks_no_server(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker alone may have a way to it (compose.yaml)."""
    settings.CUTOUT_MAIL = "server"
    monkeypatch.setattr(site, "get_connection", lambda *of, **options: pytest.fail("it was asked"))
    assert site.letters().state == State.RIGHT
    Letter.objects.create(content={}, attempts=2)
    found = site.letters()
    assert found.state == State.UNUSUAL and "1 letter could not be sent yet" in found.found
    settings.CUTOUT_MAIL = "none"
    assert site.letters() == site.mail()


@pytest.mark.both_databases
def test_a_clock_before_the_last_load() -> None:
    Edition.objects.update(made=timezone.now() + timedelta(days=400))
    assert is_wrong(site.clock(), "before the catalogue was loaded")


@pytest.mark.parametrize(
    ("https", "debug", "hosts", "state"),
    [
        (False, False, ["127.0.0.1", "localhost"], State.RIGHT),
        (False, True, ["localhost"], State.UNUSUAL),
        (False, False, ["cutout.example"], State.WRONG),
        (True, True, ["cutout.example"], State.WRONG),
        # Settings of a private site, whatever their name says: no cookie is kept to https.
        (True, False, ["cutout.example"], State.WRONG),
    ],
)
def test_who_may_come(settings: Any, https: bool, debug: bool, hosts: list[str], state: State) -> None:
    settings.HTTPS, settings.DEBUG, settings.ALLOWED_HOSTS = https, debug, hosts
    assert site.public().state == state


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
        ({"CUTOUT_BEHIND_PROXY": True}, State.RIGHT, "public: https, cutout.example"),
        ({"CUTOUT_BEHIND_PROXY": False}, State.UNUSUAL, "without a proxy"),
        ({"CUTOUT_BEHIND_PROXY": True, "SESSION_COOKIE_SECURE": False}, State.WRONG, "SESSION_COOKIE_SECURE"),
    ],
)
def test_a_public_site_is_judged_by_djangos_deployment_checks(
    settings: Any, changed: dict[str, Any], state: State, words: str
) -> None:
    for name, value in (PUBLIC | changed).items():
        setattr(settings, name, value)
    found = site.public()
    assert found.state == state and words in found.found


def test_a_backup_is_noted_when_it_was_made(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert last_backup() is None and machine.backup().state == State.RIGHT
    settings.HTTPS = True
    assert machine.backup().state == State.UNUSUAL
    (tmp_path / "one.zip").write_bytes(b"x" * 1_000_000)
    note_backup(tmp_path / "one.zip")
    assert machine.backup().state == State.RIGHT and "1.0 MB" in machine.backup().found


def test_a_backup_of_long_ago_is_unusual(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    made = (timezone.now() - timedelta(days=9)).isoformat()
    (tmp_path / "last_backup.json").write_text(json.dumps({"made": made, "file": "/one.zip", "bytes": 1}))
    assert machine.backup().state == State.UNUSUAL and "9 days ago" in machine.backup().found


@pytest.mark.parametrize(
    "noted", ["", "[]", '{"made": "yesterday", "file": "x", "bytes": 1}', '{"file": "x"}']
)
def test_a_damaged_note_of_a_backup_is_none(settings: Any, tmp_path: Path, noted: str) -> None:
    settings.VAR_DIR = tmp_path
    (tmp_path / "last_backup.json").write_text(noted)
    assert last_backup() is None


def test_a_folder_that_cannot_be_written(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path / "is" / "not" / "there"
    assert is_wrong(machine.folders(), "cannot be written", "CUTOUT_VAR")


@pytest.mark.parametrize(
    ("free", "state"),
    [(5_000_000_000, State.RIGHT), (1_000_000_000, State.UNUSUAL), (1_000_000, State.WRONG)],
)
def test_room_on_the_disk(monkeypatch: pytest.MonkeyPatch, free: int, state: State) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(0, 0, free))
    assert machine.folders().state == state


def test_an_object_store_that_does_all_it_must(bucket: str, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert machine.object_store() == right("lists, writes, reads and deletes")
    assert [list(storages[name].files()) for name in ("pictures", "jobs", "waiting")] == [[], [], []]  # type: ignore[attr-defined]
    (tmp_path / "pictures" / "ab").mkdir(parents=True)
    (tmp_path / "pictures" / "ab" / "abcd").write_bytes(b"from before")
    assert (
        machine.object_store().state == State.UNUSUAL
        and "pictures/ of CUTOUT_VAR" in machine.object_store().found
    )


def test_an_object_store_without_our_bucket_is_said_without_its_secret(bucket: str, settings: Any) -> None:
    use_stores(settings, address_of("nobodys"))
    found = machine.object_store()
    assert is_wrong(
        found, "does not do what it must", "NoSuchBucket", "STORAGE_URL"
    ) and "secret" not in " ".join(found)


def test_without_an_object_store_nothing_of_it_is_asked() -> None:
    assert machine.object_store().state == State.RIGHT


@pytest.mark.parametrize(
    ("mode", "state"), [(0o600, State.RIGHT), (0o644, State.WRONG), (0o640, State.WRONG)]
)
def test_who_can_read_the_secret(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, state: State
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").write_text("x")
    (tmp_path / "secret_key").chmod(mode)
    assert machine.secret().state == state


def test_static_files_that_were_not_collected(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert is_wrong(machine.static_files(), "manage.py prepare")
