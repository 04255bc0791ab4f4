"""The Django app ``printing``: it connects the signals that delete files of deleted rows.

Tests: ``tests/printing/tasks/test_files.py`` and ``tests/cardsdb/box``.
"""

from importlib import import_module

from django.apps import AppConfig
from django.db.models.signals import post_delete


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Delete the file of a picture or print job whenever its row is deleted."""
        # Imported late, because both modules import models, which are not loaded before. The model of
        # pictures is defined in cardsdb/models, but its table is one of this app.
        placing, files = import_module("cardsdb.box.placing"), import_module("printing.tasks.files")
        post_delete.connect(placing.give_up_file, sender="printing.UploadedPicture")
        post_delete.connect(files.give_up_file, sender="printing.PrintJob")
