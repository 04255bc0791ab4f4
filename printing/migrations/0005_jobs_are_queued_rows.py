"""A print job knows its task in the queue; when it was begun was stored and never read: migrations 4 and 5 in
one.
"""

from django.db import migrations
from django.db.models import CharField, DateTimeField

from cardsdb.migrations._tables import refuse_between


class Migration(migrations.Migration):
    dependencies = [("printing", "0003_pictures_for_everyone_and_in_windows")]
    operations = [
        refuse_between(),
        migrations.AddField(
            "printjob", "task", CharField(blank=True, default="", editable=False, max_length=64)
        ),
        migrations.AddField("printjob", "queued", DateTimeField(blank=True, editable=False, null=True)),
        migrations.RemoveField("printjob", "started"),
    ]
