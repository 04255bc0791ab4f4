"""What ``make load`` asks is answered, and what comes of it is counted rightly."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from printing.models import PrintJob, UploadedPicture
from tests.load.__main__ import HEADER, SECTION, with_rows
from tests.load.generator import Answers, asking
from tests.load.mix import KINDS, TOKEN, Asked, Evening, new_pictures


def test_the_shares_of_the_evening_make_a_hundred() -> None:
    assert sum(kind.share for kind in KINDS) == pytest.approx(100)


@pytest.mark.django_db
def test_every_kind_of_request_is_answered_by_a_site_that_was_seeded(settings: Any, tmp_path: Path) -> None:
    from tests.load.seed import VISITORS, seed

    settings.VAR_DIR = tmp_path
    seed(30, accounts=2)
    visitors = json.loads((tmp_path / VISITORS).read_text())
    texts = [starter.text for starter in games()["spycraft"].starters]
    chance = random.Random(1)
    evening = Evening(["spycraft/kai"], texts, visitors, new_pictures(chance, 1))
    client = Client(enforce_csrf_checks=True, headers={"X-CSRFToken": TOKEN})
    client.cookies.load({"csrftoken": TOKEN, "sessionid": visitors[0]["session"]})
    for kind in KINDS:
        sent = kind.sent(chance, evening, visitors[0])
        htmx = {"HX-Request": "true", "HX-Target": sent.of_page} if sent.of_page else {}
        form: Any = {"data": sent.body, "content_type": sent.kind}
        answer = client.post(sent.path, headers=htmx, **form) if sent.body else client.get(sent.path)
        assert answer.status_code == (200 if htmx else 302), (kind.name, sent.path)
    assert (
        PrintJob.objects.get().state == "waiting" and UploadedPicture.objects.filter(label="kai.jpg").exists()
    )


def answers_of(*parts: bytes) -> Answers:
    """What is counted of a server that answers so, one after the other, and closes the connection where there
    is nothing.
    """
    left = list(parts)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while left and await reader.readuntil(b"\r\n\r\n"):
            if not (answer := left.pop(0)):
                break
            writer.write(answer)
        writer.close()

    async def ask() -> Answers:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            chance = Even()
            return await asking(
                port, 50, (len(parts) + 0.5) / 50, lambda: Asked("page", b"GET / HTTP/1.1\r\n\r\n"), chance
            )

    return asyncio.run(ask())


class Even(random.Random):
    """A chance by which requests come one after the other."""

    def expovariate(self, lambd: float = 1.0) -> float:
        return 1 / lambd


def test_answers_are_read_whole_and_counted_by_what_they_are() -> None:
    length = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    refused = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
    broken = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
    found = answers_of(length, chunks, refused, broken, b"", length)
    assert dict(found.states) == {200: 3, 503: 1, 500: 1, 0: 1}
    assert len(found.waits) == 3 and len(found.refused) == 1 and found.errors == 2
    assert dict(found.wrong) == {"page 500": 1, "page no answer": 1} and [
        kind for kind, _ in found.slowest
    ] == ["page"]


def test_what_is_measured_takes_the_place_of_what_the_page_had_of_the_same_site() -> None:
    row = "| PostgreSQL | {} | {} | 1 |"
    page = "\n".join([SECTION, *HEADER, row.format(1, 2), row.format(1, 10), "", "Below."])
    measured = [*HEADER, "| PostgreSQL | 1 | 2 | 9 |", row.format(2, 1), "| SQLite | 1 | 2 | 3 |"]
    order = ["| SQLite | 1 | 2 | 3 |", "| PostgreSQL | 1 | 2 | 9 |", row.format(1, 10), row.format(2, 1)]
    assert with_rows(page, measured) == "\n".join([SECTION, *HEADER, *order, "", "Below."])
