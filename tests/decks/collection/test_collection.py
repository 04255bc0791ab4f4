"""What a person owns, what a deck lacks, and which decks can be built at once."""

from __future__ import annotations

from dataclasses import astuple
from itertools import combinations
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.collection.deck_views import MAX_TRIED, most_together, scarce
from decks.formats import export
from decks.formats.tables import OwnedRow, read_owned, write_owned
from decks.models import Collection, Owned

pytestmark = pytest.mark.one_database

COPIES = st.dictionaries(st.sampled_from("abcde"), st.integers(1, 4))


# -- arithmetic -----------------------------------------------------------------------


def test_decks_contest_a_card_that_several_of_them_want_and_one_deck_simply_lacks_another() -> None:
    found = scarce({"one": {"kai": 2, "recon": 1}, "two": {"kai": 1, "bait": 1}}, {"kai": 2, "bait": 1})
    assert [(one.key, one.wants, one.missing) for one in found] == [
        ("kai", (("one", 2), ("two", 1)), 1),
        ("recon", (("one", 1),), 1),
    ]


@given(st.dictionaries(st.sampled_from(["one", "two", "three", "four", "five"]), COPIES), COPIES)
@settings(max_examples=200, deadline=None)
def test_as_many_decks_as_trying_every_selection_finds_can_be_built_at_once(
    decks: dict[str, Any], owned: dict[str, int]
) -> None:
    found = most_together(decks, owned)
    possible = [
        chosen
        for size in range(len(decks) + 1)
        for chosen in combinations(decks, size)
        if not scarce({deck: decks[deck] for deck in chosen}, owned)
    ]
    assert found in possible
    assert len(found) == max(map(len, possible))


def test_more_decks_than_can_be_tried_are_not_weighed() -> None:
    assert most_together({str(n): {} for n in range(MAX_TRIED + 1)}, {}) is None


# -- tables ---------------------------------------------------------------------------

CELL = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=20).map(str.strip)
ROW = st.builds(OwnedRow, st.just(0), CELL, CELL.filter(bool), CELL, CELL, CELL, st.integers(1, 999))


@given(st.lists(ROW, max_size=8))
@settings(max_examples=150, deadline=None)
def test_a_table_that_was_written_is_read_again(rows: list[OwnedRow]) -> None:
    rows = [row for row in rows if row.code == row.code.lstrip("'=+-@")]
    again = read_owned("".join(write_owned(astuple(row)[1:] for row in rows))).rows
    assert [(r.game, r.code, r.name, r.set, r.number, r.count) for r in again] == [
        (r.game, r.code, r.name, r.set, r.number, r.count) for r in rows
    ]


def test_a_name_that_a_spreadsheet_would_compute_is_marked_in_the_file() -> None:
    assert "'=1+1" in "".join(write_owned([("spycraft", "x", "=1+1", "", "", 1)]))


@pytest.mark.parametrize(
    "text",
    [
        "Count,Name,Edition,Collector Number\n2,Kai,ON,12\n",
        "sep=,\r\nQuantity,Card Name,Set Code,Card Number\r\n2,Kai,ON,12\r\n",
        "\ufeffname,count,set,number,condition\nKai,2,ON,12,mint\n",
    ],
)
def test_the_columns_of_other_sites_are_known_by_their_names(text: str) -> None:
    (row,) = read_owned(text).rows
    assert (row.name, row.count, row.set, row.number) == ("Kai", 2, "ON", "12")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("what,is,this\n1,2,3\n", 1),
        ("count,name\n-1,Kai\n", 2),
        ("count,name\n²,Kai\n", 2),
        ("count,name\n1_0,Kai\n", 2),
        ("count,name\n9999999,Kai\n", 2),
        ("count,name\n2,\n", 2),
        ("count,name\n2,Ka\x00i\n", 2),
        ("count,name\n2," + "x" * 400 + "\n", 2),
        ("count,name\n2," + "x" * 140_000 + "\n", 2),
    ],
)
def test_a_table_that_cannot_be_read_names_the_line(text: str, line: int) -> None:
    try:
        faults = read_owned(text).faults
    except Refused as refused:
        faults = refused.faults
    assert faults[0].where == f"line {line}"


def test_a_column_that_is_left_out_is_told_with_its_place() -> None:
    assert read_owned("count;name;condition;;foil\n2;Kai;mint;x;\n").left_out == (
        "Left out: the column “condition”. (line 1, column 3)",
        "Left out: the column 4, which has no name. (line 2, column 4)",
    )


def test_a_row_is_counted_by_its_first_line() -> None:
    table = read_owned('count,name,note\n1,Kai,"two\nlines"\n-1,Termite,"a\nb"\n')
    assert ([row.line for row in table.rows], [fault.where for fault in table.faults]) == ([2], ["line 4"])


