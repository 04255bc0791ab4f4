"""Staff may keep a deck or a format private, for a reason that its owner reads."""

from django.db import migrations, models


def reason():
    return models.CharField(blank=True, default="", max_length=300, verbose_name="kept private because")


def private_while_kept(name):
    return models.CheckConstraint(
        condition=models.Q(("private_because", ""), ("visibility", "private"), _connector="OR"), name=name
    )


class Migration(migrations.Migration):
    dependencies = [("decks", "0011_league_columns")]

    operations = [
        migrations.AddField("deck", "private_because", reason()),
        migrations.AddField("leagueformat", "private_because", reason()),
        migrations.AddConstraint("deck", private_while_kept("deck_private_while_kept")),
        migrations.AddConstraint("leagueformat", private_while_kept("league_private_while_kept")),
    ]
