"""Machines notice that they do not have the same secret."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0009_letters_are_queued_rows")]

    operations = [
        migrations.CreateModel(
            "SiteSecret",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fingerprint", models.CharField(max_length=32)),
            ],
        ),
    ]