def test_counts_are_read_as_in_decks_and_rows_of_none_are_said() -> None:
    table = read_owned("count,name\n4x,Kai\n0,Bait\n2.0,Chen\n0,Garotte\n３,Termite\n")
    assert [(row.count, row.name) for row in table.rows] == [(4, "Kai"), (2, "Chen"), (3, "Termite")]
    assert table.left_out == ("Left out: a row of 0 copies, 2 times. (line 3, column 1 (count))",)


def test_a_decks_own_table_is_read_with_its_game() -> None:
    game = games()["spycraft"]
    table = read_owned(
        export("csv", game, read_deck(game, "// name: Mine\n// notes: For Friday\n2 Kai ^keep\n")).text
    )
    assert [(row.game, row.code, row.count) for row in table.rows] == [("spycraft", "kai", 2)]
    assert not table.faults


# -- pages ----------------------------------------------------------------------------

database = pytest.mark.django_db


def note(client: Client, count: str, seen: str = "0", card: str = "spycraft/kai") -> Any:
    return client.post("/collection/", {f"count:{card}": count, f"seen:{card}": seen})


def held() -> list[tuple[str, str, int]]:
    return sorted(Owned.objects.values_list("card__code", "set", "count"))


@database
def test_a_collection_needs_no_account(client: Client) -> None:
    assert note(client, "3").status_code == 302
    assert "Kai" in client.get("/collection/").content.decode()
    assert held() == [("kai", "", 3)]


@database
def test_looking_at_the_page_notes_nothing(client: Client) -> None:
    client.get("/collection/")
    assert not Collection.objects.exists()


@database
def test_nobody_sees_or_changes_anothers_collection(client: Client) -> None:
    note(client, "3")
    stranger = Client()
    assert "Kai" not in stranger.get("/collection/").content.decode()
    note(stranger, "5")
    assert held() == [("kai", "", 3), ("kai", "", 5)]
    assert stranger.get("/collection/cutout-collection.csv").getvalue().count(b"kai") == 1


@database
def test_a_number_changed_in_another_tab_is_not_overwritten(client: Client) -> None:
    note(client, "3")
    answer = note(client, "5", seen="1")
    assert answer.status_code == 409
    assert "changed to 3 elsewhere" in answer.content.decode()
    assert 'value="5"' in answer.content.decode(), "what was typed stays"
    assert held() == [("kai", "", 3)]


@database
@pytest.mark.parametrize(
    "place",
    [
        "spycraft/kai:NO-SUCH:1",
        "spycraft/kai:\x00:1",
        f"spycraft/kai:{'X' * 60}:",
        "spycraft/k\x00",
        "\x00/kai",
    ],
)
def test_a_print_that_is_not_there_is_refused(client: Client, place: str) -> None:
    assert client.post("/collection/", {f"count:spycraft/{place}": "1"}).status_code in (400, 409)
    assert not Owned.objects.exists()


@database
def test_what_is_refused_leaves_no_empty_collection(client: Client) -> None:
    client.post("/collection/", {"count:spycraft/kai": "many"})
    assert not Collection.objects.exists()


@database
def test_a_count_may_be_typed_in_full_width_digits(client: Client) -> None:
    note(client, "１２")
    assert held() == [("kai", "", 12)]


@pytest.mark.both_databases
@database
def test_a_number_set_to_none_leaves_the_collection(client: Client) -> None:
    note(client, "3")
    note(client, "0", seen="3")
    assert held() == []


@database
@pytest.mark.parametrize("count", ["-1", "1000", "²", "x", "9" * 30, "1e3"])
def test_what_is_no_number_of_copies_is_refused_and_nothing_stored(client: Client, count: str) -> None:
    answer = client.post("/collection/", {"count:spycraft/kai": count, "count:spycraft/bait": "2"})
    assert answer.status_code == 409
    assert held() == []


@database
@pytest.mark.parametrize("card", ["spycraft/nobody", "chess/king", "spycraft/", "/", "spycraft/\x01"])
def test_a_card_that_is_not_there_is_refused(client: Client, card: str) -> None:
    assert note(client, "1", card=card).status_code == 409
    assert held() == []


@database
def test_copies_are_noted_by_print(client: Client) -> None:
    client.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON:": "2", "seen:spycraft/kai:ON:": "0"})
    note(client, "1")
    assert held() == [("kai", "", 1), ("kai", "ON", 2)]


