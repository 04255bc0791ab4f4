from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_delete


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Delete the file of a picture or print job whenever its row is deleted."""
        # Imported late, because both modules import models, which are not loaded before.
        placing, files = import_module("cardsdb.box.placing"), import_module("printing.tasks.files")
        post_delete.connect(placing.give_up_file, sender="printing.UploadedPicture")
        post_delete.connect(files.give_up_file, sender="printing.PrintJob")
