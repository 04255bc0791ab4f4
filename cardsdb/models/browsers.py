"""The browsers on which things of guests hang, and when each was here last."""

from __future__ import annotations

from datetime import date

from django.db import models

# A browser keeps the cookie for so many days, and gets it anew when it comes back after some of them.
COOKIE_DAYS, RENEWED_AFTER = 365, 30
# What hangs on one that was not seen for so many days is deleted. By then its cookie has ended.
KEPT_DAYS = COOKIE_DAYS + RENEWED_AFTER + 5


class Browser(models.Model):
    """A browser that holds something without an account: the hash of its token, and the day on which it last
    got its cookie.
    """

    hash = models.CharField(max_length=64, primary_key=True)
    seen = models.DateField(default=date.today)

    def __str__(self) -> str:
        return f"a browser seen on {self.seen}"
