from typing import Any

from django.apps import AppConfig
from django.db.models import Model
from django.db.models.signals import post_delete


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Files of pictures and of jobs go with the rows that name them; accounts take along, and away, what
        they have; pages show it.

        What does so is imported when it is first needed: every command and every process that serves pages
        starts here.
        """
        from cardsdb.own import pictures
        from cardsdb.tasks import worker
        from decks.accounts import kinds

        kinds.register("printing.web.account_data.KINDS")
        pictures.register("printing.uploads.pictures.STORE")
        worker.register("printing", "printing.tasks.jobs.recover")
        post_delete.connect(_picture_deleted, sender="printing.UploadedPicture")
        post_delete.connect(_job_deleted, sender="printing.PrintJob")


def _picture_deleted(instance: Model, **_: Any) -> None:
    from printing.uploads.pictures import give_up_file

    give_up_file(instance)


def _job_deleted(instance: Model, **_: Any) -> None:
    from printing.tasks.files import give_up_file

    give_up_file(instance)
