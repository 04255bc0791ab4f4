"""How a password is looked up: allauth's way, but for names that differ in case alone.

Logged-in sessions hold the path of this class, so it stays where it is.
"""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from decks.models import account_named


class NamesAndAddresses(AuthenticationBackend):
    """allauth lets neither in of two accounts of before whose names are twins; here each is found by its own
    spelling.
    """

    def _authenticate_by_username(self, username: str, password: str) -> AbstractBaseUser | None:
        return self._check_password(account_named(username), password)
