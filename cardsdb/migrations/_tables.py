"""The shared part of all apps' migrations: tables in few words, and the refusal of a database between two
releases.

The migrations before those that are here stand in them: each says of which they are made.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import CASCADE, BigAutoField, CharField, CheckConstraint, Field, ForeignKey, Model, Q

ACCOUNT = settings.AUTH_USER_MODEL
# The numbers of the squashed migrations at which a database may stand: each stands for all since the one
# before it. A new migration needs nothing here.
ENDS = {"cardsdb": (5, 11, 12), "decks": (9, 14), "printing": (3, 5)}
BETWEEN = (
    "This database was last brought up to date by a version between 20 and 23 November 2026. Bring it up to"
    " date with a version of 24 to 28 November 2026 first, then with this one. No table of Cutout was changed."
)


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


def kept_private(model: str, constraint: str) -> tuple[migrations.AddField, migrations.AddConstraint]:
    """Return what adds the column with the reason, and that what is kept private is private."""
    why = CharField(blank=True, default="", max_length=300, verbose_name="kept private because")
    while_kept = Q(("private_because", ""), ("visibility", "private"), _connector="OR")
    return (
        migrations.AddField(model, "private_because", why),
        migrations.AddConstraint(model, CheckConstraint(condition=while_kept, name=constraint)),
    )


def _refuse_between(apps: Any, schema_editor: Any) -> None:
    applied = MigrationRecorder(schema_editor.connection).applied_migrations()
    for app, ends in ENDS.items():
        last = max((int(name[:4]) for of, name in applied if of == app), default=0)
        if 0 < last < ends[-1] and last not in ends:
            raise CommandError(BETWEEN)


def refuse_between() -> migrations.RunPython:
    """Refuse a database in which some of an app's migrations that are one here are applied, and others not.

    All apps are looked at before anything of any is changed. A database that has all that are one here has
    this one too, under the name of the last.
    """
    return migrations.RunPython(_refuse_between, migrations.RunPython.noop)
