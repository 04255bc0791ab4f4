"""The store that is a part of a bucket in an S3-compatible object store, by django-storages and boto3.
Machines share it.

Visitors get no addresses of files there; the site streams them, because only Cutout knows who may see a file.
What each method promises is said in ``contract.Store``; every call of boto3 here stands in ``asking``, which
turns its errors into the two of the contract.

``cardsdb/environment.py`` chooses it by STORAGE_URL; all others know it as a ``contract.Store``.
``tests/cardsdb/storage/test_contract.py`` tests both kinds of stores, ``test_object_store.py`` there one that
is away.
"""

import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import IO, Any, NamedTuple, cast

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from django.utils.deconstruct import deconstructible
from storages.backends.s3 import S3Storage
from urllib3.exceptions import HTTPError

from cardsdb.storage.contract import CHUNK, StoreAway, StoredFile

log = logging.getLogger(__name__)

# Seconds for which sizes of files are remembered: a page asks several times about each of its pictures.
SEEN = 60.0
# Answers that are remembered, each for some names.
MAX_SEEN = 5_000
# Bytes above which an opened file is on disk instead of in memory.
SPOOLED = 8 << 20
# Bytes of each part of an upload.
PART = 16 << 20
# Codes of answers that mean: there is no such file.
NOT_THERE = ("404", "NoSuchKey", "NotFound", "NoSuchUpload")
# One part at a time, so that memory does not grow with the file.
TRANSFER = TransferConfig(use_threads=False, multipart_threshold=PART, multipart_chunksize=PART)
# What the libraries raise if the store does not answer, or not as it should.
FAILS = (BotoCoreError, Boto3Error, HTTPError)
# Only one thread creates a connection at a time.
_making = threading.Lock()


class Patience(NamedTuple):
    """Seconds to wait for a connection, for an ``answer``, and for the answer to a finished upload, for which
    the store puts the parts of a large file ``together``; number of tries.
    """

    connect: float = 2
    answer: float = 5
    together: float = 120
    tries: int = 2


USUAL = Patience()


@contextmanager
def asking(name: str = "") -> Iterator[None]:
    """Turn errors of the store into FileNotFoundError for a missing file, and StoreAway otherwise."""
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in NOT_THERE:
            raise FileNotFoundError(name) from None
        log.error("the object store refuses: %s", error)
        raise StoreAway from error
    except FAILS as error:
        log.warning("the object store does not answer: %s", error)
        raise StoreAway from error


class StreamedObject:
    """An object that is read as it arrives from the store."""

    def __init__(self, answer: dict[str, Any], name: str) -> None:
        self.size: int = answer["ContentLength"]
        self.body, self.name = answer["Body"], name

    def read(self, size: int = -1, /) -> bytes:
        with asking(self.name):
            return cast("bytes", self.body.read(None if size < 0 else size))

    def close(self) -> None:
        self.body.close()


