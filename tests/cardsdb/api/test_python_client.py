"""A Python client that openapi-python-client generates from the schema calls every operation and reads every
answer. This shows that the schema is complete enough for programs.
"""

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
    """An answer: as parsed by the client, and raw."""

    parsed: Any
    status_code: HTTPStatus
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class PythonClient(NamedTuple):
    """The generated client. ``output``: what the generator printed."""

    output: str
    connection: Any

    def call(self, name: str, path: dict[str, str], query: dict[str, str], **more: Any) -> Called:
        """Call an operation. Texts from an address are converted to the types that its parameters have."""
        called: ModuleType = import_module(
            f"{PACKAGE}.api.{OPERATIONS[name].get('tags', ['default'])[0]}.{name}"
        )
        takes = inspect.signature(called.sync_detailed).parameters
        given = {word.lower().replace("-", "_"): value for word, value in (path | query | more).items()}
        values = {word: converted(value, takes[word].annotation) for word, value in given.items()}
        answer = called.sync_detailed(**values, client=self.connection)
        return Called(answer.parsed, answer.status_code, answer.content)


def converted(value: Any, annotation: Any) -> Any:
    """Return a text or body as the type that a parameter of the client is annotated with."""
    for kind in get_args(annotation) or (annotation,):
        if isinstance(value, dict) and hasattr(kind, "from_dict"):
            return kind.from_dict(value)
        if isinstance(kind, type) and issubclass(kind, int | Enum):
            return kind(value)
    return value


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Generate the client, and connect it to this site without a server."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "schema.json").write_text(json.dumps(schema()))
    (folder / "how.yaml").write_text("post_hooks: []\n")
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    files = ["--path", "schema.json", "--config", "how.yaml", "--output-path", PACKAGE]
    done = subprocess.run(
        [*generator, *files], cwd=folder, capture_output=True, text=True, timeout=120, check=True
    )
    sys.path.insert(0, str(folder))
    client = import_module(PACKAGE).Client(SITE, raise_on_unexpected_status=True)
    transport = httpx.WSGITransport(get_wsgi_application())
    headers = {"Accept-Encoding": "identity"}
    with httpx.Client(transport=transport, base_url=SITE, headers=headers) as connection:
        yield PythonClient(done.stdout + done.stderr, client.set_httpx_client(connection))
    sys.path.remove(str(folder))


def test_the_client_is_generated_without_a_warning(generated):
    assert "warning" not in generated.output.casefold(), generated.output


def called(generated: PythonClient, name: str, known: dict[str, str]) -> Called:
    """Call an operation as its sample does. ``known``: values for the names in braces."""
    sample = samples()[name]
    address = urlsplit(filled(sample["address"], known))
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(PATHS[name]))
    place = re.fullmatch(pattern, address.path)
    assert place, (pattern, address.path)
    headers = {header: filled(text, known) for header, text in sample.get("headers", {}).items()}
    body = {"body": sample["body"]} if "body" in sample else {}
    return generated.call(name, place.groupdict(), dict(parse_qsl(address.query)), **headers, **body)


def as_json(parsed: Any) -> Any:
    """Return a parsed answer as JSON, or as the bytes of a file."""
    if hasattr(parsed, "payload"):
        return parsed.payload.read()
    return parsed.to_dict() if hasattr(parsed, "to_dict") else parsed


def plain(content: bytes) -> Any:
    """Return a raw answer as JSON, with times in the client's spelling; other content as bytes."""
    try:
        return json.loads(re.sub(rb'(\d\d:\d\d(?:\.\d+)?)Z"', rb'\1+00:00"', content) or b"null")
    except ValueError:
        return content


@pytest.mark.usefixtures("no_files_of_others")
def test_every_operation_is_called_and_nothing_of_its_answer_is_lost(generated, client):
    names, lost = set(), []
    for name, answer, _ in walk(client, lambda _client, name, known: called(generated, name, known)):
        names.add(name)
        assert answer.status_code < 300, (name, answer.content)
        if as_json(answer.parsed) != plain(answer.content):
            lost.append(name)
    assert (names, lost) == (set(OPERATIONS), [])


@pytest.mark.parametrize("name", PARTS)
def test_an_answer_with_a_single_part_is_parsed(generated, name):
    place = {"game_slug": "spycraft", "code": "kai"} if name == "cards_read" else {}
    for part in PARTS[name]().fields:
        answer = generated.call(name, place, {"fields": part})
        assert as_json(answer.parsed) == answer.json(), part


def test_errors_of_a_wrong_request_are_parsed(generated):
    (error,) = generated.call("cards_list", {}, {"fields": "nonsense"}).parsed
    assert (error.code, error.where) == ("unknown_field", "fields")


def test_every_successful_answer_has_a_named_shape():
    """So that generated clients have a named type for it, not a dict of anything."""
    shapeless = [
        name
        for name, operation in OPERATIONS.items()
        for status, answer in operation["responses"].items()
        for kind, described in answer.get("content", {}).items()
        if status < "300" and kind == "application/json" and "$ref" not in described["schema"]
    ]
    assert not shapeless
