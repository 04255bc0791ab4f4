"""Unread lines of a pasted list: a program is refused, a person sees what is printed without them and is told
so everywhere.

Of more than anybody reads the first are named and the rest are counted.
"""

from __future__ import annotations

import json
from io import BytesIO
from urllib.parse import urlencode
from zipfile import ZipFile

import pikepdf
import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from cardsdb.faults import Refused
from cardsdb.identity.viewer import Viewer
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.faces.strokes import TextRun
from printing.job.job import Job
from printing.job.remarks import remarks_of
from printing.request.assembly import build_job
from printing.request.lists import MAX_UNREAD, pasted_list
from printing.request.print_request import PrintFields, PrintRequest
from tests.support.pages import page_of

pytestmark = pytest.mark.one_database

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
    assert (
        "(1 Nobody 100)" in text and "(1 Nobody 101)" not in text and "1,900 more lines were not read" in text
    )
    assert "1 Nobody 2000" in text, "the list stays in its field"


PARTLY = {"game": "", "text": "2 Kai\n1 Kia Motors\n1 Termite\n1 Nobody at all", "paper": "a4"}


@pytest.mark.django_db
def test_what_was_read_is_shown_and_what_was_not_is_said_before_the_download(client: Client) -> None:
    shown = page_of(client.post("/print/", PARTLY))
    told = shown.one(class_="print-unread")
    assert told.one("h2").text == "2 lines of the list are not printed"
    assert [line.text[:22] for line in told.all("li")] == [
        "Line 2: 1 Kia Motors S",
        "Line 4: 1 Nobody at all"[:22],
    ]
    assert shown.one(class_="print-short").text.startswith("3 cards without 2 unread lines")
    assert "without 2 lines" in shown.one("button", class_="button", formaction="/print/sheets.pdf").text


@pytest.mark.django_db
def test_each_sheet_says_that_lines_are_missing(client: Client) -> None:
    answer = client.post("/print/sheets.pdf", PARTLY)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    job = build_job(
        PrintRequest.parse(PrintFields(QueryDict(urlencode(PARTLY)), True, Viewer(), partly=True))
    )
    assert "without 2 unread lines" in job.notes().about


@pytest.mark.django_db
def test_the_guessed_game_is_carried_along(client: Client) -> None:
    assert (
        page_of(client.post("/print/", PARTLY)).one("input", type="hidden", name="game")["value"]
        == "spycraft"
    )


@pytest.mark.django_db
def test_a_program_is_refused(client: Client) -> None:
    api = client.post("/api/v1/sheets/", json.dumps(PARTLY), content_type="application/json")
    assert (api.status_code, [fault["where"] for fault in api.json()]) == (400, ["line 2", "line 4"])


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["", "agency"])
def test_a_list_of_another_game_in_the_same_field_is_printed(client: Client, format: str) -> None:
    other = {
        "game": "spycraft",
        "format": format,
        "text": "1 Agent Fox Mulder\n1 Agent Dana Scully",
        "paper": "a4",
    }
    shown = page_of(client.post("/print/", other))
    assert shown.one(class_="print-short").text.startswith("2 cards")
    fields = {name: shown.one("input", type="hidden", name=name)["value"] for name in ("game", "format")}
    assert fields == {"game": "xfiles", "format": ""}
    sheets = client.post("/print/sheets.pdf", other)
    assert (sheets.status_code, sheets["Content-Type"]) == (200, "application/pdf")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["cards", "tabletop", "service"])
def test_an_archive_says_that_lines_are_missing(client: Client, kind: str) -> None:
    answer = client.post(reverse(f"print_{kind}"), PARTLY)
    with ZipFile(BytesIO(answer.content)) as archive:
        assert "3 cards without 2 unread lines" in archive.read("README.txt").decode()


@pytest.mark.django_db
def test_whoever_orders_from_a_print_service_is_told_that_lines_are_missing(client: Client) -> None:
    assert (
        "3 cards without 2 unread lines"
        in page_of(client.post(reverse("print_ordering"), PARTLY)).one(class_="lead").text
    )


def job_of(fields: dict[str, str]) -> Job:
    return build_job(
        PrintRequest.parse(PrintFields(QueryDict(urlencode(fields)), True, Viewer(), partly=True))
    )


def words_of(job: Job) -> str:
    """The words in the margins of the first sheet."""
    strokes = job.margins.furniture("front").over
    strokes += job.margins.sheet_number(1, job.sheets)
    return " ".join(one.text for one in strokes if isinstance(one, TextRun))


@pytest.mark.django_db
@pytest.mark.parametrize("output", ["sheets", *EXPORT_KINDS])
def test_the_name_of_every_file_says_that_lines_are_missing(client: Client, output: str) -> None:
    def named(lists: dict[str, str]) -> str:
        fields = PrintFields(QueryDict(urlencode(lists)), True, Viewer(), partly=True)
        return export_for(PrintRequest.parse(fields), output).filename

    assert "-without-2-lines" in named(PARTLY)
    assert "without" not in named({**PARTLY, "text": "2 Kai\n1 Termite"})


@pytest.mark.django_db
@pytest.mark.parametrize("options", [{"paper": "63x88", "trim": "63x88", "margin": "0"}, {"header": "no"}])
def test_where_the_sheets_cannot_say_it_the_page_says_where_it_is_said(
    client: Client, options: dict[str, str]
) -> None:
    told = page_of(client.post("/print/", {**PARTLY, **options}))
    remarks = [remark.text for remark in told.one(id="remarks").all("li")]
    assert any(
        "do not say that 2 lines of the list are missing: the file's name does" in remark
        for remark in remarks
    )
    assert "unread" not in words_of(job_of(PARTLY | options))


@pytest.mark.django_db
def test_where_the_sheets_say_it_nothing_more_is_remarked(client: Client) -> None:
    job = job_of(PARTLY)
    assert "without 2 unread lines" in words_of(job)
    assert not any("do not say" in remark for remark in remarks_of(job))


@pytest.mark.django_db
def test_the_register_and_the_pdf_for_a_print_service_say_it_too(client: Client) -> None:
    job = job_of({**PARTLY, "extras": "register"})
    assert "without 2 unread lines" in " ".join(
        one.text for page in job.end_pages for one in page.strokes if isinstance(one, TextRun)
    )
    answer = client.post(reverse("print_service-pdf"), PARTLY)
    with pikepdf.open(BytesIO(b"".join(answer))) as document:
        assert "3 cards without 2 unread lines" in str(document.docinfo["/Subject"])