@deconstructible
class ObjectStore(S3Storage):
    """A store in a bucket. ``location``: what all its names in the bucket begin with, before a /; ``aws``:
    the store is Amazon's own; ``patience``: seconds to wait. ``options``: further ones of S3Storage.
    """

    is_remote = True

    def __init__(
        self,
        *,
        aws: bool = False,
        access_key: str | None = None,
        secret_key: str | None = None,
        patience: Patience = USUAL,
        **options: Any,
    ) -> None:
        config = _config(aws, patience, patience.answer)
        super().__init__(client_config=config, transfer_config=TRANSFER, max_memory_size=SPOOLED, **options)
        self.patience = patience
        # Names asked for -> (time of ``time.monotonic`` until which this is remembered, sizes of those that
        # exist).
        self.seen: dict[tuple[str, ...], tuple[float, dict[str, int]]] = {}
        # The arguments of ``_connection``, except the first and the last.
        self.reached_by = (self.endpoint_url, self.region_name, access_key, secret_key, aws, patience)

    @property
    def connection(self) -> Any:
        return self._reached(self.patience.answer)

    @property
    def bucket(self) -> Any:
        return self.connection.Bucket(self.bucket_name)

    @property
    def client(self) -> Any:
        return self.connection.meta.client

    def _reached(self, answer: float) -> Any:
        """Return a connection that waits this many seconds for an answer. All threads and stores of a process
        share it: each takes megabytes of memory and 0.2 seconds to make.
        """
        with _making:
            return _connection(os.getpid(), *self.reached_by, answer)

    def url(self, name: str, *arguments: Any, **options: Any) -> str:
        raise NotImplementedError("only Cutout knows whose a file is")

    def exists(self, name: str) -> bool:
        with asking(name):
            return bool(super().exists(name))

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        wanted, now = tuple(names), time.monotonic()
        until, found = self.seen.get(wanted, (0.0, {}))
        if wanted and now > until:
            # One request lists all files with the common beginning: "ab/ab12" for "ab/ab12..." and
            # "ab/ab12....small".
            listed = self.files(os.path.commonprefix(wanted))  # noqa: RUF071  not a folder, a beginning
            found = {file.name: file.size for file in listed if file.name in wanted}
            if len(self.seen) >= MAX_SEEN:
                self.seen.clear()
            # Missing files may be written any moment, so that is not remembered.
            if found:
                self.seen[wanted] = now + SEEN, found
        return dict(found)

    def read(self, name: str) -> bytes:
        with asking(name):
            return cast("bytes", self._get(name)["Body"].read())

    def stream(self, name: str) -> StreamedObject:
        with asking(name):
            return StreamedObject(self._get(name), name)

    def _open(self, name: str, mode: str = "rb") -> File:
        file = tempfile.SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115  the caller closes it
        try:
            with asking(name):
                body = self._get(name)["Body"]
                while data := body.read(CHUNK):
                    file.write(data)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return File(file, name)

    def _get(self, name: str) -> dict[str, Any]:
        return cast(
            "dict[str, Any]", self.client.get_object(Bucket=self.bucket_name, Key=self._normalize_name(name))
        )

    def _save(self, name: str, content: Any) -> str:
        with asking(name):
            return str(super()._save(name, content))

    @contextmanager
    def writing(self, name: str, step: Callable[[], None] = lambda: None) -> Iterator[IO[bytes]]:
        # The exception that ``step`` has raised, if any. boto3 would take it for a failed transfer and try
        # again, so it is kept until the file is stored, and raised then.
        failed: list[Exception] = []

        def report(size: int) -> None:
            """Call ``step``; boto3 calls this after every piece that is sent."""
            try:
                if not failed:
                    step()
            except Exception as error:
                failed.append(error)

        with tempfile.NamedTemporaryFile() as file:
            yield file
            file.flush()
            # A store that puts the parts of a large file together may take long to answer.
            with asking(name):
                self._reached(self.patience.together).meta.client.upload_file(
                    file.name, self.bucket_name, self._normalize_name(name), Callback=report, Config=TRANSFER
                )
        if failed:
            self.delete(name)
            raise failed[0]

    def delete(self, name: str) -> None:
        with asking(name):
            super().delete(name)

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        before = f"{self.location}/"
        # The store lists at most 1,000 files in an answer, and a token with which to ask for more.
        more: dict[str, str] = {}
        while True:
            with asking(beginning):
                page = self.client.list_objects_v2(Bucket=self.bucket_name, Prefix=before + beginning, **more)
            for entry in page.get("Contents", ()):
                yield StoredFile(
                    entry["Key"].removeprefix(before), entry["Size"], entry["LastModified"].timestamp()
                )
            if not page.get("IsTruncated"):
                return
            more = {"ContinuationToken": page["NextContinuationToken"]}

    def unfinished(self) -> Iterator[StoredFile]:
        before = f"{self.location}/"
        with asking():
            page = self.client.list_multipart_uploads(Bucket=self.bucket_name, Prefix=before)
        for entry in page.get("Uploads", ()):
            # One name may be written twice at once, so the upload's id is part of its name here.
            yield StoredFile(
                f"{entry['Key'].removeprefix(before)}#{entry['UploadId']}", 0, entry["Initiated"].timestamp()
            )

    def delete_unfinished(self, file: StoredFile) -> None:
        name, _, upload = file.name.rpartition("#")
        with suppress(FileNotFoundError), asking(name):
            self.client.abort_multipart_upload(
                Bucket=self.bucket_name, Key=self._normalize_name(name), UploadId=upload
            )


def _config(aws: bool, patience: Patience, answer: float) -> Config:
    """Return the options of a connection that waits this many seconds for an answer."""
    return Config(
        connect_timeout=patience.connect,
        read_timeout=answer,
        retries={"mode": "standard", "total_max_attempts": patience.tries},
        max_pool_connections=32,
        signature_version="s3v4",
        # Other stores serve all buckets at one host name, and do not know the newer checksums.
        s3={"addressing_style": "auto" if aws else "path"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )


@lru_cache(maxsize=4)
def _connection(
    process: int,
    endpoint: str,
    region: str,
    key: str | None,
    secret: str | None,
    aws: bool,
    patience: Patience,
    answer: float,
) -> Any:
    """Return the boto3 resource for these values; made once for each process and set of values."""
    named = {"aws_access_key_id": key, "aws_secret_access_key": secret} if key else {}
    return boto3.Session().resource(
        "s3", endpoint_url=endpoint, region_name=region, config=_config(aws, patience, answer), **named
    )
