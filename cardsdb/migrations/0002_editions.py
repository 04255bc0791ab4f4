"""Editions and holdings; sets live in the game folders alone; names sort by code point on every database."""

import django.utils.timezone
from django.db import migrations, models

SORTED = ("sort_name", "name_folded", "game", "code")


def sort_by_code_point(apps, schema_editor):
    """PostgreSQL sorts by the database's language unless told; SQLite never does."""
    if schema_editor.connection.vendor == "postgresql":
        lengths = {field.name: field.max_length for field in apps.get_model("cardsdb", "Card")._meta.fields}
        changes = ", ".join(
            f'ALTER COLUMN {name} TYPE varchar({lengths[name]}) COLLATE "C"' for name in SORTED
        )
        schema_editor.execute(f"ALTER TABLE cardsdb_card {changes}")


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Edition",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("changes", models.JSONField(default=list)),
            ],
            options={"ordering": ("-number",)},
        ),
        migrations.CreateModel(
            name="Holding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.SlugField(max_length=40, unique=True)),
                ("summary", models.JSONField(default=dict)),
            ],
        ),
        migrations.DeleteModel(name="CardSet"),
        migrations.AddField("card", "print_count", models.PositiveIntegerField(default=0)),
        migrations.AddField("card", "digest", models.CharField(blank=True, max_length=40)),
        migrations.RunPython(sort_by_code_point, migrations.RunPython.noop, atomic=False),
    ]
