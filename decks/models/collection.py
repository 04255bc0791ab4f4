"""What a person owns: copies of cards, by print where they know it."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from cardsdb.models import Card
from decks.identity.viewer import Viewer


class CollectionQuerySet(models.QuerySet["Collection"]):
    """A collection is its owner's alone. There is no other way to one."""

    def of(self, viewer: Viewer) -> Self:
        if viewer.user_id:
            return self.filter(owner=viewer.user_id)
        return self.filter(browser=viewer.browser) if viewer.browser else self.none()


class Collection(models.Model):
    """All that one account, or one browser without an account, owns. ``browser`` is the hash of the browser's token."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="collection")
    browser = models.CharField(max_length=64, null=True, blank=True, unique=True)
    revision = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField(default=timezone.now)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(owner__isnull=False) ^ Q(browser__isnull=False), name="owned_by_account_or_browser")
        ]

    def __str__(self) -> str:
        return f"collection {self.pk}"


class Owned(models.Model):
    """Copies of a card. ``set`` and ``number`` name the print, by text: prints come and go when cards are loaded."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="owned")
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="+")
    set = models.CharField(max_length=40, blank=True, default="")
    number = models.CharField(max_length=40, blank=True, default="")
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("collection", "card", "set", "number"), name="owned_once_a_print"),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=999), name="owned_1_to_999"),
        ]

    def __str__(self) -> str:
        return f"{self.count} x card {self.card_id}"
