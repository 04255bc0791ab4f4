"""The cache that several machines share: Redis or Valkey at ``CACHE_URL``. While it does not answer, or
answers with an error (it is full, or a replica that takes nothing), each process counts for itself.

Only counts of requests and of wrong passwords lie there, all of which end by themselves; so a visitor never
waits for it and never gets an error on its account.
"""

from __future__ import annotations

import logging
import time
from functools import partialmethod
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from cardsdb.watch import metrics

log = logging.getLogger(__name__)

# Seconds in which a server that failed is not asked again.
PAUSE = 5.0
OPERATIONS = (
    "add",
    "get",
    "set",
    "touch",
    "delete",
    "incr",
    "has_key",
    "get_many",
    "set_many",
    "delete_many",
    "clear",
)


class SharedCache(RedisCache):
    """Django's Redis cache, with a cache of this process's own for as long as the server fails.

    Django makes one such object a thread; ``away_until`` is the process's, as what it counts meanwhile is.
    """

    away_until, why = 0.0, ""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # The server's options are none of the other's.
        own = {name: value for name, value in params.items() if name != "OPTIONS"}
        self.own = LocMemCache("shared-cache-away", own)
        super().__init__(server, params)

    @property
    def away(self) -> str:
        """Why this process counts for itself just now: the kind of error. Empty if it does not."""
        return self.why if time.monotonic() < self.away_until else ""

    def _or_own(self, name: str, *arguments: Any, **options: Any) -> Any:
        if not self.away:
            try:
                return getattr(RedisCache, name)(self, *arguments, **options)
            except RedisError as error:
                SharedCache.away_until, SharedCache.why = time.monotonic() + PAUSE, type(error).__name__
                metrics.SHARED_CACHE_FAILURES.inc()
                log.warning("the shared cache fails, this process counts for itself: %s", error)
        return getattr(self.own, name)(*arguments, **options)


for _name in OPERATIONS:
    setattr(SharedCache, _name, partialmethod(SharedCache._or_own, _name))
