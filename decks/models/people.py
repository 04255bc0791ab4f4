"""The tables of accounts: valid and unique names, sessions, likes, favourites, comments, reviews, and
collections.

``decks/accounts``, ``decks/public`` and ``decks/collection`` use them. ``cardsdb/models/owned.py`` says who
may see which rows. Invariants: no two new accounts have names that differ only in case (``AccountName``), and
no row tells an account about a deck that it may not see any more (``OnDeckQuerySet``).
Tests: ``tests/decks/models/test_people.py``; for comments, likes and reviews
``tests/decks/public/test_social.py``; for collections ``tests/decks/collection``; for names that differ only
in case, and sessions, ``tests/decks/accounts/test_backend.py``.
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

# Characters of an account's name.
MIN_NAME = 2
MAX_NAME = 30
# Characters of a comment or a review.
MAX_COMMENT = 2_000
# Letters that are invisible, and marks without a visible effect, with which names could be imitated.
_UNSEEN = re.compile(
    "["
    "\u034f"  # the combining grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer inherent vowels
    "\u180b-\u180f"  # Mongolian selectors and vowel separator
    "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "]"
)
# Names that would speak for the site.
RESERVED = set(
    "admin administrator root staff moderator moderators cutout system support anonymous nobody".split()
)
# The messages for a name of a wrong form, and for a name that is taken or reserved.
SHAPE = f"Use {MIN_NAME} to {MAX_NAME} letters and digits, with . - and _ between them if you like."
TAKEN = "This name, or one that looks the same, is taken. Choose another."


def clean_account_name(name: str) -> str:
    """Return the name in Unicode's form NFKC, in which Django stores names: wide "Ａｂｃ" -> "Abc".
    Raise ValidationError if it is not allowed.
    """
    name = unicodedata.normalize("NFKC", name.strip())
    if not MIN_NAME <= len(name) <= MAX_NAME or not _is_plain(name):
        raise ValidationError(SHAPE, code="bad_name")
    if name_key(name) in RESERVED:
        raise ValidationError(TAKEN, code="reserved")
    return name


def _is_plain(name: str) -> bool:
    """True if the name begins with a letter or digit, and has only visible letters, digits, marks on them,
    and ``.``, ``-`` or ``_`` between them.
    """
    if _UNSEEN.search(name) or name[-1] in "._-":
        return False
    # Unicode's general categories: Lu, Ll, ... letters; Nd, ... digits; Mn and Mc marks on the letter before,
    # Mn those without a width of their own.
    kinds = [unicodedata.category(char) for char in name]
    if kinds[0][0] not in "LN":
        return False
    # Some languages put two marks on a letter. Three or more are a "tower" that covers other text.
    if any(kinds[start : start + 3] == ["Mn"] * 3 for start in range(len(kinds))):
        return False
    return all(
        kind[0] in "LN" or kind in ("Mn", "Mc") or char in "._-"
        for char, kind in zip(name, kinds, strict=True)
    )


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case or in compatibility forms: "Straße" and
    "STRASSE" -> "strasse".
    """
    # Folding the case can make letters that NFKC would write otherwise, so it is applied again.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def twin_key(name: str, user_id: int) -> str:
    """Return the key for a name whose own key belongs to an older account: ``kai#12``. Names cannot contain
    "#", so it is unique.
    """
    return f"{name_key(name)}#{user_id}"


class AccountNameQuerySet(SomebodysQuerySet["AccountName"]):
    """The names of accounts. Any visitor who knows a name may look it up."""

    def named(self, name: str) -> Self:
        """The row of the account with this name, in any case of letters."""
        return self.filter(key=name_key(name))


class AccountName(models.Model):
    """The key of an account's name. It is unique, so the database refuses a name that differs only in case.

    Accounts older than this table may have such names: the oldest of them has the key, the others a
    ``twin_key``.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=450, unique=True)

    objects = AccountNameQuerySet.as_manager()

    def __str__(self) -> str:
        return self.key


class AccountSessionQuerySet(AccountQuerySet["AccountSession"]):
    """The sessions of the viewer's own account."""

    account = "user"


class AccountSession(models.Model):
    """A session in which an account was logged in. Django's own table does not say whose a session is.

    ``key``: that of the session, which may have ended since; ``browser``: the browser's name without a
    version.
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
    """Store the key whenever an account's name is saved, by any code.

    Raise IntegrityError if the name of a new account is taken. An existing account gets a ``twin_key``
    instead.
    """
    # ``raw``: Django loads a fixture, which has rows of its own for the keys.
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    key = name_key(instance.username)
    if not created and AccountName.objects.filter(key=key).exclude(user=instance).exists():
        key = twin_key(instance.username, instance.pk)
    AccountName.objects.update_or_create(user=instance, defaults={"key": key})


def account_named(name: str) -> AbstractUser | None:
    """Return the account with exactly this name, else the one whose name differs only in case, else None."""
    if exact := get_user_model().objects.filter(username=name).first():
        return exact
    stored = AccountName.objects.named(name).select_related("user").first()
    return stored and stored.user


def account_of_command(name: str) -> AbstractUser:
    """Return the account whose name a command was given. Raise CommandError if there is none."""
    if account := account_named(name):
        return account
    raise CommandError(f"There is no account called “{name}”.")


Row = TypeVar("Row", bound=models.Model)


class OnDeckQuerySet(AccountQuerySet[Row], Generic[Row]):
    """Rows of accounts about other people's decks, which may have become private since."""

    account = "user"

    def of(self, viewer: Viewer) -> Self:
        """The account's rows, without those about decks that it may not see any more."""
        return super().of(viewer).filter(deck__in=Deck.objects.visible_to(viewer))

    def on(self, deck: Deck, viewer: Viewer) -> Self:
        """The account's rows about this deck, which the caller has looked up for the viewer."""
        return super().of(viewer).filter(deck=deck)


