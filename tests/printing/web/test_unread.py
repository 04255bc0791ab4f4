"""A pasted list with more unread lines than anybody reads: the first are named, the rest are counted."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from cardsdb.site.faults import Refused
from printing.request.lists import MAX_UNREAD, pasted_list

UNREAD = "\n".join(f"1 Nobody {number}" for number in range(1, 2_001))


def test_the_first_lines_are_named_and_the_rest_counted() -> None:
    with pytest.raises(Refused) as caught:
        pasted_list("spycraft", UNREAD)
    *named, rest = caught.value.faults
    assert [fault.where for fault in named] == [f"line {number}" for number in range(1, MAX_UNREAD + 1)]
    assert (rest.code, rest.where) == ("more_unread", "text")
    assert rest.message == "1,900 more lines were not read; the last is line 2000."


@pytest.mark.parametrize("number", [1, MAX_UNREAD])
def test_as_many_as_are_named_are_not_counted(number: int) -> None:
    with pytest.raises(Refused) as caught:
        pasted_list("spycraft", "\n".join(UNREAD.splitlines()[:number]))
    assert [fault.code for fault in caught.value.faults] == ["unknown_card"] * number


def test_one_line_more_is_said_as_one() -> None:
    with pytest.raises(Refused) as caught:
        pasted_list("spycraft", "\n".join(UNREAD.splitlines()[: MAX_UNREAD + 1]))
    assert caught.value.faults[-1].message == "1 more line was not read; the last is line 101."


@pytest.mark.django_db
def test_page_and_api_say_the_same(client: Client) -> None:
    fields = {"game": "spycraft", "text": UNREAD}
    page = client.post("/print/sheets.pdf", fields)
    api = client.post("/api/v1/sheets/", json.dumps(fields), content_type="application/json")
    text = page.content.decode()
    assert (page.status_code, api.status_code) == (400, 400)
    assert len(api.json()) == MAX_UNREAD + 1 and "1,900 more lines were not read" in api.json()[-1]["message"]
    assert "(1 Nobody 100)" in text and "(1 Nobody 101)" not in text and "1,900 more lines were not read" in text
    assert "1 Nobody 2000" in text, "the list stays in its field"
