"""A printer knows how fronts are put right, how much longer it has to be told to print, and its margins."""

from django.db import migrations
from django.db.models import CharField, IntegerField


class Migration(migrations.Migration):
    dependencies = [("printing", "0006_edges_repeated_or_in_one_colour")]
    operations = [
        *(
            migrations.AddField("printercalibration", name, IntegerField(default=0))
            for name in ("front_x", "front_y", "front_turn", "wider", "higher")
        ),
        migrations.AddField("printercalibration", "margin", CharField(blank=True, default="", max_length=40)),
    ]
