"""Files that are made while one waits: so much work, and so many at a time for one address."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client, RequestFactory

from cardsdb.faults import SOON
from cardsdb.games import games
from printing.exports import export, kinds
from printing.job.job import Job
from printing.request import print_request
from printing.web import api, print_views
from tests.support.exports import blank_cards

__all__ = ["blank_cards"]

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

KAI = {"game": "spycraft", "text": "1 Kai"}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is answered to whoever asks while as many files as may be are being made for somebody at the first
    address.
    """
    made: list[Any] = []
    plain = export.Export.write

    def write(order: Any, *args: Any) -> None:
        if not made:
            made.append(Client().post("/print/sheets.pdf", KAI))
            made.append(Client().post("/print/cards.zip", KAI))
            made.append(Client().post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json"))
            made.append(Client(REMOTE_ADDR="198.51.100.7").post("/print/sheets.pdf", KAI))
        plain(order, *args)

    monkeypatch.setattr(export.Export, "write", write)
    monkeypatch.setattr(print_views.FILES, "of_one", 1)
    return made


@pytest.mark.django_db
def test_one_address_does_not_keep_all_threads_busy(client: Client, answers: list[Any]) -> None:
    assert client.post("/print/sheets.pdf", KAI).content.startswith(b"%PDF")
    *pages, api, elsewhere = answers
    for page in pages:
        assert (page.status_code, page["Retry-After"]) == (503, str(SOON))
        assert "being made for you" in page.content.decode() and "1 Kai" in page.content.decode()
    assert (api.status_code, [fault["code"] for fault in api.json()]) == (503, ["busy"])
    assert api["Retry-After"] == str(SOON), "the API says it too"
    assert elsewhere.content.startswith(b"%PDF")
    assert client.post("/print/sheets.pdf", KAI).content.startswith(b"%PDF"), "the turn comes back"


@pytest.mark.parametrize(
    ("addresses", "said"),
    [
        (("127.0.0.1",) * 2, "being made for you"),
        (("192.0.2.1", "192.0.2.2", "192.0.2.3"), "being made for others"),
    ],
)
@pytest.mark.django_db
def test_who_has_to_wait_is_told_so_before_anything_is_read_or_made(
    client: Client, monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...], said: str
) -> None:
    for module, work in (
        (print_request, "parse_lists"),
        (api, "export_for"),
        (Job, "__post_init__"),
    ):
        monkeypatch.setattr(module, work, lambda *_: pytest.fail("there was no turn"))
    with ExitStack() as turns:
        for address in addresses:
            turns.enter_context(print_views.turn(RequestFactory(REMOTE_ADDR=address).get("/")))
        page = client.post("/print/sheets.pdf", KAI)
        assert (page.status_code, page["Retry-After"]) == (503, str(SOON))
        assert said in page.content.decode() and "1 Kai" in page.content.decode()
        assert client.post("/print/cards.zip", KAI).status_code == 503
        assert (
            client.post("/api/v1/sheets/", json.dumps(KAI), content_type="application/json").status_code
            == 503
        )


@pytest.mark.django_db
def test_a_turn_comes_back_also_from_what_went_wrong(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(print_views.FILES, "of_one", 1)
    with monkeypatch.context() as full:
        full.setattr(kinds, "write_sheets", write)
        assert client.post("/print/sheets.pdf", KAI).status_code == 507
    assert client.post("/print/sheets.pdf", KAI).status_code == 200


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.django_db
def test_pictures_of_half_a_game_are_no_request_to_wait_for(client: Client) -> None:
    names = [card.name for card in games()["spycraft"].cards]
    for number, kind in ((60, "application/zip"), (240, "text/html; charset=utf-8")):
        listed = {"game": "spycraft", "text": "\n".join(f"1 {name}" for name in names[:number]), "dpi": "150"}
        assert client.post("/print/cards.zip", listed)["Content-Type"] == kind
