"""The page, the command and the API tell the same of a file, in its own lines and columns."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from lxml import html

from tests.decks.importing.test_importing import sent
from tests.decks.importing.test_report import report

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
TABLE = "name,count,foil\nTermite,3,\n\nNobody At All,1,\nKai,,yes\nGarotte,2 or so,\n"
SAID = [
    ("Left out: the column “foil”.", "line 1, column 3"),
    ("Kai: no count is given; one copy was assumed.", "line 5, column 2 (count)"),
]
NOT_READ = [("unknown_card", "line 4"), ("bad_count", "line 6, column 2 (count)")]


def checked(path: Path, *options: str) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("check_deck", str(path), *options, stdout=out)
    return out.getvalue()


def imported(client: Client, data: bytes, name: str) -> Any:
    body = {
        "content": base64.b64encode(data).decode(),
        "encoding": "base64",
        "filename": name,
        "game": "spycraft",
    }
    return client.post("/api/v1/decks/import/", body, content_type="application/json").json()


def test_the_api_has_the_lines_of_the_file(client: Client) -> None:
    answer = imported(client, TABLE.encode(), "deck.csv")
    assert [(loss["message"], loss["where"]) for loss in answer["losses"]] == SAID
    assert [(line["code"], line["where"]) for line in answer["report"]["unread"]] == NOT_READ
    lines = answer["text"].split("\n")
    assert [lines[line["line"] - 1] for line in answer["report"]["unread"]] == [
        "1 Nobody At All",
        "2 or so Garotte",
    ]


def test_so_has_the_page(client: Client) -> None:
    page = sent(client, TABLE.encode(), "deck.csv", game="spycraft")
    words = report(page)
    assert "Every line was read" not in words
    for sentence, place in SAID:
        assert f"{sentence} {place}" in words
    assert "“1 Nobody At All” was not read: Spycraft has no card called “Nobody At All”. line 4" in words
    assert "Garotte: a count is 1 to 99, not “2 or so”. line 6, column 2 (count)" in words
    assert "in the file: line 6, column 2 (count)" in page.content.decode()


@pytest.mark.parametrize("step", ["keep", "look"])
def test_so_has_the_page_after_it_that_refuses_to_keep_it(client: Client, step: str) -> None:
    table = 'name,count,notes\nKai,1,"of\nthree\nlines"\n\nNobody At All,1,\nTermite,1,\nGarotte,2 or so,\n'
    first = sent(client, table.encode(), "deck.csv", game="spycraft")
    form = html.fromstring(first.content.decode()).get_element_by_id("list-form")
    second = client.post("/decks/import/", {**dict(form.form_values()), "step": step})
    assert second.status_code == (400 if step == "keep" else 200)
    told = [
        [(line.place, line.message, line.text) for line in page.context["form"].unread]
        for page in (first, second)
    ]
    assert told[0] == told[1] and [place for place, _, _ in told[0]] == ["line 6", "line 8, column 2 (count)"]
    assert report(first) == report(second)


def test_a_line_that_was_changed_since_is_told_where_it_stands_now(client: Client) -> None:
    first = sent(client, TABLE.encode(), "deck.csv", game="spycraft")
    form = html.fromstring(first.content.decode()).get_element_by_id("list-form")
    values = dict(form.form_values())
    changed = values["text"].replace("Nobody At All", "Somebody Else")
    second = client.post("/decks/import/", {**values, "text": f"\n\n{changed.strip()}", "step": "keep"})
    assert [line.place for line in second.context["form"].unread] == ["line 3", "line 6, column 2 (count)"]


def test_and_the_command(tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(TABLE)
    answer = json.loads(checked(path, "--json", "--game=spycraft"))
    assert [(loss["message"], loss["where"]) for loss in answer["of_file"]["losses"]] == SAID
    assert [(line["code"], line["where"]) for line in answer["unread"]] == NOT_READ
    words = checked(path, "--game=spycraft")
    assert "Kai: no count is given; one copy was assumed. (line 5, column 2 (count))" in words
    assert "Line 6, column 2 (count) was not read: 2 or so Garotte" in words


def test_and_a_folder_of_them(tmp_path: Path) -> None:
    (tmp_path / "deck.csv").write_text(TABLE)
    answer = json.loads(checked(tmp_path, "--batch"))
    assert [(line["code"], line["where"]) for line in answer["unread"]] == NOT_READ


def test_a_line_of_a_list_has_its_number(client: Client) -> None:
    answer = imported(client, b"2 Kai\n\n1 Nobody At All\n", "deck.txt")
    assert [line["where"] for line in answer["report"]["unread"]] == ["line 3"]


@pytest.mark.parametrize("page", ["/decks/import/", "/check/"])
def test_a_nul_in_a_pasted_list_is_told_with_its_line(client: Client, page: str) -> None:
    field = "pasted" if page == "/decks/import/" else "text"
    answer = client.post(page, {field: "2 Kai\n1 Ter\0mite\n", "game": "spycraft"})
    assert answer.status_code == 400
    assert "has a character that is no text in line 2: NUL" in answer.content.decode()


@pytest.mark.parametrize("page", ["/decks/import/", "/check/"])
def test_broken_xml_that_is_pasted_is_no_list(client: Client, page: str) -> None:
    field = "pasted" if page == "/decks/import/" else "text"
    answer = client.post(page, {field: '<?xml version="1.0"?>\n<cockatrice_dec', "game": "spycraft"})
    assert answer.status_code == 400
    assert "its XML breaks off at line 2, column 1" in answer.content.decode()
