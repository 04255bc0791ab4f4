"""The page "Bring your own": a file is looked at first, then taken in whole or not at all, for whoever
brought it.
"""

from __future__ import annotations

import io
import os
import time
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from cardsdb.box import jobs as box_jobs
from cardsdb.box import sets, texts, waiting
from cardsdb.box.reading import container
from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard, OwnChoice, OwnSet, OwnText, RowState
from cardsdb.storage.contract import UNFINISHED
from printing.models import PrintJob
from printing.web import own_views
from tests.support.packages import files_in_encodings, hostile_files, octgn_set, zipped
from tests.support.pages import Page, page_of
from tests.support.print_jobs import waiting_folder

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:4]
PACKAGE = zipped(
    {"Sets/One/set.xml": octgn_set([(card, f"Zeppelin {number}.") for number, card in enumerate(CARDS)])}
)

WILD = "Café – it’s\nŽeppelin."


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def look(client: Client, data: bytes = PACKAGE, name: str = "spy.o8g", **fields: str) -> Any:
    return client.post("/own/", {"file": SimpleUploadedFile(name, data), **fields})


def token_of(answer: Any) -> str:
    return page_of(answer, status=answer.status_code).one("form", action="/own/add/").sent["token"]


def test_a_file_whose_game_nobody_knows_waits_until_its_owner_says_it(client: Client) -> None:
    asked = look(client, b"Name,Type\nTin Gull,Agent\n", "gulls.csv")
    assert (
        asked.status_code == 400
        and "Say which game it is" in asked.content.decode()
        and "still waits here" in asked.content.decode()
    )
    seen = client.post("/own/add/", {"token": token_of(asked), "game": "spycraft", "do": "look"})
    assert "Make 1 card" in seen.content.decode()


def test_a_file_is_looked_at_and_kept_when_its_owner_is_sure(client: Client) -> None:
    seen = look(client)
    page = Page(seen)
    assert "4 would be added, 0 changed, 0 left alone" in page.text and "4 found by its id" in page.text
    assert "Zeppelin" in page.text and not OwnText.objects.exists()
    assert "text" in [column.value for column in page.all("select") if column["name"].startswith("column:")]
    done = client.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "do": "add"}, follow=True)
    assert "4 cards of Spycraft added, 0 changed, 0 left alone." in done.content.decode()
    assert OwnText.objects.count() == 4 and not list(waiting_folder().iterdir())
    assert "0 would be added, 0 changed, 4 left alone" in Page(look(client)).text
    assert "Zeppelin 0." in client.get(f"/cards/spycraft/{CARDS[0].code}/").content.decode()


def test_pasted_text_is_a_file_too(client: Client) -> None:
    seen = client.post("/own/", {"text": "Kai\nA zeppelin.\n\nNobody Knows\nLost.\n", "game": "spycraft"})
    assert "1 would be added" in seen.content.decode() and "Nobody Knows” is no card" in unescape(
        seen.content.decode()
    )


def test_nobody_else_takes_in_a_file_that_waits(client: Client) -> None:
    token = token_of(look(client))
    answer = Client().post("/own/add/", {"token": token, "game": "spycraft", "do": "add"})
    assert answer.status_code == 410 and "Send it again" in answer.content.decode()
    assert not OwnText.objects.exists()
    for bad in ("", "x", token + "x"):
        assert client.post("/own/add/", {"token": bad, "do": "add"}).status_code == 410


def test_a_file_that_is_not_wanted_is_deleted(client: Client) -> None:
    client.post("/own/add/", {"token": token_of(look(client)), "do": "forget"})
    assert not list(waiting_folder().iterdir()) and not OwnText.objects.exists()


def test_a_file_waits_a_day(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    look(client)
    monkeypatch.setattr(waiting, "A_DAY", -1)
    waiting.clear()
    assert not list(waiting_folder().iterdir())


@pytest.mark.parametrize("store", ["pictures", "jobs", "waiting", "bulk"])
def test_halves_of_files_that_killed_processes_left_are_cleared_after_a_day_and_no_younger_ones(
    store: str,
) -> None:
    folder = Path(storages[store].location)
    folder.mkdir(parents=True, exist_ok=True)
    old, young = (folder / f"{name}.0a1b2c3d{UNFINISHED}" for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - waiting.A_DAY - 60,) * 2)
    call_command("own", "clear")
    assert (old.exists(), young.exists()) == (False, True)
    young.unlink()


