"""Settings: the site starts safe, or refuses to start."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from cardsdb.environment import MAIL as PARTS
from cardsdb.environment import mail_settings
from tests import ROOT

SECRET = "Vq7xW2mK9pZr4tYbN6cHs8dJf3gLaE5uRiOwTyQzXvCnMkPj1B0GhSeD"


def manage(tmp_path: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a management command in an environment of its own."""
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = [sys.executable, "manage.py", *args]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**clean, "CUTOUT_VAR": str(tmp_path), **env},
        capture_output=True,
        text=True,
        check=False,
    )


def settings_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **env: str) -> dict[str, Any]:
    """Return the settings of a site that starts in an environment of its own."""
    for name in os.environ:
        if name not in ("PATH", "HOME", "LANG"):
            monkeypatch.delenv(name)
    for name, value in {"CUTOUT_VAR": str(tmp_path), **env}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "cardsdb" / "settings.py"))


def test_a_public_site_passes_djangos_deployment_checks(tmp_path):
    public = {"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET, "ALLOWED_HOSTS": "cutout.example"}
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **public)
    assert done.returncode == 0, done.stderr
    assert "0 silenced" in done.stdout + done.stderr


def test_a_refused_setting_stops_the_program_and_is_named(tmp_path):
    refused = manage(tmp_path, "check", SECRET_KEY="short")
    assert refused.returncode and "SECRET_KEY" in refused.stderr


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
        ({"CUTOUT_LOG": "xml"}, "CUTOUT_LOG"),
        ({"CUTOUT_METRICS_TOKEN": "short"}, "CUTOUT_METRICS_TOKEN"),
        ({"DATABASE_URL": "postgres"}, "DATABASE_URL"),
        ({"DATABASE_URL": "nosuch://host/name"}, "DATABASE_URL"),
        ({"DATABASE_URL": "postgresql://user:secret@host:port/name"}, "DATABASE_URL"),
        (
            {
                "CUTOUT_HTTPS": "1",
                "SECRET_KEY": SECRET,
                "ALLOWED_HOSTS": "a.example",
                "CUTOUT_HSTS_SECONDS": "much",
            },
            "CUTOUT_HSTS_SECONDS",
        ),
        ({"CUTOUT_EMAIL_PORT": "25"}, "CUTOUT_EMAIL_PORT"),
    ],
)
def test_a_bad_value_stops_the_start_and_is_named(tmp_path, monkeypatch, env, name):
    with pytest.raises(ImproperlyConfigured, match=name):
        settings_of(tmp_path, monkeypatch, **env)


def test_a_private_site_makes_a_secret_that_only_its_owner_can_read(tmp_path, monkeypatch):
    settings_of(tmp_path, monkeypatch)
    path = tmp_path / "secret_key"
    assert len(path.read_text()) >= 50
    assert path.stat().st_mode & 0o077 == 0


def test_debug_is_off_unless_asked_for(tmp_path, monkeypatch):
    assert settings_of(tmp_path, monkeypatch)["DEBUG"] is False
    assert settings_of(tmp_path, monkeypatch, CUTOUT_DEBUG="1")["DEBUG"] is True


PUBLIC = {"CUTOUT_HTTPS": "1", "SECRET_KEY": SECRET, "ALLOWED_HOSTS": "cutout.example, .example.org"}


def test_a_public_site_accepts_forms_and_cookies_of_its_hosts_over_https_only(tmp_path, monkeypatch):
    public = settings_of(tmp_path, monkeypatch, **PUBLIC)
    assert public["CSRF_TRUSTED_ORIGINS"] == ["https://cutout.example", "https://*.example.org"]
    names = [public[f"{kind}_COOKIE_NAME"] for kind in ("SESSION", "CSRF")] + [
        public["CUTOUT_BROWSER_COOKIE"]
    ]
    assert all(name.startswith("__Host-") for name in names)
    secure = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY")
    assert [public[name] for name in (*secure, "SECURE_HSTS_INCLUDE_SUBDOMAINS")] == [True] * 4
    assert public["SECURE_HSTS_SECONDS"] >= 365 * 24 * 60 * 60


def test_the_ports_of_a_public_site_are_443_and_those_named_with_its_hosts(tmp_path, monkeypatch):
    named = {"ALLOWED_HOSTS": "cutout.example:8443, [2001:db8::1]:444, [::1], .example.org"}
    public = settings_of(tmp_path, monkeypatch, **PUBLIC | named)
    assert public["ALLOWED_HOSTS"] == ["cutout.example", "[2001:db8::1]", "[::1]", ".example.org"]
    assert public["PORTS"] == {":443", ":8443", ":444"}
    assert settings_of(tmp_path, monkeypatch, ALLOWED_HOSTS="127.0.0.1:9000")["PORTS"] is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/decks/",
        "/api/v1/cards/",
        "/accounts/login/",
        "/admin/login/",
        "/healthz",
        "/static/nothing.css",
    ],
)
def test_no_address_answers_trace(client, path):
    assert client.trace(path, headers={"X-Deck-Key": "moonraker"}).status_code in (302, 404, 405)


