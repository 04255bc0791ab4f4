"""What a browser keeps for a visitor and cannot change: a value in a signed cookie, sent to some addresses
only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsdb.models.browsers import RENEWED_AFTER

DAY = 60 * 60 * 24
YEAR = 365 * DAY
# Under this name a request holds the cookies that are due anew, with their values
# (cardsdb.site.known_browsers).
DUE = "cutout.cookies"
# Browsers take 4,096 bytes for a cookie with its name and its words on where it goes.
MAX_BYTES = 3_600


@dataclass(frozen=True, slots=True)
class SignedCookie:
    """A cookie of this name for the addresses below ``path``, kept for a year, and sent anew where it is read
    after a month.

    The salt stays whatever the file that declares it is called: cookies that browsers have must still be
    read.
    """

    name: str
    salt: str
    path: str

    def read(self, request: HttpRequest) -> Any:
        """The value as JSON holds it. Raises KeyError without the cookie, BadSignature for one that is not
        ours.
        """
        sent = request.COOKIES[self.name]
        try:
            return signing.loads(sent, salt=self.salt, max_age=RENEWED_AFTER * DAY)
        except signing.SignatureExpired:
            value = signing.loads(sent, salt=self.salt)
            request.META.setdefault(DUE, {})[self] = value
            return value

    def fits(self, value: Any) -> bool:
        """Whether browsers take a cookie of this value."""
        return len(self._written(value)) <= MAX_BYTES

    def send(self, response: HttpResponseBase, value: Any) -> None:
        """Have the browser keep the value, unless it is too large for a cookie: then what it keeps stays."""
        written, is_secure = self._written(value), settings.SESSION_COOKIE_SECURE
        if len(written) <= MAX_BYTES:
            response.set_cookie(
                self.name,
                written,
                max_age=YEAR,
                path=self.path,
                secure=is_secure,
                httponly=True,
                samesite="Lax",
            )

    def _written(self, value: Any) -> str:
        return signing.dumps(value, salt=self.salt, compress=True)
