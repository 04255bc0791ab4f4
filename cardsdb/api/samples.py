"""A request of each kind as one would type it, with its answer.

``samples.json`` has for each operation the request; of those that change or need something stored also the
answer as the site gave it, which a test asks for anew and compares. All others are asked when the page is
made, so that the answers are those of its edition.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.urls import resolve

# What stands for the address and the keys of what is stored.
STANDING_FOR = {
    "link": "k7p2mq9xv3",
    "key": "YOUR-EDIT-KEY",
    "fork": "h3d6yc5jn8",
    "fork_key": "THE-EDIT-KEY-OF-YOUR-COPY",
    "format": "a5v9kd2wq7",
    "job": "t4n8wz6rb2",
    "job_key": "YOUR-JOB-KEY",
}
FILE = Path(__file__).with_name("samples.json")
# What is shown of an answer: items of a list, names of an object, characters of a text, lines in all.
MAX_ITEMS, MAX_NAMES, MAX_CHARACTERS, MAX_LINES = 2, 12, 110, 70


@dataclass(frozen=True, slots=True)
class Sample:
    """A request and, where it is stored, what it was answered with. ``answer`` is None for one without a body
    of JSON.
    """

    method: str
    address: str
    body: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    answer: Any = None
    # Whether the site may be asked for the answer at any time.
    is_live: bool = True
    # What the answer is, where it is no JSON.
    about: str = ""

    def curl(self, site: str) -> str:
        """The request as a line for a shell. ``site``: scheme and host."""
        return _filled(self, site)._curl(site)

    def _curl(self, site: str) -> str:
        words = ["curl", *(() if self.method == "GET" else ("-X", self.method))]
        headers = self.headers | ({"Content-Type": "application/json"} if self.body is not None else {})
        for name, value in headers.items():
            words += ["-H", f"{name}: {value}"]
        if self.body is not None:
            words += ["-d", json.dumps(self.body, ensure_ascii=False)]
        if self.about:
            words.append("-OJ")
        return shlex.join([*words, f"{site}{self.address}"])

    def answered(self, scheme: str, host: str) -> Any:
        """The answer as JSON, cut: the stored one, or what this site says now; None if it refuses."""
        if not self.is_live:
            return self.answer
        response = self._asked(scheme, host)
        return cut(json.loads(response.content)) if response.status_code == self.status else None

    def _asked(self, scheme: str, host: str) -> HttpResponse:
        """Ask the site's own view, as a request from nobody: nothing of whoever looks at the page is in the
        answer, or counted.
        """
        url = urlsplit(self.address)
        body = b"" if self.body is None else json.dumps(self.body).encode()
        environ = {
            "REQUEST_METHOD": self.method,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "HTTP_HOST": host,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.url_scheme": scheme,
            "wsgi.input": BytesIO(body),
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
        }
        match = resolve(url.path)
        view: Any = match.func
        answer = view.cls.as_view(throttle_classes=(), authentication_classes=())(
            WSGIRequest(environ), *match.args, **match.kwargs
        )
        response: HttpResponse = answer.render()
        return response


def _filled(sample: Sample, site: str) -> Sample:
    """The sample with an address and keys in the places where the file has names in braces."""

    def fill(text: str) -> str:
        for name, value in (STANDING_FOR | {"site": site}).items():
            text = text.replace(f"{{{name}}}", value)
        return text

    return replace(
        sample,
        address=fill(sample.address),
        headers={name: fill(value) for name, value in sample.headers.items()},
    )


def samples() -> dict[str, Sample]:
    """Operation -> its sample."""
    return {name: Sample(**sample) for name, sample in json.loads(FILE.read_text(encoding="utf-8")).items()}


def shown(answer: Any) -> str:
    """An answer as it is shown: indented, and not too long."""
    lines = json.dumps(answer, indent=2, ensure_ascii=False).splitlines()
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"])


def cut(value: Any, level: int = 0) -> Any:
    """An answer without what goes on in the same way."""
    match value:
        case list() if len(value) > MAX_ITEMS:
            return [*(cut(one, level + 1) for one in value[:MAX_ITEMS]), f"… {len(value) - MAX_ITEMS} more"]
        case list():
            return [cut(one, level + 1) for one in value]
        case dict():
            most = MAX_NAMES if level else 2 * MAX_NAMES
            kept = {name: cut(inner, level + 1) for name, inner in list(value.items())[:most]}
            return kept | ({"…": f"{len(value) - most} more"} if len(value) > most else {})
        case str() if len(value) > MAX_CHARACTERS:
            return f"{value[:MAX_CHARACTERS]}…"
    return value
