"""What tests of several rooms of the catalogue's app share."""

from types import SimpleNamespace

import pytest
from django.core.cache import cache

from cardsdb.site import ratelimits


@pytest.fixture
def noon(settings, monkeypatch):
    """Nothing is counted yet, and the clock of the limits is one that tests turn: second 30 of a minute."""
    cache.clear()
    clock = {"now": 1_800_000_030.0}
    monkeypatch.setattr(ratelimits, "time", SimpleNamespace(time=lambda: clock["now"]))
    return clock
