"""Works are limited on pages and in the API by one budget; reading the catalogue is not limited by number."""

import pytest
from django.test import Client

from printing.web import drawing_views
from tests.support.pages import page_of

# Counted and kept in the memory of the process.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

LIST = {"game": "spycraft", "text": "1 Kai"}
# (method, address, data) of some works; tests/house/test_request_counts.py covers all pages.
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
    # A face that is drawn already is not counted as work.
    drawing_views.drawn.clear()
    settings.CUTOUT_WORKS_PER_MINUTE = 1


def explained(client: Client) -> int:
    """Return the status of an API request that counts as a work."""
    return client.get("/api/v1/search/explain/?q=kai").status_code


@pytest.mark.parametrize(("method", "address", "sent"), WORK)
def test_works_of_pages_and_of_the_api_share_a_budget(client, noon, method, address, sent):
    assert explained(client) == 200
    answer = getattr(client, method)(address, sent)
    # The clock of ``noon`` shows second 30, so 30 seconds of the minute are left.
    assert (answer.status_code, answer["Retry-After"]) == (429, "30")
    assert "no-store" in answer["Cache-Control"]
    noon["now"] += 30
    assert getattr(client, method)(address, sent).status_code != 429
    assert explained(client) == 429


def test_beyond_the_limit_a_page_says_how_long_to_wait(client):
    client.post("/check/", LIST)
    answer = client.post("/check/", LIST)
    page = page_of(answer, status=429)
    assert page.one("h1").text == "Too many requests" and "Wait 30 seconds" in page.text


@pytest.mark.parametrize("address", READ)
def test_reading_is_not_counted_as_work(client, address):
    explained(client)
    assert [client.get(address).status_code for _ in range(3)] == [200] * 3
    assert explained(client) == 429


def test_addresses_are_counted_apart(client):
    answers = [
        client.post("/check/", LIST, REMOTE_ADDR=address).status_code
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
    ]
    assert answers == [200, 200, 429]


# -- pictures of cards -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_a_drawn_face_is_not_counted_again(client, kind):
    address = f"/cards/spycraft/kai/face.{kind}"
    first, *others = (client.get(address) for _ in range(3))
    assert [(other.status_code, other.content, other["ETag"]) for other in others] == [
        (200, first.content, first["ETag"])
    ] * 2
    assert first.content
