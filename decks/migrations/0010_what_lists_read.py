"""Indexes with all that lists of decks read: the copies of cards in every deck, names in their order, comments that wait."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("cardsdb", "0005_own_sets"),
        ("decks", "0009_league_formats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="deck",
            name="deck_listed",
        ),
        migrations.AlterField(
            model_name="deckline",
            name="card",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deck_lines",
                to="cardsdb.card",
            ),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["deck"], name="comment_waiting"
            ),
        ),
        migrations.AddIndex(
            model_name="deck",
            index=models.Index(fields=["visibility", "-changed", "-id", "game"], name="deck_listed"),
        ),
        migrations.AddIndex(
            model_name="deck",
            index=models.Index(fields=["visibility", "name_folded", "-changed", "-id"], name="deck_named"),
        ),
        migrations.AddIndex(
            model_name="deckline",
            index=models.Index(fields=["card", "deck", "section", "count"], name="line_counted"),
        ),
    ]
