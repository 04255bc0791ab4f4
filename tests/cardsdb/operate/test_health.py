"""What a watcher is told about the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client

from cardsdb.models import SiteSecret

pytestmark = pytest.mark.one_database

PATHS = ["/healthz", "/readyz"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_a_working_site_answers_200_in_plain_text(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_no_cache_keeps_what_a_watcher_is_told(client: Client, path: str) -> None:
    assert "no-store" in client.get(path)["Cache-Control"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of a database that is down."""
    found: list[str] = []

    def down(*args: Any, **kwargs: Any) -> Any:
        found.append("asked")
        raise OperationalError("connection refused")

    # A process that has asked nothing yet has no connection; another would go on with the one it has.
    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", down)
    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", down)
    return found


def test_a_site_whose_database_is_down_is_not_ready_and_says_so(client: Client, asked: list[str]) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "database does not answer" in answer.content.decode()


def test_a_process_lives_whatever_its_database_does_and_does_not_wait_for_it(
    client: Client, asked: list[str]
) -> None:
    assert (client.get("/healthz").status_code, asked) == (200, [])


@pytest.mark.django_db
def test_a_site_without_cards_is_not_ready(client: Client) -> None:
    from cardsdb.models import Card

    Card.objects.all().delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "load_cards" in answer.content.decode()


@pytest.mark.django_db
def test_a_site_with_waiting_migrations_is_not_ready(client: Client) -> None:
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.filter(app="decks").delete()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "migrate" in answer.content.decode()


@pytest.mark.django_db
def test_a_machine_with_another_secret_than_the_site_is_not_ready_until_it_is_the_site_s(
    client: Client, settings: Any
) -> None:
    SiteSecret.objects.note_first()
    assert client.get("/readyz").status_code == 200
    settings.SECRET_KEY = "another" * 10
    SiteSecret.objects.note_first()
    answer = client.get("/readyz")
    assert answer.status_code == 503 and "SECRET_KEY" in answer.content.decode()
    SiteSecret.objects.note()
    assert client.get("/readyz").status_code == 200
