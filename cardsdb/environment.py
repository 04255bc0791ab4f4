"""Settings for mail, files, cache and tasks, read from the environment.

``settings.py`` calls one function for each. An unset variable means none, or a local replacement. A bad value
raises ImproperlyConfigured with the variable's name; messages never repeat an address, because it may hold a
secret. Tests in ``tests``: of mail ``cardsdb/test_settings.py`` (a letter that is sent:
``cardsdb/tasks/test_letters.py``), of file stores ``cardsdb/test_environment.py``, of the cache
``cardsdb/site/test_shared_cache.py``, of tasks ``printing/tasks/test_redis.py``.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email, validate_ipv46_address

from cardsdb.games.kit import whole_number

# Beginnings of addresses of a Redis or Valkey server.
REDIS = ("redis://", "rediss://", "unix://")
# Variables: each is CUTOUT_EMAIL_ and one of these.
MAIL = ("HOST", "PORT", "USER", "PASSWORD", "TLS", "FROM")
# Value of CUTOUT_EMAIL_TLS -> the usual port of the mail server.
PORTS = {"starttls": 587, "tls": 465, "none": 25}


def mail_settings(environ: Mapping[str, str], folder: Path, https: bool) -> dict[str, Any]:
    """Return Django's mail settings, and ``CUTOUT_MAIL``: "server", "files" or "none".

    Without a server, a private site writes each letter to a file in ``folder`` (readable by its owner only);
    a public site sends none, so that strangers cannot fill the disk. Raises ImproperlyConfigured.
    """
    given = {name: environ.get(f"CUTOUT_EMAIL_{name}", "").strip() for name in MAIL}
    if not given["HOST"]:
        # The first variable that is of no use without a server.
        if alone := next((name for name, value in given.items() if value), None):
            raise ImproperlyConfigured(
                f"CUTOUT_EMAIL_{alone} is set, so CUTOUT_EMAIL_HOST must name the mail server."
            )
        if https:
            return {"CUTOUT_MAIL": "none", "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return {
            "CUTOUT_MAIL": "files",
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(folder),
            "DEFAULT_FROM_EMAIL": "cutout@localhost",
        }
    secured = given["TLS"] or "starttls"
    if secured not in PORTS:
        raise _wrong("CUTOUT_EMAIL_TLS", "starttls, tls or none", secured)
    if bool(given["USER"]) != bool(given["PASSWORD"]):
        raise ImproperlyConfigured(
            "CUTOUT_EMAIL_USER and CUTOUT_EMAIL_PASSWORD must both be set, or neither."
        )
    # A host's name ("mail.example.org") or else an IP address. People paste ``smtp://host:587`` here, which
    # would only fail at the first letter.
    host = given["HOST"]
    if not all(part and part.replace("-", "").isalnum() for part in host.rstrip(".").split(".")):
        _validate(validate_ipv46_address, host, "CUTOUT_EMAIL_HOST", "a host's name alone", host)
    port = whole_number(given["PORT"], 65_535, least=1) if given["PORT"] else PORTS[secured]
    if port is None:
        raise _wrong("CUTOUT_EMAIL_PORT", "a port from 1 to 65535", given["PORT"])
    # Either ``name@host`` or ``Cutout <name@host>``.
    sender = given["FROM"]
    address = sender.rpartition("<")[2].removesuffix(">") if sender.endswith(">") else sender
    _validate(validate_email, address, "CUTOUT_EMAIL_FROM", "the address that letters come from", sender)
    return {
        "CUTOUT_MAIL": "server",
        "EMAIL_BACKEND": "cardsdb.tasks.letters.Letters",
        "EMAIL_HOST": host,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": given["USER"],
        "EMAIL_HOST_PASSWORD": given["PASSWORD"],
        "EMAIL_USE_TLS": secured == "starttls",
        "EMAIL_USE_SSL": secured == "tls",
        # Seconds. ``SILENT`` in tasks/letters.py must be longer.
        "EMAIL_TIMEOUT": 10,
        "DEFAULT_FROM_EMAIL": sender,
    }


def _wrong(name: str, must_be: str, given: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} must be {must_be}, not {given!r}.")


def _validate(validator: Callable[[str], None], value: str, name: str, must_be: str, given: str) -> None:
    """Raise ImproperlyConfigured if Django's validator refuses the value."""
    try:
        validator(value)
    except ValidationError:
        raise _wrong(name, must_be, given) from None


