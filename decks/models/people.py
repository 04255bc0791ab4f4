"""The cards that people own, and their words about cards and the decks of others: collections, likes,
favourites, comments, reviews.
"""

from __future__ import annotations

from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.models.owned import AccountQuerySet, OwnedQuerySet, SomebodysQuerySet
from decks.models.deck import Deck

Row = TypeVar("Row", bound=models.Model)


class OnDeckQuerySet(AccountQuerySet[Row], Generic[Row]):
    """Rows of accounts about decks of others, which these may have made private since."""

    account = "user"

    def of(self, viewer: Viewer) -> Self:
        """The account's own, without those of decks that are not shown to it any more."""
        return super().of(viewer).filter(deck__in=Deck.objects.visible_to(viewer))

    def on(self, deck: Deck, viewer: Viewer) -> Self:
        """The account's own on a deck that was looked up for it."""
        return super().of(viewer).filter(deck=deck)


class OnDeck(models.Model):
    """A row of an account about a deck."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(default=timezone.now)

    objects = OnDeckQuerySet.as_manager()

    class Meta:
        abstract = True


class Like(OnDeck):
    """An account that likes a deck. ``Deck.likes`` is their number."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="liked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="liked_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} likes deck {self.deck_id}"


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL)
def _like_no_longer(instance: AbstractUser, **_: Any) -> None:
    """Count one like less for the decks that a deleted account liked."""
    liked = Like.objects.filter(user=instance.pk).order_by().values("deck")
    Deck.objects.filter(pk__in=liked, likes__gt=0).update(likes=F("likes") - 1)


class Favourite(OnDeck):
    """A deck that an account keeps at hand. Nobody else sees it."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="kept_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="favourite_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} keeps deck {self.deck_id}"


class CommentQuerySet(OnDeckQuerySet["Comment"]):
    """Comments by who asks."""

    account = "author"

    def by(self, viewer: Viewer) -> Self:
        """All that the account wrote, whose words these stay. Its deck may be private meanwhile: nothing of
        that may be told.
        """
        return AccountQuerySet.of(self, viewer)

    def on(self, deck: Deck, viewer: Viewer, moderates: bool = False) -> Self:
        """The comments on a deck that was looked up for this visitor: those shown, and their own; all of them
        if they moderate.
        """
        comments = self.filter(deck=deck)
        if moderates:
            return comments
        own = Q(author=viewer.user_id) if viewer.user_id else Q(pk__in=())
        return comments.filter(own | Q(state=Comment.State.SHOWN))


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

    objects = CommentQuerySet.as_manager()

    class Meta:
        ordering = ("made", "id")
        # The few that wait are asked for on every account page.
        indexes = [models.Index(fields=("deck",), condition=Q(state="waiting"), name="comment_waiting")]

    def __str__(self) -> str:
        return f"comment on deck {self.deck_id}"


class ReviewQuerySet(AccountQuerySet["Review"]):
    """Reviews by who asks."""

    account = "author"

    def on(self, card: Card, viewer: Viewer, staff: bool = False) -> Self:
        """The reviews of a card that a visitor reads: those shown and their own; staff read all."""
        reviews = self.filter(card=card)
        if staff:
            return reviews
        shown = reviews.filter(hidden=False)
        return shown | reviews.filter(author=viewer.user_id) if viewer.user_id else shown


class Review(models.Model):
    """An account's review of a card. It is read by all until staff hide it; ``reported`` asks them to
    look.
    """

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="reviews")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=2_000)
    made = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField(default=False)
    reported = models.BooleanField(default=False)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        ordering = ("-changed", "-id")
        constraints = [models.UniqueConstraint(fields=("card", "author"), name="reviewed_once")]

    def __str__(self) -> str:
        return f"review of card {self.card_id}"


class Collection(models.Model):
    """All that one account, or one browser without an account, owns. ``browser`` is the hash of the browser's
    token.
    """

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="collection"
    )
    browser = models.CharField(max_length=64, null=True, blank=True, unique=True)
    revision = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField(default=timezone.now)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False) ^ Q(browser__isnull=False),
                name="owned_by_account_or_browser",
            )
        ]

    def __str__(self) -> str:
        return f"collection {self.pk}"


class CopiesQuerySet(SomebodysQuerySet["Owned"]):
    """Copies by who asks."""

    def of(self, viewer: Viewer) -> Self:
        """Copies in the visitor's collection."""
        return self.filter(collection__in=Collection.objects.of(viewer))


class Owned(models.Model):
    """Copies of a card. ``set`` and ``number`` name the print, by text: prints come and go when cards are
    loaded.
    """

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="owned")
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="+")
    set = models.CharField(max_length=40, blank=True, default="")
    number = models.CharField(max_length=40, blank=True, default="")
    count = models.PositiveSmallIntegerField()

    objects = CopiesQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("collection", "card", "set", "number"), name="owned_once_a_print"
            ),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=999), name="owned_1_to_999"),
        ]

    def __str__(self) -> str:
        return f"{self.count} x card {self.card_id}"
