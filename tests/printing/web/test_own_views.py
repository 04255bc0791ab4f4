"""The page "Bring your own": a file is looked at first, then taken in whole or not at all, for whoever
brought it.
"""

from __future__ import annotations

import io
import os
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.core.management import call_command
from django.test import Client

from cardsdb.box import waiting
from cardsdb.box.jobs import MAX_FIELD
from cardsdb.box.report import CHOSEN
from cardsdb.box.texts import box_for_everyone
from cardsdb.games import games
from cardsdb.models import OwnBox, OwnCard, OwnChoice, OwnSet, OwnText, RowState
from printing.models import PrintJob
from printing.tasks import jobs
from tests.support.bringing import age, form_of, job_of, large, look, pressed, taken_in, waits
from tests.support.packages import hostile_files, octgn_set, zipped
from tests.support.pages import page, page_of
from tests.support.pictures import coded, painted
from tests.support.print_jobs import waiting_folder

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("own_folders")]
SPYCRAFT = games()["spycraft"]
CARDS = [card for card in SPYCRAFT.cards if card.facts.get("octgn_id")][:4]
TEXTS = octgn_set([(card, f"Zeppelin {number}.") for number, card in enumerate(CARDS)])
PACKAGE = zipped({"Sets/One/set.xml": TEXTS})
TRACERS = [card.code for card in SPYCRAFT.cards if card.name == "Tracer"]
TRACER = b"name,text\nTracer,A zeppelin.\n"


def brought(client: Client) -> Any:
    return look(client, PACKAGE, "spy.o8g")


def table(client: Client, data: bytes, name: str = "mine.csv") -> Any:
    return look(client, data, name, game="spycraft")


# -- looked at, then taken in --------------------------------------------------------------


def test_a_file_is_looked_at_and_kept_when_its_owner_is_sure(client):
    seen = brought(client)
    page = page_of(seen)
    assert "4 would be added, 0 changed, 0 left alone" in page.text and "4 found by its id" in page.text
    assert "Zeppelin" in page.text and not OwnText.objects.exists()
    assert "text" in [column.value for column in page.all("select") if column["name"].startswith("column:")]
    assert "4 cards of Spycraft added, 0 changed, 0 left alone." in taken_in(client, seen).text
    assert OwnText.objects.count() == 4 and not waits()
    assert "0 would be added, 0 changed, 4 left alone" in page_of(brought(client)).text


def test_pasted_text_is_a_file_too(client):
    text = "Kai\nA zeppelin.\n\nNobody Knows\nLost.\n"
    seen = page_of(client.post("/own/", {"text": text, "game": "spycraft"})).text
    assert "1 would be added" in seen and "“Nobody Knows” is no card" in seen


def test_a_file_whose_game_nobody_knows_waits_until_its_owner_says_it(client):
    asked = look(client, b"Name,Type\nTin Gull,Agent\n", "gulls.csv")
    said = page_of(asked, status=400).text
    assert "Say which game it is" in said and "still waits here" in said
    assert page_of(pressed(client, asked, "look", game="spycraft")).has("button", value="make")


def test_columns_mean_what_their_owner_says(client):
    seen = table(client, f"name,Remarks\n{CARDS[0].name},A zeppelin.\n".encode())
    assert "0 cards with a text" in page_of(seen).text
    refused = pressed(client, seen, "look", **{"column:1": "nonsense"})
    assert "still waits here" in page_of(refused, status=400).text and waits() == 1
    again = pressed(client, refused, "look", game="spycraft", **{"column:1": "text"})
    assert "1 would be added" in page_of(again).text
    taken_in(client, again)
    assert OwnText.objects.get().text == "A zeppelin."


