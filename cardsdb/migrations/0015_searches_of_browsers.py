"""A browser without an account keeps its searches as all else that it has."""

from typing import Any

from django.db import migrations
from django.db.models import CharField, UniqueConstraint

from cardsdb.migrations._tables import account, one_owner


def forget(apps: Any, schema_editor: Any) -> None:
    """Delete the searches of browsers, which had no rows before."""
    apps.get_model("cardsdb", "OwnSearch").objects.filter(owner=None).delete()


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0014_sentences")]
    operations = [
        migrations.RenameModel("AccountSearch", "OwnSearch"),
        migrations.AlterField("OwnSearch", "owner", account(blank=True, null=True, editable=False)),
        migrations.AddField(
            "OwnSearch",
            "browser",
            CharField(max_length=64, blank=True, null=True, db_index=True, editable=False),
        ),
        migrations.AddConstraint("OwnSearch", one_owner("ownsearch_has_one_owner")),
        migrations.AddConstraint(
            "OwnSearch", UniqueConstraint(fields=("browser", "key"), name="browser_search_once_a_name")
        ),
        migrations.RunPython(migrations.RunPython.noop, forget),
    ]
