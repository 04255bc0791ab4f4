"""Browsers without an account are known apart from sessions."""

import datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0011_audit")]

    operations = [
        migrations.CreateModel(
            "Browser",
            [
                ("hash", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("seen", models.DateField(default=datetime.date.today)),
            ],
        ),
    ]