@pytest.mark.both_databases
def test_a_name_of_two_cards_is_chosen_once(client):
    seen = table(client, TRACER)
    choices = page_of(seen).field("entry:0").all("option")
    assert {choice["value"] for choice in choices} >= {*TRACERS}
    again = pressed(client, seen, "look", **{"entry:0": TRACERS[1]})
    assert "1 would be added" in page_of(again).text and not OwnChoice.objects.exists()
    taken_in(client, again)
    assert OwnText.objects.get().card_code == OwnChoice.objects.get().card_code == TRACERS[1]
    assert "1 found as you chose" in page_of(table(client, TRACER)).text


def test_a_choice_longer_than_what_a_job_stores_of_a_form_counts_at_once(client):
    again = pressed(client, table(client, TRACER), "look", **{"entry:0": TRACERS[1]})
    slug, made = signing.loads(form_of(again)["chosen"], salt=CHOSEN)
    long = signing.dumps([slug, made | {"x" * MAX_FIELD: "kai"}], salt=CHOSEN)
    assert "1 would be added" in page_of(pressed(client, again, "look", chosen=long)).text


def test_a_choice_that_nobody_was_offered_counts_for_nothing(client):
    for bad in ("x", "\x00", '["spycraft", {"tracer": "kai"}]'):
        pressed(client, table(client, TRACER), chosen=bad)
    assert not OwnChoice.objects.exists() and not OwnText.objects.exists()


# -- what is refused -----------------------------------------------------------------------


def test_hostile_files_are_refused_with_a_sentence_and_nothing_is_kept(client):
    for name, data, sentence in hostile_files():
        assert sentence in page_of(table(client, data, name), status=400).text, (name, sentence)
        assert not waits() and not OwnText.objects.exists()


def test_a_file_that_fails_does_not_wait(client, monkeypatch):
    monkeypatch.setattr("cardsdb.box.jobs.compare_as_posted", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        brought(client)
    assert not waits()


def test_nothing_sent_is_said(client):
    assert "Choose a file" in page_of(client.post("/own/", {"game": "spycraft"}), status=400).text


def test_a_file_that_is_refused_when_it_is_kept_is_shown_again_and_waits_on(client, settings):
    picture = coded(painted(size=(100, 140)), "PNG")
    seen = look(client, zipped({"Sets/One/set.xml": TEXTS, f"{CARDS[0].code}.png": picture}), "spy.o8g")
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    refused = pressed(client, seen)
    shown = page_of(refused, status=507).text
    assert "Nothing was taken in" in shown and "Zeppelin" in shown and not OwnText.objects.exists()
    settings.CUTOUT_PICTURES_MEGABYTES = 100
    taken_in(client, refused)
    assert OwnText.objects.count() == 4 and not waits()


# -- files that wait -----------------------------------------------------------------------


def test_nobody_else_takes_in_a_file_that_waits(client):
    seen = brought(client)
    assert "Send it again" in page_of(pressed(Client(), seen), status=410).text
    for bad in ("", "x", form_of(seen)["token"] + "x"):
        assert pressed(client, seen, token=bad).status_code == 410
    assert not OwnText.objects.exists()


def test_a_file_that_is_not_wanted_is_deleted(client):
    pressed(client, brought(client), "forget")
    assert not waits() and not OwnText.objects.exists()


def test_of_one_owner_two_files_wait_and_a_new_one_takes_the_place_of_the_oldest(client):
    seen = []
    brought(Client())
    for number in range(3):
        seen.append(brought(client))
        age(10)
        assert waits() == 1 + min(2, number + 1)
    assert [pressed(client, one, "look").status_code for one in seen] == [410, 200, 200]


def test_where_all_places_are_taken_what_waited_a_while_makes_room_unless_a_job_waits_for_it(client):
    job_of(look(Client(), large("a.csv", b"name,text\nKai,Mine.\n"), "a.zip", game="spycraft"))
    age(2 * waiting.A_WHILE)
    others = waiting_folder() / "others.file"
    with others.open("wb") as file:
        file.truncate(waiting.MAX_WAITING)
    for state in jobs.OPEN:
        PrintJob.objects.update(state=state)
        assert "quarter of an hour" in page_of(brought(client), status=503).text and waits() == 2
    PrintJob.objects.update(state=RowState.DONE)
    assert brought(client).status_code == 200 and waits() == 2
    os.utime(others, (0, others.stat().st_mtime - 2 * waiting.A_WHILE))
    assert brought(client).status_code == 200 and not others.exists()


def test_a_timer_clears_what_waited_for_a_day(client):
    brought(client)
    age(waiting.A_DAY - 60)
    call_command("clear_browsers", stdout=io.StringIO())
    assert waits() == 1
    age(120)
    call_command("clear_browsers", stdout=io.StringIO())
    assert not waits()


# -- what one has --------------------------------------------------------------------------


def test_one_takes_ones_texts_along_and_deletes_them(ada):
    def exported(client: Client) -> bytes:
        return b"".join(client.get("/own/cutout-own-texts.csv?game=spycraft").streaming_content)

    taken_in(ada, brought(ada))
    assert "Spycraft 4 texts" in page(ada, "/own/").text
    assert b"Zeppelin 3." in exported(ada) and b"Zeppelin" not in exported(Client())
    assert "0 would be added, 0 changed, 4 left alone" in page_of(look(ada, exported(ada), "back.csv")).text
    Client().post("/own/forget/", {"game": "spycraft"})
    assert OwnText.objects.count() == 4
    ada.post("/own/forget/", {"game": "spycraft"})
    assert not OwnText.objects.exists()
    taken_in(ada, brought(ada))
    User.objects.get().delete()
    assert not OwnBox.objects.exists() and not OwnText.objects.exists()


def test_what_everyone_has_is_named_and_not_to_be_deleted_here(client):
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="A zeppelin.")
    shown = page(client, "/own/").text
    assert "everyone on this machine" in shown and "Delete all" not in shown
    client.post("/own/forget/", {"game": "spycraft"})
    assert OwnText.objects.count() == 1


