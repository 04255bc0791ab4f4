"""Files of pictures and of jobs go with the rows that name them."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from cardsdb.box.placing import give_up_file
from cardsdb.models import UploadedPicture
from printing.models import PrintJob
from printing.tasks import files


@receiver(post_delete, sender=UploadedPicture)
def _picture_deleted(instance: UploadedPicture, **_: Any) -> None:
    give_up_file(instance)


@receiver(post_delete, sender=PrintJob)
def _job_deleted(instance: PrintJob, **_: Any) -> None:
    files.give_up_file(instance)