def test_columns_mean_what_their_owner_says(client: Client) -> None:
    seen = look(client, f"name,Remarks\n{CARDS[0].name},A zeppelin.\n".encode(), "mine.csv", game="spycraft")
    assert "0 cards with a text" in seen.content.decode()
    token = token_of(seen)
    again = client.post("/own/add/", {"token": token, "game": "spycraft", "column:1": "text", "do": "look"})
    assert "1 would be added" in again.content.decode()
    client.post("/own/add/", {"token": token, "game": "spycraft", "column:1": "text", "do": "add"})
    assert OwnText.objects.get().text == "A zeppelin."
    assert client.post(
        "/own/add/", {"token": token, "game": "spycraft", "column:1": "nonsense", "do": "look"}
    ).status_code in (400, 410)


@pytest.mark.both_databases
def test_a_name_of_two_cards_is_chosen_once(client: Client) -> None:
    twins = [card for card in SPYCRAFT.cards if card.name == "Tracer"]
    table = b"name,text\nTracer,A zeppelin.\n"
    seen = look(client, table, "mine.csv", game="spycraft")
    assert all(f'value="{card.code}"' in seen.content.decode() for card in twins)
    client.post(
        "/own/add/", {"token": token_of(seen), "game": "spycraft", "entry:0": twins[1].code, "do": "add"}
    )
    assert OwnText.objects.get().card_code == twins[1].code and OwnChoice.objects.count() == 1
    assert "1 found as you chose" in look(client, table, "mine.csv", game="spycraft").content.decode()


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("x.bin", b"\x7fELF", "is understood"),
        ("x.zip", b"PK\x03\x04broken", "damaged"),
        ("x.zip", zipped({"../set.xml": b"<set/>"}), "outside of it"),
        ("set.xml", b'<!DOCTYPE set [<!ENTITY a "b">]><set/>', "entities"),
        ("x.csv", b"name,text\nNobody Knows,a\n", "No row of it is a card"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_kept(
    client: Client, name: str, data: bytes, sentence: str
) -> None:
    answer = look(client, data, name)
    assert answer.status_code == 400 and sentence in answer.content.decode()
    assert not OwnText.objects.exists()


def test_hostile_files_are_refused_with_a_sentence_and_nothing_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "LARGE", 100_000)
    for name, data, sentence in hostile_files():
        answer = look(client, data, name, game="spycraft")
        assert answer.status_code == 400 and sentence in answer.content.decode(), (name, sentence)
        assert waits() == 0 and not OwnText.objects.exists()


def test_files_are_read_in_the_encodings_that_programs_write(client: Client) -> None:
    for name, data in files_in_encodings(WILD):
        token = token_of(look(client, data, name, game="spycraft"))
        client.post("/own/add/", {"token": token, "game": "spycraft", "do": "add"})
        assert OwnText.objects.get().text == WILD, (name, data[:60])
        OwnText.objects.all().delete()


def test_nothing_sent_is_said(client: Client) -> None:
    answer = client.post("/own/", {"game": "spycraft"})
    assert answer.status_code == 400 and "Choose a file" in answer.content.decode()


def test_more_than_is_taken_is_refused_before_it_is_read(client: Client) -> None:
    answer = client.post(
        "/own/",
        io.BytesIO(),
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(waiting.MAX_FILE + 1),
    )
    assert answer.status_code == 413


def test_one_takes_ones_texts_along_and_deletes_them(client: Client) -> None:
    user = User.objects.create_user("ada")
    client.force_login(user)
    client.post("/own/add/", {"token": token_of(look(client)), "game": "spycraft", "do": "add"})
    page = client.get("/own/").content.decode()
    assert "4 texts" in page and "Spycraft" in page
    table = b"".join(client.get("/own/cutout-own-texts.csv?game=spycraft").streaming_content)  # type: ignore[arg-type]
    assert b"Zeppelin 3." in table
    assert "0 would be added, 0 changed, 4 left alone" in Page(look(client, table, "back.csv")).text
    stranger = Client()
    assert b"Zeppelin" not in b"".join(stranger.get("/own/cutout-own-texts.csv").streaming_content)  # type: ignore[arg-type]
    stranger.post("/own/forget/", {"game": "spycraft"})
    assert OwnText.objects.count() == 4
    client.post("/own/forget/", {"game": "spycraft"})
    assert not OwnText.objects.exists()
    client.post("/own/add/", {"token": token_of(look(client)), "game": "spycraft", "do": "add"})
    user.delete()
    assert not OwnBox.objects.exists() and not OwnText.objects.exists()


def test_what_everyone_has_is_named_and_not_to_be_deleted_here(client: Client) -> None:
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="A zeppelin.")
    page = client.get("/own/").content.decode()
    assert "everyone on this machine" in page and "Delete all" not in page
    client.post("/own/forget/", {"game": "spycraft"})
    assert OwnText.objects.count() == 1


def waits() -> int:
    return len(list(waiting_folder().iterdir()))


