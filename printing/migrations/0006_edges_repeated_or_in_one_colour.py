"""What is printed outside the cut line of a picture may repeat its edge, or have the colour of its border."""

from django.db import migrations
from django.db.models import CharField


class Migration(migrations.Migration):
    dependencies = [("printing", "0005_jobs_are_queued_rows")]
    operations = [
        migrations.AddField(
            "uploadedpicture",
            "edge_colour",
            CharField(blank=True, default="", editable=False, max_length=7),
        ),
        migrations.AlterField(
            "uploadedpicture",
            "edge",
            CharField(
                choices=[
                    ("mirrored", "Mirror the edge of the picture"),
                    ("repeated", "Repeat the edge of the picture"),
                    ("colour", "Fill it with the colour of the picture’s border"),
                    ("included", "The picture has its own bleed"),
                    ("none", "Nothing: the paper stays white"),
                ],
                default="mirrored",
                max_length=8,
            ),
        ),
    ]
