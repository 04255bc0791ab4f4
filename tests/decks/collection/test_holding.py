"""Collections: only their owner changes them, no number is overwritten by accident, and tables are imported
row by row. Lists are tested in ``test_pasting.py``.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks.models import Collection, Owned
from tests.support.collected import held, note
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


# (game, code, copies)
KAI, HITMAN = ("spycraft", "kai", 2), ("spynet", "hitman", 3)


def table(client, text, **more):
    """The answer to a table that is pasted into the import page."""
    return client.post("/collection/import/", {"text": text, **more})


def places(answer) -> list[str]:
    """The places of the answer's faults, such as "line 2", in order."""
    return [fault.where for fault in answer.context["faults"]]


def test_a_collection_needs_no_account_and_is_created_only_by_a_valid_number(client):
    client.get("/collection/")
    client.post("/collection/", {"count:spycraft/kai": "many"})
    assert not Collection.objects.exists(), "neither a visit nor a refused form creates one"
    assert note(client, "１２").status_code == 302, "full-width digits are digits"
    assert "Kai" in page(client, "/collection/").main.text
    assert held() == [("kai", "", 12)]


def test_a_stranger_cannot_see_or_change_a_collection(client):
    note(client, "3")
    stranger = Client()
    assert "Kai" not in page(stranger, "/collection/").main.text
    note(stranger, "5")
    assert held() == [("kai", "", 3), ("kai", "", 5)]
    assert stranger.get("/collection/cutout-collection.csv").getvalue().count(b"kai") == 1


@pytest.mark.both_databases
def test_a_number_changed_in_another_tab_is_not_overwritten(client):
    note(client, "3")
    refused = page_of(note(client, "5", seen="1"), status=409)
    assert "changed to 3 elsewhere" in refused.text
    assert refused.field("count:spycraft/kai").value == "5", "what was typed stays"
    assert held() == [("kai", "", 3)]
    note(client, "0", seen="3")
    assert held() == [], "a card with 0 copies leaves the collection"


@pytest.mark.parametrize(
    ("place", "count"),
    [
        ("spycraft/nobody", "1"),
        ("spycraft/", "1"),
        ("spycraft/\x01", "1"),
        ("spycraft/k\x00", "1"),
        ("spycraft/kai:NO-SUCH:1", "1"),
        ("spycraft/kai:\x00:1", "1"),
        (f"spycraft/kai:{'X' * 60}:", "1"),
        ("chess/king", "1"),
        ("/", "1"),
        ("spycraft/kai", "-1"),
        ("spycraft/kai", "1000"),
        ("spycraft/kai", "²"),
        ("spycraft/kai", "x"),
        ("spycraft/kai", "9" * 30),
        ("spycraft/kai", "1e3"),
    ],
)
def test_an_invalid_card_print_or_number_is_refused_and_nothing_is_stored(client, place, count):
    answer = client.post("/collection/", {f"count:{place}": count, "count:spycraft/bait": "2"})
    assert answer.status_code in (400, 409) and held() == []


@pytest.mark.both_databases
def test_the_exported_file_can_be_imported_again(client):
    note(client, "3")
    client.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON:": "2", "seen:spycraft/kai:ON:": "0"})
    assert held() == [("kai", "", 3), ("kai", "ON", 2)]
    before, data = held(), client.get("/collection/cutout-collection.csv").getvalue()
    other = Client()
    for _ in range(2):
        sent = {"file": SimpleUploadedFile("c.csv", data), "mode": "replace"}
        other.post("/collection/import/", sent)
    assert held() == sorted(before * 2), "importing it twice is the same as once"


# -- tables


def test_bad_rows_are_reported_and_stay_in_the_form_and_the_others_are_taken_in(client):
    note(client, "3")
    bad = '1,"Nobody "At" All",spycraft\n999,Bait,spycraft\n'
    answer = table(client, "count,name,game\n" + "1,Bait,spycraft\n" * 399 + bad, mode="replace")
    assert answer.status_code == 200 and places(answer) == ["line 401", "line 402"]
    assert "Line 402: bait: that would be 1398 copies" in page_of(answer).text
    assert answer.context["typed"] == 'count,name,game\n1,"Nobody ""At"" All",spycraft\n999,Bait,spycraft\n'
    assert answer.context["mode"] == "add", "correcting them must not replace what was imported"
    assert held() == [("bait", "", 399)]


