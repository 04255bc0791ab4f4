"""Letters wait for a worker."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0007_private_because")]

    operations = [
        migrations.CreateModel(
            "Letter",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content", models.JSONField()),
                ("due", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("worker", models.CharField(blank=True, default="", max_length=80)),
                ("taken", models.DateTimeField(blank=True, null=True)),
                ("task", models.CharField(blank=True, default="", max_length=64)),
                ("queued", models.DateTimeField(blank=True, null=True)),
            ],
            options={"ordering": ("due", "pk")},
        ),
    ]
