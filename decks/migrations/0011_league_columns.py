"""Lists of formats read columns, not the files."""

from django.db import migrations, models


def fill(apps, schema_editor):
    rows = apps.get_model("decks", "LeagueFormat").objects
    for row in rows.only("declared").iterator():
        said = {key: row.declared.get(key) for key in ("by", "based_on")}
        rows.filter(pk=row.pk).update(**{key: text for key, text in said.items() if isinstance(text, str)})


class Migration(migrations.Migration):
    dependencies = [("decks", "0010_what_lists_read")]

    operations = [
        migrations.AddField("leagueformat", "by", models.CharField(blank=True, default="", max_length=300)),
        migrations.AddField(
            "leagueformat",
            "based_on",
            models.SlugField(blank=True, db_index=False, default="", max_length=40),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
