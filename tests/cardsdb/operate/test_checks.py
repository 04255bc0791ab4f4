"""The checks of ``manage.py doctor``: what they find, and what they advise."""

import json
import shutil
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.checks import ERROR, INFO, WARNING, CheckMessage, Info
from django.core.files.storage import storages
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from cardsdb.models import Card, Edition, Letter, RowState, SiteSecret
from cardsdb.operate import checks
from cardsdb.operate.backup import NOTE, last_backup, note_backup
from cardsdb.operate.checks import examined
from printing.models import PrintJob
from tests.support.meanwhile import failing
from tests.support.object_store import address_of, use_stores
from tests.support.redis_server import FULL, REPLICA, Server

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
DOWN = OperationalError("connection refused")


def is_wrong(message: CheckMessage, *words: str) -> bool:
    """True for an Error whose message and hint contain these words."""
    return message.level == ERROR and all(word in f"{message.msg} {message.hint}" for word in words)


# -- the command ------------------------------------------------------------------------


def test_doctor_shows_an_error_with_its_remedy_as_text_and_json_and_fails(capsys):
    MigrationRecorder.Migration.objects.filter(app="decks").delete()
    with pytest.raises(CommandError, match="wrong"):
        call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("  versions") for line in lines)
    (database,) = (line for line in lines if line.startswith("! database"))
    assert database.endswith("migrations wait. To do: run manage.py migrate.")
    with pytest.raises(CommandError):
        call_command("doctor", json=True)
    answer = json.loads(capsys.readouterr().out)
    found = {one["name"]: (one["state"], one["remedy"]) for one in answer["checks"]}
    assert not answer["right"] and found["versions"] == ("right", "")
    assert found["database"] == ("wrong", "run manage.py migrate")
    # The command and the page check the same things in the same order; a new check raises the number.
    assert list(found) == [one.obj for one in examined(checks.PAGE)] and len(found) == 14


@pytest.mark.parametrize("error", [DOWN, ValueError("odd")])
def test_a_check_that_raises_is_an_error_and_the_others_still_run(error):
    with failing(error):
        found = {message.obj: message for message in examined(checks.PAGE)}
    assert is_wrong(found["clock"], "could not be checked") and found["versions"].level == INFO
    if error is DOWN:
        assert is_wrong(found["database"], "does not answer", "DATABASE_URL")


def test_a_working_site_passes_the_checks():
    run = ("database", "catalogue", "clock", "worker", "queue", "versions", "object_store")
    assert [name for name in run if getattr(checks, name)().level != INFO] == []


# -- database and worker ----------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.engine("postgresql")
def test_many_connections_in_use_are_a_warning(monkeypatch):
    assert checks.database().level == INFO
    monkeypatch.setattr(checks, "MAX_TAKEN", 0.0)
    found = checks.database()
    assert found.level == WARNING and "connections are taken" in found.msg and "max_connections" in found.hint


@pytest.mark.both_databases
def test_cards_that_differ_from_the_folders_are_an_error():
    code = Card.objects.in_game("spynet").values_list("code", flat=True)[0]
    Card.objects.filter(game="spynet", code=code).update(digest="older")
    assert is_wrong(checks.catalogue(), "1 card ", "load_cards")


@pytest.mark.both_databases
def test_a_clock_before_the_last_load():
    Edition.objects.update(made=timezone.now() + timedelta(days=400))
    assert is_wrong(checks.clock(), "before the catalogue was loaded")


@pytest.mark.both_databases
def test_an_old_waiting_task_is_an_error_unless_a_worker_is_busy_with_another():
    long_ago = timezone.now() - timedelta(minutes=10)
    letter = Letter.objects.create(content={}, due=timezone.now())
    assert checks.worker().level == INFO
    Letter.objects.update(due=long_ago)
    assert is_wrong(checks.worker(), "1 task waits", "600 seconds", "manage.py worker")
    # Mails are sent even while a print is made.
    PrintJob.objects.create(browser="b", state=RowState.RUNNING, heartbeat=timezone.now())
    assert is_wrong(checks.worker(), "1 task waits")
    letter.delete()
    PrintJob.objects.create(browser="b", made=long_ago)
    assert checks.worker().level == WARNING


@pytest.mark.parametrize(("attempts", "minutes", "level"), [(1, 1, WARNING), (0, 1, ERROR), (1, 9, ERROR)])
def test_old_mails_are_only_a_warning_while_another_is_being_sent(attempts, minutes, level):
    now = timezone.now()
    Letter.objects.create(content={}, due=now - timedelta(minutes=10))
    Letter.objects.create(content={}, attempts=attempts, due=now + timedelta(minutes=minutes))
    assert checks.worker().level == level


# -- other servers ----------------------------------------------------------------------


def test_a_redis_that_takes_no_writes_or_does_not_answer_is_an_error_without_its_password(settings, tmp_path):
    server = Server(tmp_path)
    settings.TASKS_URL = server.url
    try:
        assert checks.queue().level == INFO
        for how in (FULL, REPLICA):
            server.become(how)
            assert is_wrong(checks.queue(), "TASKS_URL", "takes nothing")
    finally:
        server.stop()
    url = "redis://:hush@127.0.0.1:1/0"
    settings.CACHES = {"default": {"BACKEND": "cardsdb.site.shared_cache.SharedCache", "LOCATION": url}}
    found = checks.shared_cache()
    assert is_wrong(found, "CACHE_URL") and "hush" not in f"{found.msg} {found.hint}"


class NotToBeAsked(BaseEmailBackend):
    """A mail server that must not be contacted."""

    def open(self) -> bool:
        raise AssertionError("the mail server was contacted")


