"""A client in Python, made from the API's schema by a program of others, calls every operation and reads
every answer.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from enum import Enum
from http import HTTPStatus
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, get_args
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from django.core.wsgi import get_wsgi_application

from cardsdb.api.docs import PARTS, filled
from cardsdb.api.views import schema
from tests.cardsdb.api.test_docs import SITE, samples, walk
from tests.support.print_jobs import no_files_of_others  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PACKAGE = "made_from_the_schema"
PATHS = {one["operationId"]: path for path, methods in schema()["paths"].items() for one in methods.values()}
OPERATIONS = {one["operationId"]: one for methods in schema()["paths"].values() for one in methods.values()}


class Called(NamedTuple):
    """What the client read of an answer, and the answer."""

    parsed: Any
    status_code: HTTPStatus
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class PythonClient(NamedTuple):
    """The client that was made. ``said``: what its maker said meanwhile."""

    said: str
    connection: Any

    def call(self, name: str, path: dict[str, str], query: dict[str, str], **more: Any) -> Called:
        """Call an operation with words as they stand in an address, which become the values it takes."""
        called: ModuleType = import_module(
            f"{PACKAGE}.api.{OPERATIONS[name].get('tags', ['default'])[0]}.{name}"
        )
        takes = inspect.signature(called.sync_detailed).parameters
        given = {word.lower().replace("-", "_"): value for word, value in (path | query | more).items()}
        values = {word: meant(value, takes[word].annotation) for word, value in given.items()}
        answer = called.sync_detailed(**values, client=self.connection)
        return Called(answer.parsed, answer.status_code, answer.content)


def meant(value: Any, kind: Any) -> Any:
    """The value that words stand for, or a body, where one of this kind is taken."""
    for one in get_args(kind) or (kind,):
        if isinstance(value, dict) and hasattr(one, "from_dict"):
            return one.from_dict(value)
        if isinstance(one, type) and issubclass(one, int | Enum):
            return one(value)
    return value


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("client")
    (folder / "schema.json").write_text(json.dumps(schema()))
    (folder / "how.yaml").write_text("post_hooks: []\n")
    maker = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    files = ["--path", "schema.json", "--config", "how.yaml", "--output-path", PACKAGE]
    said = subprocess.run(
        [*maker, *files], cwd=folder, capture_output=True, text=True, timeout=120, check=True
    )
    sys.path.insert(0, str(folder))
    connection = import_module(PACKAGE).Client(SITE, raise_on_unexpected_status=True)
    transport = httpx.WSGITransport(get_wsgi_application())
    with httpx.Client(
        transport=transport, base_url=SITE, headers={"Accept-Encoding": "identity"}
    ) as programs:
        yield PythonClient(said.stdout + said.stderr, connection.set_httpx_client(programs))
    sys.path.remove(str(folder))


def test_the_client_is_made_without_a_warning(made):
    assert "warning" not in made.said.casefold(), made.said


def called(made: PythonClient, name: str, known: dict[str, str]) -> Called:
    """The operation, called as its sample says."""
    sample = samples()[name]
    address = urlsplit(filled(sample["address"], known))
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(PATHS[name]))
    place = re.fullmatch(pattern, address.path)
    assert place, (pattern, address.path)
    headers = {header: filled(text, known) for header, text in sample.get("headers", {}).items()}
    body = {"body": sample["body"]} if "body" in sample else {}
    return made.call(name, place.groupdict(), dict(parse_qsl(address.query)), **headers, **body)


def as_json(parsed: Any) -> Any:
    """What was read of an answer, as the answer had it."""
    if hasattr(parsed, "payload"):
        return parsed.payload.read()
    return parsed.to_dict() if hasattr(parsed, "to_dict") else parsed


def plain(content: bytes) -> Any:
    """An answer with its times as the client writes them; bytes that are no JSON as they are."""
    try:
        return json.loads(re.sub(rb'(\d\d:\d\d(?:\.\d+)?)Z"', rb'\1+00:00"', content) or b"null")
    except ValueError:
        return content


@pytest.mark.usefixtures("no_files_of_others")
def test_every_operation_is_called_and_nothing_of_its_answer_is_lost(made, client):
    names, lost = set(), []
    for name, answer, _ in walk(client, lambda _client, name, known: called(made, name, known)):
        names.add(name)
        assert answer.status_code < 300, (name, answer.content)
        if as_json(answer.parsed) != plain(answer.content):
            lost.append(name)
    assert (names, lost) == (set(OPERATIONS), [])


@pytest.mark.parametrize("name", PARTS)
def test_an_answer_of_any_one_part_is_read(made, name):
    place = {"game_slug": "spycraft", "code": "kai"} if name == "cards_read" else {}
    for part in PARTS[name]().fields:
        answer = made.call(name, place, {"fields": part})
        assert as_json(answer.parsed) == answer.json(), part


def test_a_wrong_request_is_answered_with_errors_that_are_read(made):
    (error,) = made.call("cards_list", {}, {"fields": "nonsense"}).parsed
    assert (error.code, error.where) == ("unknown_field", "fields")


def test_every_good_answer_has_a_shape_of_its_own():
    """In each language a type with a name, not an object of anything."""
    shapeless = [
        name
        for name, operation in OPERATIONS.items()
        for status, answer in operation["responses"].items()
        for kind, described in answer.get("content", {}).items()
        if status < "300" and kind == "application/json" and "$ref" not in described["schema"]
    ]
    assert not shapeless
