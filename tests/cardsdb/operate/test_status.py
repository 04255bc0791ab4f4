"""``/healthz`` and ``/readyz`` for monitoring, ``/status/`` for staff and ``/metrics`` for Prometheus: what
they show, what they hide, and who may read them.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from cardsdb.models import Card, Letter, RowState, SiteSecret
from cardsdb.watch import metrics
from printing.models import PrintJob
from tests.support.meanwhile import failing
from tests.support.pages import page

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-more-than-twenty"


# -- for monitoring ---------------------------------------------------------------------


def lacks(client: Client) -> str:
    """Return the reason why the site is not ready."""
    answer = client.get("/readyz")
    assert answer.status_code == 503
    return answer.text


def test_a_process_lives_whatever_its_database_does_and_does_not_wait_for_it(client):
    with failing(OperationalError("connection refused")) as asked:
        answer = client.get("/healthz")
        assert (answer.status_code, answer.text, asked) == (200, "ok\n", [])
        assert "database does not answer" in lacks(client) and asked
    assert answer["Content-Type"].startswith("text/plain") and "no-store" in answer["Cache-Control"]


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


# -- for staff --------------------------------------------------------------------------


def job(state: str, **values: Any) -> PrintJob:
    """Store a print job in this state."""
    owner, _ = User.objects.get_or_create(username="owner")
    return PrintJob.objects.create(owner=owner, state=state, request={"title": "A secret deck"}, **values)


def test_the_page_shows_checks_and_recent_failures_but_no_contents(client, settings, tmp_path):
    client.force_login(User.objects.create_user("ada", is_staff=True))
    settings.STATIC_ROOT = tmp_path
    job(RowState.WAITING)
    job(RowState.FAILED, error="The <disk> is full.")
    job(RowState.FAILED, error="Long ago.", made=timezone.now() - timedelta(days=8))
    Letter.objects.create(content={"to": ["ada@example.org"]}, attempts=2)
    text = page(client, "/status/").text
    assert "thing" in text and "Wrong: static files are not collected. To do: run manage.py prepare." in text
    assert "answers, migrated and loaded." in text
    assert "The <disk> is full." in text and "1 could not be sent yet" in text
    for hidden in ("A secret deck", "ada@example.org", "Long ago"):
        assert hidden not in text


# -- the numbers --------------------------------------------------------------------------


def test_metrics_have_counters_and_values_of_the_moment(client, tmp_path):
    metrics.start(tmp_path, metrics.SERVER)
    try:
        job(RowState.WAITING, made=timezone.now() - timedelta(hours=1))
        client.get("/nothing/")
        answer = client.get("/metrics")
    finally:
        metrics.stop()
    lines = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
    found = {name: float(number) for name, _, number in lines}
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    assert found['cutout_requests_total{status="4xx",view="none"}'] == 1
    assert found['cutout_print_jobs{state="waiting"}'] == 1
    assert found["cutout_oldest_waiting_job_seconds"] >= 3600 and found["cutout_edition"] >= 1
    assert any(name.startswith("cutout_memory_bytes") for name in found)


@pytest.mark.parametrize(
    ("address", "kind", "token", "sent", "status"),
    [
        ("127.0.0.1", "private", "", "", 200),
        ("192.0.2.7", "private", "", "", 404),
        # A public site has a proxy on the same machine, from which all requests come.
        ("127.0.0.1", "public", "", "", 404),
        ("192.0.2.7", "public", TOKEN, f"Bearer {TOKEN}", 200),
        ("127.0.0.1", "private", TOKEN, "", 404),
        ("127.0.0.1", "public", TOKEN, f"Bearer {TOKEN[:-1]}", 404),
        ("127.0.0.1", "private behind a proxy", "", "", 404),
    ],
)
def test_metrics_need_the_token_or_a_request_from_the_machine_of_a_private_site(
    client, settings, address, kind, token, sent, status
):
    settings.HTTPS = kind == "public"
    settings.CUTOUT_BEHIND_PROXY = kind == "private behind a proxy"
    settings.CUTOUT_METRICS_TOKEN = token
    assert client.get("/metrics", REMOTE_ADDR=address, HTTP_AUTHORIZATION=sent).status_code == status
