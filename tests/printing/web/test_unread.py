"""Unread lines of a pasted list: a program is refused, a person sees what is printed without them and is told
so everywhere. A journey through printing.request.lists, printing.web and every file of a print.
"""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlencode
from zipfile import ZipFile

import pikepdf
import pytest
from django.http import QueryDict
from django.urls import reverse

from cardsdb.identity.viewer import NOBODY
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.faces.strokes import TextRun
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.request.assembly import build_job
from printing.request.lists import MAX_UNREAD
from printing.request.print_request import PrintFields, PrintRequest
from tests.support.answers import body
from tests.support.pages import page_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

PARTLY = {"game": "", "text": "2 Kai\n1 Kia Motors\n1 Termite\n1 Nobody at all", "paper": "a4"}
SAID = "without 2 unread lines"


def request_of(fields: dict[str, str]) -> PrintRequest:
    return PrintRequest.parse(PrintFields(QueryDict(urlencode(fields)), True, NOBODY, partly=True))


def words_of(job: Job) -> str:
    """The words in the margins of the first sheet."""
    strokes = job.margins.furniture("front").over + job.margins.sheet_number(1, job.sheets)
    return " ".join(one.text for one in strokes if isinstance(one, TextRun))


def test_page_and_api_name_the_first_and_count_the_rest(client):
    unread = "\n".join(f"1 Nobody {number}" for number in range(1, 2_001))
    fields = {"game": "spycraft", "text": unread}
    told = page_of(client.post("/print/sheets.pdf", fields), status=400)
    api = client.post("/api/v1/sheets/", fields, content_type="application/json")
    assert (api.status_code, len(api.json())) == (400, MAX_UNREAD + 1)
    rest = f"{2_000 - MAX_UNREAD:,} more lines were not read; the last is line 2000."
    assert rest in told.text and api.json()[-1]["message"] == rest
    assert "(1 Nobody 100)" in told.text and "(1 Nobody 101)" not in told.text
    assert told.field("text").value == unread, "the list stays in its field"


def test_what_was_read_is_shown_and_what_was_not_is_said_before_the_download(client):
    shown = page_of(client.post("/print/", PARTLY))
    told = shown.one(class_="print-unread")
    assert told.one("h2").text == "2 lines of the list are not printed"
    lines = [line.text for line in told.all("li")]
    assert [line[:18] for line in lines] == ["Line 2: 1 Kia Moto", "Line 4: 1 Nobody a"]
    assert shown.one(class_="print-short").text.startswith(f"3 cards {SAID}")
    assert "without 2 lines" in shown.one("button", class_="button", formaction="/print/sheets.pdf").text
    assert shown.one("input", type="hidden", name="game")["value"] == "spycraft", "as was guessed"
    sheets = client.post("/print/sheets.pdf", PARTLY)
    assert (sheets.status_code, sheets["Content-Type"]) == (200, "application/pdf")


def test_a_program_is_refused(client):
    api = client.post("/api/v1/sheets/", PARTLY, content_type="application/json")
    assert (api.status_code, [fault["where"] for fault in api.json()]) == (400, ["line 2", "line 4"])


def test_a_list_of_another_game_in_the_same_field_is_printed(client):
    text = "1 Agent Fox Mulder\n1 Agent Dana Scully"
    other = {"game": "spycraft", "format": "agency", "text": text, "paper": "a4"}
    shown = page_of(client.post("/print/", other))
    assert shown.one(class_="print-short").text.startswith("2 cards")
    fields = {name: shown.one("input", type="hidden", name=name)["value"] for name in ("game", "format")}
    assert fields == {"game": "xfiles", "format": ""}
    assert client.post("/print/sheets.pdf", other)["Content-Type"] == "application/pdf"


def test_sheets_registers_and_files_for_print_services_say_that_lines_are_missing(client):
    job = build_job(request_of({**PARTLY, "extras": "register"}))
    ends = [one.text for page in job.end_pages for one in page.strokes if isinstance(one, TextRun)]
    assert SAID in words_of(job) and SAID in job.notes().about and SAID in " ".join(ends)
    assert not any("do not say" in remark for remark in remarks_of(job))
    for kind in ("cards", "tabletop", "service"):
        with ZipFile(BytesIO(body(client.post(reverse(f"print_{kind}"), PARTLY)))) as archive:
            assert f"3 cards {SAID}" in archive.read("README.txt").decode(), kind
    with pikepdf.open(BytesIO(body(client.post(reverse("print_service-pdf"), PARTLY)))) as document:
        assert f"3 cards {SAID}" in str(document.docinfo["/Subject"])
    ordering = page_of(client.post(reverse("print_ordering"), PARTLY))
    assert f"3 cards {SAID}" in ordering.one(class_="lead").text


@pytest.mark.parametrize("output", ["sheets", *EXPORT_KINDS])
def test_the_name_of_every_file_says_that_lines_are_missing(output):
    assert "-without-2-lines" in export_for(request_of(PARTLY), output).filename
    whole = {**PARTLY, "text": "2 Kai\n1 Termite"}
    assert "without" not in export_for(request_of(whole), output).filename


@pytest.mark.parametrize("options", [{"paper": "63x88", "trim": "63x88", "margin": "0"}, {"header": "no"}])
def test_where_the_sheets_cannot_say_it_the_remarks_say_where_it_is_said(options):
    job = build_job(request_of(PARTLY | options))
    said = "do not say that 2 lines of the list are missing: the file's name does"
    assert any(said in remark for remark in remarks_of(job)) and "unread" not in words_of(job)
