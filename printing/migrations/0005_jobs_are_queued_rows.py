"""When a job was begun was stored and never read."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("printing", "0004_jobs_are_tasks")]

    operations = [migrations.RemoveField("printjob", "started")]
