"""How long each state of a deck is, for bounds in bytes; and the last day on which somebody opened a deck, which today is for all."""

from django.db import migrations, models

import decks.models.deck


def measure(apps, schema_editor):
    content = (
        "octet_length(content::text)"
        if schema_editor.connection.vendor == "postgresql"
        else "LENGTH(content)"
    )
    schema_editor.execute(f"UPDATE decks_deckrevision SET length = {content}")


class Migration(migrations.Migration):
    dependencies = [("decks", "0012_private_because")]

    operations = [
        migrations.AddField(
            "deck", "opened", models.DateField(default=decks.models.deck.today, editable=False)
        ),
        migrations.AddField("deckrevision", "length", models.PositiveIntegerField(default=0, editable=False)),
        migrations.RunPython(measure, migrations.RunPython.noop),
        migrations.AddIndex(
            "deckrevision", models.Index(fields=["deck", "name", "length"], name="revision_lengths")
        ),
    ]