@pytest.mark.both_databases
def test_a_choice_is_carried_from_look_to_look_and_kept_with_the_file_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only of what a job stores is the length bounded.
    monkeypatch.setattr(box_jobs, "MAX_FIELD", 5)
    twins = [card for card in SPYCRAFT.cards if card.name == "Tracer"]
    seen = look(client, b"name,text\nTracer,A zeppelin.\n", "mine.csv", game="spycraft")
    again = client.post(
        "/own/add/", {"token": token_of(seen), "game": "spycraft", "entry:0": twins[1].code, "do": "look"}
    )
    assert "1 would be added" in again.content.decode() and not OwnChoice.objects.exists()
    carried = Page(again).one("input", name="chosen")["value"]
    client.post("/own/add/", {"token": token_of(again), "game": "spycraft", "chosen": carried, "do": "add"})
    assert OwnText.objects.get().card_code == OwnChoice.objects.get().card_code == twins[1].code


def test_a_choice_that_nobody_was_offered_counts_for_nothing(client: Client) -> None:
    for bad in ("x", "\x00", '["spycraft", {"tracer": "kai"}]'):
        seen = look(client, b"name,text\nTracer,A zeppelin.\n", "mine.csv", game="spycraft")
        client.post("/own/add/", {"token": token_of(seen), "game": "spycraft", "chosen": bad, "do": "add"})
    assert not OwnChoice.objects.exists() and not OwnText.objects.exists()


def test_others_write_while_a_file_is_compared_and_it_is_compared_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, compared, depths = token_of(look(client)), box_jobs.compare_as_posted, list[int]()
    depth = len(connection.savepoint_ids)

    def slowly(package: Any, posted: Any, viewer: Viewer, *args: Any) -> Any:
        report = compared(package, posted, viewer, *args)
        depths.append(len(connection.savepoint_ids) - depth)
        if len(depths) == 1:
            save_text(viewer, SPYCRAFT, CARDS[0].code, "Written meanwhile.")
        return report

    monkeypatch.setattr(box_jobs, "compare_as_posted", slowly)
    done = client.post(
        "/own/add/", {"token": token, "game": "spycraft", "do": "add"}, follow=True
    ).content.decode()
    assert "3 cards of Spycraft added, 1 changed" in done and depths == [0, 0]


def test_a_file_that_is_refused_when_it_is_kept_is_shown_again_and_waits_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = {"token": token_of(look(client)), "game": "spycraft", "do": "add"}
    monkeypatch.setattr(texts, "MAX_TEXTS", 3)
    refused = client.post("/own/add/", keep)
    assert (
        refused.status_code == 400
        and "You have room for 3 texts" in refused.content.decode()
        and "Zeppelin" in refused.content.decode()
    )
    monkeypatch.undo()
    client.post("/own/add/", {**keep, "token": token_of(refused)})
    assert OwnText.objects.count() == 4 and waits() == 0


def test_a_look_that_is_refused_offers_the_waiting_file_again(client: Client) -> None:
    token = token_of(look(client))
    refused = client.post(
        "/own/add/", {"token": token, "game": "spycraft", "column:1": "nonsense", "do": "look"}
    )
    assert refused.status_code == 400 and "still waits here" in refused.content.decode() and waits() == 1
    assert (
        client.post("/own/add/", {"token": token_of(refused), "game": "spycraft", "do": "look"}).status_code
        == 200
    )


