"""Cards in own sets have numbers, and staff may keep a set private; letters wait for a worker; machines
notice that they do not have the same secret; what was done is written down, with the account that did it:
migrations 6 to 11 in one.
"""

from django.db import migrations
from django.db.models import (
    SET_NULL,
    BigIntegerField,
    CharField,
    DateTimeField,
    ForeignKey,
    Index,
    JSONField,
    PositiveSmallIntegerField,
    Q,
)
from django.utils import timezone

from cardsdb.migrations._tables import ACCOUNT, account, kept_private, refuse_between, table

STATES = [(word.lower(), word) for word in ("Waiting", "Running", "Done", "Failed", "Cancelled")]
EVENTS = [
    ("signed_up", "Account made"),
    ("login", "Logged in"),
    ("failed_login", "A wrong password, passkey or code was tried"),
    ("logout", "Logged out"),
    ("password", "Password set or changed"),
    ("mail", "Email addresses changed"),
    ("passkey", "Passkeys or recovery codes changed"),
    ("export", "Everything exported"),
    ("account_deleted", "Account deleted"),
    ("visibility", "Who sees it was changed"),
    ("link", "Links to it were renewed"),
    ("deleted", "Deleted"),
    ("taken_along", "Taken from a browser into the account"),
    ("kept_private", "Made private by staff"),
    ("let_share", "Staff let it be shared again"),
    ("hidden", "Hidden by staff"),
    ("shown", "Shown again by staff"),
    ("reported", "Reported"),
    ("left", "Looked at by staff, who left it as it is"),
]


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0005_own_sets"), migrations.swappable_dependency(ACCOUNT)]
    operations = [
        refuse_between(),
        migrations.AddField("owncard", "number", CharField(blank=True, default="", max_length=20)),
        *kept_private("ownset", "own_set_private_while_kept"),
        table(
            "Letter",
            {"ordering": ("due", "pk")},
            content=JSONField(),
            due=DateTimeField(db_index=True, default=timezone.now),
            attempts=PositiveSmallIntegerField(default=0),
            worker=CharField(blank=True, default="", max_length=80),
            heartbeat=DateTimeField(blank=True, null=True),
            task=CharField(blank=True, default="", editable=False, max_length=64),
            queued=DateTimeField(blank=True, editable=False, null=True),
            state=CharField(choices=STATES, default="waiting", max_length=10),
        ),
        table("SiteSecret", {}, fingerprint=CharField(max_length=32)),
        table(
            "AuditEntry",
            {
                "verbose_name_plural": "audit entries",
                "ordering": ("-made", "-pk"),
                "indexes": [
                    Index(
                        condition=Q(account__isnull=False),
                        fields=["account", "-made"],
                        name="audit_of_account",
                    )
                ],
            },
            made=DateTimeField(db_index=True, default=timezone.now),
            what=CharField(choices=EVENTS, max_length=20),
            browser_tag=CharField(blank=True, default="", max_length=24),
            network=CharField(blank=True, default="", max_length=24),
            thing=CharField(blank=True, default="", max_length=20),
            number=BigIntegerField(blank=True, null=True),
            name=CharField(blank=True, default="", max_length=200),
            detail=CharField(blank=True, default="", max_length=100),
            account=account(blank=True, null=True),
            by=ForeignKey(ACCOUNT, SET_NULL, blank=True, null=True, related_name="+"),
        ),
    ]
