"""Keep what visitors have besides what they make: the browsers of guests, and the searches that accounts keep
under names, so that every browser of their owner has them.
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import models
from django.utils import timezone

from cardsdb.models.owned import AccountQuerySet

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


MAX_NAME, MAX_QUERY = 40, 300


class AccountSearch(models.Model):
    """A query, as it was typed, under the name that its owner gave it. ``key``: the name as names are
    compared.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_NAME)
    # Of some letters there are three in a name without capitals.
    key = models.CharField(max_length=3 * MAX_NAME)
    query = models.CharField(max_length=MAX_QUERY)
    made = models.DateTimeField(default=timezone.now, editable=False)

    objects = AccountQuerySet.as_manager()

    class Meta:
        ordering = ("-made", "-pk")
        constraints = [models.UniqueConstraint(fields=("owner", "key"), name="search_once_a_name")]

    def __str__(self) -> str:
        return f"search {self.pk}"
