"""Where the site's letters go, for the pages that say so."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def place(request: HttpRequest) -> dict[str, str]:
    """For templates: how letters travel, and the folder they stand in when they travel no further."""
    return {"mail": settings.CUTOUT_MAIL, "mail_folder": settings.EMAIL_FILE_PATH if settings.CUTOUT_MAIL == "files" else ""}