@pytest.mark.both_databases
@database
def test_the_file_that_comes_out_goes_in_again(client: Client) -> None:
    note(client, "3")
    client.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON:": "2", "seen:spycraft/kai:ON:": "0"})
    before = held()
    table = client.get("/collection/cutout-collection.csv").getvalue()
    other = Client()
    other.post("/collection/import/", {"file": SimpleUploadedFile("c.csv", table), "mode": "replace"})
    other.post("/collection/import/", {"file": SimpleUploadedFile("c.csv", table), "mode": "replace"})
    assert held() == sorted(before * 2), "taking it in twice is taking it in once"


@database
def test_bad_rows_are_named_and_stay_in_the_form_and_the_others_are_taken(client: Client) -> None:
    note(client, "3")
    rows = (
        "count,name,game\n" + "1,Bait,spycraft\n" * 399 + '1,"Nobody "At" All",spycraft\n999,Bait,spycraft\n'
    )
    answer = client.post("/collection/import/", {"text": rows, "mode": "replace"})
    assert answer.status_code == 200
    assert [fault.where for fault in answer.context["faults"]] == ["line 401", "line 402"]
    assert "Line 402: bait: that would be 1398 copies" in answer.content.decode()
    assert answer.context["typed"] == ('count,name,game\n1,"Nobody ""At"" All",spycraft\n999,Bait,spycraft\n')
    assert answer.context["mode"] == "add", "putting them right must not replace what was imported"
    assert held() == [("bait", "", 399)]


@database
def test_a_table_of_bad_rows_alone_replaces_nothing(client: Client) -> None:
    note(client, "3")
    answer = client.post(
        "/collection/import/", {"text": "count,name,game\n1,Nobody At All,spycraft\n", "mode": "replace"}
    )
    assert answer.status_code == 400 and held() == [("kai", "", 3)]


@database
def test_a_print_that_nobody_knows_is_said_and_its_copies_are_noted(client: Client) -> None:
    table = "count,name,set,number,game\n2,Kai,NO,9,spycraft\n1,First Aid,Premiere Edition,002/354,xfiles\n"
    answer = client.post("/collection/import/", {"text": f"{table}1,XF97-0001v2,,,xfiles\n"}, follow=True)
    assert "Copies without a print that is not known: NO 9 of Kai (line 2)." in " ".join(
        answer.content.decode().split()
    )
    assert sorted(Owned.objects.values_list("card__code", "set", "number", "count")) == [
        ("aura-of-invulnerability", "TRU", "1", 1),
        ("first-aid", "PRE", "2", 1),
        ("kai", "", "", 2),
    ]


@database
def test_everything_wrong_with_a_table_is_said_at_once_and_the_table_stays(client: Client) -> None:
    table = "count,name,game\n1,Nobody At All,spycraft\nmany,Kai,spycraft\n"
    answer = client.post("/collection/import/", {"file": SimpleUploadedFile("c.csv", table.encode())})
    assert [fault.where for fault in answer.context["faults"]] == ["line 2", "line 3"]
    assert "Nobody At All,spycraft" in answer.content.decode()


@database
def test_the_two_cards_of_one_name_must_be_told_apart(client: Client) -> None:
    answer = client.post("/collection/import/", {"text": "count,name,game\n1,Tracer,spycraft\n"})
    assert (answer.status_code, "several cards" in answer.content.decode()) == (400, True)


@pytest.mark.both_databases
@database
def test_what_was_noted_before_logging_in_is_taken_into_the_account(client: Client) -> None:
    note(client, "3")
    client.force_login(User.objects.create_user("mallory"))
    note(client, "1")
    client.post("/account/take/", {"kind": "collection"})
    assert held() == [("kai", "", 4)]
    assert Collection.objects.get().owner is not None


@database
def test_the_page_finds_cards_with_the_query_language(client: Client) -> None:
    for card in ("spycraft/kai", "spycraft/bait"):
        note(client, "1", card=card)
    assert [row["card"].code for row in client.get("/collection/?q=type:agent").context["rows"]] == ["kai"]
    found = client.get("/collection/?all=1&game=spycraft&q=type:leader+level=4").context["rows"]
    assert {
        row["card"].fact("level") if hasattr(row["card"], "fact") else row["card"].facts["level"]
        for row in found
    } == {4}


@database
@pytest.mark.parametrize("address", ["?page=0", "?page=99", "?page=²"])
def test_a_page_that_is_not_there_is_404(client: Client, address: str) -> None:
    assert client.get(f"/collection/{address}").status_code == 404


@database
def test_the_page_asks_the_database_the_same_however_much_is_owned(client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client.get("/collection/?game=spycraft")
        return len(captured)

    note(client, "1")
    few = queries()
    client.post(
        "/collection/import/",
        {"text": "count,name,game\n1,Bait,spycraft\n2,Recon,spycraft\n1,Termite,spycraft\n"},
    )
    assert queries() == few <= 14
