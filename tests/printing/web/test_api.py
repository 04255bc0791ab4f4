"""Sheets and other files over the API: at once, or as a job that belongs to an account or to the holder of
its key.
"""

import io
import json
from zipfile import ZipFile

import pytest
from django.test import Client

from cardsdb.models import RowState
from cardsdb.tasks.worker import work_off
from printing.models import PrintJob
from printing.options.values import OPTIONS
from printing.web.api import SheetsSerializer
from tests.support.answers import body
from tests.support.print_jobs import BIG, folder, no_files_of_others  # noqa: F401

KAI = {"game": "spycraft", "text": "2 Kai"}
# Requests that become jobs, by kind of file: many pages, and pictures of many pixels.
LARGE = {"game": "spycraft", "text": "1 Kai\n1 Li\n1 Termite", "dpi": "600", "trim": "100x140"}
LONG = {"sheets": BIG, "cards": LARGE | {"output": "cards"}}


def asked(client: Client, fields: dict[str, str], **more):
    return client.post("/api/v1/sheets/", json.dumps(fields), content_type="application/json", **more)


def faults(answer) -> list[tuple[str, str]]:
    """(code, field) of the faults in a refusal."""
    assert answer.status_code == 400
    return [(fault["code"], fault["where"]) for fault in answer.json()]


def test_every_option_of_a_print_is_a_field_of_the_request():
    assert {option.name for option in OPTIONS} <= SheetsSerializer().fields.keys()


# -- at once -------------------------------------------------------------------------------


def test_a_small_file_of_pictures_is_answered_at_once(client):
    answer = asked(client, KAI | {"output": "cards", "dpi": "150"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert ZipFile(io.BytesIO(answer.content)).testzip() is None


@pytest.mark.parametrize(
    "fields", [{"starter": "spycraft/banshee-net", "card": "spycraft/kai"}, KAI | {"counts": "Kai=3"}]
)
def test_small_sheets_are_answered_at_once(client, fields):
    answer = asked(client, fields)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")


def test_a_misspelt_card_is_refused_with_a_suggestion(client):
    misspelt = asked(client, KAI | {"counts": "Kay=3"})
    assert faults(misspelt) == [("unknown_card", "counts")]
    assert "Did you mean “Kai”?" in misspelt.json()[0]["message"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        (KAI | {"output": "nothing"}, "output"),
        (KAI | {"output": "cards", "dpi": "7"}, "dpi"),
        ({"starter": "xfiles/nothing"}, "starter"),
    ],
)
def test_a_wrong_value_is_refused_with_its_field(client, fields, field):
    assert faults(asked(client, fields))[0][1] == field


# -- as a job ------------------------------------------------------------------------------


@pytest.mark.parametrize("output", LONG)
def test_a_big_file_becomes_a_job_with_a_key(client, output, blank_cards):
    answer = asked(client, LONG[output])
    assert answer.status_code == 202
    job = answer.json()
    assert (job["address"], job["state"], job["file"], job["done"]) == (answer["Location"], "waiting", "", 0)
    key = {"X-Job-Key": job["key"]}
    for wrong in ({}, {"X-Job-Key": "x"}):
        assert client.get(job["address"], headers=wrong).status_code == 404
        assert client.delete(job["address"], headers=wrong).status_code == 404
    work_off()
    done = Client().get(job["address"], headers=key).json()
    assert (done["state"], done["done"], done["total"]) == ("done", job["total"], job["total"])
    assert "key" not in done and Client().get(done["file"]).status_code == 404
    file = body(Client().get(done["file"], headers=key))
    assert file[:4] == (b"%PDF" if output == "sheets" else b"PK\x03\x04")
    deleted = Client().delete(job["address"], headers=key).json()
    assert (deleted["state"], deleted["file"]) == ("done", "") and not list(folder().iterdir())
    assert Client().get(done["file"], headers=key).status_code == 404


def test_a_waiting_job_can_be_cancelled_with_its_key(client):
    job = asked(client, BIG).json()
    assert client.delete(job["address"], headers={"X-Job-Key": job["key"]}).json()["state"] == "cancelled"
    work_off()
    assert PrintJob.objects.get().attempts == 0 and not list(folder().iterdir())


def test_a_job_of_an_account_has_no_key_and_is_on_its_page_of_prints(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("somebody"))
    job = asked(client, BIG).json()
    assert "key" not in job and client.get(job["address"]).status_code == 200
    assert [row.link for row in client.get("/print/jobs/").context["jobs"]] == [job["address"].split("/")[-2]]


def test_a_private_deck_is_printed_with_its_edit_key_which_is_not_stored(client):
    mine = {"game": "spycraft", "name": "Mine", "text": BIG["text"], "visibility": "private"}
    deck = client.post("/api/v1/decks/", json.dumps(mine), content_type="application/json").json()
    fields = {"deck": deck["id"], "copies": "20", "backs": "long"}
    assert asked(Client(), fields).status_code == 404
    assert asked(Client(), fields, headers={"X-Deck-Key": deck["edit_key"]}).status_code == 202
    work_off()
    row = PrintJob.objects.get()
    assert row.state == RowState.DONE and deck["edit_key"] not in json.dumps(row.request)
