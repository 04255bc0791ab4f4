"""Fixtures for the tests of several rooms."""

from types import SimpleNamespace

import pytest
from django.core.cache import cache

from cardsdb.site import ratelimits


@pytest.fixture
def noon(settings, monkeypatch):
    """Empty counters, and a clock for the rate limits that a test can turn; it shows second 30 of a
    minute.
    """
    cache.clear()
    clock = {"now": 1_800_000_030.0}
    monkeypatch.setattr(ratelimits, "time", SimpleNamespace(time=lambda: clock["now"]))
    return clock
