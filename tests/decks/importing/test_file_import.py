"""The page, the command and the API report the same about a file, by its own lines and columns."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from decks.models import Deck
from tests.support.imports import again, fields, report, sent

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
TABLE = "name,count,foil\nTermite,3,\n\nNobody At All,1,\nKai,,yes\nGarotte,2 or so,\n"
LOSSES = [
    ("Left out: the column “foil”.", "line 1, column 3"),
    ("Kai: no count is given; one copy was assumed.", "line 5, column 2 (count)"),
]
NOT_READ = [("unknown_card", "line 4"), ("bad_count", "line 6, column 2 (count)")]


def checked(path: Path, *options: str) -> str:
    """The output of the command ``check_deck``."""
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("check_deck", str(path), *options, stdout=out)
    return out.getvalue()


def imported(client: Client, **values: Any) -> Any:
    return client.post("/api/v1/decks/import/", values, content_type="application/json")


@pytest.mark.parametrize("encoding", ["text", "base64"])
def test_the_api_reports_lines_of_the_file_and_stores_nothing(client, encoding):
    content = base64.b64encode(TABLE.encode()).decode() if encoding == "base64" else TABLE
    sent_file = {"content": content, "encoding": encoding, "filename": "Night_Watch.csv"}
    answer = imported(client, **sent_file, game="spycraft").json()
    assert answer["taken_for"] == {"format": "csv", "title": "Spreadsheet (CSV)", "dialect": "a table"}
    assert (answer["game"], answer["name"]) == ("spycraft", "Night Watch")
    assert [(loss["message"], loss["where"]) for loss in answer["losses"]] == LOSSES
    assert [(line["code"], line["where"]) for line in answer["report"]["unread"]] == NOT_READ
    lines, numbers = answer["text"].split("\n"), [line["line"] for line in answer["report"]["unread"]]
    assert [lines[number - 1] for number in numbers] == ["1 Nobody At All", "2 or so Garotte"]
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        ({"content": "<order>"}, 400, "bad_xml"),
        ({"content": "*", "encoding": "base64"}, 400, "bad_base64"),
        ({"content": "2 Kai", "taken_for": "doc"}, 400, "invalid_choice"),
        ({"content": "2 Kai\n" * 60_000}, 413, "too_large"),
        ({}, 400, "required"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_the_api_refuses_bad_files_with_a_code(client, values, status, code):
    answer = imported(client, **values)
    assert (answer.status_code, answer.json()[0]["code"]) == (status, code)


def test_the_import_page_reports_lines_of_the_file(client):
    shown = sent(client, TABLE.encode(), "deck.csv", game="spycraft")
    words = report(shown)
    assert "Every line was read" not in words
    for sentence, place in LOSSES:
        assert f"{sentence} {place}" in words
    assert "“1 Nobody At All” was not read: Spycraft has no card called “Nobody At All”. line 4" in words
    assert "Garotte: a count is 1 to 99, not “2 or so”. line 6, column 2 (count)" in words
    assert "in the file: line 6, column 2 (count)" in shown.text


@pytest.mark.parametrize(("step", "status"), [("keep", 400), ("look", 200)])
def test_the_second_step_keeps_the_lines_of_the_file(client, step, status):
    table = 'name,count,notes\nKai,1,"of\nthree\nlines"\n\nNobody At All,1,\nTermite,1,\nGarotte,2 or so,\n'
    first = sent(client, table.encode(), "deck.csv", game="spycraft")
    second = again(client, first, step=step, status=status)
    unread = [
        [(line.place, line.message, line.text) for line in shown.context["form"].unread]
        for shown in (first, second)
    ]
    assert unread[0] == unread[1]
    assert [place for place, _, _ in unread[0]] == [
        "line 6",
        "line 8, column 2 (count)",
    ]
    assert report(first) == report(second) and "Read as: Spreadsheet" in second.text


def test_an_edited_line_is_reported_at_its_place_in_the_list(client):
    first = sent(client, TABLE.encode(), "deck.csv", game="spycraft")
    changed = fields(first)["text"].replace("Nobody At All", "Somebody Else").strip()
    second = again(client, first, text=f"\n\n{changed}", step="keep", status=400)
    assert [line.place for line in second.context["form"].unread] == ["line 3", "line 6, column 2 (count)"]


def test_the_command_reports_lines_of_files_and_of_folders(tmp_path):
    path = tmp_path / "deck.csv"
    path.write_text(TABLE)
    answer = json.loads(checked(path, "--json", "--game=spycraft"))
    assert [(loss["message"], loss["where"]) for loss in answer["of_file"]["losses"]] == LOSSES
    of_folder = json.loads(checked(tmp_path, "--batch"))
    for unread in (answer["unread"], of_folder["unread"]):
        assert [(line["code"], line["where"]) for line in unread] == NOT_READ
    words = checked(path, "--game=spycraft")
    assert "Kai: no count is given; one copy was assumed. (line 5, column 2 (count))" in words
    assert "Line 6, column 2 (count) was not read: 2 or so Garotte" in words
