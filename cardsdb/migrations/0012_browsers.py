"""Browsers without an account are known apart from sessions."""

import datetime

from django.db import migrations
from django.db.models import CharField, DateField

from cardsdb.migrations._tables import table


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0011_audit")]
    operations = [
        table(
            "Browser",
            {},
            hash=CharField(max_length=64, primary_key=True, serialize=False),
            seen=DateField(default=datetime.date.today),
        ),
    ]
