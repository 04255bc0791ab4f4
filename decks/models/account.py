"""What the site adds to Django's users: names that differ in more than case."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.signals import post_save
from django.dispatch import receiver

from decks.identity.account_names import name_key, twin_key


class AccountName(models.Model):
    """The one spelling of a user's name: the database itself refuses a second name that is the same but for case.

    Accounts older than this may be twins in case. The oldest has the key, the others one of their own (``twin_key``).
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=450, unique=True)

    def __str__(self) -> str:
        return self.key


@receiver(post_save, sender=settings.AUTH_USER_MODEL)
def store_name_key(instance: AbstractUser, created: bool, raw: bool, update_fields: frozenset[str] | None, **signal: Any) -> None:
    """Write the key down whenever a user's name is saved, however that came about.

    Raises IntegrityError when a new user's is taken. Whoever is there already is saved in any case.
    """
    if raw or not (update_fields is None or "username" in update_fields):
        return
    key = name_key(instance.username)
    if not created and AccountName.objects.filter(key=key).exclude(user=instance).exists():
        key = twin_key(instance.username, instance.pk)
    AccountName.objects.update_or_create(user=instance, defaults={"key": key})


def account_named(name: str) -> AbstractUser | None:
    """The account of this very name, else the one of this name in another case."""
    exact = get_user_model().objects.filter(username=name).first()
    if exact:
        return exact
    known = AccountName.objects.filter(key=name_key(name)).select_related("user").first()
    return known.user if known else None
