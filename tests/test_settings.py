"""The site starts safe, and refuses to start otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECRET = "Vq7xW2mK9pZr4tYbN6cHs8dJf3gLaE5uRiOwTyQzXvCnMkPj1B0GhSeD"


def manage(tmp_path: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A management command in an environment of its own."""
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = [sys.executable, "manage.py", *args]
    return subprocess.run(command, cwd=ROOT, env={**clean, "CUTOUT_VAR": str(tmp_path), **env}, capture_output=True, text=True, check=False)


def test_a_public_site_passes_djangos_deployment_checks(tmp_path: Path) -> None:
    public = {"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET, "ALLOWED_HOSTS": "cutout.example"}
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **public)
    assert done.returncode == 0, done.stderr
    assert "0 silenced" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"CUTOUT_HTTPS": "1", "ALLOWED_HOSTS": "cutout.example"}, "SECRET_KEY"),
        ({"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET}, "ALLOWED_HOSTS"),
        ({"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET, "ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        ({"SECRET_KEY": "django-insecure-" + SECRET}, "SECRET_KEY"),
        ({"SECRET_KEY": "change-me-please-this-is-only-a-sample-of-a-secret-key-000"}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"CUTOUT_DEBUG": "perhaps"}, "CUTOUT_DEBUG"),
        ({"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET, "ALLOWED_HOSTS": "a.example", "CUTOUT_HSTS_SECONDS": "much"}, "CUTOUT_HSTS_SECONDS"),
    ],
)
def test_a_bad_value_stops_the_start_and_is_named(tmp_path: Path, env: dict[str, str], name: str) -> None:
    done = manage(tmp_path, "check", **env)
    assert done.returncode != 0
    assert name in done.stderr


def test_a_private_site_makes_a_secret_that_only_its_owner_can_read(tmp_path: Path) -> None:
    assert manage(tmp_path, "diffsettings").returncode == 0
    path = tmp_path / "secret_key"
    assert len(path.read_text()) >= 50
    assert path.stat().st_mode & 0o077 == 0


def test_debug_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert "DEBUG = True" not in manage(tmp_path, "diffsettings").stdout
    assert "DEBUG = True" in manage(tmp_path, "diffsettings", CUTOUT_DEBUG="1").stdout


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/cards/", "/nothing/", "/api/v1/cards/", "/api/v1/nothing/", "/admin/login/", "/games.css"])
def test_every_answer_carries_a_policy_without_inline_script(client: object, path: str) -> None:
    answer = client.get(path)  # type: ignore[attr-defined]
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.django_db
def test_sqlite_waits_for_writers_and_checks_foreign_keys() -> None:
    from django.db import connection

    if connection.vendor != "sqlite":
        assert connection.vendor == "postgresql"
        return
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    with connection.cursor() as cursor:
        for pragma, wanted in (("foreign_keys", 1), ("synchronous", 1)):
            assert cursor.execute(f"PRAGMA {pragma}").fetchone()[0] == wanted
