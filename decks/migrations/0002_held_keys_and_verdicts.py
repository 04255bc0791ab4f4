"""Browsers are known by a token, not by the edit keys they hold; decks keep their verdict for lists."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            "deck", "verdict", models.CharField(blank=True, default="", editable=False, max_length=12)
        ),
        migrations.AddField(
            "deck", "judged_by", models.CharField(blank=True, default="", editable=False, max_length=80)
        ),
        migrations.CreateModel(
            name="HeldKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("browser", models.CharField(max_length=64)),
                (
                    "deck",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="held_by", to="decks.deck"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="heldkey",
            constraint=models.UniqueConstraint(fields=("browser", "deck"), name="held_once_by_browser"),
        ),
    ]
