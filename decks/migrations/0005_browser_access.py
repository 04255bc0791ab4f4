"""What was called a held key is called the access of a browser. Only names in Python change: the table stays as it is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0004_workshop"),
    ]

    operations = [
        migrations.AlterModelTable("heldkey", "decks_heldkey"),
        migrations.RenameModel("HeldKey", "BrowserAccess"),
        migrations.AlterField(
            "browseraccess",
            "deck",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="browsers", to="decks.deck"
            ),
        ),
    ]
