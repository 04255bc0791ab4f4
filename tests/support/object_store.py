"""An S3 object store for tests, simulated by moto: in this process, or in a process of its own.

Tests take the fixture ``bucket``; ``tests.many`` uses ``own_server``. The in-process server starts when it is
first needed and ends with the process.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages

from cardsdb.environment import file_stores
from cardsdb.storage.object_store import USUAL, Patience
from tests.support.proxies import free_port
from tests.support.server import PATIENCE, wait_for

_numbers = count(1)


@cache
def server() -> str:
    """Return ``host:port`` of the store in this process. Importing moto takes two seconds."""
    from moto.moto_server.threaded_moto_server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    started = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    return f"{host}:{port}"


@contextmanager
def own_server() -> Iterator[str]:
    """Run a store in a process of its own, so that it takes no time of this one; yield its ``host:port``."""
    port = free_port()
    command = [str(Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, process)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def address_of(bucket: str, where: str = "") -> str:
    """Return the STORAGE_URL of a bucket at ``where``, by default in this process."""
    return f"s3://key:secret@{where or server()}/{bucket}/site?scheme=http"


def use_stores(settings: Any, url: str, patience: Patience = USUAL) -> None:
    """Make the site store its files at this STORAGE_URL until the test ends."""
    stores = file_stores(url)
    for store in stores.values():
        store["OPTIONS"]["patience"] = patience
    settings.STORAGES = settings.STORAGES | stores


@pytest.fixture
def bucket(settings):
    """The name of a new bucket in which the site stores its files during the test."""
    name = f"bucket-{next(_numbers)}"
    use_stores(settings, address_of(name))
    client = storages["pictures"].client
    client.create_bucket(Bucket=name)
    yield name
