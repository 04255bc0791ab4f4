"""Lists read indexes and columns; staff may keep a deck or a format private; each state of a deck knows its
length, and a deck the last day on which it was opened, which is today for all; an account knows its sessions,
of which those from before are added when they log in again: migrations 10 to 14 in one.
"""

from django.db import migrations
from django.db.models import (
    PROTECT,
    CharField,
    DateField,
    DateTimeField,
    ForeignKey,
    Index,
    PositiveIntegerField,
    Q,
    SlugField,
)
from django.utils import timezone

from cardsdb.migrations._tables import ACCOUNT, account, kept_private, refuse_between, table
from decks.models.deck import today


def fill(apps, schema_editor):
    rows = apps.get_model("decks", "LeagueFormat").objects
    for row in rows.only("declared").iterator():
        said = {key: row.declared.get(key) for key in ("by", "based_on")}
        rows.filter(pk=row.pk).update(**{key: text for key, text in said.items() if isinstance(text, str)})


def measure(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    content = "octet_length(content::text)" if is_postgresql else "LENGTH(content)"
    schema_editor.execute(f"UPDATE decks_deckrevision SET length = {content}")


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0009_league_formats"),
        ("cardsdb", "0005_own_sets"),
        migrations.swappable_dependency(ACCOUNT),
    ]
    operations = [
        refuse_between(),
        migrations.RemoveIndex("deck", "deck_listed"),
        migrations.AlterField(
            "deckline",
            "card",
            ForeignKey(
                "cardsdb.card", PROTECT, blank=True, db_index=False, null=True, related_name="deck_lines"
            ),
        ),
        migrations.AddIndex(
            "comment", Index(condition=Q(state="waiting"), fields=["deck"], name="comment_waiting")
        ),
        migrations.AddIndex(
            "deck", Index(fields=["visibility", "-changed", "-id", "game"], name="deck_listed")
        ),
        migrations.AddIndex(
            "deck", Index(fields=["visibility", "name_folded", "-changed", "-id"], name="deck_named")
        ),
        migrations.AddIndex(
            "deckline", Index(fields=["card", "deck", "section", "count"], name="line_counted")
        ),
        migrations.AddField("leagueformat", "by", CharField(blank=True, default="", max_length=300)),
        migrations.AddField(
            "leagueformat", "based_on", SlugField(blank=True, db_index=False, default="", max_length=40)
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *kept_private("deck", "deck_private_while_kept"),
        *kept_private("leagueformat", "league_private_while_kept"),
        migrations.AddField("deck", "opened", DateField(default=today, editable=False)),
        migrations.AddField("deckrevision", "length", PositiveIntegerField(default=0, editable=False)),
        migrations.RunPython(measure, migrations.RunPython.noop),
        migrations.AddIndex(
            "deckrevision", Index(fields=["deck", "name", "length"], name="revision_lengths")
        ),
        table(
            "AccountSession",
            {},
            key=CharField(max_length=40, unique=True),
            browser=CharField(max_length=40),
            began=DateTimeField(default=timezone.now),
            user=account(),
        ),
    ]