# Name of a store -> the setting that may name its folder. By default the folder is VAR_DIR/<name>.
STORES = {"pictures": "CUTOUT_PICTURES", "jobs": "", "waiting": "", "bulk": ""}
LIKE = "STORAGE_URL must be an address like s3://key:secret@host:9000/bucket?region=eu-west-1&scheme=https"


def file_stores(url: str) -> dict[str, Any]:
    """Return Django's STORAGES for the files of visitors: local folders, or parts of the bucket at this
    address. ``s3://key:secret@host:9000/bucket/cutout?scheme=http`` gives for each store, here "pictures"::

        {"BACKEND": "cardsdb.storage.object_store.ObjectStore",
         "OPTIONS": {"bucket_name": "bucket", "location": "cutout/pictures",
                     "endpoint_url": "http://host:9000", "region_name": "us-east-1", "aws": False,
                     "access_key": "key", "secret_key": "secret"}}

    Raises ImproperlyConfigured, without the address, since it contains the secret key.
    """
    if not url:
        folder = "contract.FolderStore"
        return {name: _store(folder, folder=name, setting=setting) for name, setting in STORES.items()}
    options, prefix = _options(url)
    bucket = "object_store.ObjectStore"
    return {name: _store(bucket, **options, location=f"{prefix}{name}") for name in STORES}


def _store(store_class: str, **options: Any) -> dict[str, Any]:
    """Return an entry of Django's STORAGES for a class of ``cardsdb.storage``."""
    return {"BACKEND": f"cardsdb.storage.{store_class}", "OPTIONS": options}


def _options(url: str) -> tuple[dict[str, Any], str]:
    """Return (the options that all object stores at this address share, the prefix of their names in the
    bucket: "cutout/" or empty).
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        # Strict parsing takes an empty query for a fault.
        query = parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        raise ImproperlyConfigured(f"{LIKE}.") from None
    bucket, _, prefix = unquote(parts.path).strip("/").partition("/")
    scheme = query.get("scheme", ["https"])[0]
    if parts.scheme != "s3" or not host or not bucket or scheme not in ("http", "https"):
        raise ImproperlyConfigured(f"{LIKE}.")
    if unknown := query.keys() - {"region", "scheme"}:
        raise ImproperlyConfigured(f"{LIKE}; {min(unknown)!r} in it is not known.")
    if bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured(
            "STORAGE_URL must have both key and secret, or neither. Without them"
            " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are read."
        )
    # ``hostname`` has lost the brackets of an IPv6 address.
    named = f"[{host}]" if ":" in host else host
    options = {
        "bucket_name": bucket,
        "endpoint_url": f"{scheme}://{named}{f':{port}' if port else ''}",
        "region_name": query.get("region", ["us-east-1"])[0],
        "aws": host.endswith(".amazonaws.com"),
    }
    if parts.username and parts.password:
        options |= {"access_key": unquote(parts.username), "secret_key": unquote(parts.password)}
    return options, f"{prefix}/" if prefix else ""


def cache_settings(url: str) -> dict[str, Any]:
    """Return the cache, in which requests and wrong passwords are counted: one for each process, or a Redis
    or Valkey that all machines share.
    """
    if not url:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    if not url.startswith(REDIS):
        raise ImproperlyConfigured("CACHE_URL must be an address like redis://host:6379/0.")
    # Seconds. Every request is counted, so it must not wait for a slow cache.
    patience = {"socket_timeout": 1, "socket_connect_timeout": 1}
    return {
        "BACKEND": "cardsdb.site.shared_cache.SharedCache",
        "LOCATION": url,
        "KEY_PREFIX": "cutout",
        "OPTIONS": patience,
    }


def task_settings(url: str) -> dict[str, Any]:
    """Return the settings of the task queue (cardsdb/tasks): in the database, or in a Redis or Valkey."""
    if not url:
        return {"TASKS": {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}}
    if not url.startswith(REDIS):
        raise ImproperlyConfigured("TASKS_URL must be an address like redis://host:6379/1.")
    # A visitor waits while a task is put into the queue, so connecting may take two seconds at most. The task
    # itself may take any time (-1). Its result is not used, and expires after a minute.
    patient = f"{url}{'&' if '?' in url else '?'}socket_connect_timeout=2"
    queue = {"URL": patient, "DEFAULT_TIMEOUT": -1, "DEFAULT_RESULT_TTL": 60}
    return {
        "TASKS": {"default": {"BACKEND": "django_tasks_rq.RQBackend"}},
        "RQ_QUEUES": {"default": queue},
        "RQ": {"COMMIT_MODE": "auto"},
    }
