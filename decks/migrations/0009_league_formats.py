"""People may make formats of a game."""

import cardsdb.identity.viewer
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0008_prints_of_lines"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LeagueFormat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "link",
                    models.CharField(
                        default=cardsdb.identity.viewer.new_key, editable=False, max_length=32, unique=True
                    ),
                ),
                ("browser", models.CharField(blank=True, db_index=True, max_length=64, null=True)),
                ("game", models.SlugField(max_length=40)),
                ("name", models.CharField(max_length=80)),
                ("declared", models.JSONField(default=dict)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "Private: only you; it counts in your private decks alone"),
                            ("unlisted", "Unlisted: whoever has the link"),
                            ("public", "Public: everyone, and in the list of formats"),
                        ],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("made", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("changed", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-changed", "-pk"),
                "indexes": [models.Index(fields=["visibility", "-changed", "-id"], name="league_listed")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("owner__isnull", False), ("browser__isnull", False), _connector="XOR"
                        ),
                        name="league_of_account_or_browser",
                    )
                ],
            },
        ),
    ]
