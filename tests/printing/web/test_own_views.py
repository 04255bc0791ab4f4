"""The page "Bring your own": a file has a dry run first, and is then taken in whole or not at all, for its
owner.
"""

import io
import os

import pytest
from django.core import signing
from django.core.management import call_command
from django.test import Client

from cardsdb.box import waiting
from cardsdb.box.jobs import MAX_FIELD
from cardsdb.box.report import CHOSEN
from cardsdb.box.texts import box_for_everyone
from cardsdb.games import games
from cardsdb.models import OwnCard, OwnChoice, OwnText, RowState
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


def brought(client: Client):
    """The dry run of PACKAGE."""
    return look(client, PACKAGE, "spy.o8g")


def table(client: Client, data: bytes, name: str = "mine.csv"):
    """The dry run of a table."""
    return look(client, data, name, game="spycraft")


# -- the dry run, and taking in ------------------------------------------------------------


def test_a_dry_run_stores_nothing_and_taking_in_stores_all(client):
    seen = brought(client)
    page = page_of(seen)
    assert "4 would be added, 0 changed, 0 left alone" in page.text and "4 found by its id" in page.text
    assert "Zeppelin" in page.text and not OwnText.objects.exists()
    assert "text" in [column.value for column in page.all("select") if column["name"].startswith("column:")]
    assert "4 cards of Spycraft added, 0 changed, 0 left alone." in taken_in(client, seen).text
    assert OwnText.objects.count() == 4 and not waits()
    assert "0 would be added, 0 changed, 4 left alone" in page_of(brought(client)).text


def test_a_pasted_text_is_read_like_a_file(client):
    text = "Kai\nA zeppelin.\n\nNobody Knows\nLost.\n"
    seen = page_of(client.post("/own/", {"text": text, "game": "spycraft"})).text
    assert "1 would be added" in seen and "“Nobody Knows” is no card" in seen


def test_a_file_of_an_unknown_game_waits_until_its_owner_states_the_game(client):
    answer = look(client, b"Name,Type\nTin Gull,Agent\n", "gulls.csv")
    words = page_of(answer, status=400).text
    assert "Say which game it is" in words and "still waits here" in words
    assert page_of(pressed(client, answer, "look", game="spycraft")).has("button", value="make")


def test_the_owner_of_a_file_chooses_the_meaning_of_its_columns(client):
    seen = table(client, f"name,Remarks\n{CARDS[0].name},A zeppelin.\n".encode())
    assert "0 cards with a text" in page_of(seen).text
    refused = pressed(client, seen, "look", **{"column:1": "nonsense"})
    assert "still waits here" in page_of(refused, status=400).text and waits() == 1
    again = pressed(client, refused, "look", game="spycraft", **{"column:1": "text"})
    assert "1 would be added" in page_of(again).text
    taken_in(client, again)
    assert OwnText.objects.get().text == "A zeppelin."


@pytest.mark.both_databases
def test_the_card_of_an_ambiguous_name_is_chosen_once_and_remembered(client):
    seen = table(client, TRACER)
    choices = page_of(seen).field("entry:0").all("option")
    assert {choice["value"] for choice in choices} >= {*TRACERS}
    again = pressed(client, seen, "look", **{"entry:0": TRACERS[1]})
    assert "1 would be added" in page_of(again).text and not OwnChoice.objects.exists()
    taken_in(client, again)
    assert OwnText.objects.get().card_code == OwnChoice.objects.get().card_code == TRACERS[1]
    assert "1 found as you chose" in page_of(table(client, TRACER)).text


def test_choices_too_long_to_be_stored_in_a_job_still_count_for_a_small_file(client):
    again = pressed(client, table(client, TRACER), "look", **{"entry:0": TRACERS[1]})
    slug, made = signing.loads(form_of(again)["chosen"], salt=CHOSEN)
    long = signing.dumps([slug, made | {"x" * MAX_FIELD: "kai"}], salt=CHOSEN)
    assert "1 would be added" in page_of(pressed(client, again, "look", chosen=long)).text


def test_a_choice_that_the_site_did_not_offer_is_ignored(client):
    for bad in ("x", "\x00", '["spycraft", {"tracer": "kai"}]'):
        pressed(client, table(client, TRACER), chosen=bad)
    assert not OwnChoice.objects.exists() and not OwnText.objects.exists()


# -- refusals ------------------------------------------------------------------------------


def test_hostile_files_are_refused_with_the_reason_and_nothing_is_stored(client):
    for name, data, sentence in hostile_files():
        assert sentence in page_of(table(client, data, name), status=400).text, (name, sentence)
        assert not waits() and not OwnText.objects.exists()


