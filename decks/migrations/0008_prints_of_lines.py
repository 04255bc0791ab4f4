"""A line of a deck may ask for one print of its card."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("decks", "0007_reviews")]

    operations = [
        migrations.AddField("deckline", "print", models.CharField(blank=True, default="", max_length=80)),
    ]
