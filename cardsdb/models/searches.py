"""Searches of the card list that an account keeps under names, so that every browser of its owner has
them.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from cardsdb.models.owned import AccountQuerySet

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
