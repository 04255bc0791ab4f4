"""The names and sessions of accounts: what a name may look like, when two of them are the same, and how the
database keeps twins apart; the cards that people own, and their words about cards and the decks of others:
collections, likes, favourites, comments, reviews.
"""

import re
import unicodedata
from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import models
from django.db.models import F, Q
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.models.owned import (
    AccountQuerySet,
    OwnedQuerySet,
    SomebodysQuerySet,
    account_key,
    moment,
    some_text,
)
from decks.models.deck import Deck

MIN_NAME, MAX_NAME = 2, 30
# Letters that show nothing, and marks that change nothing visible.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# Names that would speak for the site.
RESERVED = set(
    "admin administrator root staff moderator moderators cutout system support anonymous nobody".split()
)
SHAPE = f"Use {MIN_NAME} to {MAX_NAME} letters and digits, with . - and _ between them if you like."
TAKEN = "This name, or one that looks the same, is taken. Choose another."


def clean_account_name(name: str) -> str:
    """The name in its normal form (NFKC, as Django stores names). Raises ValidationError for what is no valid
    name.
    """
    name = unicodedata.normalize("NFKC", name.strip())
    kinds = [unicodedata.category(char) for char in name]
    known = [kind[0] in "LN" or kind in ("Mn", "Mc") for kind in kinds]
    # Two marks on one letter are a language; more are a tower.
    towers = any(set(kinds[start : start + 3]) == {"Mn"} for start in range(len(kinds) - 2))
    if (
        not MIN_NAME <= len(name) <= MAX_NAME
        or _UNSEEN.search(name)
        or not all(fits or char in "._-" for char, fits in zip(name, known, strict=True))
        or kinds[0][0] not in "LN"
        or name[-1] in "._-"
        or towers
    ):
        raise ValidationError(SHAPE, code="bad_name")
    if name_key(name) in RESERVED:
        raise ValidationError(TAKEN, code="reserved")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ in case or in compatibility forms only."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def twin_key(name: str, user_id: int) -> str:
    """The key of a name whose own key an older account has. No name contains #, so no other account has the
    twin.
    """
    return f"{name_key(name)}#{user_id}"


class AccountNameQuerySet(SomebodysQuerySet["AccountName"]):
    """The names of accounts, which any visitor may look up who knows one."""

    def named(self, name: str) -> Self:
        """The row of the account that is called so, in any case of letters."""
        return self.filter(key=name_key(name))


class AccountName(models.Model):
    """The key of a user's name: the database refuses a second name that differs in case alone.

    Accounts older than this table may have such names. The oldest of them has the key, each other one its
    ``twin_key``.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=450, unique=True)

    objects = AccountNameQuerySet.as_manager()

    def __str__(self) -> str:
        return self.key


class AccountSessionQuerySet(AccountQuerySet["AccountSession"]):
    """The sessions of the visitor's own account."""

    account = "user"


class AccountSession(models.Model):
    """A session that an account was logged in to: Django's own rows do not say whose they are.

    ``key`` is the session's, which may have ended since. ``browser`` is its name without a version.
    """

    user = account_key()
    key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=40)
    began = moment(editable=True)

    objects = AccountSessionQuerySet.as_manager()

    def __str__(self) -> str:
        return self.browser


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def store_name_key(
    instance: AbstractUser, created: bool, raw: bool, update_fields: frozenset[str] | None, **signal: Any
) -> None:
    """Store the key whenever a user's name is saved, by whatever code.

    Raises IntegrityError when the name of a new user is taken. A user who exists already is saved in any
    case.
    """
    if raw or not (update_fields is None or "username" in update_fields):
        return
    key = name_key(instance.username)
    if not created and AccountName.objects.filter(key=key).exclude(user=instance).exists():
        key = twin_key(instance.username, instance.pk)
    AccountName.objects.update_or_create(user=instance, defaults={"key": key})


def account_named(name: str) -> AbstractUser | None:
    """The account of exactly this name, else the one whose name differs in case alone; None for neither."""
    if exact := get_user_model().objects.filter(username=name).first():
        return exact
    stored = AccountName.objects.named(name).select_related("user").first()
    return stored and stored.user


def account_of_command(name: str) -> AbstractUser:
    """The account that a command is told by its name. Raises CommandError where there is none."""
    if account := account_named(name):
        return account
    raise CommandError(f"There is no account called “{name}”.")


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

    user = account_key()
    made = moment(editable=True)

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
    """A deck that an account keeps at hand. Others do not see it."""

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

    def moderated(self) -> Self:
        """The comments that staff decide about: those under public decks that the deck's owner has read."""
        return self.filter(deck__in=Deck.objects.public()).exclude(state=Comment.State.WAITING)

    def public(self) -> Self:
        """The comments that every visitor may read."""
        return self.moderated().filter(state=Comment.State.SHOWN)

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
        HIDDEN = "hidden", "Hidden by staff"

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="comments")
    author = account_key()
    text = models.TextField(max_length=2_000)
    made = moment(editable=True)
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

    def moderated(self) -> Self:
        """The reviews that staff decide about: all."""
        return self.all()

    def public(self) -> Self:
        """The reviews that every visitor may read."""
        return self.filter(hidden=False)

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
    author = account_key()
    text = models.TextField(max_length=2_000)
    made = moment(editable=True)
    changed = moment(editable=True)
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
    changed = moment(editable=True)

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
    set = some_text(40)
    number = some_text(40)
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
