"""Schemathesis generates valid and invalid requests from the schema; every answer must be as the schema
says.
"""

import json
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardsdb.api.views import schema
from tests.cardsdb.api.test_docs import samples, stored_job, stored_league

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
# Statuses with which a wrong request may be refused.
REFUSED = [400, 404, 405, 406, 409, 412, 413, 415, 422]


@cache
def operations() -> dict[str, Any]:
    """Return id -> operation of the schema."""
    # Imported here because it takes half a second.
    import schemathesis

    rejection = {"expected-statuses": [*map(str, REFUSED)]}
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": rejection}})
    loaded = schemathesis.openapi.from_dict(json.loads(json.dumps(schema())), config=config)
    loaded.app = get_wsgi_application()
    found = (result.ok() for result in loaded.get_all_operations())
    return {operation.definition.raw["operationId"]: operation for operation in found}


def checks(name: str) -> list[Any]:
    """Return the checks that every answer must pass."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    return [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.negative_data_rejection,
    ]


def existing(client: Client, operation: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return (values for an operation's path, headers) that lead to something that exists, stored here if
    needed. Otherwise nearly all requests would be answered by 404.
    """
    if "formats/{link}" in operation.path:
        return {"link": stored_league().link}, {}
    if "jobs/{link}" in operation.path:
        job = stored_job(client)
        return {"link": job["job"]}, {"X-Job-Key": job["job_key"]}
    if "{link}" in operation.path:
        body = {"game": "spycraft", "name": "Traps", "text": "2 Kai\n1 Termite", "visibility": "public"}
        deck = client.post("/api/v1/decks/", body, content_type="application/json").json()
        key, address = {"X-Deck-Key": deck["edit_key"]}, f"/api/v1/decks/{deck['id']}/"
        change = {"lines": "1 Garotte"}
        changed = client.patch(address, change, content_type="application/json", headers=key).json()
        return {"link": deck["id"], "number": changed["revision"]}, key
    return {"slug": "spycraft", "game_slug": "spycraft", "code": "kai"}, {}


@pytest.fixture
def cases(name, client):
    """Return a strategy for valid and invalid requests, most of them about existing things."""
    from schemathesis import GenerationMode

    operation = operations()[name]
    values, headers = existing(client, operation)
    paths = {name: value for name, value in values.items() if f"{{{name}}}" in operation.path}
    about = {"path_parameters": paths, "headers": headers} if paths else {}
    made = (operation.as_strategy(mode, **about) for mode in GenerationMode)
    return st.one_of(
        sampled(operation, name, about, values.get("link", "")),
        *made,
        *([operation.as_strategy()] if paths else []),
    )


def sampled(operation: Any, name: str, about: dict[str, Any], link: str) -> st.SearchStrategy[Any]:
    """Return a strategy for the request of the operation's sample."""
    sample = samples()[name]
    body = {"body": sample["body"], "media_type": "application/json"} if "body" in sample else {}
    address = sample["address"].replace("{site}", "http://localhost").replace("{link}", link)
    query = dict(parse_qsl(urlsplit(address).query))
    return st.builds(lambda: operation.Case(query=query, **about, **body))


@pytest.mark.parametrize("name", samples())
@given(data=st.data())
@settings(max_examples=settings().max_examples // 10, suppress_health_check=list(HealthCheck))
def test_answers_are_as_the_schema_says(name, cases, data):
    case = data.draw(cases)
    with transaction.atomic():
        case.call_and_validate(checks=checks(name), headers={"Accept-Encoding": "identity"})
        transaction.set_rollback(True)