def test_a_table_of_bad_rows_has_all_faults_reported_at_once_and_replaces_nothing(client):
    note(client, "3")
    text = "count,name,game\n1,Nobody At All,spycraft\nmany,Kai,spycraft\n1,Tracer,spycraft\n"
    answer = table(client, text, mode="replace")
    assert answer.status_code == 400 and places(answer) == ["line 2", "line 3", "line 4"]
    refused = page_of(answer, status=400)
    assert "Nobody At All,spycraft" in (refused.field("text").value or "")
    assert "several cards" in refused.text
    assert held() == [("kai", "", 3)]


def test_copies_of_an_unknown_print_are_noted_without_it_and_reported(client):
    rows = "2,Kai,NO,9,spycraft\n1,First Aid,Premiere Edition,002/354,xfiles\n1,XF97-0001v2,,,xfiles\n"
    sent = {"text": f"count,name,set,number,game\n{rows}"}
    answer = page_of(client.post("/collection/import/", sent, follow=True))
    assert "Copies without a print that is not known: NO 9 of Kai (line 2)." in answer.text
    assert sorted(Owned.objects.values_list("card__code", "set", "number", "count")) == [
        ("aura-of-invulnerability", "TRU", "1", 1),
        ("first-aid", "PRE", "2", 1),
        ("kai", "", "", 2),
    ]


def test_columns_that_are_left_out_are_reported_on_the_page(client):
    head, cells = ",".join(f"c{n}" for n in range(9)), "x," * 8 + "x"
    sent = {"text": f"count,name,game,{head}\n1,Kai,spycraft,{cells}\n"}
    shown = page_of(client.post("/collection/import/", sent, follow=True)).text
    assert "Left out: the column “c0”. (line 1, column 4)" in shown and "And 3 more." in shown


# -- the game of a row


def test_rows_without_a_game_give_one_fault_and_the_likely_game_is_offered(client):
    text = "Quantity,Name\n2,Kai\n2,Termite\n2,Bait\n"
    answer = table(client, text)
    assert [(fault.code, fault.where) for fault in answer.context["faults"]] == [("no_game", "game")]
    form = page_of(answer, status=400)
    assert form.field("game").value == "spycraft"
    assert (form.field("text").value or "").replace("\r\n", "\n") == text, "the table stays in the form"
    assert held() == []
    table(client, text, game="spycraft")
    assert len(held()) == 3


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        (
            "count,name,game\n1,Kai,spycraft\n1,Bait,\n1,Kai,chess\n",
            ["game", "line 4"],
            "1 row of the table names no game (the first in line 3)",
        ),
        ("count,card,game\n2,spycraft/kai,spynet\n", ["line 2"], "has no card"),
        ("count,card\n2,spycraft/nobody\n2,chess/kai\n", ["game", "line 2"], "no card “spycraft/nobody”"),
        ("count,name\n1,Nobody At All\n", ["game"], "does not say which game"),
    ],
)
def test_rows_of_an_unknown_game_or_card_are_reported(client, text, at, words):
    answer = table(client, text)
    assert places(answer) == at and words in page_of(answer, status=400).text
    assert held() == []


def test_for_a_name_of_no_game_none_is_offered(client):
    assert table(client, "count,name\n1,Nobody At All\n").context["game_asked"] == ""


@pytest.mark.parametrize(
    ("text", "game", "owned"),
    [
        ("count,code\n2,spycraft/kai\n3,SpyNet/hitman\n", "", [KAI, HITMAN]),
        ("count,card\n2,spycraft/kai\n3,Hitman\n", "spynet", [KAI, HITMAN]),
        ("count,card,game\n2,spycraft/kai,Spycraft\n", "", [KAI]),
    ],
)
def test_the_game_of_a_key_counts_before_the_game_chosen_for_all_rows(client, text, game, owned):
    table(client, text, game=game)
    assert sorted(Owned.objects.values_list("card__game", "card__code", "count")) == owned