def test_a_file_that_raises_an_error_does_not_keep_waiting(client, monkeypatch):
    monkeypatch.setattr("cardsdb.box.jobs.compare_as_posted", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        brought(client)
    assert not waits()


def test_a_file_that_cannot_be_taken_in_is_shown_again_and_keeps_waiting(client, settings):
    picture = coded(painted(size=(100, 140)), "PNG")
    seen = look(client, zipped({"Sets/One/set.xml": TEXTS, f"{CARDS[0].code}.png": picture}), "spy.o8g")
    settings.CUTOUT_PICTURES_MEGABYTES = 0
    refused = pressed(client, seen)
    shown = page_of(refused, status=507).text
    assert "Nothing was taken in" in shown and "Zeppelin" in shown and not OwnText.objects.exists()
    settings.CUTOUT_PICTURES_MEGABYTES = 100
    taken_in(client, refused)
    assert OwnText.objects.count() == 4 and not waits()


# -- waiting files -------------------------------------------------------------------------


def test_a_waiting_file_can_be_taken_in_by_its_sender_alone(client):
    seen = brought(client)
    assert "Send it again" in page_of(pressed(Client(), seen), status=410).text
    for bad in ("", "x", form_of(seen)["token"] + "x"):
        assert pressed(client, seen, token=bad).status_code == 410
    assert not OwnText.objects.exists()


def test_two_files_of_one_owner_may_wait_and_a_third_replaces_the_oldest(client):
    answers = []
    brought(Client())
    for _ in range(3):
        answers.append(brought(client))
        age(10)
    assert waits() == 3
    assert [pressed(client, answer, "look").status_code for answer in answers] == [410, 200, 200]


def test_older_waiting_files_make_room_unless_a_job_needs_them(client):
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


def test_a_timer_deletes_files_that_waited_for_a_day(client):
    brought(client)
    for seconds, left in ((waiting.A_DAY - 60, 1), (120, 0)):
        age(seconds)
        call_command("clear_browsers", stdout=io.StringIO())
        assert waits() == left


# -- own texts -----------------------------------------------------------------------------


def test_own_texts_are_exported_as_a_table_and_deleted_by_their_owner_alone(ada):
    def exported(client: Client) -> bytes:
        return b"".join(client.get("/own/cutout-own-texts.csv?game=spycraft").streaming_content)

    taken_in(ada, brought(ada))
    assert "Spycraft 4 texts" in page(ada, "/own/").text
    assert b"Zeppelin 3." in exported(ada) and b"Zeppelin" not in exported(Client())
    assert "0 would be added, 0 changed, 4 left alone" in page_of(look(ada, exported(ada), "back.csv")).text
    for client, left in ((Client(), 4), (ada, 0)):
        client.post("/own/forget/", {"game": "spycraft"})
        assert OwnText.objects.count() == left


def test_shared_texts_are_listed_but_cannot_be_deleted_on_the_page(client):
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="A zeppelin.")
    shown = page(client, "/own/").text
    assert "everyone on this machine" in shown and "Delete all" not in shown
    client.post("/own/forget/", {"game": "spycraft"})
    assert OwnText.objects.count() == 1


# -- rows that match no card of the catalogue ------------------------------------------------


def harbour(client: Client):
    """The dry run of a table with a card of the catalogue, a row that is none, and one that is similar."""
    rows = b"Kai,agent,EA,,A zeppelin.\nIron Heron,agent,Harbour,3,Fly.\nParty Crafters,action,Harbour,,\n"
    return table(client, b"name,type,set,combat,text\n" + rows, "harbour nights.csv")


def test_rows_that_match_no_card_are_offered_as_own_cards_and_made_if_wished(client):
    done = taken_in(client, harbour(client))
    assert "1 row that is no card left out" in done.text and not OwnCard.objects.exists()
    seen = harbour(client)
    shown = page_of(seen)
    assert shown.field("into").value == "harbour nights"
    assert shown.has("button", text="Make 1 card") and "Combat 3" in shown.text
    assert "Iron Heron” is no card" not in shown.text
    done = pressed(client, seen, "make", into="Harbour")
    made = OwnCard.objects.get()
    assert done["Location"] == f"/own/sets/{made.in_set.link}/"
    assert (made.in_set.name, made.facts) == ("Harbour", {"combat": 3})
    assert OwnText.objects.get().card_code == "kai"
    again = page_of(pressed(client, harbour(client), "look", into="harbour"))
    assert "1 card is in “Harbour” already, just so." in again.text


@pytest.mark.both_databases
def test_a_row_similar_to_a_card_can_become_an_own_card(client):
    seen = pressed(client, harbour(client), "look", into="Harbour", **{"entry:0": "own_"})
    assert page_of(seen).has("button", text="Make 2 cards, and keep the rest")
    pressed(client, seen, "make")
    assert set(OwnCard.objects.values_list("name", flat=True)) == {"Iron Heron", "Party Crafters"}