def test_the_command_contacts_the_mail_server_and_the_page_only_counts_failed_mails(settings):
    settings.CUTOUT_MAIL, settings.EMAIL_HOST, settings.EMAIL_PORT = "server", "127.0.0.1", 1
    assert is_wrong(checks.mail(), "CUTOUT_EMAIL_HOST")
    settings.CUTOUT_MAIL_SENDER = f"{__name__}.NotToBeAsked"
    assert checks.letters().level == INFO
    Letter.objects.create(content={}, attempts=2)
    found = checks.letters()
    assert found.level == WARNING and "1 letter could not be sent yet" in found.msg
    settings.CUTOUT_MAIL = "none"
    assert checks.letters() == checks.mail()


def test_an_object_store_is_tried_out_and_errors_do_not_show_its_secret(bucket, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    assert checks.object_store() == Info("lists, writes, reads and deletes")
    assert [list(storages[name].files()) for name in ("pictures", "jobs", "waiting")] == [[], [], []]
    (tmp_path / "pictures" / "ab").mkdir(parents=True)
    (tmp_path / "pictures" / "ab" / "abcd").write_bytes(b"from before")
    found = checks.object_store()
    assert found.level == WARNING and "pictures/ of CUTOUT_VAR" in found.msg
    use_stores(settings, address_of("nobodys"))
    found = checks.object_store()
    assert is_wrong(found, "does not do what it must", "NoSuchBucket", "STORAGE_URL")
    assert "secret" not in f"{found.msg} {found.hint}"


# -- who may come -----------------------------------------------------------------------

# Settings of a public site (cardsdb/settings.py).
PUBLIC = {
    "HTTPS": True,
    "ALLOWED_HOSTS": ["cutout.example"],
    "SECRET_KEY": "Vq7xW2mK9pZr4tYbN6cHs8dJf3gLaE5uRiOwTyQzXvCnMkPj1B0GhSeD",
    "SECURE_HSTS_SECONDS": 31536000,
    **dict.fromkeys(("SECURE_SSL_REDIRECT", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"), True),
    **dict.fromkeys(("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "CUTOUT_BEHIND_PROXY"), True),
}


@pytest.mark.parametrize(
    ("values", "level", "words"),
    [
        ({"HTTPS": False, "ALLOWED_HOSTS": ["127.0.0.1", "localhost"]}, INFO, "private"),
        ({"HTTPS": False, "DEBUG": True, "ALLOWED_HOSTS": ["localhost"]}, WARNING, "debugging"),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["cutout.example"]}, ERROR, "the site is a private one"),
        (PUBLIC | {"DEBUG": True}, ERROR, "show settings to all visitors"),
        (PUBLIC, INFO, "public: https, cutout.example"),
        (PUBLIC | {"CUTOUT_BEHIND_PROXY": False}, WARNING, "without a proxy"),
        (PUBLIC | {"SESSION_COOKIE_SECURE": False}, ERROR, "SESSION_COOKIE_SECURE"),
    ],
)
def test_a_public_site_must_pass_djangos_deployment_checks_too(settings, values, level, words):
    for name, value in ({"DEBUG": False} | values).items():
        setattr(settings, name, value)
    found = checks.public()
    assert found.level == level and words in found.msg


# -- the data folder --------------------------------------------------------------------


@pytest.fixture
def var(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return tmp_path


def test_the_last_backup_is_recorded_and_an_old_or_missing_one_is_a_warning(settings, var):
    assert last_backup() is None and checks.backup().level == INFO
    settings.HTTPS = True
    assert checks.backup().level == WARNING
    (var / "one.zip").write_bytes(b"x" * 1_000_000)
    note_backup(var / "one.zip")
    assert checks.backup().level == INFO and "1.0 MB" in checks.backup().msg
    made = (timezone.now() - timedelta(days=checks.OLD + 2)).isoformat()
    (var / NOTE).write_text(json.dumps({"made": made, "file": "/one.zip", "bytes": 1}))
    assert checks.backup().level == WARNING and "9 days ago" in checks.backup().msg


@pytest.mark.parametrize(
    "damaged", ["", "[]", '{"made": "yesterday", "file": "x", "bytes": 1}', '{"file": "x"}']
)
def test_a_damaged_record_of_the_last_backup_counts_as_none(var, damaged):
    (var / NOTE).write_text(damaged)
    assert last_backup() is None


def test_an_unwritable_folder_and_uncollected_static_files_are_errors(settings, tmp_path):
    settings.STATIC_ROOT, settings.VAR_DIR = tmp_path, tmp_path / "is" / "not" / "there"
    assert is_wrong(checks.folders(), "cannot be written", "CUTOUT_VAR")
    assert is_wrong(checks.static_files(), "manage.py prepare")


@pytest.mark.parametrize(
    ("free", "level"), [(5_000_000_000, INFO), (1_000_000_000, WARNING), (1_000_000, ERROR)]
)
def test_little_room_on_the_disk_is_a_warning_and_very_little_an_error(monkeypatch, free, level):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    assert checks.folders().level == level


@pytest.mark.parametrize(("mode", "state"), [(0o600, INFO), (0o644, ERROR), (0o640, ERROR)])
def test_who_can_read_the_secret(var, monkeypatch, mode, state):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    (var / "secret_key").write_text("x")
    (var / "secret_key").chmod(mode)
    assert checks.secret().level == state


def test_another_secret_than_the_sites_is_an_error(settings):
    SiteSecret.objects.note_first()
    settings.SECRET_KEY = "another" * 10
    assert is_wrong(checks.secret(), "another secret", "SECRET_KEY", "recovery codes")
