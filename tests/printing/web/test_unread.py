"""Unread lines of a pasted list: the API refuses the list, and the page prints the others and says what is
missing, as every file does. These tests go through printing.request.lists, printing.web and every kind of
file.
"""

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
from printing.request.print_request import PrintFields, PrintRequest
from tests.support.answers import body
from tests.support.drawings import words_of
from tests.support.pages import page_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

PARTLY = {"game": "", "text": "2 Kai\n1 Kia Motors\n1 Termite\n1 Nobody at all", "paper": "a4"}
WITHOUT = "without 2 unread lines"


def request_of(fields: dict[str, str]) -> PrintRequest:
    return PrintRequest.parse(
        PrintFields(QueryDict(urlencode(fields)), pasted=True, viewer=NOBODY, partly=True)
    )


def margin_words(job: Job) -> str:
    """The words in the margins of the first sheet."""
    strokes = job.margins.furniture("front").over + job.margins.sheet_number(1, job.sheets)
    return " ".join(stroke.text for stroke in strokes if isinstance(stroke, TextRun))


def test_the_page_lists_the_unread_lines_and_the_file_has_the_others(client):
    shown = page_of(client.post("/print/", PARTLY))
    unread = shown.one(class_="print-unread")
    assert unread.one("h2").text == "2 lines of the list are not printed"
    lines = [line.text for line in unread.all("li")]
    assert [line[:18] for line in lines] == ["Line 2: 1 Kia Moto", "Line 4: 1 Nobody a"]
    assert shown.one(class_="print-short").text.startswith(f"3 cards {WITHOUT}")
    assert "without 2 lines" in shown.one("button", class_="button", formaction="/print/sheets.pdf").text
    assert shown.one("input", type="hidden", name="game")["value"] == "spycraft", "the game was guessed"
    sheets = client.post("/print/sheets.pdf", PARTLY)
    assert (sheets.status_code, sheets["Content-Type"]) == (200, "application/pdf")


def test_the_api_refuses_a_list_with_unread_lines(client):
    api = client.post("/api/v1/sheets/", PARTLY, content_type="application/json")
    assert (api.status_code, [fault["where"] for fault in api.json()]) == (400, ["line 2", "line 4"])


def test_a_list_of_another_game_than_the_form_states_is_printed_as_that_game():
    text = "1 Agent Fox Mulder\n1 Agent Dana Scully"
    other = request_of({"game": "spycraft", "format": "agency", "text": text})
    assert build_job(other).cards == 2 and other.list_fields == {"game": "xfiles", "format": ""}


def test_sheets_and_registers_say_that_lines_are_missing():
    job = build_job(request_of({**PARTLY, "extras": "register"}))
    assert WITHOUT in margin_words(job) and WITHOUT in job.notes().about
    assert WITHOUT in words_of(*job.end_pages)
    assert not any("do not say" in remark for remark in remarks_of(job))


@pytest.mark.parametrize("kind", ["cards", "tabletop", "service"])
def test_the_readme_of_a_zip_says_that_lines_are_missing(kind):
    out = BytesIO()
    export_for(request_of(PARTLY), kind).write(out)
    assert f"3 cards {WITHOUT}" in ZipFile(out).read("README.txt").decode()


def test_pdf_and_page_of_a_print_service_say_that_lines_are_missing(client):
    with pikepdf.open(BytesIO(body(client.post(reverse("print_service-pdf"), PARTLY)))) as document:
        assert f"3 cards {WITHOUT}" in str(document.docinfo["/Subject"])
    ordering = page_of(client.post(reverse("print_ordering"), PARTLY))
    assert f"3 cards {WITHOUT}" in ordering.one(class_="lead").text


@pytest.mark.parametrize("output", ["sheets", *EXPORT_KINDS])
def test_the_name_of_every_file_says_that_lines_are_missing(output):
    assert "-without-2-lines" in export_for(request_of(PARTLY), output).filename


@pytest.mark.parametrize("options", [{"paper": "63x88", "trim": "63x88", "margin": "0"}, {"header": "no"}])
def test_a_remark_tells_if_sheets_do_not_say_that_lines_are_missing(options):
    job = build_job(request_of(PARTLY | options))
    warning = "do not say that 2 lines of the list are missing: the file's name does"
    assert any(warning in remark for remark in remarks_of(job)) and "unread" not in margin_words(job)
