"""A comment says that staff hid it, which its deck's owner does not undo."""

from django.db import migrations
from django.db.models import CharField

STATES = [
    ("waiting", "Waiting for the deck's owner"),
    ("shown", "Shown"),
    ("refused", "Not shown"),
    ("hidden", "Hidden by staff"),
]


class Migration(migrations.Migration):
    dependencies = [("decks", "0014_account_sessions")]

    operations = [
        migrations.AlterField("comment", "state", CharField(choices=STATES, default="waiting", max_length=8))
    ]
