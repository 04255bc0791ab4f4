"""Querysets and columns for rows with an owner: an account, or a browser without one. Also visibility, for
rows that their owners may share and staff may keep private. The models of all three apps build on these.
Outside of models every look-up begins with one of the methods below, so that it says who asks
(``tests/house/test_owner_lookups.py`` refuses others). Which rows each viewer gets of each table is tested in
``tests/house/test_row_access.py``.
"""

# The methods of look-ups; querysets of the three apps have those that fit their rows.
# * ``of(viewer)``: what the visitor owns; nothing of a deck that they may not see any more.
# * ``visible_to(viewer)``: what a visitor with the address may open.
# * ``listed_for(viewer)``: what lists may show to the visitor.
# * ``on(thing, viewer)``: what is attached to a thing that was looked up for them, if they may read it.
# * ``stored(row)``: a row that was looked up for them, to be changed or read again.
# * ``all_owners(because)``: rows of all owners, for work of the site itself; shown to no visitor.

from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from cardsdb.identity.viewer import Viewer, new_key

M = TypeVar("M", bound=models.Model)


def moment(**more: Any) -> Any:
    """A column for the time when a row was made. It is in no form unless ``editable`` is given."""
    return models.DateTimeField(default=timezone.now, **{"editable": False, **more})


def account_key(**more: Any) -> Any:
    """A column for the account that owns a row; deleting the account deletes the row."""
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", **more)


def some_text(most: int, **more: Any) -> Any:
    """A column for at most this many characters, "" by default."""
    return models.CharField(max_length=most, blank=True, default="", **more)


def link_key() -> Any:
    """A column for the secret part of a row's address: 128 random bits."""
    return models.CharField(max_length=32, unique=True, default=new_key, editable=False)


class SomebodysQuerySet(models.QuerySet[M], Generic[M]):
    """Rows that belong to people. Subclasses add the methods for viewers."""

    def stored(self, *rows: M) -> Self:
        """Return these rows, which were looked up for a viewer before, as they are now stored; deleted ones
        are missing.
        """
        return self.filter(pk__in=[row.pk for row in rows])

    def all_owners(self, because: str) -> Self:
        """Return the rows of all owners. ``because`` documents the reason in the code; no visitor is shown
        any of them.
        """
        return self.all()


class AccountQuerySet(SomebodysQuerySet[M], Generic[M]):
    """Rows that belong to an account, which is in the column named ``account``."""

    account = "owner"

    def of(self, viewer: Viewer) -> Self:
        """Rows of the visitor's account; none for a visitor without one."""
        return self.filter(**{self.account: viewer.user_id}) if viewer.user_id else self.none()


class OwnedQuerySet(AccountQuerySet[M], Generic[M]):
    """Rows with an ``owner``, or with the hash of a ``browser`` for a visitor without an account."""

    def of(self, viewer: Viewer) -> Self:
        """The rows that this visitor owns, by their account, or by their browser if they have none."""
        # A browser's rows are not its account's until that takes them over (``of_browser``).
        is_guest = viewer.browser and not viewer.user_id
        return self.filter(browser=viewer.browser) if is_guest else super().of(viewer)

    def of_browser(self, viewer: Viewer) -> Self:
        """Rows that a logged-in visitor's browser owned before the login, for the account to take over.

        For ``Viewer(7, browser="ab")``, ``of`` finds the rows of account 7, ``of_browser`` those of browser
        ab. For a visitor without an account it finds none.
        """
        return self.of(Viewer(browser=viewer.browser if viewer.user_id else ""))


# For tables whose rows belong to an account, a browser, or everyone on a private site.
ONE_OF_THREE_OWNERS = (
    Q(owner__isnull=False, browser__isnull=True, everyone__isnull=True)
    | Q(owner__isnull=True, browser__isnull=False, everyone__isnull=True)
    | Q(owner__isnull=True, browser__isnull=True, everyone__isnull=False, everyone=True)
)


class Private(models.Model):
    """A row of an account or of a browser; exactly one is set. ``browser`` is the hash of its token
    (cardsdb.identity.viewer.browser_of).
    """

    owner = account_key(null=True, blank=True, editable=False)
    # None, not "", for an owner with an account.
    browser = models.CharField(  # noqa: DJ001
        max_length=64, null=True, blank=True, db_index=True, editable=False
    )

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False) ^ Q(browser__isnull=False), name="%(class)s_has_one_owner"
            )
        ]


class Everyone:
    """The owner of what belongs to everyone on a private site. On a public site such rows are not shown."""


EVERYONE = Everyone()


def owned_by(owner: Viewer | Everyone) -> dict[str, Any]:
    """Return the owner columns of a new row."""
    if isinstance(owner, Everyone):
        return {"everyone": True}
    return {"owner_id": owner.user_id, "browser": None if owner.user_id else owner.browser}


S = TypeVar("S", bound="Moderated")
# Characters of the reason why staff keep something private.
MAX_REASON = 300


class Visibility(models.TextChoices):
    """The visitors who may open a row; ``who_sees`` has the words for its owner."""

    PRIVATE = "private", "Private"
    UNLISTED = "unlisted", "Unlisted"
    PUBLIC = "public", "Public"


SHARED = (Visibility.UNLISTED, Visibility.PUBLIC)


def who_sees(owner: str, listed_among: str) -> list[tuple[str, str]]:
    """Return the choices of a visibility field, with words on who sees the row. ``owner`` is added after
    "only you"; ``listed_among``: "sets" or "decks".
    """
    return [
        (Visibility.PRIVATE.value, f"Private: only you{owner}"),
        (Visibility.UNLISTED.value, "Unlisted: whoever has the link"),
        (Visibility.PUBLIC.value, f"Public: everyone, and in the list of {listed_among}"),
    ]


class ModeratedQuerySet(SomebodysQuerySet[S]):
    """Rows that their owners may share. Subclasses add the methods for viewers."""

    def public(self) -> Self:
        """Rows that every visitor may see."""
        return self.filter(visibility=Visibility.PUBLIC)

    def moderated(self) -> Self:
        """Rows that staff may decide about: public ones, and those that staff keep private."""
        return self.filter(Q(visibility=Visibility.PUBLIC) | ~Q(private_because=""))


class Moderated(models.Model):
    """A row that its owner may share. ``private_because``: the reason for which staff keep it private; "" if
    the owner is free to choose.
    """

    private_because = models.CharField("kept private because", max_length=MAX_REASON, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_shared(self) -> bool:
        """True if others may open it. ``visibility`` is a column of each subclass, with its own default."""
        return self.visibility in SHARED  # type: ignore[attr-defined, no-any-return]

    def kept_from(self, visibility: str) -> str:
        """Return the sentence that tells the owner why it cannot have this visibility; "" if it can."""
        if not self.private_because or visibility == Visibility.PRIVATE:
            return ""
        because = self.private_because.rstrip(".")
        return (
            f"It stays private: the operator of this site keeps it so. Their reason: “{because}”. Ask them"
            " first."
        )


def private_while_kept(name: str) -> models.CheckConstraint:
    """Return the constraint that a row kept private by staff has the visibility "private"."""
    return models.CheckConstraint(
        condition=Q(private_because="") | Q(visibility=Visibility.PRIVATE), name=name
    )
