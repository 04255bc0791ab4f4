"""``/healthz`` and ``/readyz``."""

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from cardsdb.models import Card, SiteSecret
from tests.support.meanwhile import failing

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_working_site_answers_200_in_plain_text_that_is_not_cached(client, path):
    answer = client.get(path)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/plain")
    assert "no-store" in answer["Cache-Control"]


def lacks(client: Client) -> str:
    """Return the reason why the site is not ready."""
    answer = client.get("/readyz")
    assert answer.status_code == 503
    return answer.text


def test_a_process_lives_whatever_its_database_does_and_does_not_wait_for_it(client):
    with failing(OperationalError("connection refused")) as asked:
        assert (client.get("/healthz").status_code, asked) == (200, [])
        assert "database does not answer" in lacks(client) and asked


def test_a_site_without_cards_or_with_missing_migrations_is_not_ready(client):
    Card.objects.all().delete()
    assert "load_cards" in lacks(client)
    MigrationRecorder.Migration.objects.filter(app="decks").delete()
    assert "migrate" in lacks(client)


def test_a_machine_with_another_secret_is_not_ready_until_the_site_takes_it(client, settings):
    SiteSecret.objects.note_first()
    assert client.get("/readyz").status_code == 200
    settings.SECRET_KEY = "another" * 10
    SiteSecret.objects.note_first()
    assert "SECRET_KEY" in lacks(client)
    SiteSecret.objects.note()
    assert client.get("/readyz").status_code == 200
