"""Visitors with pictures: bringing some, and reading what the page says."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse


def bring(client: Client, *sent: tuple[str, bytes], meant: str = "front", edge: str = "mirrored", **more: Any) -> Any:
    found = [SimpleUploadedFile(name, data) for name, data in sent]
    return client.post(reverse("pictures"), {"game": "spycraft", "meant": meant, "edge": edge, "files": found}, **more)


def member(name: str = "ann") -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name))
    return client


def words(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))
