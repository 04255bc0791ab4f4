"""Rows with an owner: an account, or a browser without one. They are reached by who asks, and in no other
way; what their owners may share has a visibility, which staff may keep private.

Outside of models each look-up begins with a method that a queryset of ours has
(``tests/house/test_who_asks.py`` refuses others):

* ``of(viewer)``: what the visitor owns, or did; nothing of a deck that is not shown to them any more.
* ``visible_to(viewer)``: what a visitor with the address may open.
* ``listed_for(viewer)``: what lists may show to the visitor.
* ``on(thing, viewer)``: what stands on a thing that was looked up for them, as far as they may read it.
* ``stored(row)``: a row that was looked up for them, to be changed or read again.
* ``all_owners(because)``: the rows of all, which no visitor is shown.
"""

from typing import Any, Generic, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from cardsdb.identity.viewer import Viewer, new_key

M = TypeVar("M", bound=models.Model)


def moment(**more: Any) -> Any:
    """A column for when a row was made, which no form has unless it is told ``editable``."""
    return models.DateTimeField(default=timezone.now, **{"editable": False, **more})


def account_key(**more: Any) -> Any:
    """A column for the account that a row is of, and with which it goes."""
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", **more)


def some_text(most: int, **more: Any) -> Any:
    """A column for so many characters at the most, or none."""
    return models.CharField(max_length=most, blank=True, default="", **more)


def link_key() -> Any:
    """A column for the address of a row: 128 random bits."""
    return models.CharField(max_length=32, unique=True, default=new_key, editable=False)


class SomebodysQuerySet(models.QuerySet[M], Generic[M]):
    """Rows that belong to people, or say something of what belongs to them. Those below say for which
    viewer.
    """

    def stored(self, *rows: M) -> Self:
        """These rows, which were looked up by who asks, as they are stored now; without those that are
        gone.
        """
        return self.filter(pk__in=[row.pk for row in rows])

    def all_owners(self, because: str) -> Self:
        """The rows of all, for work of the site's own. ``because`` says which; no visitor is shown any of
        them.
        """
        return self.all()


class AccountQuerySet(SomebodysQuerySet[M], Generic[M]):
    """Rows of accounts, of which the column ``account`` names one."""

    account = "owner"

    def of(self, viewer: Viewer) -> Self:
        """Rows of the visitor's account; none without one."""
        return self.filter(**{self.account: viewer.user_id}) if viewer.user_id else self.none()


class OwnedQuerySet(AccountQuerySet[M], Generic[M]):
    """Rows with an ``owner`` or, of a visitor without an account, the hash of a ``browser``."""

    def of(self, viewer: Viewer) -> Self:
        """Return what this visitor owns: by their account, or by their browser if they have none."""
        is_guest = viewer.browser and not viewer.user_id
        return self.filter(browser=viewer.browser) if is_guest else super().of(viewer)

    def of_browser(self, viewer: Viewer) -> Self:
        """The rows that a logged-in visitor's browser owned before the login, which the account may take
        over.
        """
        return self.of(Viewer(browser=viewer.browser if viewer.user_id else ""))


# Of rows that are an account's, a browser's, or everyone's on this machine's site.
ONE_OF_THREE_OWNERS = (
    Q(owner__isnull=False, browser__isnull=True, everyone__isnull=True)
    | Q(owner__isnull=True, browser__isnull=False, everyone__isnull=True)
    | Q(owner__isnull=True, browser__isnull=True, everyone__isnull=False, everyone=True)
)


class Private(models.Model):
    """``browser`` is the hash of the browser's token (cardsdb.identity.viewer.browser_of); one of the two
    owners is set, never both.
    """

    owner = account_key(null=True, blank=True, editable=False)
    browser = models.CharField(max_length=64, null=True, blank=True, db_index=True, editable=False)  # noqa: DJ001  none, not ""

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(owner__isnull=False) ^ Q(browser__isnull=False), name="%(class)s_has_one_owner"
            )
        ]


class Everyone:
    """The owner of what belongs to everyone on a private site; on a public one it is not shown."""


EVERYONE = Everyone()


def owned_by(owner: Viewer | Everyone) -> dict[str, Any]:
    """The columns of the owner of a new row. A visitor has an account or a browser (``browser_of``)."""
    if isinstance(owner, Everyone):
        return {"everyone": True}
    return {"owner_id": owner.user_id, "browser": None if owner.user_id else owner.browser}


S = TypeVar("S", bound="Moderated")
MAX_REASON = 300


class Visibility(models.TextChoices):
    PRIVATE = "private", "Private"
    UNLISTED = "unlisted", "Unlisted"
    PUBLIC = "public", "Public"


SHARED = (Visibility.UNLISTED, Visibility.PUBLIC)


def who_sees(owner: str, listed_among: str) -> list[tuple[str, str]]:
    """The choices of a field, with who sees it then."""
    return [
        (Visibility.PRIVATE.value, f"Private: only you{owner}"),
        (Visibility.UNLISTED.value, "Unlisted: whoever has the link"),
        (Visibility.PUBLIC.value, f"Public: everyone, and in the list of {listed_among}"),
    ]


class ModeratedQuerySet(SomebodysQuerySet[S]):
    """Rows that their owners may share. Those below say for which viewer."""

    def public(self) -> Self:
        """The rows that every visitor may see."""
        return self.filter(visibility=Visibility.PUBLIC)

    def moderated(self) -> Self:
        """Return what staff decide about: what is public, and what they keep private."""
        return self.filter(Q(visibility=Visibility.PUBLIC) | ~Q(private_because=""))


class Moderated(models.Model):
    """``private_because``: why staff keep it private, in their words; blank where its owner says who sees
    it.
    """

    private_because = models.CharField("kept private because", max_length=MAX_REASON, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_shared(self) -> bool:
        return self.visibility in SHARED  # type: ignore[attr-defined, no-any-return]

    def kept_from(self, visibility: str) -> str:
        """Why it cannot be shared so, in a sentence for its owner; empty where it can."""
        if not self.private_because or visibility == Visibility.PRIVATE:
            return ""
        because = self.private_because.rstrip(".")
        return (
            f"It stays private: the operator of this site keeps it so. Their reason: “{because}”. Ask them"
            " first."
        )


def private_while_kept(name: str) -> models.CheckConstraint:
    """Return the constraint that a row which staff keep private is private."""
    return models.CheckConstraint(
        condition=Q(private_because="") | Q(visibility=Visibility.PRIVATE), name=name
    )