class OnDeck(models.Model):
    """A row of an account about a deck."""

    user = account_key()
    made = moment(editable=True)

    objects = OnDeckQuerySet.as_manager()

    class Meta:
        abstract = True


class Like(OnDeck):
    """An account likes a deck. ``Deck.likes`` is the number of these rows."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="liked_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="liked_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} likes deck {self.deck_id}"


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL)
def _like_no_longer(instance: AbstractUser, **_: Any) -> None:
    """Lower the number of likes of the decks that the account liked, before it is deleted."""
    liked = Like.objects.filter(user=instance.pk).order_by().values("deck")
    Deck.objects.filter(pk__in=liked, likes__gt=0).update(likes=F("likes") - 1)


class Favourite(OnDeck):
    """A deck that an account keeps at hand. Only that account sees it."""

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="kept_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=("deck", "user"), name="favourite_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} keeps deck {self.deck_id}"


class CommentQuerySet(OnDeckQuerySet["Comment"]):
    """Comments by the viewer who may read them."""

    account = "author"

    def by(self, viewer: Viewer) -> Self:
        """All comments of the account. The deck of one may be private by now, so tell nothing of the deck
        itself.
        """
        return AccountQuerySet.of(self, viewer)

    def moderated(self) -> Self:
        """The comments that staff decide about: those on public decks that the deck's owner has already
        decided on.
        """
        return self.filter(deck__in=Deck.objects.public()).exclude(state=Comment.State.WAITING)

    def public(self) -> Self:
        """The comments that every visitor may read."""
        return self.moderated().filter(state=Comment.State.SHOWN)

    def on(self, deck: Deck, viewer: Viewer, moderates: bool = False) -> Self:
        """The comments on this deck, which the caller has looked up for the viewer: those shown and the
        viewer's own; all of them if the viewer moderates the deck.
        """
        comments = self.filter(deck=deck)
        if moderates:
            return comments
        own = Q(author=viewer.user_id) if viewer.user_id else Q(pk__in=())
        return comments.filter(own | Q(state=Comment.State.SHOWN))


class Comment(models.Model):
    """A comment on a deck. It is not shown until the deck's owner, or staff, has approved it."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting for the deck's owner"
        SHOWN = "shown", "Shown"
        REFUSED = "refused", "Not shown"
        HIDDEN = "hidden", "Hidden by staff"

    deck = models.ForeignKey("decks.Deck", on_delete=models.CASCADE, related_name="comments")
    author = account_key()
    text = models.TextField(max_length=MAX_COMMENT)
    made = moment(editable=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)

    objects = CommentQuerySet.as_manager()

    class Meta:
        ordering = ("made", "id")
        # Every account page asks for the waiting comments, which are few.
        indexes = [models.Index(fields=("deck",), condition=Q(state="waiting"), name="comment_waiting")]

    def __str__(self) -> str:
        return f"comment on deck {self.deck_id}"


class ReviewQuerySet(AccountQuerySet["Review"]):
    """Reviews by the viewer who may read them."""

    account = "author"

    def moderated(self) -> Self:
        """The reviews that staff decide about: all of them."""
        return self.all()

    def public(self) -> Self:
        """The reviews that every visitor may read."""
        return self.filter(hidden=False)

    def on(self, card: Card, viewer: Viewer, staff: bool = False) -> Self:
        """The reviews of a card that the viewer may read: those not hidden and their own; staff read all."""
        reviews = self.filter(card=card)
        if staff:
            return reviews
        shown = reviews.filter(hidden=False)
        if viewer.user_id:
            return shown | reviews.filter(author=viewer.user_id)
        return shown


class Review(models.Model):
    """An account's review of a card. Everyone may read it until staff hide it; ``reported`` asks staff to
    look at it.
    """

    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="reviews")
    author = account_key()
    text = models.TextField(max_length=MAX_COMMENT)
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
    """The cards that an account, or a browser without an account, owns. ``browser``: the hash of the
    browser's token.
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
    """Copies of cards in collections, by viewer."""

    def of(self, viewer: Viewer) -> Self:
        """Copies in the viewer's collection."""
        return self.filter(collection__in=Collection.objects.of(viewer))


class Owned(models.Model):
    """Copies of one print of a card. ``set`` and ``number`` name the print as text, since loading cards can
    replace prints.
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
