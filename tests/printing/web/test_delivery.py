"""How sheets are handed out: who may keep them, and one made at a time."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from printing.render import pdf

SHEETS = {"game": "spycraft", "text": "2 Kai"}


def by_form(client: Client, **headers: str) -> HttpResponse:
    return client.post("/print/sheets.pdf", SHEETS, headers=headers)


def by_api(client: Client, **headers: str) -> HttpResponse:
    return client.post(
        "/api/v1/sheets/", json.dumps(SHEETS), content_type="application/json", headers=headers
    )


@pytest.mark.django_db
@pytest.mark.parametrize("ask", [by_form, by_api])
def test_sheets_are_kept_by_nobody_but_who_asked_and_checked_each_time(client: Client, ask: Any) -> None:
    assert ask(client)["Cache-Control"] == "private, no-cache"


@pytest.mark.django_db
@pytest.mark.parametrize("ask", [by_form, by_api])
@pytest.mark.parametrize("weak", ["", "W/"])
def test_the_same_sheets_are_not_sent_twice(client: Client, ask: Any, weak: str) -> None:
    answer = ask(client, **{"If-None-Match": weak + ask(client)["ETag"].removeprefix("W/")})
    assert (answer.status_code, answer.content) == (304, b"")


def test_one_document_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """reportlab reads its fonts through one shared position; two documents at once would be garbled now and
    then.
    """
    at_once: list[int] = []
    busy, guard = [0], threading.Lock()

    def write(*args: Any) -> None:
        with guard:
            busy[0] += 1
            at_once.append(busy[0])
        time.sleep(0.01)
        with guard:
            busy[0] -= 1

    monkeypatch.setattr(pdf, "write_document", write)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: pdf.make_pdf((1, 1), [], pdf.About("", "")), range(8)))
    assert at_once == [1] * 8
