"""The names of accounts: what one may look like, when two of them are the same, and how the database keeps
twins apart.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Self

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import models
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from cardsdb.models.owned import AccountQuerySet, SomebodysQuerySet

MIN_NAME, MAX_NAME = 2, 30
# Letters that show nothing, and marks that change nothing visible.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# Names that would speak for the site.
RESERVED = {
    "admin",
    "administrator",
    "root",
    "staff",
    "moderator",
    "moderators",
    "cutout",
    "system",
    "support",
    "anonymous",
    "nobody",
}
SHAPE = f"Use {MIN_NAME} to {MAX_NAME} letters and digits, with . - and _ between them if you like."
TAKEN = "Somebody has this name already, or one that looks the same. Choose another."


def clean_account_name(name: str) -> str:
    """The name in its normal form (NFKC, as Django stores names). Raises ValidationError for what is no valid
    name.
    """
    name = unicodedata.normalize("NFKC", name.strip())
    kinds = [unicodedata.category(char) for char in name]
    if not MIN_NAME <= len(name) <= MAX_NAME or _UNSEEN.search(name):
        raise ValidationError(SHAPE, code="bad_name")
    if not all(
        kind[0] in "LN" or kind in ("Mn", "Mc") or char in "._-"
        for char, kind in zip(name, kinds, strict=True)
    ):
        raise ValidationError(SHAPE, code="bad_name")
    # Two marks on one letter are a language; more are a tower.
    towers = any(set(kinds[start : start + 3]) == {"Mn"} for start in range(len(kinds) - 2))
    if kinds[0][0] not in "LN" or name[-1] in "._-" or towers:
        raise ValidationError(SHAPE, code="bad_name")
    if name_key(name) in RESERVED:
        raise ValidationError(TAKEN, code="reserved")
    return name


def name_key(name: str) -> str:
    """Equal for names that differ in case or in compatibility forms only."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def twin_key(name: str, user_id: int) -> str:
    """The key of a name whose own key an older account has. No name contains #, so nobody else has it."""
    return f"{name_key(name)}#{user_id}"


class AccountNameQuerySet(SomebodysQuerySet["AccountName"]):
    """The names of accounts, which everybody may read who knows them."""

    def named(self, name: str) -> Self:
        """The row of whoever is called so, in any case of letters."""
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
    """Whoever asks gets those of their own account."""

    account = "user"


class AccountSession(models.Model):
    """A session that an account was logged in to: Django's own rows do not say whose they are.

    ``key`` is the session's, which may have ended since. ``browser`` is its name without a version.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=40)
    began = models.DateTimeField(default=timezone.now)

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
    exact = get_user_model().objects.filter(username=name).first()
    if exact:
        return exact
    stored = AccountName.objects.named(name).select_related("user").first()
    return stored.user if stored else None


def account_of_command(name: str) -> AbstractUser:
    """The account that a command is told by its name. Raises CommandError where there is none."""
    if account := account_named(name):
        return account
    raise CommandError(f"There is no account called “{name}”.")
