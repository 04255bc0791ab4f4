"""Django's cache on a Redis or Valkey server that several machines share, with a fallback.

The settings use it if ``CACHE_URL`` is set. While the server does not answer, or answers with an error (it is
full, or a read-only replica), each process uses a cache of its own. So a visitor never waits for the server
and never sees its errors; request limits are then counted per process.
Tests: ``tests/cardsdb/site/test_shared_cache.py``.
"""

import logging
from functools import partialmethod
from time import monotonic
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from cardsdb.watch import metrics

log = logging.getLogger(__name__)

# Seconds for which a server that failed is not asked again.
PAUSE = 5.0


class SharedCache(RedisCache):
    """Django's Redis cache, replaced by a cache in memory for PAUSE seconds after each failure.

    Django makes an instance for each thread. ``away_until`` and ``why`` are attributes of the class, because
    all threads of the process turn away from the server together.
    """

    # The time until which the server is not asked, and the name of the error that is the reason.
    away_until, why = 0.0, ""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # OPTIONS are for the Redis client, not for the cache in memory.
        own = {name: value for name, value in params.items() if name != "OPTIONS"}
        self.own = LocMemCache("shared-cache-away", own)
        super().__init__(server, params)

    @property
    def away(self) -> str:
        """The name of the error for which the server is not asked at the moment; empty if it is asked."""
        return self.why if monotonic() < self.away_until else ""

    def _or_own(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Return what the method ``name`` returns: called for the server, or if that fails, for the cache of
        this process.
        """
        if not self.away:
            try:
                return getattr(RedisCache, name)(self, *arguments, **options)
            except RedisError as error:
                SharedCache.away_until, SharedCache.why = monotonic() + PAUSE, type(error).__name__
                metrics.SHARED_CACHE_FAILURES.inc()
                log.warning("the shared cache fails, this process counts for itself: %s", error)
        return getattr(self.own, name)(*arguments, **options)

    # All methods by which Django's cache reads or writes its server; its other methods call these.
    add = partialmethod(_or_own, "add")
    get = partialmethod(_or_own, "get")
    set = partialmethod(_or_own, "set")
    touch = partialmethod(_or_own, "touch")
    delete = partialmethod(_or_own, "delete")
    incr = partialmethod(_or_own, "incr")
    has_key = partialmethod(_or_own, "has_key")
    get_many = partialmethod(_or_own, "get_many")
    set_many = partialmethod(_or_own, "set_many")
    delete_many = partialmethod(_or_own, "delete_many")
    clear = partialmethod(_or_own, "clear")
