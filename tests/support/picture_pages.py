"""Uploading own pictures on the page ``/pictures/`` and reading its answer."""

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
    """Upload pictures, each (file name, bytes), and return the response. ``meant`` is "front" or "back",
    ``edge`` how the bleed is made.
    """
    files = [SimpleUploadedFile(name, data) for name, data in sent]
    return client.post(
        reverse("pictures"), {"game": "spycraft", "meant": meant, "edge": edge, "files": files}, **more
    )


def only_picture() -> UploadedPicture:
    """Return the only stored picture, read anew."""
    return UploadedPicture.objects.get()


def words(answer: Any) -> str:
    """Return the visible text of a response, whatever its status."""
    return Page(answer).text
