"""A print job knows its task in the queue."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("printing", "0003_pictures_for_everyone_and_in_windows")]

    operations = [
        migrations.AddField(
            "printjob", "task", models.CharField(blank=True, default="", editable=False, max_length=64)
        ),
        migrations.AddField(
            "printjob", "queued", models.DateTimeField(blank=True, editable=False, null=True)
        ),
    ]
