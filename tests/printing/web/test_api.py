"""Sheets and other files over the API: at once, or as a job that belongs to an account or to the holder of
its key. The imported fixture ``no_files_of_others`` gives each test the database and an empty folder of jobs.
"""

import json

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


def asked(client: Client, fields: dict[str, str], **more):
    return client.post("/api/v1/sheets/", json.dumps(fields), content_type="application/json", **more)


def faults(answer) -> list[tuple[str, str]]:
    """(code, field) of the faults in a refusal."""
    assert answer.status_code == 400
    return [(fault["code"], fault["where"]) for fault in answer.json()]


def test_every_option_of_a_print_is_a_field_of_the_request():
    assert {option.name for option in OPTIONS} <= SheetsSerializer().fields.keys()


# -- at once -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (KAI | {"output": "cards", "dpi": "150"}, "application/zip"),
        ({"starter": "spynet/draw-3", "card": "spycraft/kai,2.spycraft/termite"}, "application/pdf"),
        (KAI | {"counts": "Kai=3"}, "application/pdf"),
    ],
)
def test_a_small_file_is_answered_at_once(client, fields, kind):
    answer = asked(client, fields)
    assert (answer.status_code, answer["Content-Type"]) == (200, kind)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        (KAI | {"output": "nothing"}, ("invalid_choice", "output")),
        (KAI | {"output": "cards", "dpi": "7"}, ("bad_option", "dpi")),
        (KAI | {"counts": "Kay=3"}, ("unknown_card", "counts")),
        (KAI | {"card": "spycraft/kai"}, ("deck_or_text", "deck")),
        ({"starter": "xfiles/nothing"}, ("unknown_starter", "starter")),
    ],
)
def test_a_wrong_value_is_refused_with_its_field(client, fields, fault):
    assert faults(asked(client, fields))[0] == fault


# -- as a job ------------------------------------------------------------------------------


def test_a_big_file_becomes_a_job_with_a_key(client):
    answer = asked(client, BIG)
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
    assert body(Client().get(done["file"], headers=key)).startswith(b"%PDF")
    deleted = Client().delete(job["address"], headers=key).json()
    assert (deleted["state"], deleted["file"]) == ("done", "") and not list(folder().iterdir())
    assert Client().get(done["file"], headers=key).status_code == 404


def test_pictures_of_many_pixels_become_a_job_of_pictures(client):
    large = {"game": "spycraft", "text": "1 Kai\n1 Li\n1 Termite", "dpi": "600", "trim": "100x140"}
    job = asked(client, large | {"output": "cards"})
    assert (job.status_code, job.json()["unit"]) == (202, "picture")


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
