"""The setting STORAGE_URL, and the stores that follow from it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# Store -> the setting that may name another folder for it than that of its name in VAR_DIR.
STORES = {"pictures": "CUTOUT_PICTURES", "jobs": "", "waiting": "", "bulk": ""}
LIKE = "STORAGE_URL must be an address like s3://key:secret@host:9000/bucket?region=eu-west-1&scheme=https"


def file_stores(url: str) -> dict[str, Any]:
    """Django's STORAGES of files that people bring and ask for: folders, or parts of the bucket of this
    address.

    Raises ImproperlyConfigured, which never says the address, for it holds a secret.
    """
    if not url:
        return {
            name: {
                "BACKEND": "cardsdb.storage.folder.FolderStore",
                "OPTIONS": {"folder": name, "setting": setting},
            }
            for name, setting in STORES.items()
        }
    options = _options(url)
    before = options.pop("before")
    return {
        name: {
            "BACKEND": "cardsdb.storage.object_store.ObjectStore",
            "OPTIONS": {**options, "location": f"{before}{name}"},
        }
        for name in STORES
    }


def _options(url: str) -> dict[str, Any]:
    try:
        parts = urlsplit(url.strip())
        host, port, said = parts.hostname, parts.port, parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ImproperlyConfigured(f"{LIKE}.") from None
    bucket, _, before = unquote(parts.path).strip("/").partition("/")
    scheme = said.get("scheme", ["https"])[0]
    if parts.scheme != "s3" or not host or not bucket or scheme not in ("http", "https"):
        raise ImproperlyConfigured(f"{LIKE}.")
    if unknown := said.keys() - {"region", "scheme"}:
        raise ImproperlyConfigured(f"{LIKE}; it says {min(unknown)!r}, which is not known.")
    if bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured(
            "STORAGE_URL must have both key and secret, or neither: then AWS_ACCESS_KEY_ID and its kind say"
            " them."
        )
    named = f"[{host}]" if ":" in host else host
    options = {
        "bucket_name": bucket,
        "before": f"{before}/" if before else "",
        "endpoint_url": f"{scheme}://{named}{f':{port}' if port else ''}",
        "region_name": said.get("region", ["us-east-1"])[0],
        "aws": host.endswith(".amazonaws.com"),
    }
    if parts.username and parts.password:
        options |= {"access_key": unquote(parts.username), "secret_key": unquote(parts.password)}
    return options
