"""What people say about decks that are not theirs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone

from decks.models.deck import Deck


class Like(models.Model):
    """An account that likes a deck. ``Deck.likes`` is their number."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="liked_by")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="liked_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} likes deck {self.deck_id}"


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL)
def _like_no_longer(instance: AbstractUser, **_: Any) -> None:
    """However an account goes, the numbers of the decks that it liked go with it."""
    liked = Like.objects.filter(user=instance.pk).order_by().values("deck")
    Deck.objects.filter(pk__in=liked, likes__gt=0).update(likes=F("likes") - 1)


class Favourite(models.Model):
    """A deck that an account keeps at hand; nobody else sees that."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="kept_by")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="favourite_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} keeps deck {self.deck_id}"


class Comment(models.Model):
    """A comment on a deck. It waits until the deck's owner, or staff, has read it."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting for the deck's owner"
        SHOWN = "shown", "Shown"
        REFUSED = "refused", "Not shown"

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=2_000)
    made = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)

    class Meta:
        ordering = ("made", "id")

    def __str__(self) -> str:
        return f"comment on deck {self.deck_id}"
