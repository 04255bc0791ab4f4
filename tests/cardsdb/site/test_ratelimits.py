"""What takes work is limited on pages as it is in the API; what is only read is not."""

from __future__ import annotations

import pytest
from django.test import Client

from printing.web import drawing_views
from tests.support.pages import page_of

# Counted and kept in the memory of the process.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LIST = {"game": "spycraft", "text": "1 Kai"}
# (method, address, what is sent) of pages that are worked out each time; of all others see
# tests/house/test_request_counts.py.
WORK = [
    ("post", "/check/", LIST),
    ("post", "/print/sheets.pdf", LIST),
    ("get", "/print/sheets.pdf", {"deck": "nothing"}),
    ("post", "/cards/spycraft/li/correct/", {"combat-0": "5", "reason": "Seen."}),
    ("get", "/cards/spycraft/kai/face.png", {}),
]
READ = ["/check/", "/cards/spycraft/li/correct/", "/cards/?q=kai", "/cards/spycraft/kai/face.svg"]


@pytest.fixture(autouse=True)
def one_work_a_minute(settings, noon):
    """And no face is kept yet."""
    drawing_views.drawn.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1


def explained(client: Client) -> int:
    return client.get("/api/v1/search/explain/?q=kai").status_code


@pytest.mark.parametrize(("method", "address", "sent"), WORK)
def test_a_page_that_takes_work_draws_on_the_same_budget_as_the_api(client, noon, method, address, sent):
    assert explained(client) == 200
    answer = getattr(client, method)(address, sent)
    assert (answer.status_code, answer["Retry-After"]) == (429, "30")
    assert "no-store" in answer["Cache-Control"]
    noon["now"] += 30
    assert getattr(client, method)(address, sent).status_code != 429
    assert explained(client) == 429


def test_whoever_has_to_wait_gets_a_page_that_says_how_long(client):
    client.post("/check/", LIST)
    answer = client.post("/check/", LIST)
    told = page_of(answer, status=429)
    assert told.one("h1").text == "Too many requests" and "Wait 30 seconds" in told.text


@pytest.mark.parametrize("address", READ)
def test_what_is_only_read_is_not_limited(client, address):
    explained(client)
    assert [client.get(address).status_code for _ in range(3)] == [200] * 3
    assert explained(client) == 429


def test_visitors_are_counted_apart(client):
    answers = [
        client.post("/check/", LIST, REMOTE_ADDR=address).status_code
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
    ]
    assert answers == [200, 200, 429]


def test_a_form_without_its_csrf_token_is_not_counted():
    strict = Client(enforce_csrf_checks=True)
    assert [strict.post("/check/save/", LIST).status_code for _ in range(3)] == [403] * 3


# -- faces -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_face_is_drawn_once_for_all_who_ask(client, kind):
    address = f"/cards/spycraft/kai/face.{kind}"
    first, *others = (client.get(address) for _ in range(3))
    assert [(other.status_code, other.content, other["ETag"]) for other in others] == [
        (200, first.content, first["ETag"])
    ] * 2
    assert first.content


def test_a_face_the_browser_has_is_not_counted(client):
    tag = client.get("/cards/spycraft/kai/face.png")["ETag"]
    drawing_views.drawn.clear()
    assert client.get("/cards/spycraft/kai/face.png", headers={"If-None-Match": tag}).status_code == 304
