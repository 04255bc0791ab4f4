"""Letters have the columns of every queued row, and wait in the queue of short tasks under its new name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

STATES = [
    ("waiting", "Waiting"),
    ("running", "Running"),
    ("done", "Done"),
    ("failed", "Failed"),
    ("cancelled", "Cancelled"),
]


def wait(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Each letter is put into the queue anew. One that is being sent has a worker, of which is seen whether it lives."""
    letters = apps.get_model("cardsdb", "Letter").objects
    letters.update(task="", queued=None)
    letters.exclude(worker="").update(state="running")


class Migration(migrations.Migration):
    dependencies = [("cardsdb", "0008_letters")]

    operations = [
        migrations.RenameField("letter", "tries", "attempts"),
        migrations.RenameField("letter", "taken", "heartbeat"),
        migrations.AddField(
            "letter", "state", models.CharField(choices=STATES, default="waiting", max_length=10)
        ),
        migrations.AlterField(
            "letter", "task", models.CharField(blank=True, default="", editable=False, max_length=64)
        ),
        migrations.AlterField(
            "letter", "queued", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.RunPython(wait, migrations.RunPython.noop),
    ]