def test_a_file_that_cannot_be_read_or_that_fails_does_not_wait(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(client, b"PK\x03\x04broken", "x.zip")
    assert waits() == 0
    monkeypatch.setattr(box_jobs, "compare_as_posted", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        look(client)
    assert waits() == 0


def test_of_one_owner_two_files_wait_and_a_new_one_takes_the_place_of_the_oldest(client: Client) -> None:
    tokens = []
    look(Client())
    for number in range(3):
        tokens.append(token_of(look(client)))
        for path in waiting_folder().iterdir():
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
        assert waits() == 1 + min(2, number + 1)
    sure = {"game": "spycraft", "do": "look"}
    assert [client.post("/own/add/", {"token": token, **sure}).status_code for token in tokens] == [
        410,
        200,
        200,
    ]


def test_where_all_places_are_taken_what_waited_a_while_makes_room(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(Client())
    monkeypatch.setattr(waiting, "MAX_WAITING", 0)
    answer = look(client)
    assert answer.status_code == 503 and "quarter of an hour" in answer.content.decode()
    for path in waiting_folder().iterdir():
        os.utime(path, (0 + path.stat().st_mtime - 2 * waiting.A_WHILE,) * 2)
    assert look(client).status_code == 200 and waits() == 1


def test_what_a_job_waits_for_makes_no_room_for_what_others_send(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as bounds:
        bounds.setattr(own_views, "MAX_ROWS_AT_ONCE", 0)
        asked = look(Client())
    for path in waiting_folder().iterdir():
        os.utime(path, (path.stat().st_mtime - 2 * waiting.A_WHILE,) * 2)
    monkeypatch.setattr(waiting, "MAX_WAITING", 0)
    assert asked.status_code == 302 and look(client).status_code == 503 and waits() == 1
    PrintJob.objects.update(state=RowState.DONE)
    assert look(client).status_code == 200 and waits() == 1


def test_a_timer_clears_what_waited_for_a_day(client: Client) -> None:
    look(client)
    for path in waiting_folder().iterdir():
        os.utime(path, (0, 0))
    call_command("clear_browsers", stdout=io.StringIO())
    assert waits() == 0


# -- rows that are no card of the catalogue -------------------------------------------------

HARBOUR = (
    b"name,type,set,combat,text\nKai,agent,EA,,A zeppelin.\nIron Heron,agent,Harbour,3,Fly.\nParty"
    b" Crafters,action,Harbour,,\n"
)


def harbour_look(client: Client, **fields: str) -> Any:
    return look(client, HARBOUR, "harbour nights.csv", game="spycraft", **fields)


def test_rows_of_no_card_are_offered_as_cards_of_a_set_and_made_when_asked(client: Client) -> None:
    seen = harbour_look(client)
    page = Page(seen)
    assert page.field("into").value == "harbour nights"
    assert page.has("button", text="Make 1 card, and keep the rest") and "Combat 3" in page.text
    assert "Iron Heron” is no card" not in page.text and not OwnSet.objects.exists()
    done = client.post(
        "/own/add/", {"token": token_of(seen), "game": "spycraft", "into": "Harbour", "do": "make"}
    )
    made = OwnCard.objects.get()
    assert done["Location"] == f"/own/sets/{made.in_set.link}/" and (made.in_set.name, made.facts) == (
        "Harbour",
        {"combat": 3},
    )
    assert OwnText.objects.get().card_code == "kai"
    again = harbour_look(client).content.decode()
    assert "Make 1 card" in again
    again = client.post(
        "/own/add/",
        {"token": token_of(harbour_look(client)), "game": "spycraft", "into": "harbour", "do": "look"},
    )
    assert "1 card stands in “Harbour” already, just so." in again.content.decode()


def test_what_is_kept_without_being_made_leaves_such_rows_out_and_says_so(client: Client) -> None:
    token = token_of(harbour_look(client))
    done = client.post(
        "/own/add/", {"token": token, "game": "spycraft", "into": "Harbour", "do": "add"}, follow=True
    )
    assert "1 row that is no card left out" in done.content.decode() and not OwnCard.objects.exists()


@pytest.mark.both_databases
def test_a_name_that_is_like_a_cards_becomes_ones_own_when_its_owner_says_so(client: Client) -> None:
    posted = {
        "token": token_of(harbour_look(client)),
        "game": "spycraft",
        "into": "Harbour",
        "entry:0": "own_",
    }
    seen = client.post("/own/add/", {**posted, "do": "look"})
    assert "Make 2 cards" in seen.content.decode()
    client.post("/own/add/", {**posted, "do": "make"})
    assert set(OwnCard.objects.values_list("name", flat=True)) == {"Iron Heron", "Party Crafters"}


def test_what_has_no_room_is_said_and_nothing_of_the_file_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "MAX_CARDS", 0)
    seen = harbour_look(client)
    assert "You have room for 0 more cards of your own, and these are 1" in Page(seen).text
    refused = client.post(
        "/own/add/", {"token": token_of(seen), "game": "spycraft", "into": "Harbour", "do": "make"}
    )
    assert refused.status_code == 400 and "You have room for 0 cards of your own" in refused.content.decode()
    assert not OwnText.objects.exists() and not OwnSet.objects.exists()


def test_a_set_without_a_name_is_refused(client: Client) -> None:
    seen = client.post(
        "/own/add/", {"token": token_of(harbour_look(client)), "game": "spycraft", "into": "…", "do": "make"}
    )
    assert (
        seen.status_code == 400
        and "Give the set a name." in seen.content.decode()
        and not OwnText.objects.exists()
    )


def test_a_large_file_makes_its_cards_in_a_job(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_views, "MAX_ROWS_AT_ONCE", 1)
    job = harbour_look(client)
    call_command("worker", "--once")
    report = client.get(job["Location"])
    assert "Make 1 card, and keep the rest" in report.content.decode() and not OwnSet.objects.exists()
    job = client.post(
        "/own/add/", {"token": token_of(report), "game": "spycraft", "into": "Harbour", "do": "make"}
    )
    call_command("worker", "--once")
    assert OwnCard.objects.get().in_set.name == "Harbour"
    assert f"/own/sets/{OwnSet.objects.get().link}/" in client.get(job["Location"]).content.decode()
