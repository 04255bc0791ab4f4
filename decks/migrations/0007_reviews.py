"""Accounts may review cards."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cardsdb", "0002_editions"),
        ("decks", "0006_request_ids"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(max_length=2000)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed", models.DateTimeField(default=django.utils.timezone.now)),
                ("hidden", models.BooleanField(default=False)),
                ("reported", models.BooleanField(default=False)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="cardsdb.card"
                    ),
                ),
            ],
            options={
                "ordering": ("-changed", "-id"),
                "constraints": [models.UniqueConstraint(fields=("card", "author"), name="reviewed_once")],
            },
        ),
    ]
