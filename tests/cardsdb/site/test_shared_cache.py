"""``SharedCache``: processes count together on a Redis; while it fails, each counts alone and no visitor sees
an error.
"""

from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from cardsdb.settings import cache_settings
from cardsdb.site.shared_cache import SharedCache
from cardsdb.watch import metrics
from tests.support.redis_server import FULL, REPLICA, WELL, Server


@pytest.fixture
def asked_again(monkeypatch):
    """Return a function that ends the pause after a failure."""
    return partial(monkeypatch.setattr, SharedCache, "away_until", 0.0)


@pytest.fixture
def server(tmp_path, asked_again):
    asked_again()
    running = Server(tmp_path)
    a_process(running.url).own.clear()
    yield running
    running.stop()


def a_process(url: str) -> SharedCache:
    """Return the cache that one process of the site uses."""
    settings: dict[str, Any] = cache_settings(url)
    return SharedCache(
        settings.pop("LOCATION"), {name: value for name, value in settings.items() if name != "BACKEND"}
    )


def counted(cache: SharedCache) -> int:
    """Count one more request. Return the count."""
    cache.add("requests", 0, timeout=60)
    return int(cache.incr("requests"))


def test_while_the_server_is_away_each_process_counts_for_itself_and_then_together_again(
    server, caplog, asked_again
):
    one, other = a_process(server.url), a_process(server.url)
    assert (counted(one), counted(other)) == (1, 2)
    server.stop()
    assert (counted(one), counted(one)) == (1, 2)
    assert len([record for record in caplog.records if "the shared cache fails" in record.message]) == 1, (
        "a line for each request"
    )
    server.start()
    asked_again()
    assert (counted(one), counted(other)) == (1, 2)


@pytest.mark.parametrize("how", [FULL, REPLICA])
def test_while_the_server_answers_with_errors_each_process_counts_for_itself_and_metrics_count_failures(
    server, how, tmp_path, asked_again
):
    one, other = a_process(server.url), a_process(server.url)
    assert (counted(one), counted(other)) == (1, 2)
    server.become(how)
    metrics.start(tmp_path / "metrics", metrics.SERVER)
    try:
        assert (counted(one), counted(one)) == (1, 2)
        (failures,) = [
            metric
            for metric in metrics.counts_file().collect()
            if metric.name == "cutout_shared_cache_failures"
        ]
    finally:
        metrics.stop()
    assert [sample.value for sample in failures.samples] == [1]
    server.become(WELL)
    asked_again()
    assert (counted(one), counted(other)) == (3, 4)


@pytest.mark.django_db
@pytest.mark.parametrize("how", [FULL, REPLICA])
def test_pages_are_answered_all_along_and_a_watcher_is_told(server, how, client, settings):
    settings.CACHES = {"default": cache_settings(server.url)}
    assert client.get("/readyz").content == b"ready\n"
    server.become(how)
    assert client.get("/cards/?q=kai").status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 200 and b"ready, but the server of CACHE_URL fails" in answer.content


def test_an_address_that_is_not_of_a_redis_stops_the_start_with_a_message():
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL"):
        cache_settings("memcached://host")
