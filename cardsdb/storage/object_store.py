"""A store that is a part of a bucket: an S3-compatible object store that machines share, by django-storages
and boto3.

Addresses of files are given to no visitor, and files are streamed through the site, for only Cutout knows
whose a file is.
"""

import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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

# Seconds for which is remembered what files there are, and for how many askings: a page asks about each of
# its pictures several times.
SEEN, MAX_SEEN = 60.0, 5_000
# Bytes. A file of more than so many is read from the disk, and sent in parts of so many.
SPOOLED, PART = 8 << 20, 16 << 20
NOT_THERE = ("404", "NoSuchKey", "NotFound", "NoSuchUpload")
# One part at a time, so that memory does not grow with the file.
TRANSFER = TransferConfig(use_threads=False, multipart_threshold=PART, multipart_chunksize=PART)
FAILS = (BotoCoreError, Boto3Error, HTTPError)
_making = threading.Lock()


class Patience(NamedTuple):
    """The seconds that one waits for the store to be reached, for its answer, and until a large file was put
    together; and how often it is asked.
    """

    connect: float = 2
    answer: float = 5
    together: float = 120
    tries: int = 2


USUAL = Patience()


@contextmanager
def asking(name: str = "") -> Iterator[None]:
    """Raises FileNotFoundError for what is not there, and StoreAway for all else that goes wrong."""
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
    """An object as it comes from the store."""

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
    """``location``: what the names of its objects begin with in the bucket. ``aws``: whether it is that of
    Amazon. ``patience``: how long one waits for it.
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
        self.seen: dict[tuple[str, ...], tuple[float, dict[str, int]]] = {}
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
        """Return the connection on which one waits so many seconds for an answer. There is one for all
        threads and stores of a process: each holds some megabytes, and takes a fifth of a second to make.
        """
        with _making:
            return _connection(os.getpid(), *self.reached_by, answer)

    def url(self, name: str, *arguments: Any, **options: Any) -> str:
        raise NotImplementedError("only Cutout knows whose a file is")

    def exists(self, name: str) -> bool:
        with asking(name):
            return bool(super().exists(name))

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        wanted = tuple(names)
        now, (until, found) = time.monotonic(), self.seen.get(wanted, (0.0, {}))
        if now > until:
            found = {one.name: one.size for one in self.files(_beginning(wanted)) if one.name in wanted}
            if len(self.seen) >= MAX_SEEN:
                self.seen.clear()
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
        failed: list[Exception] = []

        def told(size: int) -> None:
            # What is raised here would be taken for a fault of the store, and tried again.
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
                    file.name, self.bucket_name, self._normalize_name(name), Callback=told, Config=TRANSFER
                )
        if failed:
            self.delete(name)
            raise failed[0]

    def delete(self, name: str) -> None:
        with asking(name):
            super().delete(name)

    def files(self, beginning: str = "") -> Iterator[StoredFile]:
        before = f"{self.location}/"
        more: dict[str, str] = {}
        while True:
            with asking(beginning):
                page = self.client.list_objects_v2(Bucket=self.bucket_name, Prefix=before + beginning, **more)
            for one in page.get("Contents", ()):
                yield StoredFile(
                    one["Key"].removeprefix(before), one["Size"], one["LastModified"].timestamp()
                )
            if not page.get("IsTruncated"):
                return
            more = {"ContinuationToken": page["NextContinuationToken"]}

    def unfinished(self) -> Iterator[StoredFile]:
        before = f"{self.location}/"
        with asking():
            page = self.client.list_multipart_uploads(Bucket=self.bucket_name, Prefix=before)
        for one in page.get("Uploads", ()):
            yield StoredFile(
                f"{one['Key'].removeprefix(before)}#{one['UploadId']}", 0, one["Initiated"].timestamp()
            )

    def delete_unfinished(self, file: StoredFile) -> None:
        name, _, upload = file.name.rpartition("#")
        with suppress(FileNotFoundError), asking(name):
            self.client.abort_multipart_upload(
                Bucket=self.bucket_name, Key=self._normalize_name(name), UploadId=upload
            )


def _beginning(names: Sequence[str]) -> str:
    """The letters with which all of these begin."""
    first, last = min(names), max(names)
    return first[: next((at for at, letter in enumerate(first) if letter != last[at]), len(first))]


def _config(aws: bool, patience: Patience, answer: float) -> Config:
    return Config(
        connect_timeout=patience.connect,
        read_timeout=answer,
        retries={"mode": "standard", "total_max_attempts": patience.tries},
        max_pool_connections=32,
        signature_version="s3v4",
        # Other stores have one name for all buckets, and do not know the newer sums.
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
    named = {"aws_access_key_id": key, "aws_secret_access_key": secret} if key else {}
    return boto3.Session().resource(
        "s3", endpoint_url=endpoint, region_name=region, config=_config(aws, patience, answer), **named
    )
