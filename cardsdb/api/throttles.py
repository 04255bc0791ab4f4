"""How often one address may ask: plain reads often, what has to be worked out each time less often.

Requests are counted per whole minute in Django's cache. The cache of a fresh installation lives in
each worker process, so that a site with two workers allows up to twice as much.
"""

from __future__ import annotations

import time
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

WINDOW = 60
# Requests a minute, where the settings CUTOUT_READS_PER_MINUTE and CUTOUT_WORKS_PER_MINUTE say nothing else.
if TYPE_CHECKING:
    # At run time it would be imported while it is being made: it asks for its throttles then.
    from rest_framework.views import APIView

READS, WORKS = 600, 60


def sender(request: Any) -> str:
    """Whose requests are counted together: an IPv4 address, or the network of 64 bits that one IPv6 customer has.

    Behind a proxy of our own the last entry of ``X-Forwarded-For`` is the one that proxy wrote; all
    before it, and the whole header without a proxy, is whatever the sender liked to write.
    """
    found = request.META.get("REMOTE_ADDR", "")
    if getattr(settings, "CUTOUT_BEHIND_PROXY", False):
        found = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or found
    try:
        address = ip_address(found)
    except ValueError:
        return "nobody"
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


class PerAddress(BaseThrottle):
    """Counts a view's reads and works apart. A work is anything but a read, and every request to a view with ``works``."""

    left = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        read = request.method in ("GET", "HEAD", "OPTIONS") and not getattr(view, "works", False)
        name, standard = ("CUTOUT_READS_PER_MINUTE", READS) if read else ("CUTOUT_WORKS_PER_MINUTE", WORKS)
        minute, into = divmod(time.time(), WINDOW)
        self.left = WINDOW - into
        return self._count(f"requests:{name}:{int(minute)}:{sender(request)}") <= int(getattr(settings, name, standard))

    @staticmethod
    def _count(key: str) -> int:
        """One more. ``add`` and ``incr`` are single steps of the cache, so that requests at once are all counted."""
        cache.add(key, 0, timeout=2 * WINDOW)
        try:
            return cache.incr(key)
        except ValueError:  # The cache was full and gave the count away meanwhile.
            return 1

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return self.left