@pytest.mark.parametrize("url", ["", "postgresql://user:password@127.0.0.1/name"])
def test_a_database_connection_is_checked_before_it_is_reused(tmp_path, monkeypatch, url):
    assert (
        settings_of(tmp_path, monkeypatch, DATABASE_URL=url)["DATABASES"]["default"]["CONN_HEALTH_CHECKS"]
        is True
    )


@pytest.mark.django_db
def test_a_foreign_host_is_refused_and_leaves_nothing_in_the_log(client, caplog):
    caplog.set_level("ERROR")
    assert client.get("/healthz", headers={"Host": "foreign.example"}).status_code == 400
    assert caplog.records == []


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_and_leaves_nothing_in_the_log(caplog):
    caplog.set_level("INFO")
    assert Client(enforce_csrf_checks=True).post("/decks/new/").status_code == 403
    assert caplog.records == []


@pytest.mark.django_db
def test_the_request_counts_of_an_address_expire(client, monkeypatch):
    """Otherwise a visitor with many addresses could fill the cache for good."""
    cache.clear()
    client.get("/api/v1/games/")
    counts = [key.partition("requests:")[2] for key in cache._cache]
    assert counts and all(cache.has_key(f"requests:{key}") for key in counts)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 180)
    assert not any(cache.has_key(f"requests:{key}") for key in counts)


MAIL = {"CUTOUT_EMAIL_HOST": "mail.example.org", "CUTOUT_EMAIL_FROM": "cutout@example.org"}


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"CUTOUT_EMAIL_FROM": ""}, "CUTOUT_EMAIL_FROM"),
        ({"CUTOUT_EMAIL_FROM": "cutout"}, "CUTOUT_EMAIL_FROM"),
        ({"CUTOUT_EMAIL_HOST": "smtp://mail.example.org:25"}, "CUTOUT_EMAIL_HOST"),
        ({"CUTOUT_EMAIL_HOST": ""}, "CUTOUT_EMAIL_FROM"),
        ({"CUTOUT_EMAIL_PORT": "0"}, "CUTOUT_EMAIL_PORT"),
        ({"CUTOUT_EMAIL_PORT": "65536"}, "CUTOUT_EMAIL_PORT"),
        ({"CUTOUT_EMAIL_PORT": "²"}, "CUTOUT_EMAIL_PORT"),
        ({"CUTOUT_EMAIL_TLS": "yes"}, "CUTOUT_EMAIL_TLS"),
        ({"CUTOUT_EMAIL_USER": "cutout"}, "CUTOUT_EMAIL_PASSWORD"),
        ({"CUTOUT_EMAIL_PASSWORD": "secret"}, "CUTOUT_EMAIL_USER"),
    ],
)
def test_a_bad_setting_of_mail_is_named_and_no_password_with_it(tmp_path, bad, name):
    with pytest.raises(ImproperlyConfigured) as refused:
        mail_settings(MAIL | bad, tmp_path / "mail", https=True)
    assert name in str(refused.value) and "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "port", "starttls", "tls"),
    [
        ({}, 587, True, False),
        ({"CUTOUT_EMAIL_TLS": "tls"}, 465, False, True),
        ({"CUTOUT_EMAIL_TLS": "none", "CUTOUT_EMAIL_PORT": "2525"}, 2525, False, False),
    ],
)
def test_letters_go_to_the_named_mail_server(tmp_path, given, port, starttls, tls):
    made = mail_settings(MAIL | given, tmp_path / "mail", https=True)
    assert (made["EMAIL_HOST"], made["EMAIL_PORT"], made["EMAIL_USE_TLS"], made["EMAIL_USE_SSL"]) == (
        "mail.example.org",
        port,
        starttls,
        tls,
    )


def test_without_a_mail_server_letters_are_files_readable_by_their_owner_alone(tmp_path):
    made = mail_settings({}, tmp_path / "mail", https=False)
    assert made["EMAIL_BACKEND"].endswith("filebased.EmailBackend") and made["CUTOUT_MAIL"] == "files"
    assert (tmp_path / "mail").stat().st_mode & 0o077 == 0


def test_a_public_site_without_a_mail_server_writes_no_letters(tmp_path):
    assert mail_settings({}, tmp_path / "mail", https=True)["CUTOUT_MAIL"] == "none"
    assert not (tmp_path / "mail").exists()


def test_the_deployment_page_names_every_setting_of_mail():
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert [part for part in PARTS if f"`CUTOUT_EMAIL_{part}`" not in page] == []
