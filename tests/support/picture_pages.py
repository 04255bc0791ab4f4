"""Visitors with pictures: bringing some, and reading what the page says."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from cardsdb.models import UploadedPicture
from tests.support.pages import Page
from tests.support.pictures import coded, painted

JPEG = coded(painted(), quality=88)
OTHER = coded(painted(size=(300, 420)))


def bring(
    client: Client, *sent: tuple[str, bytes], meant: str = "front", edge: str = "mirrored", **more: Any
) -> Any:
    files = [SimpleUploadedFile(name, data) for name, data in sent]
    return client.post(
        reverse("pictures"), {"game": "spycraft", "meant": meant, "edge": edge, "files": files}, **more
    )


def only_picture() -> UploadedPicture:
    """The one that is stored, as it is now."""
    return UploadedPicture.objects.get()


def words(answer: Any) -> str:
    """What a reader sees of an answer, whatever its status."""
    return Page(answer).text
