"""The shared part of all apps' migrations: tables in few words, and the constraints that several have.

An app has one migration that makes its tables as they are since 28 November 2026, under the name of the last of
those that it stands for. A database that has that one has them all; older ones are refused by ``migrate``.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import migrations
from django.db.models import CASCADE, BigAutoField, CheckConstraint, Field, ForeignKey, Model, Q

ACCOUNT = settings.AUTH_USER_MODEL


def table(name: str, options: dict[str, Any], /, **fields: Field[Any, Any]) -> migrations.CreateModel:
    """The operation that makes a table with these columns, and with an ``id`` if none of them is its key."""
    if not any(field.primary_key for field in fields.values()):
        key = BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
        fields = {"id": key, **fields}
    return migrations.CreateModel(name, list(fields.items()), options)


def account(**options: Any) -> ForeignKey[Model]:
    """Return the column of the account that a row goes with."""
    return ForeignKey(ACCOUNT, CASCADE, **{"related_name": "+", **options})


def one_owner(name: str) -> CheckConstraint:
    """Return the constraint that a row is an account's or a browser's."""
    owned = Q(("owner__isnull", False), ("browser__isnull", False), _connector="XOR")
    return CheckConstraint(condition=owned, name=name)


def one_of_three_owners(name: str) -> CheckConstraint:
    """Return the constraint that a row is an account's, a browser's, or everyone's."""
    owners = ("browser__isnull", "everyone__isnull", "owner__isnull")
    accounts, browsers = (Q(*((each, each != one) for each in owners)) for one in (owners[2], owners[0]))
    everyones = Q((owners[0], True), ("everyone", True), (owners[1], False), (owners[2], True))
    return CheckConstraint(condition=Q(accounts, browsers, everyones, _connector="OR"), name=name)


def private_while_kept(name: str) -> CheckConstraint:
    """Return the constraint that what staff keep private is private."""
    kept = Q(("private_because", ""), ("visibility", "private"), _connector="OR")
    return CheckConstraint(condition=kept, name=name)
