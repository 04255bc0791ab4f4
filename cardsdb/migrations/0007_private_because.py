"""Staff may keep a set of cards private, for a reason that its owner reads."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0006_own_card_number")]

    operations = [
        migrations.AddField(
            "ownset",
            "private_because",
            models.CharField(blank=True, default="", max_length=300, verbose_name="kept private because"),
        ),
        migrations.AddConstraint(
            "ownset",
            models.CheckConstraint(
                condition=models.Q(("private_because", ""), ("visibility", "private"), _connector="OR"),
                name="own_set_private_while_kept",
            ),
        ),
    ]