# -- rows that are no card of the catalogue -------------------------------------------------

HARBOUR = (
    b"name,type,set,combat,text\nKai,agent,EA,,A zeppelin.\nIron Heron,agent,Harbour,3,Fly.\nParty"
    b" Crafters,action,Harbour,,\n"
)


def harbour(client: Client) -> Any:
    return table(client, HARBOUR, "harbour nights.csv")


def test_rows_of_no_card_are_offered_as_cards_of_a_set_and_made_when_asked(client):
    seen = harbour(client)
    shown = page_of(seen)
    assert shown.field("into").value == "harbour nights"
    assert shown.has("button", text="Make 1 card, and keep the rest") and "Combat 3" in shown.text
    assert "Iron Heron” is no card" not in shown.text and not OwnSet.objects.exists()
    done = pressed(client, seen, "make", into="Harbour")
    made = OwnCard.objects.get()
    assert done["Location"] == f"/own/sets/{made.in_set.link}/"
    assert (made.in_set.name, made.facts) == ("Harbour", {"combat": 3})
    assert OwnText.objects.get().card_code == "kai"
    again = page_of(pressed(client, harbour(client), "look", into="harbour"))
    assert "1 card is in “Harbour” already, just so." in again.text


def test_what_is_kept_without_being_made_leaves_such_rows_out_and_says_so(client):
    done = taken_in(client, harbour(client), into="Harbour")
    assert "1 row that is no card left out" in done.text and not OwnCard.objects.exists()


@pytest.mark.both_databases
def test_a_name_that_is_like_a_cards_becomes_ones_own_when_its_owner_says_so(client):
    seen = pressed(client, harbour(client), "look", into="Harbour", **{"entry:0": "own_"})
    assert page_of(seen).has("button", text="Make 2 cards, and keep the rest")
    pressed(client, seen, "make")
    assert set(OwnCard.objects.values_list("name", flat=True)) == {"Iron Heron", "Party Crafters"}
