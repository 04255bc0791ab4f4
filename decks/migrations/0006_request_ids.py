"""Each state knows the request that made it, so that a browser may send a change again whose answer it did not hear."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0005_browser_access"),
    ]

    operations = [
        migrations.AddField(
            "deckrevision",
            "request_id",
            models.CharField(max_length=36, blank=True, default=""),
        ),
    ]
