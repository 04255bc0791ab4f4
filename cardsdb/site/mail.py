"""How the site sends mail: by a worker to a mail server, or into files on a private site."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email, validate_ipv46_address

NAMES = (
    "CUTOUT_EMAIL_HOST",
    "CUTOUT_EMAIL_PORT",
    "CUTOUT_EMAIL_USER",
    "CUTOUT_EMAIL_PASSWORD",
    "CUTOUT_EMAIL_TLS",
    "CUTOUT_EMAIL_FROM",
)
# How the connection to the mail server is secured -> the usual port for it.
PORTS = {"starttls": 587, "tls": 465, "none": 25}


def mail_settings(environ: Mapping[str, str], folder: Path, https: bool) -> dict[str, Any]:
    """Django's settings for mail, and ``CUTOUT_MAIL``: "server", "files" or "none".

    Without a server a private site writes each message into a file in ``folder``, which only its owner can
    read; a public one sends none, so that strangers cannot fill its disk. Raises ImproperlyConfigured with
    the name of a bad value.
    """
    values = {name: environ.get(name, "").strip() for name in NAMES}
    if not values["CUTOUT_EMAIL_HOST"]:
        alone = next((name for name, value in values.items() if value), None)
        if alone:
            raise ImproperlyConfigured(f"{alone} is set, so CUTOUT_EMAIL_HOST must name the mail server.")
        if https:
            return {"CUTOUT_MAIL": "none", "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return {
            "CUTOUT_MAIL": "files",
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(folder),
            "DEFAULT_FROM_EMAIL": "cutout@localhost",
        }
    secured = values["CUTOUT_EMAIL_TLS"] or "starttls"
    if secured not in PORTS:
        raise ImproperlyConfigured(f"CUTOUT_EMAIL_TLS must be starttls, tls or none, not {secured!r}.")
    if bool(values["CUTOUT_EMAIL_USER"]) != bool(values["CUTOUT_EMAIL_PASSWORD"]):
        raise ImproperlyConfigured("CUTOUT_EMAIL_USER and CUTOUT_EMAIL_PASSWORD are needed both or neither.")
    return {
        "CUTOUT_MAIL": "server",
        "EMAIL_BACKEND": "cardsdb.tasks.letters.Letters",
        "EMAIL_HOST": _host(values["CUTOUT_EMAIL_HOST"]),
        "EMAIL_PORT": _port(values["CUTOUT_EMAIL_PORT"], PORTS[secured]),
        "EMAIL_HOST_USER": values["CUTOUT_EMAIL_USER"],
        "EMAIL_HOST_PASSWORD": values["CUTOUT_EMAIL_PASSWORD"],
        "EMAIL_USE_TLS": secured == "starttls",
        "EMAIL_USE_SSL": secured == "tls",
        "EMAIL_TIMEOUT": 10,
        "DEFAULT_FROM_EMAIL": _sender(values["CUTOUT_EMAIL_FROM"]),
    }


def _host(text: str) -> str:
    """A bare name or address: people paste ``smtp://host:587``, which would fail with the first message
    only.
    """
    named = all(part and part.replace("-", "").isalnum() for part in text.rstrip(".").split("."))
    if not named:
        try:
            validate_ipv46_address(text)
        except ValidationError:
            raise ImproperlyConfigured(
                f"CUTOUT_EMAIL_HOST must be a host's name alone, not {text!r}."
            ) from None
    return text


def _port(text: str, usual: int) -> int:
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 65_536):
        raise ImproperlyConfigured(f"CUTOUT_EMAIL_PORT must be a port from 1 to 65535, not {text!r}.")
    return int(text)


def _sender(text: str) -> str:
    """``name@host``, or ``Cutout <name@host>``."""
    address = text.rpartition("<")[2].removesuffix(">") if text.endswith(">") else text
    try:
        validate_email(address)
    except ValidationError:
        raise ImproperlyConfigured(
            f"CUTOUT_EMAIL_FROM must be the address that letters come from, not {text!r}."
        ) from None
    return text
