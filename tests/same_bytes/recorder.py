"""The site with its clock and its dice held still, people who visit it, and the file of what they are
answered.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import re
import secrets
import string
import time
import zipfile
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEFT_OUT = {"Date", "ETag", "Last-Modified", "Content-Length", "Content-Type", "Set-Cookie"}
READABLE = (
    "text/",
    "application/json",
    "application/xml",
    "image/svg",
    "javascript",
    "+json",
    "+xml",
    "openapi",
    "dxf",
)
_RULES = [
    (re.compile(r'(name="csrfmiddlewaretoken"\s+value=")[^"]+'), r"\1TOKEN"),
    (re.compile(r"(X-CSRFToken(?:&quot;|\")\s*:\s*(?:&quot;|\"))\w+"), r"\1TOKEN"),
    (re.compile(r"(nonce[=-]['\"]?)[\w+/=-]{8,}"), r"\1NONCE"),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}(\.\w+)"), r"\1\2"),
    (re.compile(r"(/edit/#[\w-]{22}\.)[\w-]{16,}"), r"\1KEY"),
    (re.compile(r'("edit_key": ?")[\w-]{20,24}"'), r'\1KEY"'),
    (re.compile(r"(/print/jobs/|/sheets/jobs/)[\w-]{16,}"), r"\1JOB"),
]


class Dice:
    """Random numbers that begin anew with each request, so that one more or less of them changes nothing
    later.
    """

    def __init__(self) -> None:
        self.random = random.Random(0)

    def begin(self, name: str) -> None:
        self.random = random.Random(name)
        random.seed(name)

    def token_bytes(self, count: int | None = None) -> bytes:
        return self.random.randbytes(count or 32)

    def token_hex(self, count: int | None = None) -> str:
        return self.token_bytes(count).hex()

    def token_urlsafe(self, count: int | None = None) -> str:
        return urlsafe_b64encode(self.token_bytes(count)).rstrip(b"=").decode()


class Clock:
    """Seconds since 1970 that pass only when told."""

    def __init__(self, now: datetime) -> None:
        self.now, self.ticks = now, 0

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)

    def monotonic(self) -> float:
        self.ticks += 1
        return 1_000_000 + self.now.timestamp() - BEGAN.timestamp() + self.ticks / 1e6


DICE, CLOCK = Dice(), Clock(BEGAN)


@contextmanager
def frozen_site(later: bool = False) -> Iterator[None]:
    """Django set up, after clock and dice were replaced, so that whoever imports them has these. ``later``:
    two days on.
    """
    from django.utils import timezone

    if later:
        CLOCK.pass_by(days=2)
    timezone.now = lambda: CLOCK.now
    time.time = lambda: CLOCK.now.timestamp()
    time.monotonic = CLOCK.monotonic
    for name in ("token_bytes", "token_hex", "token_urlsafe"):
        setattr(secrets, name, getattr(DICE, name))
    secrets.choice = lambda sequence: DICE.random.choice(sequence)
    secrets.randbelow = lambda limit: DICE.random.randrange(limit)
    os.urandom = DICE.token_bytes
    import logging

    import django
    from django.utils.feedgenerator import SyndicationFeed

    latest = SyndicationFeed.latest_post_date
    SyndicationFeed.latest_post_date = lambda feed: latest(feed) if feed.items else CLOCK.now

    django.setup()
    logging.disable(logging.CRITICAL)
    yield


class Recorder:
    """Answers, written down one a line. ``learn`` gives a word that is made by chance a name for all that
    follows.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0
        self._names: dict[str, int] = {}
        self._learned: dict[str, str] = {
            os.environ["CUTOUT_VAR"]: "VAR",
            os.environ["SAME_BYTES_CODE"]: "CODE",
        }

    def __enter__(self) -> Recorder:
        self._file = self.path.open("w", encoding="utf-8")
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def learn(self, word: str, name: str) -> None:
        self._learned[word] = name

    def begin(self, name: str) -> str:
        """A name that no answer has yet; clock and dice are set for it."""
        name = self.normal(name)
        self._names[name] = self._names.get(name, 0) + 1
        name += f" #{self._names[name]}" if self._names[name] > 1 else ""
        DICE.begin(name)
        CLOCK.pass_by(seconds=1)
        return name

    def write(
        self,
        name: str,
        status: int | str,
        kind: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float = 0,
    ) -> None:
        text = self.readable(kind, body)
        shown = blake2b(body if text is None else text.encode("utf-8", "surrogatepass"), digest_size=16)
        line = {
            "name": name,
            "status": status,
            "type": kind,
            "headers": {k: self.normal(v) for k, v in sorted(headers.items())},
        }
        line |= {"size": len(body), "digest": shown.hexdigest(), "ms": round(seconds * 1000, 1)}
        if text is not None:
            line["text"] = b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), 6)).decode()
        self._file.write(json.dumps(line) + "\n")
        self.count += 1

    def normal(self, text: str) -> str:
        for pattern, instead in _RULES:
            text = pattern.sub(instead, text)
        for word, name in self._learned.items():
            text = text.replace(word, name)
        return text

    def readable(self, kind: str, body: bytes) -> str | None:
        """What a person can read of an answer: its text, or what an archive holds; None for pictures and the
        like.
        """
        if body[:4] == b"PK\x03\x04":
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                return "\n".join(self._member(archive, info) for info in archive.infolist())
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
            return self.normal(body.decode("utf-8", "replace"))
        if any(word in kind for word in READABLE) or not kind:
            return self.normal(body.decode("utf-8", "replace"))
        return None

    def _member(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
        data = archive.read(info)
        line = f"{info.filename} {info.date_time} {info.compress_type}"
        if Path(info.filename).suffix in (".txt", ".json", ".xml", ".csv", ".svg", ".md", ".html", ".dxf"):
            return f"{line}\n{self.normal(data.decode('utf-8', 'replace'))}"
        return f"{line} {len(data)} {blake2b(data, digest_size=8).hexdigest()}"


class Visitor:
    """Somebody with a browser. Every answer they get is recorded."""

    def __init__(self, recorder: Recorder, name: str, keeps_cookies: bool = True) -> None:
        from django.test import Client

        self.recorder, self.name, self.keeps_cookies = recorder, name, keeps_cookies
        self._new = lambda: Client(SERVER_NAME="localhost", raise_request_exception=False)
        self.client = self._new()

    def get(self, path: str, htmx: str = "", **params: Any) -> Any:
        query = f"?{urlencode(params, doseq=True)}" if params else ""
        return self._ask("GET", path + query, {}, htmx)

    def post(self, path: str, data: Mapping[str, Any] | None = None, htmx: str = "") -> Any:
        return self._ask("POST", path, {"data": dict(data or {})}, htmx)

    def api(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """A request of the API below ``/api/v1/``; the answer has ``.json()``."""
        sent = {"data": json.dumps(body), "content_type": "application/json"} if body is not None else {}
        return self._ask(method, f"/api/v1/{path}", {**sent, "headers": headers}, "")

    def _ask(self, method: str, path: str, sent: dict[str, Any], htmx: str) -> Any:
        if not self.keeps_cookies:
            self.client = self._new()
        said = sent.get("data", "")
        said = (
            json.dumps(said, default=lambda file: getattr(file, "name", "file"), ensure_ascii=False)
            if isinstance(said, dict)
            else said
        )
        if len(said) > 160:
            said = f"{said[:140]}… {blake2b(said.encode(), digest_size=4).hexdigest()}"
        more = "".join(f" {k}: {v}" for k, v in sent.get("headers", {}).items())
        name = self.recorder.begin(
            f"{self.name} {method} {path}{' ' + said if said else ''}{more}{f' [{htmx}]' if htmx else ''}"
        )
        if htmx:
            sent["headers"] = {**sent.get("headers", {}), "HX-Request": "true", "HX-Target": htmx}
        began = time.perf_counter()
        answer = (
            self.client.generic(method, path, **_encoded(sent))
            if method not in ("GET", "POST")
            else self._plain(method, path, sent)
        )
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        answer.body = body
        headers = {k: v for k, v in answer.headers.items() if k not in LEFT_OUT}
        headers |= {"has ETag": "yes"} if answer.has_header("ETag") else {}
        headers |= {"Set-Cookie": " ".join(sorted(answer.cookies))} if answer.cookies else {}
        self.recorder.write(
            name,
            answer.status_code,
            answer.headers.get("Content-Type", ""),
            headers,
            body,
            time.perf_counter() - began,
        )
        return answer

    def _plain(self, method: str, path: str, sent: dict[str, Any]) -> Any:
        return self.client.get(path, **sent) if method == "GET" else self.client.post(path, **sent)


def _encoded(sent: dict[str, Any]) -> dict[str, Any]:
    data = sent.get("data", "")
    return {**sent, "data": data if isinstance(data, str) else urlencode(data)}


def readable_link(link: str, name: str) -> str:
    """Give a deck just made an address that people can read and that no chance decides. Returns it, 22
    characters long.
    """
    from django.db import connection

    new = "".join(char if char in string.ascii_letters + string.digits else "-" for char in name)
    new = (
        new.ljust(22, "_")
        if len(new) <= 22
        else f"{new[:17]}-{blake2b(new.encode(), digest_size=2).hexdigest()}"
    )
    with connection.cursor() as cursor:
        cursor.execute("UPDATE decks_deck SET link = %s WHERE link = %s", [new, link])
    return new
