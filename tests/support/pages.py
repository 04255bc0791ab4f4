"""Requests that Django's test client would not send as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.test import Client


def post_bytes(client: Client, url: str, fields: Mapping[str, str]) -> Any:
    """The answer to a form. Text that is no text, as a lone surrogate, goes as the bytes that a hostile program would send."""
    body = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()})
    return client.post(url, body, content_type="application/x-www-form-urlencoded")
