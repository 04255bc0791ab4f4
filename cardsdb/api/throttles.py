"""The limits of ``cardsdb/site/ratelimits.py`` as the API's framework asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from cardsdb.site.ratelimits import READS, WORKS, seconds_to_wait

if TYPE_CHECKING:
    # At run time it would be imported while it is being made: it asks for its throttles then.
    from rest_framework.views import APIView

__all__ = ["READS", "WORKS", "PerAddress"]


class PerAddress(BaseThrottle):
    """Counts a view's reads and works apart. A work is anything but a read, and every request to a view with ``works``."""

    left = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        read = request.method in ("GET", "HEAD", "OPTIONS") and not getattr(view, "works", False)
        self.left = seconds_to_wait(request, work=not read)
        return not self.left

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return self.left
