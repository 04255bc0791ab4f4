"""The look-up of the account of a log-in.

Logged-in sessions hold the path of this module's class, so it stays where it is.
"""

from __future__ import annotations

from typing import Any

from allauth.account.utils import filter_users_by_email
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AbstractBaseUser, User
from django.http import HttpRequest

from decks.models import account_named
from decks.models.people import name_key


class NamesAndAddresses(ModelBackend):
    """Finds one account by its name, however it is capitalised, or else by its address. An unknown name
    takes as long as a known one.

    A closed account is found as well: allauth leads it to the page that says so, and no session of it lives.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str = "",
        password: str = "",
        email: str = "",
        **more: Any,
    ) -> AbstractBaseUser | None:
        found = accounts_called(username, email)
        for account in found:
            if account.check_password(password):
                return account
        if not found:
            User().set_password(password)
        return None


def accounts_called(username: str, email: str) -> list[Any]:
    """The account of this name, else those that gave this address: the one that has confirmed it, or all."""
    if account := account_named(username) if username else None:
        return [account]
    found = filter_users_by_email(email, prefer_verified=True) if email else []
    return sorted(found, key=lambda account: account.pk)


def account_tried(username: str = "", email: str = "", **others: Any) -> tuple[int | None, str]:
    """The account that a log-in is tried for, and a name of it, the same for its name and its
    addresses; None for a name that no account has.
    """
    for account in accounts_called(username, email):
        return account.pk, f"account {account.pk}"
    return None, name_key(username or email)
